//! Folding: time, counts, silences, and runs that have no end.

use expect_test::{Expect, expect};

use super::facts::{Facts, START, react, silent, speak};
use crate::{
    Seq,
    judge::{GoalStatus, Verdict},
    production::Report,
    reply::Action,
    scene::{
        NoteReason, Outcome, SceneEnd, SceneEvent,
        report::{
            Counts, FailedReply, SceneReport, SceneResult, debug_log, line_text, metadata, title, transcript,
        },
    },
};

fn shown(facts: Facts, expect: Expect) {
    let text = transcript(&facts.story());
    let scene = text.split("[SCENE START]\n").nth(1).and_then(|text| text.split("\n---\n").next());
    expect.assert_eq(scene.expect("a scene between start and statistics"));
}

#[test]
fn only_the_log_of_a_scene_is_a_story() {
    assert_eq!(SceneReport::of(&[]), None);
    let log = Facts::of("x").beat().log();
    assert_eq!(SceneReport::of(&log[1..]), None);
}

#[test]
fn folding_at_once_and_fact_by_fact_are_the_same() {
    let log = super::office::office().log();
    let mut story = SceneReport::begin(&log[0]).expect("a scene");
    log[1..].iter().for_each(|fact| story.apply(fact));
    assert_eq!(Some(story), SceneReport::of(&log));
}

#[test]
fn names_become_titles() {
    for (name, expected) in [
        ("office-confrontation", "Office Confrontation"),
        ("the_apology", "The Apology"),
        ("x", "X"),
        ("Act-2--b_", "Act 2 B"),
    ] {
        assert_eq!(title(&super::facts::name(name)), expected);
    }
}

#[test]
fn reactions_events_and_failures_have_lines_and_silences_have_none() {
    let facts = Facts::of("quick")
        .beat()
        .reply("alice", speak("calm", "Here it is.").to("Bob"))
        .reply("bob", react("shocked", "drops mug"))
        .reply("charlie", silent().doing("crosses arms"))
        .beat()
        .fails("bob", "Response timeout after 30s")
        .system("Bob unable to respond")
        .event("Thunder crashes outside")
        .ended(SceneEnd::MaxBeatsExceeded);
    shown(
        facts,
        expect![[r#"

        Alice [TO: Bob, TONE: calm] "Here it is."

        Bob [REACT, TONE: shocked, *drops mug*]

        [SYSTEM: Bob unable to respond]

        [EVENT: Thunder crashes outside]

        [SCENE END - Maximum length reached]
    "#]],
    );
}

#[test]
fn stage_directions_show_silences_in_their_place() {
    let mut facts = Facts::of("quick");
    facts.setup.config.stage_directions = true;
    let facts = facts
        .beat()
        .reply("alice", speak("calm", "Well?"))
        .reply("charlie", silent().doing("crosses arms"))
        .reply("bob", silent())
        .reply("alice", speak("calm", "Say something."))
        .ended(SceneEnd::Stalled);
    shown(
        facts,
        expect![[r#"

        Alice [TONE: calm] "Well?"

        Charlie [SILENT, *crosses arms*]

        Alice [TONE: calm] "Say something."

        [SCENE END - Stalled]
    "#]],
    );
}

#[test]
fn an_unfinished_run_says_so() {
    let facts = Facts::of("quick").beat().reply("alice", speak("calm", "Well?"));
    let result = SceneResult::of(&facts.story(), "data/scenes/quick");
    assert!(result.transcript.contains("\n[SCENE UNFINISHED - This run has no end yet]\n"));
    assert!(!result.transcript.contains("[SCENE END"));
    assert_eq!((result.success, result.metadata.reason), (false, None));
}

#[test]
fn every_end_has_its_line_and_result() {
    for reason in SceneEnd::ALL {
        let result = SceneResult::of(&Facts::of("quick").beat().ended(reason).story(), "out");
        let ending = reason.ending();
        assert!(result.transcript.contains(&format!("\n{}\n", ending.line)));
        assert_eq!(result.success, ending.success);
        let json = serde_json::to_value(&result).expect("JSON");
        assert_eq!(json["metadata"]["reason"], ending.name);
        assert_eq!(json["metadata"]["goalAchieved"], ending.goal_achieved);
        assert_eq!(json["outputPath"], "out");
    }
}

#[test]
fn time_without_a_process_is_not_counted() {
    let story = Facts::of("quick")
        .later(1_000)
        .beat()
        .later(2_000)
        .reply("alice", speak("calm", "Well?"))
        .later(86_400_000)
        .fact(SceneEvent::Resumed {})
        .later(500)
        .ended(SceneEnd::Stalled)
        .story();
    assert_eq!(
        (story.started_at, story.time.total_ms()),
        (START, 2_500),
        "before the first beat nobody plays"
    );
}

#[test]
fn a_beat_lasts_until_the_next_one_opens() {
    let story = Facts::of("quick")
        .later(1_000)
        .beat()
        .later(2_000)
        .reply("alice", speak("calm", "Well?"))
        .fact(SceneEvent::BeatSettled { beat: 0 })
        .later(400)
        .beat()
        .later(86_400_000)
        .fact(SceneEvent::Resumed {})
        .later(500)
        .ended(SceneEnd::Stalled)
        .story();
    assert_eq!(story.beat_ms, [2_400, 500]);
}

#[test]
fn a_clock_set_back_takes_no_time_away() {
    let story = Facts::of("quick").later(1_000).beat().later(-50_000).beat().later(300).beat().story();
    assert_eq!(story.time.total_ms(), 300);
}

#[test]
fn things_are_counted() {
    let story = Facts::of("quick")
        .beat()
        .reply("alice", speak("calm", "One."))
        .asked("bob")
        .answered("bob", speak("calm", "Two."), &["no tone"], Outcome::Taken)
        .asked("bob")
        .answered("bob", speak("calm", "Two."), &["no tone"], Outcome::AskedAgain)
        .asked("charlie")
        .answered("charlie", speak("calm", "…"), &["no tone"], Outcome::Dropped)
        .beat()
        .reply("alice", super::facts::interrupt("One", "calm", "Three."))
        .reply("bob", silent())
        .event("Thunder")
        .fails("charlie", "connection refused")
        .drifted("bob")
        .drifted("bob")
        .story();
    let expected =
        Counts { parsed: 3, salvaged: 1, failed: 3, interruptions: 1, silences: 1, events: 1, drifts: 2 };
    assert_eq!(story.counts, expected);
    assert_eq!(story.beats, 2);
    let failed = FailedReply {
        beat: 1,
        character: super::facts::name("charlie"),
        error: "connection refused".to_owned(),
        fallback: None,
    };
    assert_eq!(story.errors, [failed]);
}

#[test]
fn goals_are_unknown_until_judged_and_then_what_was_said_last() {
    let facts = || Facts::of("quick").beat();
    let goals = metadata(&facts().story()).goals;
    assert!(goals.iter().all(|goal| goal.met.is_none()));
    assert_eq!(goals.len(), 2);

    let verdict = |met: bool| Verdict {
        complete: met,
        confidence: 0.5,
        goals: vec![GoalStatus { met: Some(met), ..GoalStatus::unknown("g") }],
        closure: false,
        positions: false,
    };
    let judged = |met| SceneEvent::Judged { verdict: verdict(met) };
    let story = facts().fact(judged(false)).beat().fact(judged(true)).story();
    assert_eq!(metadata(&story).goals, verdict(true).goals);
}

#[test]
fn a_reaction_described_in_its_words_is_shown_as_a_gesture() {
    let mut reply = react("shocked", "");
    (reply.nonverbal, reply.content) = (None, "drops *the* mug".to_owned());
    let story = Facts::of("quick").beat().reply("bob", reply).story();
    assert_eq!(line_text(&story.setup, &story.lines[0]), "Bob [REACT, TONE: shocked, *drops the mug*]");
}

#[test]
fn an_interruption_without_a_phrase_stays_one() {
    let reply = crate::reply::Reply { action: Action::Interrupt, ..speak("angry", "No!").to("Bob") };
    let story = Facts::of("quick").beat().reply("alice", reply).story();
    assert_eq!(line_text(&story.setup, &story.lines[0]), r#"Alice [INTERRUPT, TO: Bob, TONE: angry] "No!""#);
}

#[test]
fn the_debug_log_tells_what_went_wrong_and_why() {
    let actor = super::facts::name("bob");
    let note =
        SceneEvent::Noted { to: Some(actor.clone()), text: "Speak up.".to_owned(), why: NoteReason::Passive };
    let facts = Facts::of("quick")
        .beat()
        .asked("alice")
        .answered("alice", speak("neutral", "Hi."), &["no tone was given"], Outcome::AskedAgain)
        .reply("bob", speak("calm", "I can explain everything.").to("Alice"))
        .later(75)
        .reply("alice", super::facts::interrupt("explain", "furious", "Don't!"))
        .cut("I can explain", "alice")
        .reply("charlie", super::facts::interrupt("never said", "calm", "Please.").to("Bob"))
        .fact(SceneEvent::CutMissed { by: super::facts::name("charlie"), phrase: "never said".to_owned() })
        .fact(SceneEvent::BeatSettled { beat: 0 })
        .fact(note)
        .beat()
        .later(1_000)
        .fact(SceneEvent::Resumed {})
        .fails("bob", "connection refused")
        .system("Bob unable to respond")
        .fact(SceneEvent::Benched { actor: actor.clone() })
        .event("Thunder")
        .reply("charlie", silent())
        .reply("alice", react("shocked", "gasps"))
        .fact(SceneEvent::Returned { actor })
        .fact(SceneEvent::LineCut {
            line: Seq(999),
            cut: crate::scene::Cut { at: 1, by: super::facts::name("bob") },
        })
        .ended(SceneEnd::Failed);
    expect![[r#"
        {"at":"2025-10-03T14:32:18.000Z","beat":null,"level":"info","message":"scene 'quick' began with alice, bob, charlie","run":"0199aa51-7b90-7000-8000-000000000001","goals":["Bob apologizes","Alice accepts"],"maxBeats":50,"seed":7,"models":{"improviser":"improviser (built-in rules, not a language model)"}}
        {"at":"2025-10-03T14:32:18.000Z","beat":0,"level":"info","message":"beat 0 opened for alice, bob, charlie","timeoutMs":30000}
        {"at":"2025-10-03T14:32:18.000Z","beat":0,"level":"warn","message":"alice replied in 120 ms: speaks, tone neutral (malformed, asked again)","actor":"alice","warnings":["no tone was given"],"raw":"as it was sent"}
        {"at":"2025-10-03T14:32:18.000Z","beat":0,"level":"info","message":"bob replied in 120 ms: speaks to Alice, tone calm","actor":"bob"}
        {"at":"2025-10-03T14:32:18.075Z","beat":0,"level":"info","message":"alice replied in 120 ms: interrupts after \"explain\", tone furious","actor":"alice"}
        {"at":"2025-10-03T14:32:18.075Z","beat":0,"level":"info","message":"alice cut bob's line: I can explain—","actor":"alice","line":6,"heardBytes":13}
        {"at":"2025-10-03T14:32:18.075Z","beat":0,"level":"info","message":"charlie replied in 120 ms: interrupts after \"never said\", speaking to Bob, tone calm","actor":"charlie"}
        {"at":"2025-10-03T14:32:18.075Z","beat":0,"level":"warn","message":"charlie cut in after \"never said\", which nobody had just said: it stands as an interjection","actor":"charlie","phrase":"never said"}
        {"at":"2025-10-03T14:32:18.075Z","beat":0,"level":"info","message":"beat 0 settled in 75 ms","tookMs":75}
        {"at":"2025-10-03T14:32:18.075Z","beat":0,"level":"info","message":"note to bob: Speak up.","why":"passive","to":"bob"}
        {"at":"2025-10-03T14:32:18.075Z","beat":1,"level":"info","message":"beat 1 opened for alice, bob, charlie","timeoutMs":30000}
        {"at":"2025-10-03T14:32:19.075Z","beat":1,"level":"warn","message":"another process took over and asks again what was under way"}
        {"at":"2025-10-03T14:32:19.075Z","beat":1,"level":"error","message":"bob failed: connection refused","actor":"bob","error":"connection refused"}
        {"at":"2025-10-03T14:32:19.075Z","beat":1,"level":"warn","message":"system: Bob unable to respond","line":21}
        {"at":"2025-10-03T14:32:19.075Z","beat":1,"level":"warn","message":"bob failed too often and is benched","actor":"bob"}
        {"at":"2025-10-03T14:32:19.075Z","beat":1,"level":"info","message":"event: Thunder","line":23}
        {"at":"2025-10-03T14:32:19.075Z","beat":1,"level":"info","message":"charlie replied in 120 ms: stays silent","actor":"charlie"}
        {"at":"2025-10-03T14:32:19.075Z","beat":1,"level":"info","message":"alice replied in 120 ms: reacts, tone shocked","actor":"alice"}
        {"at":"2025-10-03T14:32:19.075Z","beat":1,"level":"info","message":"bob answers again","actor":"bob"}
        {"at":"2025-10-03T14:32:19.075Z","beat":1,"level":"error","message":"scene ended: failed","reason":"failed"}
    "#]].assert_eq(&debug_log(&facts.log()));
}
