use proptest::prelude::*;

use super::*;

#[test]
fn keys_that_are_known_are_not_repeated() {
    let key = ApiKey::new("sk-aab");
    assert_eq!(redact("my sk-aab, sk-aab!", Some(&key)), "my …, …!");
    assert_eq!(redact("my sk-aab", None), "my sk-aab");
    assert_eq!(redact("text", Some(&ApiKey::new(""))), "text");
    assert_eq!(explanation("no sk-aab\n\u{1b}[31mhere, sk-\u{1b}[0maab", Some(&key)), "no … here, …");
    assert_eq!(explanation(&"ä".repeat(10_000), None).chars().count(), LONGEST_EXPLANATION + 1);
    let secrets = ["sk-12345678", "", "sk-12345678-more"].map(str::to_owned).to_vec();
    assert_eq!(redact_all("sk-12345678, sk-12345678-more in /home".to_owned(), secrets), "…, … in /home");
}

#[test]
fn what_looks_like_a_key_is_not_repeated() {
    for (text, shown) in [
        ("error: unknown option '--tools'", "error: unknown option '--tools'"),
        ("  two\n\tlines\u{a0}and \u{1b}[31mcolour\u{1b}[0m ", "two lines and colour"),
        ("key sk-ant-api03-abcDEF123 refused", "key … refused"),
        ("ANTHROPIC_API_KEY=sk-ant-1234 is wrong", "ANTHROPIC_API_KEY=… is wrong"),
        ("Authorization: Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc", "Authorization: Bearer …"),
        ("at https://api.anthropic.com/v1/messages", "at https://api.anthropic.com/v1/messages"),
        ("task-force and risk-free", "task-force and risk-free"),
        ("", ""),
        (" \u{2003}\r\n", ""),
    ] {
        assert_eq!(explanation_without_keys(text), shown, "{text:?}");
    }
    assert_eq!(explanation_without_keys(&"é ".repeat(500)).chars().count(), LONGEST_EXPLANATION + 1);
}

#[test]
fn only_what_could_be_a_secret_is_hidden_in_speech() {
    for (key, hidden) in [
        ("", false),
        ("x", false),
        ("test", false),
        ("none", false),
        ("EMPTY", false),
        ("ollama", false),
        ("lm-studio", false),
        ("secret", false),
        ("not-needed", false),
        ("sk-", false),
        ("12345678", false),
        ("sk-test", true),
        ("sk-secret-words", true),
        ("hunter2-hunter2", true),
        ("a1b2c3d4", true),
        ("correct-horse-battery-staple", true),
        ("AIzaSyD-abcdefghijklmnopqrstuvwxyz12345", true),
    ] {
        assert_eq!(hidden_in_speech(Some(&ApiKey::new(key))).is_some(), hidden, "{key}");
    }
    assert_eq!(hidden_in_speech(None), None);
    // Errors show no key, however short.
    assert_eq!(explanation("invalid key 'test'", Some(&ApiKey::new("test"))), "invalid key '…'");
}

#[test]
fn pieces_are_shown_as_soon_as_they_cannot_be_the_key() {
    let key = ApiKey::new("sk-aab");
    for (pieces, shown) in [
        (&["ask", "-", "me"][..], &["a", "", "sk-me", ""][..]),
        (&["my sk-", "aa", "b!"], &["my ", "", "…!", ""]),
        (&["sk-a"], &["", "sk-a"]),
    ] {
        let mut redactor = StreamRedactor::new(Some(&key));
        let mut told: Vec<String> = pieces.iter().map(|piece| redactor.push(piece)).collect();
        told.push(redactor.finish());
        assert_eq!(told, shown);
    }
}

proptest! {
    #[test]
    fn any_text_becomes_one_short_line(text in "\\PC{0,300}|(?s).{0,300}") {
        for line in [explanation_without_keys(&text), explanation(&text, None)] {
            prop_assert!(line.chars().count() <= LONGEST_EXPLANATION + 1);
            prop_assert!(!line.contains(char::is_control));
        }
    }

    #[test]
    fn keys_are_redacted_wherever_they_stand(
        before in "[ \"'=:(]{0,3}", key in "sk-ant-[a-zA-Z0-9_-]{8,60}",
    ) {
        let line = explanation_without_keys(&format!("x{before} {key} after"));
        prop_assert!(!line.contains(&key));
    }

    #[test]
    fn pieces_are_redacted_like_the_whole(
        pieces in prop::collection::vec("(sk-|aa|b|sk-aab|…| |é|word){0,3}", 0..12),
    ) {
        for key in ["sk-aab", "aa"] {
            let (secret, whole) = (ApiKey::new(key), pieces.concat().replace(key, REDACTED));
            let mut redactor = StreamRedactor::new(Some(&secret));
            let shown: String = pieces.iter().map(|piece| redactor.push(piece)).collect();
            prop_assert_eq!(shown + &redactor.finish(), whole);
        }
    }
}
