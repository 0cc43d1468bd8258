//! Runs that share their beginning.

use expect_test::expect;

use super::*;
use crate::{
    budget::Budget,
    production::Fork,
    row::RowChange,
    scene::{CannotFork, SceneEnd, fork},
    usage::{NanoUsd, Price, Usage},
};

const PARENT: RunId = RunId(uuid::Uuid::nil());

fn child(n: u128) -> RunId {
    RunId(uuid::Uuid::from_u128(n))
}

/// Forks a scene and resumes the fork, as a node does.
fn forked(parent: &Stage, beat: u32) -> Stage {
    let facts = fork(
        &parent.facts,
        Fork { point: beat.into(), run: child(1), seed: 2, at: 1_000_000, random: [0; 2] },
    )
    .unwrap();
    let mut stage = Stage::found(facts);
    stage.happens(Happened::Resumed);
    stage
}

fn says(what: &str) -> String {
    format!(r#"[TONE: calm] "{what}?""#)
}

fn three_beats() -> Stage {
    let mut stage = Stage::open(setup(config(&ALICE_AND_BOB, Some("bob"))));
    stage.beat(&[("bob", &says("One"))]).beat(&[("alice", &says("Two"))]).beat(&[("bob", &says("Three"))]);
    stage
}

#[test]
fn a_fork_shares_everything_through_the_end_of_its_beat() {
    let mut fork = forked(&three_beats(), 1);
    fork.beat(&[("alice", &says("Something else"))]);
    expect![[r#"
          note to bob: You are Bob. Begin the scene.
        beat 0: bob
          Bob [TONE: calm] "One?"
        beat 1: alice bob
          Alice [TONE: calm] "Two?"
        (forked after beat 1)
        beat 2: alice bob
          Alice [TONE: calm] "Something else?"
        beat 3: alice bob
    "#]]
    .assert_eq(&fork.story());
    assert_eq!((fork.scene.setup().run, fork.scene.setup().seed), (child(1), 2));
    assert!(!fork.facts.iter().any(|fact| matches!(fact.event, SceneEvent::Resumed {})), "nothing was lost");
    let seqs: Vec<u64> = fork.facts.iter().map(|fact| fact.seq.0).collect();
    assert_eq!(seqs, (0..fork.facts.len() as u64).collect::<Vec<_>>());
}

#[test]
fn whoever_plays_a_fork_remembers_what_the_other_run_did() {
    let parent = three_beats();
    let thread = |stage: &Stage| stage.request("bob").thread;
    let fork = forked(&parent, 2);
    assert_eq!(thread(&fork), thread(&parent), "not a byte differs, so that caches pay for it");
}

#[test]
fn only_beats_that_were_played_to_their_end_can_be_forked() {
    let mut parent = three_beats();
    let no = |parent: &Stage, beat: u32| {
        fork(&parent.facts, Fork { point: beat.into(), run: child(1), seed: 2, at: 0, random: [0; 2] })
            .unwrap_err()
    };
    assert_eq!(no(&parent, 3), CannotFork::Beyond { beat: 3, last: 2 });
    parent.steer(Command::Cancel);
    assert_eq!(no(&parent, 3), CannotFork::Beyond { beat: 3, last: 2 }, "cancelled in the middle of it");
    let begun = Stage::open(setup(config(&ALICE_AND_BOB, None)));
    assert_eq!(no(&begun, 0), CannotFork::TooEarly);
    let headless = Stage { facts: parent.facts[1..].to_vec(), ..parent };
    assert_eq!(no(&headless, 0), CannotFork::NotAScene);
    let told = [
        CannotFork::Beyond { beat: 3, last: 2 },
        CannotFork::Beyond { beat: 1, last: 0 },
        CannotFork::TooEarly,
    ]
    .map(|not_there| {
        let problem = not_there.problem();
        format!("{problem} ({})", problem.hint.as_deref().unwrap())
    });
    expect![[r#"
        beat 3 has not been played to its end: the last one that has is 2 (any beat from 0 to 2 can be forked)
        beat 1 has not been played to its end: the last one that has is 0 (only beat 0 can be forked)
        no beat has been played to its end yet (its first beat can be forked once it is over)"#]]
    .assert_eq(&told.join("\n"));
}

#[test]
fn a_fork_can_be_forked() {
    let mut first = forked(&three_beats(), 1);
    first.beat(&[("alice", &says("Something else"))]);
    for (beat, from) in [(2, "after what is its own"), (0, "before it was forked")] {
        let facts = fork(
            &first.facts,
            Fork { point: beat.into(), run: child(2), seed: 3, at: 2_000_000, random: [0; 2] },
        )
        .unwrap();
        let last = &facts.last().unwrap().event;
        assert_eq!(*last, SceneEvent::Forked { run: child(1), beat, line: None }, "{from}");
        let mut second = Stage::found(facts);
        second.happens(Happened::Resumed);
        assert_eq!(second.scene.beat.number, beat + 1, "{from}");
    }
}

#[test]
fn the_last_beat_of_a_run_that_ended_ends_its_forks_too() {
    let config = SceneConfig { max_beats: Some(2), ..config(&ALICE_AND_BOB, Some("bob")) };
    let mut parent = Stage::open(setup(config));
    parent.beat(&[]).beat(&[("bob", &says("One"))]);
    assert_eq!(parent.ended(), Some(SceneEnd::MaxBeatsExceeded));
    assert_eq!(forked(&parent, 1).ended(), Some(SceneEnd::MaxBeatsExceeded));
    assert_eq!(forked(&parent, 0).ended(), None);
}

#[test]
fn cuts_failures_and_notes_are_part_of_what_is_shared() {
    let mut parent = Stage::open(setup(config(&ALL_THREE, Some("bob"))));
    parent.beat(&[("bob", r#"[TONE: calm] "I can explain everything.""#)]);
    for _ in 0..3 {
        parent.beat(&[
            ("alice", r#"[INTERRUPT after "I can", TONE: angry] "No.""#),
            ("charlie", "!fail no network"),
        ]);
    }
    parent.whisper(Some("bob"), "Give in.").beat(&[]);
    let fork = forked(&parent, 4);
    assert!(fork.lines().iter().any(|line| line == r#"Bob [TONE: calm] "I can—""#), "{:?}", fork.lines());
    assert!(!fork.asks().iter().any(|ask| ask.actor == Some(name("charlie"))), "still on the bench");
    assert!(fork.prompt("bob").contains("DIRECTOR NOTE: Give in."));
}

#[test]
fn a_fork_of_a_paused_scene_is_played() {
    let mut parent = Stage::open(setup(config(&ALICE_AND_BOB, Some("bob"))));
    parent.beat(&[]).steer(Command::Pause).beat(&[]);
    assert!(parent.asks().is_empty());
    let fork = forked(&parent, 1);
    assert_eq!(fork.asks().len(), 2);
    // And it is not listed as paused.
    let rows: Vec<RowChange> = fork.facts.iter().flat_map(|fact| fork.scene.rows(fact)).collect();
    assert!(matches!(rows.last(), None | Some(RowChange::Delete { .. })), "{rows:?}");
}

#[test]
fn what_the_other_run_still_waited_for_is_asked_anew() {
    let mut with_both = setup(config(&ALICE_AND_BOB, None));
    with_both.event_writer = Some("script".into());
    with_both.judge = Some("script".into());
    let mut parent = Stage::open(with_both);
    parent.steer(Command::WorldEvent { text: "The lights go out".into() });
    parent.beat(&[]).beat(&[]).beat(&[]).beat(&[]);
    let purposes = |stage: &Stage| {
        let hidden = stage.asks().into_iter().filter(|ask| ask.actor.is_none());
        hidden.map(|ask| ask.purpose.as_str().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(purposes(&parent), ["world_event", "judge"]);
    let mut fork = forked(&parent, 3);
    assert_eq!(purposes(&fork), ["world_event", "judge"]);
    let before = parent.hidden(HiddenPurpose::Judge).unwrap().call;
    let asked = fork.facts.iter().skip_while(|fact| !matches!(fact.event, SceneEvent::Forked { .. }));
    let asked: Vec<&SceneEvent> = asked.map(|fact| &fact.event).collect();
    let anew = |event: &&&SceneEvent| matches!(event, SceneEvent::Consulted { call, .. } if *call > before);
    assert_eq!(asked.iter().filter(anew).count(), 2, "as calls of its own: {asked:?}");
    // A fork that was killed at once asks again like any other run.
    let mut killed = Stage::found(fork.facts.clone());
    killed.happens(Happened::Resumed);
    assert_eq!(purposes(&killed), purposes(&fork));
    fork.advise(HiddenPurpose::WorldEvent, r#"{"event": "A cat walks in"}"#).beat(&[]);
    assert!(fork.lines().contains(&"[EVENT: A cat walks in]".to_owned()), "{}", fork.story());
}

#[test]
fn a_budget_counts_from_the_fork_on() {
    let mut dear = setup(SceneConfig { max_beats: Some(40), ..config(&ALICE_AND_BOB, Some("bob")) });
    let price = Price { uncached: 1_000, cache_read: 1_000, cache_write: 1_000, output: 1_000 };
    dear.models.get_mut("script").unwrap().price = Some(price);
    dear.budget = Budget { cost: Some(NanoUsd(20_000_000)), tokens: None };
    let mut parent = Stage::open(dear);
    let play = |stage: &mut Stage| {
        while stage.ended().is_none() {
            for ask in stage.asks() {
                let text = says(&format!("Number {}", ask.call.0));
                let usage = Some(Usage { uncached: 1_500, output: 500, ..Usage::NONE });
                let answer = Answer { text, usage, took_ms: 100, first_word_ms: None };
                stage.happens(Happened::Answered { call: ask.call, answer });
            }
        }
    };
    play(&mut parent);
    assert_eq!(parent.ended(), Some(SceneEnd::BudgetExceeded));
    let last = parent.scene.beat.number;
    let mut fork = forked(&parent, last);
    assert_eq!(fork.ended(), None, "it has a budget of its own");
    play(&mut fork);
    assert_eq!(fork.ended(), Some(SceneEnd::BudgetExceeded));
    assert!(fork.scene.beat.number > last + 1);
    assert_eq!(parent.scene.setup().run, PARENT);
}
