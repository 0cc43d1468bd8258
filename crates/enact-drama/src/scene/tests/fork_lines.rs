//! Runs that share their beginning through a line in the middle of a beat.

use expect_test::expect;

use super::*;
use crate::{
    production::{Fork, ForkPoint, Report},
    scene::{CannotFork, fork, report::SceneReport},
    usage::{Price, Usage},
};

fn child(n: u128) -> RunId {
    RunId(uuid::Uuid::from_u128(n))
}

fn says(what: &str) -> String {
    format!(r#"[TONE: calm] "{what}?""#)
}

fn at(beat: u32, line: u32) -> Fork {
    Fork {
        point: ForkPoint { beat, line: Some(line) },
        run: child(1),
        seed: 2,
        at: 1_000_000,
        random: [0; 2],
    }
}

fn forked(parent: &Stage, beat: u32, line: u32) -> Stage {
    let mut stage = Stage::found(fork(&parent.facts, at(beat, line)).unwrap());
    assert!(stage.scene.pending().is_empty(), "nothing is asked before it is taken up");
    stage.happens(Happened::Resumed);
    stage
}

/// Cuts, silences, events from outside, an actor that fails until it is benched and comes back, and a judge.
fn eventful() -> Stage {
    let mut setup = setup(SceneConfig { max_beats: Some(11), ..config(&ALL_THREE, Some("bob")) });
    setup.judge = Some("script".into());
    setup.goals = vec!["Bob apologizes".into()];
    setup.models.get_mut("script").unwrap().price =
        Some(Price { uncached: 1, cache_read: 1, cache_write: 1, output: 1 });
    let mut stage = Stage::open(setup);
    stage.beat(&[("bob", &says("One"))]);
    for beat in 0..3 {
        stage.steer(Command::WorldEvent { text: format!("Bell {beat}") });
        stage.beat(&[
            ("alice", &says(&format!("Alice says {beat}"))),
            ("charlie", "!fail no network"),
            ("bob", r#"[INTERRUPT after "says", TONE: angry] "No.""#),
        ]);
    }
    for beat in 3..9 {
        if stage.hidden(HiddenPurpose::Judge).is_some() && beat == 5 {
            stage.advise(HiddenPurpose::Judge, "no opinion");
        }
        let (alice, bob) = (says(&format!("Who {beat}")), says(&format!("Me {beat}")));
        let back = stage.asks().iter().any(|ask| ask.actor == Some(name("charlie")));
        let mut answers = vec![("bob", bob.as_str()), ("alice", alice.as_str())];
        if back {
            answers.insert(0, ("charlie", "[TONE: glad] \"Back.\""));
        }
        stage.beat(&answers);
    }
    stage
}

/// The lines of each beat that can be forked at.
fn lines(stage: &Stage) -> Vec<(u32, u32)> {
    let (mut beat, mut line, mut open, mut all) = (0, 0, false, Vec::new());
    for fact in &stage.facts {
        match &fact.event {
            SceneEvent::BeatOpened { beat: opened, .. } => (beat, line, open) = (*opened, 0, true),
            SceneEvent::BeatSettled { .. } => open = false,
            SceneEvent::LineAdded { .. } if open => {
                line += 1;
                all.push((beat, line));
            }
            _ => {}
        }
    }
    all
}

/// Plays to the end; everyone who is asked says something new.
fn play(stage: &mut Stage) {
    for _ in 0..400 {
        if stage.ended().is_some() {
            return;
        }
        match stage.asks().first() {
            Some(ask) => {
                let text = says(&format!("Number {}", ask.call.0));
                let usage = Some(Usage { uncached: 10, output: 1, ..Usage::NONE });
                stage.happens(Happened::Answered {
                    call: ask.call,
                    answer: Answer { text, usage, took_ms: 100, first_word_ms: None },
                });
            }
            None => panic!("nothing is asked and it is not over: {}", stage.story()),
        }
    }
    panic!("it does not end: {}", stage.story());
}

#[test]
fn every_line_can_be_forked_and_plays_to_an_end() {
    let mut parent = eventful();
    let everywhere = lines(&parent);
    assert!(everywhere.len() > 20, "{everywhere:?}");
    parent.steer(Command::Cancel);
    for (beat, line) in everywhere {
        let mut stage = forked(&parent, beat, line);
        let fork =
            stage.facts.iter().position(|fact| matches!(fact.event, SceneEvent::Forked { .. })).unwrap();
        // What had arrived stays as it was, but for the run and its seed.
        assert_eq!(stage.facts[1..fork], parent.facts[1..fork], "{beat}.{line}");
        let said =
            stage.facts[..fork].iter().filter(|fact| matches!(fact.event, SceneEvent::LineAdded { .. }));
        assert_eq!(said.count(), stage.scene.lines().len(), "{beat}.{line}");
        let expected: Vec<String> = parent.lines().into_iter().take(stage.scene.lines().len()).collect();
        let own = |line: &str| line.split('"').next().unwrap_or_default().to_owned();
        let heads = |lines: Vec<String>| lines.iter().map(|line| own(line)).collect::<Vec<_>>();
        assert_eq!(heads(stage.lines()), heads(expected), "{beat}.{line}");
        // Killed at once, it asks the same again.
        let mut killed = Stage::found(stage.facts.clone());
        killed.happens(Happened::Resumed);
        assert_eq!(format!("{:?}", killed.scene.pending()), format!("{:?}", stage.scene.pending()));
        play(&mut stage);
        // Everyone answered once in the beat: what had arrived was not asked for again.
        let mut asked = std::collections::BTreeMap::new();
        for fact in &stage.facts {
            match &fact.event {
                SceneEvent::BeatOpened { .. } => asked.clear(),
                SceneEvent::Replied { actor, .. } | SceneEvent::CallFailed { actor, .. } => {
                    *asked.entry(actor.clone()).or_insert(0) += 1;
                }
                SceneEvent::BeatSettled { .. } => assert!(asked.values().all(|n| *n == 1), "{beat}.{line}"),
                _ => {}
            }
        }
        // The ledger has what was asked from there on, and nothing else.
        let made =
            |event: &SceneEvent| matches!(event, SceneEvent::Asked { .. } | SceneEvent::Consulted { .. });
        let new = stage.facts[fork..].iter().filter(|fact| made(&fact.event)).count();
        let story = SceneReport::of(&stage.facts).unwrap();
        assert_eq!(story.ledger.total().made(), new as u64, "{beat}.{line}");
        assert_eq!(story.forked_from.unwrap().told(), format!("line {line} of beat {beat}"));
        // It can be told, and played again from its recording.
        assert!(!Scene::answers(&stage.facts).is_empty());
    }
}

#[test]
fn who_had_not_answered_is_asked_the_same_again() {
    let mut parent = Stage::open(setup(config(&ALL_THREE, Some("bob"))));
    parent.beat(&[("bob", &says("One"))]);
    let told = parent.request("charlie");
    parent.beat(&[("alice", &says("Two")), ("bob", &says("Three")), ("charlie", &says("Four"))]);
    let stage = forked(&parent, 1, 1);
    let asked: Vec<String> = stage.asks().iter().map(|ask| ask.actor.as_ref().unwrap().to_string()).collect();
    assert_eq!(asked, ["bob", "charlie"]);
    assert_eq!(stage.request("charlie").thread, told.thread, "not a byte differs, so that caches pay for it");
    expect![[r#"
          note to bob: You are Bob. Begin the scene.
        beat 0: bob
          Bob [TONE: calm] "One?"
        beat 1: alice bob charlie
          Alice [TONE: calm] "Two?"
        (forked after line 1 of beat 1)
    "#]]
    .assert_eq(&stage.story());
    // After its last line everything had arrived: the branch settles the beat and goes on.
    let last = forked(&parent, 1, 3);
    assert_eq!((last.scene.beat.number, last.asks().len()), (2, 3));
}

#[test]
fn what_comes_of_one_answer_stays_together() {
    let parent = eventful();
    for (told, until) in [("[SYSTEM: Charlie is back]", "Charlie ["), ("sits out", "sits out")] {
        let index = parent.lines().iter().position(|line| line.contains(told)).unwrap();
        let id = parent.scene.lines()[index].id;
        let place = lines(&parent)
            .into_iter()
            .find(|(beat, line)| {
                let facts = fork(&parent.facts, at(*beat, *line)).unwrap();
                facts.iter().any(|fact| fact.seq == id && !matches!(fact.event, SceneEvent::Forked { .. }))
            })
            .unwrap();
        let stage = forked(&parent, place.0, place.1);
        assert!(stage.lines().last().unwrap().contains(until), "{told}: {:?}", stage.lines().last());
    }
}

#[test]
fn a_fork_at_a_line_can_be_forked_at_a_line() {
    let mut first = forked(&eventful(), 2, 1);
    let call = first.asks()[0].call;
    first.answer(call, &says("Another"));
    let again = forked(&first, 2, 2);
    assert_eq!(again.lines(), first.lines());
    let shorter = forked(&first, 2, 1);
    assert_eq!(shorter.lines().len() + 1, first.lines().len());
}

#[test]
fn lines_that_are_not_there_are_named() {
    let parent = eventful();
    let told = [at(2, 0), at(2, 9), at(0, 2), at(40, 1)].map(|place| {
        let problem = fork(&parent.facts, place).unwrap_err().problem();
        format!("{problem} ({})", problem.hint.as_deref().unwrap())
    });
    expect![[r#"
        beat 2 has no line 0: it has 4 lines (2.1 to 2.4 can be forked)
        beat 2 has no line 9: it has 4 lines (2.1 to 2.4 can be forked)
        beat 0 has no line 2: it has one line (0.1 can be forked)
        beat 40 has not begun: the last one that has is 10 (lines of any beat from 0 to 10 can be forked)"#]]
    .assert_eq(&told.join("\n"));
    let begun = Stage::open(setup(config(&ALICE_AND_BOB, None)));
    let silent = fork(&begun.facts, at(0, 1)).unwrap_err();
    assert_eq!(silent, CannotFork::NoSuchLine { beat: 0, line: 1, lines: 0 });
}

#[test]
fn a_person_who_had_not_answered_is_asked_again() {
    let mut setup = setup(config(&ALICE_AND_BOB, None));
    setup.models.insert("human".to_owned(), ModelCard::human());
    setup.cast[0].model = "human".to_owned();
    let mut parent = Stage::open(setup);
    let bob = parent.asks()[0].call;
    parent.answer(bob, &says("Tea"));
    let waiting = parent.scene.open_asks()[0].ask;
    let mut stage = forked(&parent, 0, 1);
    let open = stage.scene.open_asks();
    assert!(open.len() == 1 && open[0].ask > waiting && stage.asks().is_empty());
    stage.steer(Command::Answer { ask: open[0].ask, text: "Yes.".into() });
    assert_eq!(stage.lines(), [says_by("Bob", "Tea?"), r#"Alice [TONE: neutral] "Yes.""#.to_owned()]);
}

fn says_by(who: &str, what: &str) -> String {
    format!(r#"{who} [TONE: calm] "{what}""#)
}
