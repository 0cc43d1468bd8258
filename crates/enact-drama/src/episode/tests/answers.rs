//! What models give, read and shown.

use proptest::prelude::*;
use serde_json::json;

use super::super::{DisplayDecoder, answer::read_answer};

#[test]
fn answers_are_read_as_well_as_possible() {
    // The answer, what is shown of it, and whether something had to be mended.
    let cases = [
        (r#"{"action": "smiles", "dialogue": "Hi."}"#, "*smiles*\n\"Hi.\"", false),
        ("```json\n{\"dialogue\": \"Hi.\"}\n```", "\"Hi.\"", false),
        (r#"Sure! {"dialogue": "Hi.", "action": ""}"#, "\"Hi.\"", false),
        (r#"{"dialogue": "Hi, you", "action": "leans"#, "*leans*\n\"Hi, you\"", true),
        (r#"{"dialogue": "Hi.",, "action": "smiles"}"#, "*smiles*\n\"Hi.\"", true),
        (r#"{"dialogue": "\"Quoted\""}"#, "\"Quoted\"", false),
        (r#"{'dialogue': 'Hi.', 'action': 'smiles'}"#, "*smiles*\n\"Hi.\"", true),
        (r#"{dialogue: "Hi.", action: "smiles",}"#, "*smiles*\n\"Hi.\"", true),
        (r#"{"dialogue": "She said "no", twice.", "action": ""}"#, "\"She said \"no\", twice.\"", true),
        ("Just words.", "\"Just words.\"", true),
        (r#"{"text": "another key"}"#, "\"{\"text\": \"another key\"}\"", true),
        (r#"{"action": "*nods*", "dialogue": null}"#, "*nods*", false),
    ];
    for (raw, content, mended) in cases {
        let read = read_answer(raw);
        assert_eq!(read.answer.content(), content, "{raw}");
        assert_eq!(!read.warnings.is_empty(), mended, "{raw}");
    }
}

#[test]
fn what_is_thought_is_read_and_never_shown() {
    for raw in [r#"{"dialogue": "", "internal": "He knows."}"#, r#"{"internal": "He knows.""#] {
        assert_eq!(read_answer(raw).answer.content(), "", "{raw}");
    }
    let raw = r#"{"internal": "He knows.", "dialogue": "No idea.", "tension_shift": 7}"#;
    let read = read_answer(raw);
    assert_eq!(read.internal.as_deref(), Some("He knows."));
    assert_eq!(read.answer.tension_shift, 1.0, "a shift is at most 1");
    assert_eq!(DisplayDecoder::default().push(raw), "\"No idea.\"");
    // Words before the object are shown as they come; the object is read all the same.
    for before in ["Sure! ", "Here is my answer, as JSON:\n```json\n", "Well {smiles} {"] {
        let shown = DisplayDecoder::default().push(&format!("{before}{raw}\n```"));
        assert!(shown.ends_with("\n\"No idea.\"") && !shown.contains("knows"), "{before}: {shown}");
    }
    let bare = DisplayDecoder::default().push("Sure! {internal: \"He knows.\", dialogue: \"No idea.\"}");
    assert!(!bare.contains("knows"), "{bare}");
    assert_eq!(DisplayDecoder::default().push("A {dia} and {more}."), "A {dia} and {more}.");
    assert_eq!(DisplayDecoder::default().push("An \u{1b}[2Jescape."), "An [2Jescape.");
}

#[test]
fn every_cut_of_an_answer_shows_the_same() {
    let answers = [
        r#"{"action": "She turns — slowly", "dialogue": "Où? \u00e9t\u00e9 \ud83d\ude09\n\"now\"", "mood": "x"}"#,
        r#"{"dialogue": "First.", "action": "then this", "internal": "dialogue: no"}"#,
        "```json\n{\"action\": \"\", \"dialogue\": \"Fenced.\"}\n```",
        "No JSON at all, {really}.",
        "Words, { and more {\n \"dialogue\": \"Then this.\"}",
        r#"{"tension_shift": 0.5, "list": ["a", "b"], "deep": {"dialogue": "inside"}}"#,
    ];
    for answer in answers {
        let whole = DisplayDecoder::default().push(answer);
        let boundaries: Vec<usize> = answer.char_indices().map(|(at, _)| at).collect();
        for &cut in &boundaries {
            let mut decoder = DisplayDecoder::default();
            let shown = decoder.push(&answer[..cut]) + &decoder.push(&answer[cut..]);
            assert_eq!(shown, whole, "cut at {cut}: {answer}");
        }
        let mut decoder = DisplayDecoder::default();
        let shown: String = answer.chars().map(|next| decoder.push(&next.to_string())).collect();
        assert_eq!(shown, whole);
    }
}

proptest! {
    #[test]
    fn what_streams_is_what_stands_in_the_end(action in "[^*\"“”\\p{Cc}]{0,40}", dialogue in "[^\"“”\\p{Cc}]{1,60}") {
        prop_assume!(!dialogue.trim().is_empty());
        let (action, dialogue) = (action.trim().to_owned(), dialogue.trim().to_owned());
        let raw = json!({"action": action, "dialogue": dialogue, "mood": "m", "tension_shift": 0}).to_string();
        let shown = DisplayDecoder::default().push(&raw);
        prop_assert_eq!(shown, read_answer(&raw).answer.content());
    }

    #[test]
    fn any_text_has_a_reading(raw in "\\PC{0,200}") {
        read_answer(&raw);
        DisplayDecoder::default().push(&raw);
    }
}
