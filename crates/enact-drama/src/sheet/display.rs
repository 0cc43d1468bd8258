//! What a character is called on stage.

use std::sync::LazyLock;

use crate::{
    look_alikes::{as_seen, skeleton},
    text::title,
};

/// What the moderator's own lines begin with, read from `reserved_names.txt`.
static RESERVED: LazyLock<Vec<String>> = LazyLock::new(|| {
    let names = include_str!("reserved_names.txt").lines().filter(|name| !name.starts_with('#'));
    names.map(skeleton).collect()
});

/// Longer than any name one would say; a label stands before every line.
const LONGEST: usize = 40;

/// A sheet's title heading, in its two parts: "Alice - Senior Project Manager".
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Heading {
    pub(super) name: String,
    pub(super) title: Option<String>,
}

impl Heading {
    /// Splits a heading at the first dash, colon or comma. Nothing if no name is left of it.
    pub(super) fn of(text: &str) -> Option<Heading> {
        const ENDS: [&str; 6] = [" - ", " – ", " — ", ":", ",", " ("];
        let end = ENDS.iter().filter_map(|end| text.find(end).map(|at| (at, end.len()))).min();
        let (name, title) = match end {
            Some((at, length)) => (&text[..at], text[at + length..].trim().trim_end_matches(')')),
            None => (text, ""),
        };
        let name = label(name);
        (!name.is_empty())
            .then(|| Heading { name, title: (!title.is_empty()).then(|| title.trim().to_owned()) })
    }
}

/// Front matter's name, else the heading's, else the file's.
pub(super) fn choose(file: &str, given: Option<&str>, heading: Option<&Heading>) -> String {
    // Agents of other programs carry `name: alice` as an identifier; people on stage are not called in lower
    // case.
    let given = given.map(label).filter(|given| !given.is_empty() && given != &file.to_lowercase());
    given.or_else(|| heading.map(|heading| heading.name.clone())).unwrap_or_else(|| label(&title(file)))
}

/// Whether a name would pass for the moderator's own word, in whatever case, width, spacing or script.
pub fn is_reserved(name: &str) -> bool {
    RESERVED.contains(&skeleton(name))
}

/// The text as a speaker's label: whatever could be taken for part of a line's format is gone.
///
/// Speakers and what they say are kept apart in the log; in the transcript only the format does it.
fn label(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut safe = String::new();
    for (index, &c) in chars.iter().enumerate() {
        let letter = |at: Option<usize>| at.and_then(|at| chars.get(at)).is_some_and(|c| c.is_alphabetic());
        match c {
            // O'Brien is a name, 'Ace' is a quotation.
            '\'' | '’' if letter(index.checked_sub(1)) && letter(Some(index + 1)) => safe.push(c),
            _ if is_invisible(c) => {}
            _ if c.is_whitespace() || c.is_control() || is_format(c) => safe.push(' '),
            _ => safe.push(c),
        }
    }
    let mut label = String::new();
    for word in safe.split_whitespace() {
        let space = usize::from(!label.is_empty());
        if label.chars().count() + space + word.chars().count() > LONGEST {
            // A first word that is too long by itself is cut, so that something is left.
            if label.is_empty() {
                label.extend(word.chars().take(LONGEST));
            }
            break;
        }
        if space > 0 {
            label.push(' ');
        }
        label.push_str(word);
    }
    // Without a letter or a digit it is no name.
    if label.contains(char::is_alphanumeric) { label } else { String::new() }
}

/// Brackets, quotes and the marks that replies are written with.
fn is_format(c: char) -> bool {
    const MARKS: &str = "[](){}<>«»‹›“”„‟‘’‚‛「」『』【】〔〕〖〗〘〙〚〛〈〉《》⟦⟧⁅⁆❲❳\"'`*_#|:;,\\/";
    // Also in full width.
    as_seen(c.encode_utf8(&mut [0; 4])).chars().all(|seen| MARKS.contains(seen))
}

/// Marks that turn the direction of text or take no room: with them one name can look like another.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests;
