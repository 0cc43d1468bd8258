//! The requirements' own parser tests, word for word.

use crate::reply::{Action, parse};

#[test]
fn should_parse_directed_dialog_with_tone() {
    let parsed = parse("[TO: Bob, TONE: angry] \"Why did you do that?\"").reply;
    assert_eq!(parsed.action, Action::Speak);
    assert_eq!(parsed.target.as_deref(), Some("Bob"));
    assert_eq!(parsed.tone, "angry");
    assert_eq!(parsed.content, "Why did you do that?");
}

#[test]
fn should_parse_interruption_with_phrase() {
    let parsed = parse("[INTERRUPT after \"I want to\", TONE: furious] \"No!\"").reply;
    assert_eq!(parsed.action, Action::Interrupt);
    assert_eq!(parsed.interrupt_after.as_deref(), Some("I want to"));
    assert_eq!(parsed.tone, "furious");
}

#[test]
fn should_parse_silent_response_with_non_verbal() {
    let parsed = parse("[SILENT, *crosses arms*]").reply;
    assert_eq!(parsed.action, Action::Silent);
    assert_eq!(parsed.nonverbal.as_deref(), Some("crosses arms"));
}

#[test]
fn should_handle_malformed_response_gracefully() {
    let reading = parse("Just some text without formatting");
    assert_eq!(reading.reply.action, Action::Speak);
    assert_eq!(reading.reply.content, "Just some text without formatting");
    assert!(reading.malformed() && !reading.warnings.is_empty());
}
