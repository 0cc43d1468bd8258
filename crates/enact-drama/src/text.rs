//! Text from outside, made safe to stand in a line of ours.

use std::{borrow::Cow, iter::Peekable, str::Chars};

const ESCAPE: char = '\u{1b}';

/// The flag that tags make into one of a country within a country. Anywhere else they are text that only
/// programs see.
const FLAG: char = '\u{1f3f4}';

/// Any text as a part of one text line.
///
/// Replies come cleaned by the parser, but an export is the last place where a line break could turn words
/// into another speaker's line, so it does not rely on that. Terminal sequences go whole, or their tails would
/// be left as noise. Overrides of the writing direction go too: they can make a line look like another one.
/// So do invisible characters. The marks that right-to-left text and emoji need inside a word stay.
pub fn one_line(text: &str) -> String {
    if is_plain_line(text) {
        return text.to_owned();
    }
    let mut line = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    let mut gap = false;
    while let Some(c) = chars.next() {
        if c == ESCAPE {
            skip_terminal_sequence(&mut chars);
        } else if c.is_whitespace() || c.is_control() {
            gap = !line.is_empty();
        } else if !is_unseen(c) || (is_tag(c) && line.ends_with(|c| c == FLAG || is_tag(c))) {
            if std::mem::take(&mut gap) {
                line.push(' ');
            }
            line.push(c);
        }
    }
    line
}

/// Whether a text is one line of ASCII words already. Most are, and to find that out takes a third of the time
/// that looking at each character does.
fn is_plain_line(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_plain = |byte: &u8| matches!(byte, b' '..=b'~');
    bytes.iter().all(is_plain) && bytes.trim_ascii().len() == bytes.len() && !text.contains("  ")
}

/// At most so many characters of a text; that it goes on is shown.
pub fn shortened(text: &str, most_chars: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most_chars) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

/// Any text as a part of a bracket: brackets of its own become parentheses, so that ours is the one that
/// closes.
pub fn bracketed(text: &str) -> String {
    let line = one_line(text);
    match line.contains('[') || line.contains(']') {
        true => line.replace('[', "(").replace(']', ")"),
        false => line,
    }
}

/// A text with all its square brackets, of whatever width, made round.
pub(crate) fn parenthesized(text: &str) -> String {
    text.replace(['[', '【', '［'], "(").replace([']', '】', '］'], ")")
}

/// With its first letter in upper case.
pub fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// `mary-jane` as people write it: "Mary Jane".
pub fn title(name: &str) -> String {
    let words = name.split(['-', '_']).filter(|word| !word.is_empty());
    words.map(capitalised).collect::<Vec<_>>().join(" ")
}

/// Words of a line that was cut.
pub(crate) fn broken_off(words: &str) -> String {
    format!("{}—", words.trim_end_matches(|c: char| !c.is_alphanumeric()))
}

/// `ESC [ parameters letter`, of which the escape has been read. Of other sequences only the escape goes.
fn skip_terminal_sequence(chars: &mut Peekable<Chars<'_>>) {
    if chars.next_if_eq(&'[').is_some() {
        while chars.next_if(|c| (' '..='?').contains(c)).is_some() {}
        chars.next_if(|c| ('@'..='~').contains(c));
    }
}

/// JSON in which nothing acts on a terminal or an editor: controls, direction marks and what takes no room
/// are written as `\u202e`. It says the same to every program.
pub fn escaped_json(json: &str) -> Cow<'_, str> {
    // Line breaks stand between values: within strings they are escaped already.
    let acts = |c: char| !c.is_ascii_whitespace() && acts_unseen(c);
    if !json.contains(acts) {
        return Cow::Borrowed(json);
    }
    let mut escaped = String::with_capacity(json.len() + json.len() / 8);
    for c in json.chars() {
        if acts(c) {
            let mut units = [0; 2];
            c.encode_utf16(&mut units).iter().for_each(|unit| escaped.push_str(&format!("\\u{unit:04x}")));
        } else {
            escaped.push(c);
        }
    }
    Cow::Owned(escaped)
}

/// A message for a terminal: what would act on it is written out instead. Line breaks and tabs stay.
pub fn escaped_message(text: &str) -> Cow<'_, str> {
    let acts = |c: char| !matches!(c, '\n' | '\t') && acts_unseen(c);
    if !text.contains(acts) {
        return Cow::Borrowed(text);
    }
    let written = |c: char| if acts(c) { c.escape_unicode().to_string() } else { c.to_string() };
    Cow::Owned(text.chars().map(written).collect())
}

/// Text for tags and attributes of HTML and SVG.
pub fn escaped_html(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c => escaped.push(c),
        }
    }
    escaped
}

/// Whether a character cannot be seen: soft hyphens, joiners, marks of direction, fillers, variation
/// selectors, tags.
pub(crate) fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{e0000}'..='\u{e0fff}'
    )
}

fn acts_unseen(c: char) -> bool {
    c.is_control()
        || is_unseen(c)
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}' | '\u{2029}')
}

/// Embeddings, overrides and isolates; what takes no room and joins nothing; annotations and tags.
fn is_unseen(c: char) -> bool {
    matches!(
        c,
        '\u{200b}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}'
    )
}

fn is_tag(c: char) -> bool {
    matches!(c, '\u{e0020}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_acts_unseen_is_left_out_of_a_line() {
        for (text, line) in [
            ("a\u{202e}b\u{2066}c\u{200b}d\u{fff9}e", "abcde"),
            ("Hi\u{e0049}\u{e0067}\u{e006e}", "Hi"),
            (
                "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}!",
                "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}!",
            ),
            ("می\u{200c}خواهم, 👩\u{200d}👧", "می\u{200c}خواهم, 👩\u{200d}👧"),
            ("one\u{2028}two\u{2029}three\u{85}four\u{b}five", "one two three four five"),
            ("Plain words, as they are.", "Plain words, as they are."),
            (" one  two\tthree\u{7f} ", "one two three"),
            ("one  two", "one two"),
            (" one", "one"),
            ("one ", "one"),
            (" ", ""),
            ("", ""),
        ] {
            assert_eq!(one_line(text), line, "{text:?}");
        }
    }

    #[test]
    fn escaped_json_says_the_same() {
        let texts = ["plain", "a\u{202e}b\u{200f}\u{7f}\u{9b}31m\u{2028}", "\u{e0041}🏴", "שלום\n\u{1b}[2J"];
        let json = serde_json::to_string_pretty(&texts).unwrap();
        let escaped = escaped_json(&json);
        assert_eq!(serde_json::from_str::<Vec<String>>(&escaped).unwrap(), texts);
        assert!(!escaped.contains(|c: char| c != '\n' && acts_unseen(c)), "{escaped}");
        assert!(
            escaped.contains(r"a\u202eb\u200f\u007f\u009b31m\u2028") && escaped.contains("שלום"),
            "{escaped}"
        );
        assert!(matches!(escaped_json("{\n}"), Cow::Borrowed(_)));
    }

    #[test]
    fn messages_act_on_no_terminal() {
        assert_eq!(escaped_message("two\nlines\u{1b}[2J\u{202e}"), "two\nlines\\u{1b}[2J\\u{202e}");
        assert!(matches!(escaped_message("a\tb"), Cow::Borrowed(_)));
    }
}
