//! Written text made fit to be spoken: markup goes, long text is split.

mod markdown;

#[cfg(test)]
mod tests;

pub(crate) use markdown::spoken;

/// Whether anything in a text has a sound.
pub(crate) fn has_words(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric)
}

/// Splits a text into parts of at most so many characters: at the end of a sentence if there is one, else at a pause, else
/// between words, else anywhere. Nothing is lost but the space between parts.
pub(crate) fn split(text: &str, longest: usize) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let end = rest.char_indices().nth(longest.max(1)).map_or(rest.len(), |(at, _)| at);
        let (head, later) = rest.split_at(end);
        let end = if later.is_empty() { end } else { split_point(head, later) };
        let (part, later) = rest.split_at(end);
        parts.push(part.trim_end());
        rest = later.trim_start();
    }
    parts
}

/// Where the beginning of a text is best cut, given what follows it.
fn split_point(head: &str, later: &str) -> usize {
    let after = |marks: &[char]| {
        let spaces = head.match_indices(char::is_whitespace).rev();
        let inside = spaces.map(|(at, _)| at).find(|&at| head[..at].ends_with(marks));
        let whole = (later.starts_with(char::is_whitespace) && head.ends_with(marks)).then_some(head.len());
        whole.or(inside)
    };
    after(&['.', '!', '?', '…', '。', '！', '？', '"', '”'])
        .or_else(|| after(&[',', ';', ':', '–', '—', '-']))
        .or_else(|| later.starts_with(char::is_whitespace).then_some(head.len()))
        .or_else(|| head.rfind(char::is_whitespace))
        .filter(|&at| at > 0)
        .unwrap_or(head.len())
}
