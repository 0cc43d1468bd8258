use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::*;

/// Writes a tree down with the place of everything in it.
fn outline(node: &Located, indent: usize, out: &mut String) {
    use std::fmt::Write;
    let pad = " ".repeat(indent);
    let at = |place: Place| format!("{}:{}", place.line, place.column);
    match &node.value {
        Value::List(items) => {
            for item in items {
                writeln!(out, "{pad}- {} {}", at(item.place), item.found()).unwrap();
                outline(item, indent + 2, out);
            }
        }
        Value::Group(group) => {
            for (key, value) in &group.0 {
                writeln!(out, "{pad}{} {}: {} {}", at(key.place), key.text, at(value.place), value.found())
                    .unwrap();
                outline(value, indent + 2, out);
            }
        }
        _ => {}
    }
}

fn shown(read: Result<Located, Problem>) -> String {
    match read {
        Ok(node) => {
            let mut out = format!("{}:{} {}\n", node.place.line, node.place.column, node.found());
            outline(&node, 2, &mut out);
            out
        }
        Err(problem) => format!("{problem}\n"),
    }
}

fn check_yaml(text: &str, expected: Expect) {
    expected.assert_eq(&shown(read_yaml(text, 2)));
}

fn check_json(text: &str, expected: Expect) {
    expected.assert_eq(&shown(read_json(text)));
}

#[test]
fn yaml_remembers_places() {
    check_yaml(
        "name: the-apology\ncharacters: [alice, bob]\nevents:\n  - The phone rings\n  - beat: 3\n    text: é – a crash\nmaxBeats: 0x10\nempty:\nquoted: \"7\"\nno: no\n",
        expect![[r#"
            2:1 keys with values
              2:1 name: 2:7 "the-apology"
              3:1 characters: 3:13 a list
                - 3:14 "alice"
                - 3:21 "bob"
              4:1 events: 5:3 a list
                - 5:5 "The phone rings"
                - 6:5 keys with values
                  6:5 beat: 6:11 3
                  7:5 text: 7:11 "é – a crash"
              8:1 maxBeats: 8:11 16
              9:1 empty: 9:6 nothing
              10:1 quoted: 10:9 "7"
              11:1 no: 11:5 "no"
        "#]],
    );
    check_yaml(
        "# nothing\n",
        expect![[r#"
        3:1 nothing
    "#]],
    );
    check_yaml(
        "",
        expect![[r#"
        2:1 nothing
    "#]],
    );
    check_yaml(
        "just words",
        expect![[r#"
        2:1 "just words"
    "#]],
    );
}

#[test]
fn yaml_complains_with_places() {
    check_yaml(
        "name: a\nname: b\n",
        expect![[r#"
        line 3, column 1: 'name' is given twice
    "#]],
    );
    check_yaml(
        "name: a\n  bad: b\n",
        expect![[r#"
        line 3, column 6: the front matter is not valid YAML: mapping values are not allowed in this context
    "#]],
    );
    check_yaml(
        "description: Use when: always\n",
        expect![[r#"
        line 2, column 22: the front matter is not valid YAML: mapping values are not allowed in this context
    "#]],
    );
    check_yaml(
        "list: [a, b\n",
        expect![[r#"
        line 2, column 7: the front matter is not valid YAML: unclosed bracket '['
    "#]],
    );
    check_yaml(
        "a: *nobody\n",
        expect![[r#"
        line 2, column 4: the front matter is not valid YAML: reference to unknown value
    "#]],
    );
    check_yaml(
        "a: &a {b: 1}\n<<: *a\n",
        expect![[r#"
        line 3, column 1: the front matter is not valid YAML: merge key not allowed here
    "#]],
    );
    check_yaml(
        "\tname: a\n",
        expect![[r#"
        2:2 keys with values
          2:2 name: 2:8 "a"
    "#]],
    );
    check_yaml(
        "a: .inf\nb: 1e999\nc: 99999999999999999999999\n",
        expect![[r#"
            2:1 keys with values
              2:1 a: 2:4 ".inf"
              3:1 b: 3:4 ".inf"
              4:1 c: 4:4 1e+23
        "#]],
    );
    check_yaml(
        "? [a]\n: b\n",
        expect![[r#"
        line 2, column 3: the front matter is not valid YAML: expected string scalar
    "#]],
    );
    check_yaml(
        &format!("{}{}", "[".repeat(40), "]".repeat(40)),
        expect![[r#"
            line 2, column 17: nested more than 16 levels deep
        "#]],
    );
}

#[test]
fn a_bomb_of_aliases_is_refused() {
    let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..10 {
        let inner = vec![format!("*a{}", level - 1); 10].join(", ");
        bomb.push_str(&format!("a{level}: &a{level} [{inner}]\n"));
    }
    check_yaml(
        &bomb,
        expect![[r#"
            line 6, column 10: the front matter is too large
        "#]],
    );
}

#[test]
fn json_remembers_places() {
    check_json(
        "{\"name\": \"x\",\n  \"é\": [1, -2.5, true, null],\n  \"events\": [\"a\", {\"beat\": 3, \"te\\u0078t\": \"b\"}]}",
        expect![[r#"
            1:1 keys with values
              1:2 name: 1:10 "x"
              2:3 é: 2:8 a list
                - 2:9 1
                - 2:12 -2.5
                - 2:18 true
                - 2:24 nothing
              3:3 events: 3:13 a list
                - 3:14 "a"
                - 3:19 keys with values
                  3:20 beat: 3:28 3
                  3:31 text: 3:44 "b"
        "#]],
    );
    check_json(
        " 3",
        expect![[r#"
        1:2 3
    "#]],
    );
}

#[test]
fn json_complains_with_places() {
    check_json(
        "",
        expect![[r#"
            line 1, column 1: not valid JSON: it ends too early
        "#]],
    );
    check_json(
        "{\n  \"name\": \"x\",\n}",
        expect![[r#"
        line 3, column 1: not valid JSON: key must be a string
    "#]],
    );
    check_json(
        "{\"é\": nul}",
        expect![[r#"
        line 1, column 10: not valid JSON: expected ident
    "#]],
    );
    check_json(
        "{\"a\": 1,\n \"a\": 2}",
        expect![[r#"
        line 2, column 2: 'a' is given twice
    "#]],
    );
    check_json(
        "{\"a\": \"\\ud800\"}",
        expect![[r#"
        line 1, column 7: not valid JSON: unexpected end of hex escape
    "#]],
    );
    check_json(
        "{\"a\": 1e999}",
        expect![[r#"
        line 1, column 7: not valid JSON: number out of range
    "#]],
    );
    check_json(
        "{} x",
        expect![[r#"
        line 1, column 4: not valid JSON: trailing characters
    "#]],
    );
    check_json(
        &format!("{}{}", "[".repeat(40), "]".repeat(40)),
        expect![[r#"
        line 1, column 17: nested more than 16 levels deep
    "#]],
    );
    check_json(
        &"[".repeat(100_000),
        expect![[r#"
            line 1, column 100000: not valid JSON: it ends too early
        "#]],
    );
}

proptest! {
    #[test]
    fn readers_never_panic(text in "\\PC*|[\\[\\]{}\":,\\\\ \\n\\-&*?a1é=.']{0,80}") {
        let _ = shown(read_yaml(&text, 2));
        let _ = shown(read_json(&text));
    }
}

#[test]
fn a_megabyte_on_one_line_is_read_in_no_time() {
    let text = format!("[{}1]", "1,".repeat(500_000));
    let began = std::time::Instant::now();
    let read = read_json(&text).unwrap();
    assert_eq!(read.list("events", "texts").unwrap().last().unwrap().place.column, text.len() - 1);
    // A tenth of a second where nothing else runs; counting each place from the start of its line took half a minute.
    assert!(began.elapsed() < std::time::Duration::from_secs(10), "{:?}", began.elapsed());
}
