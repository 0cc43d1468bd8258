//! Every way a scene can end.

use expect_test::expect;

use super::*;
use crate::scene::SceneEnd;

fn with_goals(goals: &[&str]) -> Stage {
    let goals = goals.iter().map(|goal| (*goal).to_owned()).collect();
    Stage::open(setup(SceneConfig { goals, ..config(&ALICE_AND_BOB, Some("bob")) }))
}

#[test]
fn the_table_of_ends() {
    let table: Vec<String> = SceneEnd::ALL
        .iter()
        .map(|reason| {
            let end = reason.ending();
            format!("{:<20} success {:<5} goal {:<5} {}", end.name, end.success, end.goal_achieved, end.line)
        })
        .collect();
    expect![[r#"
        goal_achieved        success true  goal true  [SCENE END - Goal: Achieved]
        natural_end          success true  goal false [SCENE END - Natural end]
        stalled              success true  goal false [SCENE END - Stalled]
        looping              success true  goal false [SCENE END - Looping]
        max_beats_exceeded   success true  goal false [SCENE END - Maximum length reached]
        budget_exceeded      success true  goal false [SCENE END - Budget used up]
        cancelled            success true  goal false [SCENE END - Cancelled]
        failed               success false goal false [SCENE END - Failed]"#]]
    .assert_eq(&table.join("\n"));
}

#[test]
fn the_goal_is_achieved() {
    let mut stage = with_goals(&["Bob apologizes", "Alice accepts"]);
    stage.beat(&[("bob", r#"[TO: Alice, TONE: sincere] "I'm truly sorry.""#)]);
    assert_eq!(stage.ended(), None);
    stage.beat(&[("alice", r#"[TO: Bob, TONE: warm] "I accept your apology.""#)]);
    assert_eq!(stage.ended(), Some(SceneEnd::GoalAchieved));
    assert!(stage.asks().is_empty(), "nothing is asked after the end");
}

#[test]
fn the_last_beat_may_still_reach_the_goal() {
    let goals = vec!["Bob apologizes".to_owned()];
    let mut stage =
        Stage::open(setup(SceneConfig { goals, max_beats: Some(1), ..config(&ALICE_AND_BOB, Some("bob")) }));
    stage.beat(&[("bob", r#"[TONE: sincere] "I'm truly sorry.""#)]);
    assert_eq!(stage.ended(), Some(SceneEnd::GoalAchieved));
}

#[test]
fn the_limit_is_reached() {
    let mut stage =
        Stage::open(setup(SceneConfig { max_beats: Some(3), ..config(&ALICE_AND_BOB, Some("bob")) }));
    for beat in 0..3 {
        assert_eq!(stage.ended(), None);
        stage.beat(&[("bob", &format!(r#"[TONE: angry] "Number {beat} makes me furious, why?""#))]);
    }
    assert_eq!(stage.ended(), Some(SceneEnd::MaxBeatsExceeded));
}

#[test]
fn three_silent_beats_bring_an_event_and_three_more_the_end() {
    let events = vec![crate::scene::DeckEvent::WhenNeeded("Phone rings".into())];
    let mut stage = Stage::open(setup(SceneConfig { events, ..config(&ALICE_AND_BOB, Some("bob")) }));
    while stage.ended().is_none() {
        stage.beat(&[]);
    }
    expect![[r#"
          note to bob: You are Bob. Begin the scene.
        beat 0: bob
          note to all: Someone should respond to move the scene forward.
        beat 1: alice bob
          note to all: Someone should respond to move the scene forward.
        beat 2: alice bob
          [EVENT: Phone rings]
          note to all: Someone should respond to move the scene forward.
        beat 3: alice bob
          note to all: Someone should respond to move the scene forward.
        beat 4: alice bob
          note to all: Someone should respond to move the scene forward.
        beat 5: alice bob
        Stalled
    "#]]
    .assert_eq(&stage.story());
}

#[test]
fn going_round_brings_an_event_and_then_the_end() {
    let mut stage = Stage::open(setup(SceneConfig { max_beats: Some(50), ..config(&ALICE_AND_BOB, None) }));
    while stage.ended().is_none() {
        stage.beat(&[
            ("bob", r#"[TONE: angry] "It was your fault, admit it.""#),
            ("alice", r#"[TONE: angry] "It was YOUR fault. Admit it!""#),
        ]);
    }
    assert_eq!(stage.ended(), Some(SceneEnd::Looping));
    let story = stage.story();
    assert!(story.contains("[EVENT: ") && story.contains("same exchange is going round"), "{story}");
}

#[test]
fn a_broken_loop_is_no_reason_to_end() {
    let mut stage = Stage::open(setup(SceneConfig { max_beats: Some(14), ..config(&ALICE_AND_BOB, None) }));
    let mut beat = 0;
    while stage.ended().is_none() {
        let fresh = format!(r#"[TONE: angry] "Now number {beat} is {} to me, why?""#, "x".repeat(beat + 1));
        let stuck = r#"[TONE: angry] "It was your fault, admit it.""#;
        stage.beat(&[("bob", if beat < 4 { stuck } else { &fresh })]);
        beat += 1;
    }
    assert_eq!(stage.ended(), Some(SceneEnd::MaxBeatsExceeded));
}

#[test]
fn everyone_failing_three_times_is_a_failure() {
    let mut stage = Stage::open(setup(config(&ALICE_AND_BOB, Some("bob"))));
    stage.beat(&[("bob", "!fail no key")]);
    for _ in 0..2 {
        stage.beat(&[("alice", "!fail no key"), ("bob", "!late")]);
    }
    assert_eq!(stage.ended(), Some(SceneEnd::Failed));
}

#[test]
fn somebody_wants_it_to_end() {
    let mut stage = Stage::open(setup(config(&ALICE_AND_BOB, Some("bob"))));
    let call = stage.asks()[0].call;
    stage.happens(Happened::Commanded(crate::scene::Command::Cancel));
    assert_eq!(stage.ended(), Some(SceneEnd::Cancelled));
    let facts = stage.facts.len();
    stage.answer(call, r#"[TONE: calm] "Too late.""#);
    stage.happens(Happened::Commanded(crate::scene::Command::Cancel));
    assert_eq!(stage.facts.len(), facts, "nothing happens after the end");
}

#[test]
fn a_scene_that_has_hardly_begun_does_not_end_by_itself() {
    let goals = vec!["The mood becomes luminous".to_owned()];
    let mut stage =
        Stage::open(setup(SceneConfig { goals, max_beats: Some(30), ..config(&ALICE_AND_BOB, None) }));
    stage.beat(&[
        ("bob", r#"[TO: Alice, TONE: calm] "I think we should go. Good night, then.""#),
        ("alice", r#"[TO: Bob, TONE: warm] "I believe so too. Goodbye, take care.""#),
    ]);
    assert_eq!(stage.ended(), None);
}

#[test]
fn a_scene_nobody_can_judge_ends_when_the_talk_has_come_to_rest() {
    let goals = vec!["The mood becomes luminous".to_owned()];
    let mut stage =
        Stage::open(setup(SceneConfig { goals, max_beats: Some(30), ..config(&ALICE_AND_BOB, None) }));
    let mut beat = 0;
    while stage.ended().is_none() {
        let (a, b) = if beat < 7 {
            (format!("I think point {beat} matters."), format!("I believe {} does too.", beat * 7))
        } else {
            ("Good night, then.".to_owned(), "Goodbye, take care.".to_owned())
        };
        stage.beat(&[
            ("bob", &format!(r#"[TO: Alice, TONE: calm] "{a}""#)),
            ("alice", &format!(r#"[TO: Bob, TONE: warm] "{b}""#)),
        ]);
        beat += 1;
    }
    assert_eq!(stage.ended(), Some(SceneEnd::NaturalEnd));
    assert!(beat >= 7, "not before everything was said: {beat}");
}

#[test]
fn a_second_loop_gets_its_own_chance() {
    let mut stage = Stage::open(setup(SceneConfig { max_beats: Some(40), ..config(&ALICE_AND_BOB, None) }));
    let mut beat = 0;
    while stage.ended().is_none() {
        let word = ["ab", "cd", "ef", "gh"][beat % 4].repeat(beat + 1);
        let line = match beat {
            0..4 => r#"[TONE: angry] "It was your fault, admit it.""#.to_owned(),
            4..12 => format!(r#"[TONE: angry] "Why {word}, {word}s and {word}ish?""#),
            _ => r#"[TONE: angry] "Nobody ever listens to me, nobody.""#.to_owned(),
        };
        stage.beat(&[("bob", &line)]);
        beat += 1;
    }
    assert_eq!(stage.ended(), Some(SceneEnd::Looping));
    let notes = stage.story().matches("same exchange is going round").count();
    assert_eq!((beat, notes), (19, 2), "each loop is broken once before the scene is given up");
}

#[test]
fn progress_is_no_loop() {
    let lines: [fn(usize) -> String; 2] = [
        |beat| {
            format!(r#"[TONE: eager] "I bid {} dollars for the lovely old vase, who bids more?""#, beat * 10)
        },
        |beat| format!(r#"[TONE: playful] "{}""#, ["😀", "🎉", "?", "👍", "!!"][beat % 5]),
    ];
    for line in lines {
        let mut stage =
            Stage::open(setup(SceneConfig { max_beats: Some(10), ..config(&ALICE_AND_BOB, None) }));
        for beat in 0..10 {
            stage.beat(&[("bob", &line(beat))]);
        }
        assert_eq!(stage.ended(), Some(SceneEnd::MaxBeatsExceeded));
        assert!(!stage.story().contains("[EVENT"), "{}", stage.story());
    }
}

/// A refusal and two goodbyes: the goal is open, and the scene is over.
#[test]
fn a_scene_whose_characters_have_parted_is_over() {
    let goals = vec!["Bob lends Alice the boat".to_owned()];
    let mut stage =
        Stage::open(setup(SceneConfig { goals, max_beats: Some(30), ..config(&ALICE_AND_BOB, None) }));
    for (a, b) in [
        ("I think you should lend me the boat.", "I believe that is a bad idea."),
        ("I want it only until Sunday.", "No, I won't lend it."),
        ("I see. I think that is a pity.", "I agree with you there."),
        ("Well then. Goodbye, Bob.", "Goodbye, Alice. Take care."),
    ] {
        assert_eq!(stage.ended(), None, "{}", stage.story());
        stage.beat(&[
            ("alice", &format!(r#"[TO: Bob, TONE: calm] "{a}""#)),
            ("bob", &format!(r#"[TO: Alice, TONE: calm] "{b}""#)),
        ]);
    }
    assert_eq!(stage.ended(), Some(SceneEnd::NaturalEnd), "{}", stage.story());
}

/// A quarrel that goes on in ever new words: after eight beats the subject is told what is open, once.
#[test]
fn who_gets_nowhere_is_reminded_of_what_is_open() {
    let goals = vec!["Bob apologizes".to_owned()];
    let mut stage =
        Stage::open(setup(SceneConfig { goals, max_beats: Some(40), ..config(&ALICE_AND_BOB, None) }));
    let words = "apple bridge candle donkey engine feather garden hammer island jacket kettle lantern mirror needle \
                 orange pepper quarry ribbon saddle tunnel umbrella violin window yellow zipper";
    for pair in words.split_whitespace().collect::<Vec<_>>().windows(2) {
        stage.beat(&[
            ("alice", &format!(r#"[TO: Bob, TONE: angry] "Where is my {}?""#, pair[0])),
            ("bob", &format!(r#"[TO: Alice, TONE: angry] "Who ever saw a {}?""#, pair[1])),
        ]);
    }
    assert_eq!(stage.ended(), None, "{}", stage.story());
    assert_eq!(
        stage.story().matches("note to bob: Nothing has moved for a while").count(),
        1,
        "{}",
        stage.story()
    );
}
