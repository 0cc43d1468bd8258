//! Front matter: the YAML between two `---` lines at the top of a markdown file.

use crate::{
    Problem,
    located::{Located, LocatedMap, Value, read_yaml},
};

const FENCE: &str = "---";

/// A markdown file in its two parts.
#[derive(Debug)]
pub(crate) struct FrontMatter<'a> {
    /// Empty when there is no front matter: a file without any and one with nothing in it mean the same.
    pub(crate) matter: LocatedMap,
    pub(crate) body: &'a str,
}

/// Reads the front matter of a markdown file, if it has any, and leaves the rest as it is.
///
/// Only a fence on the very first line opens front matter; further down it is a rule across the page.
pub(crate) fn read(text: &str) -> Result<FrontMatter<'_>, Problem> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let Some((yaml, body)) = split(text)? else {
        return Ok(FrontMatter { matter: LocatedMap::default(), body: text });
    };
    let Located { place, value } = read_yaml(yaml, 2)?;
    match value {
        Value::Null => Ok(FrontMatter { matter: LocatedMap::default(), body }),
        Value::Group(matter) => Ok(FrontMatter { matter, body }),
        _ => Err(Problem::config("the front matter must be keys with values")
            .at(place.line, place.column)
            .hint("write one 'key: value' on each line")),
    }
}

/// The YAML, which begins on line 2, and the body.
fn split(text: &str) -> Result<Option<(&str, &str)>, Problem> {
    let is_fence = |line: &str| line.trim_end() == FENCE;
    let mut lines = text.split_inclusive('\n');
    let Some(first) = lines.next().filter(|line| is_fence(line)) else {
        return Ok(None);
    };
    let mut end = first.len();
    for line in lines {
        if is_fence(line) {
            return Ok(Some((&text[first.len()..end], &text[end + line.len()..])));
        }
        end += line.len();
    }
    Err(Problem::config("the front matter that begins here does not end")
        .at(1, 1)
        .hint("close it with a line '---' below the last key"))
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use proptest::prelude::*;

    use super::*;

    fn check(text: &str, expected: Expect) {
        let shown = match read(text) {
            Ok(FrontMatter { matter, body }) => {
                let keys: Vec<_> = matter.0.iter().map(|(key, _)| key.text.as_str()).collect();
                format!("{keys:?} {body:?}")
            }
            Err(problem) => match &problem.hint {
                Some(hint) => format!("{problem} ({hint})"),
                None => problem.to_string(),
            },
        };
        expected.assert_eq(&shown);
    }

    #[test]
    fn only_a_fence_on_the_first_line_opens_front_matter() {
        check("---\nname: x\n---\nBody.\n---\nMore.\n", expect![[r#"["name"] "Body.\n---\nMore.\n""#]]);
        check("---\nname: x\n---", expect![[r#"["name"] """#]]);
        check("---\n---\nBody", expect![[r#"[] "Body""#]]);
        check("---\n# only a comment\n---\nBody", expect![[r#"[] "Body""#]]);
        check("Body.\n\n---\n\nMore.", expect![[r#"[] "Body.\n\n---\n\nMore.""#]]);
        check("\n---\nname: x\n---\n", expect![[r#"[] "\n---\nname: x\n---\n""#]]);
        check("--- \nname: x\n---\t\nBody", expect![[r#"["name"] "Body""#]]);
        check("----\nname: x\n----\n", expect![[r#"[] "----\nname: x\n----\n""#]]);
        check("", expect![[r#"[] """#]]);
    }

    #[test]
    fn byte_order_marks_and_carriage_returns_do_no_harm() {
        check(
            "\u{feff}---\r\nname: x\r\nsetting: y\r\n---\r\nBody.\r\n",
            expect![[r#"["name", "setting"] "Body.\r\n""#]],
        );
        check("\u{feff}Body.", expect![[r#"[] "Body.""#]]);
    }

    #[test]
    fn fences_inside_block_text_are_text() {
        check("---\nsetting: |\n  above\n  ---\n  below\n---\nBody", expect![[r#"["setting"] "Body""#]]);
    }

    #[test]
    fn broken_front_matter_is_pointed_at() {
        check(
            "---\nname: x\n",
            expect![
                "line 1, column 1: the front matter that begins here does not end (close it with a line '---' below the last key)"
            ],
        );
        check(
            "---",
            expect![
                "line 1, column 1: the front matter that begins here does not end (close it with a line '---' below the last key)"
            ],
        );
        check(
            "---\n- a\n- b\n---\n",
            expect![
                "line 2, column 1: the front matter must be keys with values (write one 'key: value' on each line)"
            ],
        );
        check(
            "---\njust words\n---\n",
            expect![
                "line 2, column 1: the front matter must be keys with values (write one 'key: value' on each line)"
            ],
        );
        check(
            "---\nname: x\ngoals: [a\n---\n",
            expect!["line 3, column 8: the front matter is not valid YAML: unclosed bracket '['"],
        );
    }

    proptest! {
        #[test]
        fn never_panics(text in "(---\r?\n)?\\PC*(\n---\n)?\\PC*") {
            let _ = read(&text);
        }
    }
}
