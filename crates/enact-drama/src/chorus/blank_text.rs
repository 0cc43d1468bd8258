//! Blank texts: nothing in them can be spoken, or nothing can be seen.

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

/// Blanks, controls, soft hyphens, joiners, marks of direction, variation selectors.
fn is_invisible_char(c: char) -> bool {
    c.is_whitespace()
        || c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests;
