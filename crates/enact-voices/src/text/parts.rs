//! Long text in parts, each short enough to be said in one go.

/// Splits a text into parts of at most so many characters: where sentences end if they do, else at a pause, else between words, else
/// anywhere. Nothing is lost but the space between parts.
pub(crate) fn parts(text: &str, longest: usize) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let head = head(rest, longest.max(1));
        let end = if head.len() == rest.len() { head.len() } else { cut(head, &rest[head.len()..]) };
        let (part, later) = rest.split_at(end);
        parts.push(part.trim_end());
        rest = later.trim_start();
    }
    parts
}

/// The first so many characters.
fn head(text: &str, longest: usize) -> &str {
    let end = text.char_indices().nth(longest).map_or(text.len(), |(at, _)| at);
    &text[..end]
}

/// Where a head is best cut, given what follows it.
fn cut(head: &str, later: &str) -> usize {
    let ends_with = |marks: &[char]| {
        let spaces = head.match_indices(char::is_whitespace).rev();
        let inside = spaces.map(|(at, _)| at).find(|&at| head[..at].ends_with(marks));
        let whole = (later.starts_with(char::is_whitespace) && head.ends_with(marks)).then_some(head.len());
        whole.or(inside)
    };
    ends_with(&['.', '!', '?', '…', '。', '！', '？', '"', '”'])
        .or_else(|| ends_with(&[',', ';', ':', '–', '—', '-']))
        .or_else(|| later.starts_with(char::is_whitespace).then_some(head.len()))
        .or_else(|| head.rfind(char::is_whitespace))
        .filter(|&at| at > 0)
        .unwrap_or(head.len())
}
