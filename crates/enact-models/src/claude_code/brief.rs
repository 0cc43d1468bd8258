//! How the command's complaints are quoted: in one short line, without secrets.

use enact_drama::text::shortened;

/// Longer complaints are cut: they go into a line of the log.
const LONGEST: usize = 200;

/// A run of letters and digits as long as this is no word of any language, but a key or the name of a request.
const KEY_LENGTH: usize = 32;

/// Keys that say so need not be that long.
const KEY_PREFIX: &str = "sk-";
const PREFIXED_KEY_LENGTH: usize = 8;

const HIDDEN: &str = "[hidden]";

/// One line of at most [`LONGEST`] characters in which nothing looks like a key.
pub(super) fn brief(text: &str) -> String {
    let visible: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let line = visible.split_whitespace().map(without_keys).collect::<Vec<_>>().join(" ");
    shortened(&line, LONGEST).into_owned()
}

fn without_keys(word: &str) -> String {
    let mut shown = String::with_capacity(word.len());
    let mut rest = word;
    while !rest.is_empty() {
        let run = rest.find(|c| !is_of_keys(c)).unwrap_or(rest.len());
        let (candidate, after) = rest.split_at(run);
        shown.push_str(if is_key(candidate) { HIDDEN } else { candidate });
        let between = after.find(is_of_keys).unwrap_or(after.len());
        shown.push_str(&after[..between]);
        rest = &after[between..];
    }
    shown
}

fn is_key(run: &str) -> bool {
    let long = run.len() >= KEY_LENGTH && run.contains(|c: char| c.is_ascii_digit());
    let prefixed = run.starts_with(KEY_PREFIX) && run.len() >= PREFIXED_KEY_LENGTH;
    long || prefixed
}

fn is_of_keys(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '+')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn complaints_are_short_lines_without_keys() {
        for (text, shown) in [
            ("error: unknown option '--tools'", "error: unknown option '--tools'"),
            ("  two\n\tlines\u{a0}and \u{1b}[31mcolour\u{1b}[0m ", "two lines and [31mcolour [0m"),
            ("key sk-ant-api03-abcDEF123 refused", "key [hidden] refused"),
            ("ANTHROPIC_API_KEY=sk-ant-1234 is wrong", "ANTHROPIC_API_KEY=[hidden] is wrong"),
            (
                "Authorization: Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc",
                "Authorization: Bearer [hidden]",
            ),
            ("at https://api.anthropic.com/v1/messages", "at https://api.anthropic.com/v1/messages"),
            ("task-force and risk-free", "task-force and risk-free"),
            ("", ""),
            (" \u{2003}\r\n", ""),
        ] {
            assert_eq!(brief(text), shown, "{text:?}");
        }
        assert_eq!(brief(&"é ".repeat(500)).chars().count(), LONGEST + 1);
    }

    proptest! {
        #[test]
        fn whatever_is_complained_of_becomes_one_short_line(text in "\\PC{0,300}|(?s).{0,300}") {
            let line = brief(&text);
            prop_assert!(line.chars().count() <= LONGEST + 1);
            prop_assert!(!line.contains(char::is_control));
        }

        #[test]
        fn keys_are_hidden_wherever_they_stand(before in "[ \"'=:(]{0,3}", key in "sk-ant-[a-zA-Z0-9_-]{8,60}") {
            let line = brief(&format!("x{before} {key} after"));
            prop_assert!(!line.contains(&key));
        }
    }
}
