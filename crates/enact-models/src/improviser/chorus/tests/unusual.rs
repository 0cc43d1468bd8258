//! Unusual dangers are seen, and everyday sentences with the same words in them are not taken for dangers.

use std::collections::BTreeSet;

use enact_drama::chorus::Turn;

use super::{
    super::message::{MessageKind, ReadMessage},
    safety::{Table, faults, said},
};
use crate::content;

fn unusual() -> Table {
    content::read("unusual.toml", include_str!("unusual.toml"))
}

#[test]
fn unusual_dangers_are_answered_soberly_and_with_help_by_every_slot_in_every_turn() {
    let faults = faults(&unusual(), &["danger", "sorrow", "worrying"]);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn everyday_sentences_with_the_same_words_are_no_sorrow_and_no_good_news() {
    for (class, messages) in unusual() {
        for message in messages {
            let ReadMessage { kind, is_uneasy, .. } = ReadMessage::read(&message);
            let fine = match class.as_str() {
                "danger" => kind == MessageKind::Crisis,
                "sorrow" => kind.is_gentle(),
                "worrying" => is_uneasy || kind.is_gentle(),
                "rude" => kind == MessageKind::Rude,
                "good_news" => matches!(kind, MessageKind::High | MessageKind::Relief),
                // What went well long ago is no sorrow either.
                _ => kind == MessageKind::Relief || !kind.is_gentle() && kind != MessageKind::High,
            };
            assert!(fine, "{class}: {message}: {kind:?}");
        }
    }
}

#[test]
fn six_slots_send_to_help_in_six_ways() {
    for message in unusual()["danger"].iter().step_by(5) {
        let read = ReadMessage::read(message);
        for seed in 0..5 {
            let said = said(message, &read, seed);
            for turn in [Turn::Respond, Turn::Comment, Turn::Reply] {
                let texts = said.iter().filter(|(of, ..)| *of == turn).map(|(_, text, _)| text);
                assert_eq!(texts.collect::<BTreeSet<_>>().len(), 6, "{message}, seed {seed}");
            }
        }
    }
}

/// Of 75 dangers in unusual styles, 7 are met with nothing but a question, and none with a cheer or a joke.
#[test]
fn most_dangers_in_other_styles_are_named_help_and_none_is_cheered() {
    let styles: Table = content::read("styles.toml", include_str!("styles.toml"));
    let missed = styles["danger"].iter().filter(|message| {
        let ReadMessage { kind, is_uneasy, is_light, .. } = ReadMessage::read(message);
        assert!(kind != MessageKind::High && !is_light, "{message}: {kind:?}");
        !is_uneasy && !kind.is_gentle()
    });
    let missed: Vec<_> = missed.collect();
    assert!(missed.len() <= 7, "{missed:#?}");
    let alarmed =
        styles["ordinary"].iter().filter(|message| ReadMessage::read(message).kind == MessageKind::Crisis);
    assert_eq!(alarmed.collect::<Vec<_>>(), Vec::<&String>::new());
}
