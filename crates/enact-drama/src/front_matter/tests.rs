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
