//! Runs that are paused and resumed.

use expect_test::expect;

use super::facts::{Facts, speak};
use crate::scene::{
    NoteReason, SceneEnd, SceneEvent,
    report::{debug_log, metadata},
};

const SETTLED: SceneEvent = SceneEvent::BeatSettled { beat: 0 };

#[test]
fn time_paused_is_not_time_played() {
    let beat = || Facts::of("quick").beat().later(1_000).reply("alice", speak("calm", "Well?"));
    let paused = || beat().fact(SceneEvent::Paused {}).later(300).fact(SETTLED).later(86_400_000);
    for (what, facts, expected) in [
        ("the beat under way still counts", paused(), 1_300),
        ("it goes on", paused().fact(SceneEvent::Continued {}).later(50).beat().later(7).beat(), 1_357),
        (
            "a step and the time until it opens",
            paused().fact(SceneEvent::Stepped {}).later(50).beat().later(7).fact(SETTLED).later(9_000).beat(),
            1_357,
        ),
        (
            "what is posted meanwhile",
            paused().event("A bell rings").later(5_000).fact(SceneEvent::Continued {}).beat(),
            1_300,
        ),
        ("cancelled", paused().ended(SceneEnd::Cancelled), 1_300),
        ("not paused", beat().fact(SETTLED).later(2_000).beat(), 3_000),
    ] {
        assert_eq!(facts.story().time.total_ms(), expected, "{what}");
    }
}

#[test]
fn waiting_in_a_queue_is_not_time_played() {
    let story = Facts::of("quick").later(60_000).beat().later(1_000).ended(SceneEnd::Stalled).story();
    assert_eq!(story.time.total_ms(), 1_000);
}

#[test]
fn a_paused_run_says_so_as_long_as_it_is() {
    let paused = || Facts::of("quick").beat().fact(SceneEvent::Paused {}).fact(SETTLED);
    let shown =
        |facts: Facts| serde_json::to_value(metadata(&facts.story())).expect("JSON")["paused"].clone();
    assert_eq!(shown(paused()), true);
    assert_eq!(shown(paused().fact(SceneEvent::Stepped {}).beat()), true);
    for facts in [
        Facts::of("quick").beat(),
        paused().fact(SceneEvent::Continued {}),
        paused().ended(SceneEnd::Cancelled),
    ] {
        assert!(shown(facts).is_null());
    }
}

#[test]
fn the_debug_log_says_who_held_it_up() {
    let note = SceneEvent::Noted { to: None, text: "Be brief.".into(), why: NoteReason::Steered };
    let facts = Facts::of("quick").beat().fact(SceneEvent::Paused {}).fact(note).fact(SceneEvent::Stepped {});
    let ignored = SceneEvent::SteeringIgnored { most: 32 };
    let log = debug_log(&facts.fact(SceneEvent::Continued {}).fact(ignored).log());
    let told = log.lines().skip(2).map(|line| {
        let entry: serde_json::Value = serde_json::from_str(line).expect("JSON");
        format!("{}\n", entry["message"].as_str().expect("a message"))
    });
    expect![[r#"
        paused by a command: no further beat opens
        note to everyone: Be brief.
        one more beat by a command
        resumed by a command
        more than 32 notes and world events came from outside: the others are left out until the next beat opens
    "#]]
    .assert_eq(&told.collect::<String>());
}
