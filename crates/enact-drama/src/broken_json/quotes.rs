//! Quotes inside of quotes: models forget to escape what they quote.
//!
//! Repairing JSON in general cannot know whether `"yes", "no"` is one string or two. Here it can be known:
//! the only keys that there are have names.

/// The text with quotes escaped that do not end their string, and without escapes that there are not.
pub(super) fn escaped(text: &str, is_key: fn(&str) -> bool) -> String {
    let mut escaped = String::with_capacity(text.len() + 16);
    // Where the string begins that is being read.
    let mut string: Option<usize> = None;
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match (c, string) {
            ('"', None) => {
                string = Some(at + 1);
                escaped.push('"');
            }
            ('"', Some(start)) if ends(&text[start..at], &text[at + 1..], is_key) => {
                string = None;
                escaped.push('"');
            }
            ('"', Some(_)) => escaped.push_str("\\\""),
            ('\\', Some(_)) => {
                let rest = &text[at + 1..];
                if is_escape(rest) {
                    escaped.push('\\');
                }
                escaped.extend(
                    chars.next().map(|(_, next)| next).filter(|next| *next != 'u' || is_escape(rest)),
                );
            }
            (other, _) => escaped.push(other),
        }
    }
    escaped
}

/// Whether a quote ends its string: what follows is the end, or another field.
fn ends(string: &str, after: &str, is_key: fn(&str) -> bool) -> bool {
    let after = after.trim_start();
    match after.chars().next() {
        None | Some('}' | ']') => true,
        Some(':') => is_key(string),
        Some(',') => {
            let next = after.trim_start_matches(|next: char| next == ',' || next.is_whitespace());
            let key = next.strip_prefix('"').and_then(|next| next.split_once('"'));
            let is_field = |(key, rest): (&str, &str)| is_key(key) && rest.trim_start().starts_with(':');
            next.is_empty() || next.starts_with('}') || key.is_some_and(is_field)
        }
        Some(_) => false,
    }
}

/// Whether these follow a backslash in JSON.
fn is_escape(rest: &str) -> bool {
    match rest.strip_prefix('u') {
        Some(code) => code.get(..4).is_some_and(|code| code.bytes().all(|b| b.is_ascii_hexdigit())),
        None => rest.starts_with(['"', '\\', '/', 'b', 'f', 'n', 'r', 't']),
    }
}
