//! Hidden calls that fail: nobody on stage notices, so the figures have to say it.

use serde_json::json;

use super::facts::{Facts, speak};
use crate::{
    judge::{GoalStatus, Verdict},
    model_card::ModelCard,
    scene::HiddenPurpose,
    scene::{
        Advice, Opinion, SceneEnd, SceneEvent,
        report::{debug_log, metadata, transcript},
    },
};

fn with_judge() -> Facts {
    let mut facts = Facts::of("quick");
    facts.setup.models.insert("quick".to_owned(), ModelCard::free("a quick model"));
    facts.setup.judge = Some("quick".to_owned());
    facts.beat().reply("bob", speak("sorry", "I'm sorry."))
}

/// `goals` says of each whether it is met.
fn verdict(goals: &[Option<bool>]) -> Verdict {
    let goal = |met: &Option<bool>| GoalStatus { met: *met, ..GoalStatus::unknown("Peace") };
    let goals = goals.iter().map(goal).collect();
    Verdict { complete: false, confidence: 0.4, goals, closure: false, positions: true }
}

fn opinion() -> Advice {
    Advice::Opinion(Opinion {
        beat: 0,
        verdict: verdict(&[]),
        fidelity: Vec::new(),
        note: None,
        note_to: None,
        left_to_explore: false,
    })
}

fn advice(facts: Facts) -> serde_json::Value {
    serde_json::to_value(metadata(&facts.story())).expect("JSON")["advice"].clone()
}

#[test]
fn metadata_counts_the_calls_of_each_adviser() {
    let mut facts = with_judge();
    facts.setup.event_writer = Some("quick".to_owned());
    let facts = facts
        .consulted(HiddenPurpose::Judge, "quick")
        .advice_fails("HTTP 500")
        .consulted(HiddenPurpose::Judge, "quick")
        .advised(opinion(), &[])
        .consulted(HiddenPurpose::WorldEvent, "quick")
        .advice_fails("Response timeout after 30s")
        .consulted(HiddenPurpose::Judge, "quick")
        .ended(SceneEnd::MaxBeatsExceeded);
    assert_eq!(
        advice(facts),
        json!({
            "judge": {"model": "quick", "asked": 3, "answered": 1, "failed": 1, "lastError": "HTTP 500"},
            "world_event": {
                "model": "quick", "asked": 1, "answered": 0, "failed": 1,
                "lastError": "Response timeout after 30s"
            },
        })
    );
    assert_eq!(
        advice(with_judge()),
        json!({"judge": {"model": "quick", "asked": 0, "answered": 0, "failed": 0}}),
        "one that was never asked is there all the same"
    );
    assert!(advice(Facts::of("quick").beat()).is_null(), "without advisers nothing is said of them");
}

#[test]
fn the_transcript_says_that_hidden_calls_failed() {
    let failed = with_judge().consulted(HiddenPurpose::Judge, "quick").advice_fails("HTTP 500,\nsorry");
    let text = transcript(&failed.story());
    assert!(text.contains("- Of these, judge: 1 call (1 failed: HTTP 500, sorry), "), "{text}");
    let answered = with_judge().consulted(HiddenPurpose::Judge, "quick").advised(opinion(), &[]);
    assert!(!transcript(&answered.story()).contains("failed"));
}

#[test]
fn only_an_adviser_that_never_answered_is_useless() {
    let useless = |facts: Facts| {
        let story = facts.story();
        story.advisers[&HiddenPurpose::Judge].useless().map(str::to_owned)
    };
    let asked = || with_judge().consulted(HiddenPurpose::Judge, "quick");
    assert_eq!(useless(with_judge()), None);
    assert_eq!(useless(asked()), None, "it may still answer");
    assert_eq!(useless(asked().advised(opinion(), &[])), None);
    let failed = || asked().advice_fails("no");
    assert_eq!(useless(failed()).as_deref(), Some("no"));
    assert_eq!(useless(failed().consulted(HiddenPurpose::Judge, "quick")).as_deref(), Some("no"));
    assert_eq!(useless(failed().consulted(HiddenPurpose::Judge, "quick").advised(opinion(), &[])), None);
}

#[test]
fn the_debug_log_blames_the_rules_only_where_they_judged_alone() {
    let told = |facts: Facts| {
        let judged = SceneEvent::Judged { verdict: verdict(&[Some(true), None]) };
        let log = debug_log(&facts.fact(judged).log());
        log.lines().last().expect("a line").to_owned()
    };
    let alone = told(Facts::of("quick").beat().reply("bob", speak("sorry", "I'm sorry.")));
    assert!(alone.contains("1 of 2 goals met, 1 not readable by rules, confidence"), "{alone}");
    let merged = told(with_judge());
    assert!(merged.contains("1 of 2 goals met, 1 still open, confidence"), "{merged}");
}
