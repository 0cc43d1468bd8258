use expect_test::expect;

use super::*;

#[test]
fn near_words_are_meant_and_far_ones_are_not() {
    let cast = ["alice", "bob", "charlie"];
    for (word, meant) in [
        ("alicia", Some("alice")),
        ("Alice", Some("alice")),
        ("rob", Some("bob")),
        ("charly", Some("charlie")),
        ("jon", None),
        ("dave", None),
        ("", None),
    ] {
        assert_eq!(did_you_mean(word, cast), meant, "{word}");
    }
    assert_eq!(did_you_mean(&"x".repeat(1_000_000), cast), None);
}

#[test]
fn problems_have_the_seed_s_shape() {
    let config = Problem::config("Scene prompt is required").context(json!({"provided": {"name": "x"}}));
    expect![[r#"
            {
              "success": false,
              "error": {
                "code": "INVALID_CONFIG",
                "message": "Scene prompt is required",
                "context": {
                  "provided": {
                    "name": "x"
                  }
                }
              }
            }"#]]
    .assert_eq(&format!("{:#}", config.to_json()));
    expect![[r#"
            {
              "success": false,
              "error": {
                "code": "CHARACTER_LOAD_ERROR",
                "message": "Character 'alice' not found. Ensure .claude/agents/alice.md exists.",
                "context": {
                  "character": "alice",
                  "reason": "file not found"
                }
              }
            }"#]]
    .assert_eq(&format!("{:#}", Problem::no_such_character("alice").to_json()));
    let placed = Problem::character("alice", "its front matter does not end")
        .at(3, 1)
        .in_file("cast/alice.md")
        .hint("close it");
    expect![[r#"
            {
              "success": false,
              "error": {
                "code": "CHARACTER_LOAD_ERROR",
                "message": "Failed to load character 'alice': its front matter does not end",
                "context": {
                  "character": "alice",
                  "reason": "its front matter does not end",
                  "file": "cast/alice.md",
                  "line": 3,
                  "column": 1,
                  "hint": "close it"
                }
              }
            }"#]]
    .assert_eq(&format!("{:#}", placed.to_json()));
}

#[test]
fn problems_say_where() {
    let problem = Problem::config("unknown key 'x'");
    assert_eq!(problem.to_string(), "unknown key 'x'");
    assert_eq!(problem.clone().at(3, 7).to_string(), "line 3, column 7: unknown key 'x'");
    assert_eq!(problem.clone().in_file("a.md").to_string(), "a.md: unknown key 'x'");
    assert_eq!(problem.at(3, 7).in_file("a.md").in_file("b.md").to_string(), "a.md:3:7: unknown key 'x'");
}
