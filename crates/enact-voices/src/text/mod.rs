//! Written text made fit to be spoken: what only eyes want goes, what ears want stays.

mod inline;
mod marks;
mod parts;

#[cfg(test)]
mod tests;

pub(crate) use parts::parts;

/// What is said of a text: without markup, addresses, pictures and whatever else has no sound, on one line.
pub(crate) fn spoken(text: &str) -> String {
    let mut said = String::with_capacity(text.len());
    for line in text.split(['\n', '\r', '\u{2028}', '\u{2029}', '\u{85}']) {
        let Some(line) = Row::of(line) else { continue };
        let words = inline::spoken(line.text);
        append(&mut said, &words);
        if line.is_apart && has_words(&words) {
            end_sentence(&mut said);
        }
    }
    said
}

/// Whether anything in a text has a sound.
pub(crate) fn has_words(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric)
}

/// A line of a text as it is laid out.
struct Row<'a> {
    text: &'a str,
    /// Headings and the entries of lists end where their line does, though they rarely say so.
    is_apart: bool,
}

impl Row<'_> {
    /// Nothing for lines that are only drawn.
    fn of(line: &str) -> Option<Row<'_>> {
        let mut text = line.trim();
        while let Some(quoted) = text.strip_prefix('>') {
            text = quoted.trim_start();
        }
        if text.starts_with("```") || text.starts_with("~~~") {
            return None;
        }
        if !text.is_empty() && text.chars().all(|c| "-=*_|:+ ".contains(c)) {
            return None;
        }
        let heading = text.trim_start_matches('#');
        if heading.len() < text.len() && heading.starts_with(' ') {
            return Some(Row { text: heading.trim().trim_end_matches('#'), is_apart: true });
        }
        let entry = ["- ", "* ", "+ ", "• "].iter().find_map(|bullet| text.strip_prefix(bullet));
        if let Some(entry) = entry {
            // A box that is ticked or not.
            let boxes = ["[ ] ", "[x] ", "[X] "];
            let entry = boxes.iter().find_map(|ticked| entry.strip_prefix(ticked)).unwrap_or(entry);
            return Some(Row { text: entry, is_apart: true });
        }
        Some(Row { text, is_apart: text.starts_with('|') })
    }
}

/// Adds words with one space before and between them.
fn append(said: &mut String, words: &str) {
    for word in words.split_whitespace() {
        if !said.is_empty() {
            said.push(' ');
        }
        said.push_str(word);
    }
}

fn end_sentence(said: &mut String) {
    let open = said.trim_end_matches([',', ';', ' ']).len();
    said.truncate(open);
    if !said.ends_with(['.', '!', '?', ':', '…', '。', '！', '？']) {
        said.push('.');
    }
}
