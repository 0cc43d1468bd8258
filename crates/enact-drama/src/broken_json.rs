//! JSON that models break: cut off, in single quotes, with bare keys, with quotes that are not escaped.

use jsonrepair_rs::RepairOptions;
use serde_json::Value;

/// Real answers are far shorter, also those of models that repeat what they were told.
const LONGEST_MENDED_BYTES: usize = 32 * 1024;

/// The value that a text is meant to be. `is_key` knows the names of all keys there can be: only by them it
/// can be told whether `"yes", "no"` is one text or two.
pub(crate) fn mend(broken: &str, is_key: fn(&str) -> bool) -> Option<Value> {
    let repaired = |text: &str| -> Option<Value> {
        let options = RepairOptions::default().with_max_input_bytes(LONGEST_MENDED_BYTES);
        let mended = jsonrepair_rs::jsonrepair_with_options(text, options).ok()?;
        serde_json::from_str(&mended).ok()
    };
    repaired(broken).or_else(|| repaired(&escaped(broken, is_key)))
}

/// Escapes quotes inside a string, which models forget to, and drops invalid escapes. Repairing JSON in general
/// cannot know whether `"yes", "no"` is one string or two; here the names of all keys are known.
fn escaped(text: &str, is_key: fn(&str) -> bool) -> String {
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
