//! Fallbacks: where a model has failed for good, the next one answers for its slot in the same turn.

use expect_test::expect;

use super::*;
use crate::{
    chorus::report::{ChorusClientEvents, ChorusReport},
    production::{ClientEvents, Report},
};

fn with_fallback(slots: u8) -> ChorusSetup {
    let mut setup = ChorusSetup { voice: None, ..setup(slots) };
    setup.models.get_mut("script").unwrap().fallback = vec!["spare".to_owned()];
    setup.models.insert("spare".to_owned(), ModelCard::free("spare"));
    setup
}

#[test]
fn a_fallback_answers_for_its_slot_and_clients_are_told_once() {
    let mut stage = Stage::open(with_fallback(2));
    stage.play(
        "1 fails: overloaded
         2: It drums.
         1: It whispers.
         2 fails: gone
         1 -> 2: So it does.
         2 fails: gone too",
    );
    expect![[r#"
        turn 1: 1 2
          1 passed over: overloaded (overloaded)
          1 asked of spare
          2: It drums.
          1: It whispers.
        turn 1 done: 1 2
        turn 2: 1 2
          2 passed over: gone (overloaded)
          2 asked of spare
          1 -> 2: So it does.
          2 failed: gone too (overloaded)
        turn 2 done: 1
          2 hears from 1
        turn 3: 2
    "#]]
    .assert_eq(&stage.story());
    let again = Stage::found(&stage.facts);
    assert_eq!(format!("{:?}", again.chorus), format!("{:?}", stage.chorus), "the log folded is the state");

    let story = ChorusReport::of(&stage.facts).unwrap();
    let calls: Vec<(&str, u64)> =
        story.ledger.by_model.iter().map(|(model, account)| (model.as_str(), account.made())).collect();
    assert_eq!(calls, [("script", 4), ("spare", 2)]);
    let metadata = story.metadata();
    assert_eq!(metadata["errors"][0]["fallback"], "spare");
    assert_eq!(metadata["counts"]["failed"], 3);
    let text = crate::report::Format::Txt.render(&story.document());
    assert!(text.contains("(spare) [VOICE: calm_soothing] \"It whispers.\""), "{text}");

    let mut client = ChorusClientEvents::begin(&stage.facts[0]).unwrap();
    let events = stage.facts[1..].iter().filter_map(|fact| client.on_fact(fact));
    let told: Vec<String> = events
        .filter(|event| event.name.starts_with("slot."))
        .map(|event| format!("{} {} {}", event.name, event.data["slotId"], event.data["label"]))
        .collect();
    expect![[r#"
        [
            "slot.start 1 null",
            "slot.start 2 null",
            "slot.done 2 null",
            "slot.done 1 \"spare\"",
            "slot.start 1 null",
            "slot.start 2 null",
            "slot.done 1 null",
            "slot.error 2 \"spare\"",
            "slot.start 2 null",
        ]
    "#]]
    .assert_debug_eq(&told);
}

#[test]
fn a_refusal_stays_one_and_a_comment_that_is_there_is_not_asked_for_elsewhere() {
    let mut stage = Stage::open(with_fallback(2));
    stage.fail("1", FailureKind::Refused, "no");
    assert!(stage.asks().iter().all(|ask| ask.actor.as_ref().is_some_and(|slot| slot.as_str() != "slot-1")));

    let mut stage = Stage::open(with_fallback(2));
    stage.play("1: Yes.\n2: No.\n1 -> 1: Mine.");
    stage.fail("1", FailureKind::Overloaded, "busy");
    assert!(stage.story().contains("1 -> 2: Mine."), "{}", stage.story());
}
