//! Notes and world events.

use expect_test::expect;

use super::*;
use crate::{
    Name,
    scene::{DeckEvent, NoteReason},
};

#[test]
fn somebody_spoken_to_who_stays_silent_gets_a_private_note() {
    let mut stage = Stage::open(setup(config(&ALL_THREE, Some("alice"))));
    stage.beat(&[("alice", r#"[TO: Bob, TONE: calm] "Say something.""#)]);
    stage.beat(&[("alice", r#"[TO: Bob, TONE: calm] "Anything at all.""#)]);
    assert!(!stage.prompt("bob").contains("too passive"), "once may be a pause");
    stage.beat(&[("charlie", r#"[TO: Bob, TONE: calm] "She means you.""#)]);
    let note = "You're being too passive";
    assert!(stage.prompt("bob").contains(note));
    assert!(!stage.prompt("alice").contains(note) && !stage.prompt("charlie").contains(note));
}

#[test]
fn titles_and_hyphens_are_part_of_a_name() {
    for display in ["Dr. Bob Smith", "Bob-Lee", "Bob"] {
        let mut setup = setup(config(&ALICE_AND_BOB, Some("alice")));
        setup.cast[1].display = display.to_owned();
        let mut stage = Stage::open(setup);
        for line in ["Say something.", "Anything at all.", "I am waiting."] {
            stage.beat(&[("alice", &format!(r#"[TO: {display}, TONE: calm] "{line}""#))]);
        }
        assert!(stage.prompt("bob").contains("too passive"), "{display}");
    }
}

#[test]
fn the_authors_events_come_on_their_beat_or_when_needed() {
    let events = vec![
        DeckEvent::AtBeat { beat: 1, text: "Thunder".into() },
        DeckEvent::WhenNeeded("Phone rings".into()),
    ];
    let goals = vec!["The truth comes out".to_owned()];
    let mut stage = Stage::open(setup(SceneConfig {
        events,
        goals,
        max_beats: Some(24),
        ..config(&ALICE_AND_BOB, None)
    }));
    for beat in 0..20 {
        stage.beat(&[("bob", &format!(r#"[TONE: angry] "Excuse {}: why me?""#, "ab".repeat(beat + 1)))]);
    }
    let events: Vec<String> = stage
        .scene
        .lines()
        .iter()
        .filter(|line| line.actor().is_none())
        .map(|line| format!("{} {}", line.beat, line.heard()))
        .collect();
    assert_eq!(events[..2], ["1 Thunder", "9 Phone rings"]);
    assert_eq!(events.len(), 3, "then a built-in one: {events:?}");
}

#[test]
fn nearly_there_brings_guidance() {
    let goals = vec!["Bob apologizes".to_owned(), "Alice accepts".to_owned()];
    let mut stage = Stage::open(setup(SceneConfig { goals, ..config(&ALICE_AND_BOB, Some("bob")) }));
    stage.beat(&[("bob", r#"[TO: Alice, TONE: sincere] "I'm truly sorry.""#)]);
    expect![[r#"
          note to bob: You are Bob. Begin the scene.
        beat 0: bob
          Bob [TO: Alice, TONE: sincere] "I'm truly sorry."
          note to alice: The scene goal is almost complete. Please close the scene: Alice accepts.
        beat 1: alice bob
    "#]]
    .assert_eq(&stage.story());
}

/// What the actors answer in a beat.
type Answers<'a> = &'a [(&'a str, &'a str)];

/// The closing notes that a scene with these goals gives after these answers: to whom, after each beat.
fn closing_notes(goals: &[&str], beats: &[Answers]) -> Vec<Vec<String>> {
    let goals = goals.iter().map(|goal| (*goal).to_owned()).collect();
    let mut stage = Stage::open(setup(SceneConfig { goals, ..config(&ALL_THREE, None) }));
    let mut notes = Vec::new();
    for answers in beats {
        let known = stage.facts.len();
        stage.beat(answers);
        let given = stage.facts[known..].iter().filter_map(|fact| match &fact.event {
            SceneEvent::Noted { to, why: NoteReason::Closing, .. } => {
                Some(to.as_ref().map_or("all".to_owned(), Name::to_string))
            }
            _ => None,
        });
        notes.push(given.collect());
    }
    notes
}

#[test]
fn the_closing_note_comes_when_what_the_goal_waits_for_has_happened_and_to_its_subject() {
    let apology = r#"[TO: Alice, TONE: sincere] "I'm truly sorry, Alice.""#;
    let refusal = r#"[TO: Bob, TONE: cold] "No. I can't accept that.""#;
    let both = ["Bob apologizes", "Alice accepts"];
    let check = |what: &str, goals: &[&str], beats: &[Answers], expected: &[&[&str]]| {
        assert_eq!(closing_notes(goals, beats), expected, "{what}");
    };
    let plan = r#"[TO: Alice, TONE: calm] "I will send you the report by Friday.""#;
    check("after an apology", &both, &[&[("bob", apology)]], &[&["alice"]]);
    check("not before it", &both, &[&[("alice", r#"[TONE: angry] "Where were you?""#)]], &[&[]]);
    check("not after a refusal", &both, &[&[("bob", apology), ("alice", refusal)]], &[&[]]);
    let thanks = ["Bob apologizes", "Charlie thanks Alice"];
    check("not because another goal was met", &thanks, &[&[("bob", apology)]], &[&[]]);
    let agrees = ["Bob apologizes", "Alice agrees to a plan"];
    let beats: &[Answers] = &[&[("bob", apology)], &[("bob", plan)]];
    check("after a plan, to agree to it", &agrees, beats, &[&[], &["alice"]]);
}

#[test]
fn when_all_are_silent_the_one_spoken_to_last_is_asked_to_respond() {
    let mut stage = Stage::open(setup(config(&ALL_THREE, None)));
    stage.beat(&[]);
    let everyone = "Someone should respond to move the scene forward.";
    assert!(stage.prompt("alice").contains(everyone) && stage.prompt("bob").contains(everyone));
    stage.beat(&[("alice", r#"[TO: Charlie, TONE: calm] "You were there.""#)]);
    stage.beat(&[]);
    let one = "You were spoken to last: respond";
    assert!(stage.prompt("charlie").contains(one));
    assert!(!stage.prompt("bob").contains(one) && !stage.prompt("bob").contains(everyone));
}

#[test]
fn at_eighty_percent_everyone_is_told_to_wrap_up() {
    let goals = vec!["Bob apologizes".to_owned(), "Alice accepts".to_owned()];
    let mut stage = Stage::open(setup(SceneConfig { goals, ..config(&ALICE_AND_BOB, None) }));
    // Everything is met, but not in peace.
    stage.beat(&[
        ("bob", r#"[TO: Alice, TONE: sincere] "I'm truly sorry.""#),
        ("alice", r#"[TO: Bob, TONE: furious] "I accept your apology.""#),
    ]);
    assert!(stage.prompt("bob").contains("Begin wrapping up"), "{}", stage.story());
    // The same advice is not repeated at once.
    stage.beat(&[("alice", r#"[TO: Bob, TONE: furious] "There, I have said it.""#)]);
    assert!(!stage.prompt("bob").contains("Begin wrapping up"), "{}", stage.story());
}

#[test]
fn logs_of_scenes_are_known_by_their_first_record() {
    let stage = Stage::open(setup(config(&ALICE_AND_BOB, None)));
    let first = crate::Record::of(&stage.facts[0]);
    assert_eq!(first.kind, Scene::BEGINS_WITH);
    assert!(Scene::begin(&first.fact().unwrap()).is_some());
    assert!(stage.facts[1..].iter().all(|fact| crate::Record::of(fact).kind != Scene::BEGINS_WITH));
}
