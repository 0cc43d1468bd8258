//! Unusual dangers are seen, and everyday sentences with the same words in them are not taken for dangers.

use super::{
    super::message::{MessageKind, ReadMessage},
    safety::{Table, faults},
};
use crate::content;

fn unusual() -> Table {
    content::read("unusual.toml", include_str!("unusual.toml"))
}

#[test]
fn unusual_dangers_are_answered_soberly_and_with_help_by_every_slot_in_every_turn() {
    let faults = faults(&unusual(), &["danger", "sorrow"]);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn everyday_sentences_with_the_same_words_are_no_sorrow_and_no_good_news() {
    for (class, messages) in unusual() {
        for message in messages {
            let ReadMessage { kind, .. } = ReadMessage::read(&message);
            let fine = match class.as_str() {
                "danger" => kind == MessageKind::Crisis,
                "sorrow" => kind.is_gentle(),
                "good_news" => matches!(kind, MessageKind::High | MessageKind::Relief),
                // What went well long ago is no sorrow either.
                _ => kind == MessageKind::Relief || !kind.is_gentle() && kind != MessageKind::High,
            };
            assert!(fine, "{class}: {message}: {kind:?}");
        }
    }
}
