//! Blank texts: nothing in them can be spoken, or nothing can be seen.

use crate::text;

/// Whether a text cannot be spoken: it has no word, no number and no symbol.
pub(super) fn is_silent(text: &str) -> bool {
    let punctuation = |c: char| {
        c.is_ascii()
            || matches!(c, '\u{a0}'..='\u{bf}' | '\u{2000}'..='\u{206f}' | '\u{3000}'..='\u{303f}' | '\u{ff00}'..='\u{ff0f}')
    };
    text.chars().all(|c| !c.is_alphanumeric() && (punctuation(c) || is_invisible_char(c)))
}

/// Whether a text has only characters that cannot be seen.
pub(super) fn is_invisible(text: &str) -> bool {
    text.chars().all(is_invisible_char)
}

fn is_invisible_char(c: char) -> bool {
    c.is_whitespace() || c.is_control() || text::is_invisible(c) || c == '\u{2800}'
}

#[cfg(test)]
mod tests;
