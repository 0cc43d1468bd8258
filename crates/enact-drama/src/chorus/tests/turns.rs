//! Who takes part in which turn, and when it is over.

use expect_test::expect;

use super::*;

#[test]
fn a_whole_chorus() {
    check(
        3,
        "
        2: Like applause.
        1: Like a letter being opened.
        3: Like nothing else.
        1 -> 2: Who is it for?
        3 -> 2: It never stops for me.
        2 -> 1: From whom?
        2: For whoever stays indoors.
        1: From somebody who knows the window.
        ",
        expect![[r#"
            turn 1: 1 2 3
              2: Like applause.
              1: Like a letter being opened.
              3: Like nothing else.
            turn 1 done: 1 2 3
            turn 2: 1 2 3
              1 -> 2: Who is it for?
              3 -> 2: It never stops for me.
              2 -> 1: From whom?
            turn 2 done: 1 2 3
              1 hears from 2
              2 hears from 1 3
            turn 3: 1 2
              2: For whoever stays indoors.
              1: From somebody who knows the window.
            turn 3 done: 1 2
            ended: completed
        "#]],
    );
}

#[test]
fn one_alone_only_answers() {
    check(
        1,
        "1: Like rain.",
        expect![[r#"
        turn 1: 1
          1: Like rain.
        turn 1 done: 1
        ended: completed
    "#]],
    );
}

#[test]
fn whoever_fails_to_answer_takes_no_further_part() {
    check(
        3,
        "
        1: Like rain.
        2 fails: overloaded
        3: Like tin.
        1 -> 3: Tin?
        3 -> 1: Rain.
        3: A roof of it.
        1: Yes.
        ",
        expect![[r#"
            turn 1: 1 2 3
              1: Like rain.
              2 failed: overloaded (overloaded)
              3: Like tin.
            turn 1 done: 1 3
            turn 2: 1 3
              1 -> 3: Tin?
              3 -> 1: Rain.
            turn 2 done: 1 3
              1 hears from 3
              3 hears from 1
            turn 3: 1 3
              3: A roof of it.
              1: Yes.
            turn 3 done: 1 3
            ended: completed
        "#]],
    );
}

#[test]
fn with_one_answer_left_there_is_nobody_to_comment_on() {
    check(
        2,
        "1: Like rain.\n2 raw: {}",
        expect![[r#"
            turn 1: 1 2
              1: Like rain.
              2 failed: nothing to say was found in the answer (empty)
            turn 1 done: 1
            ended: completed
        "#]],
    );
}

#[test]
fn nobody_answers() {
    check(
        2,
        "1 fails: overloaded\n2 raw: ",
        expect![[r#"
            turn 1: 1 2
              1 failed: overloaded (overloaded)
              2 failed: the answer was empty (empty)
            turn 1 done: nobody
            ended: failed
        "#]],
    );
}

#[test]
fn whoever_fails_to_comment_may_still_reply() {
    check(
        2,
        "
        1: Like rain.
        2: Like tin.
        1 fails: overloaded
        2 -> 1: Rain?
        1: Rain.
        ",
        expect![[r#"
            turn 1: 1 2
              1: Like rain.
              2: Like tin.
            turn 1 done: 1 2
            turn 2: 1 2
              1 failed: overloaded (overloaded)
              2 -> 1: Rain?
            turn 2 done: 2
              1 hears from 2
            turn 3: 1
              1: Rain.
            turn 3 done: 1
            ended: completed
        "#]],
    );
}

#[test]
fn without_comments_there_is_no_third_turn() {
    check(
        2,
        "
        1: Like rain.
        2: Like tin.
        1 fails: overloaded
        2 fails: overloaded
        ",
        expect![[r#"
            turn 1: 1 2
              1: Like rain.
              2: Like tin.
            turn 1 done: 1 2
            turn 2: 1 2
              1 failed: overloaded (overloaded)
              2 failed: overloaded (overloaded)
            turn 2 done: nobody
            ended: completed
        "#]],
    );
}

#[test]
fn a_failed_reply_costs_only_that_reply() {
    check(
        2,
        "
        1: Like rain.
        2: Like tin.
        1 -> 2: Tin?
        2 -> 1: Rain?
        1 fails: overloaded
        2: Tin.
        ",
        expect![[r#"
            turn 1: 1 2
              1: Like rain.
              2: Like tin.
            turn 1 done: 1 2
            turn 2: 1 2
              1 -> 2: Tin?
              2 -> 1: Rain?
            turn 2 done: 1 2
              1 hears from 2
              2 hears from 1
            turn 3: 1 2
              1 failed: overloaded (overloaded)
              2: Tin.
            turn 3 done: 2
            ended: completed
        "#]],
    );
}

#[test]
fn a_turn_waits_until_its_time_is_up() {
    check(
        3,
        "
        1: Like rain.
        3: Like tin.
        time is up
        1 -> 3: Tin?
        time is up
        time is up
        ",
        expect![[r#"
            turn 1: 1 2 3
              1: Like rain.
              3: Like tin.
              2 failed: no answer within 60 s (timeout)
            turn 1 done: 1 3
            turn 2: 1 3
              1 -> 3: Tin?
              3 failed: no answer within 60 s (timeout)
            turn 2 done: 1
              3 hears from 1
            turn 3: 3
              3 failed: no answer within 60 s (timeout)
            turn 3 done: nobody
            ended: completed
        "#]],
    );
}

#[test]
fn late_answers_decide_nothing() {
    let mut stage = Stage::open(setup(3));
    let (late, timer) = (stage.ask("2").call, stage.chorus.round.as_ref().unwrap().deadline);
    stage.play("1: Like rain.\n3: Like tin.\ntime is up");
    let facts = stage.facts.len();
    stage.happens(Happened::Answered { call: late, answer: Answer::from("Like late.") });
    stage.happens(Happened::Failed { call: late, failure: Failure::new("late") });
    stage.happens(Happened::TimeUp { call: timer });
    let by = String::new();
    let spoken = Spoken { by, duration_ms: 1, bytes: 1, passed_over: vec![] };
    stage.happens(Happened::Spoken { call: late, spoken });
    assert_eq!(stage.facts.len(), facts);
}

#[test]
fn answers_that_are_too_long_are_shortened() {
    check(
        2,
        "
        1: It hums to me. It hums to you. It hums to us. It hums to them.
        2: Like tin.
        1 -> 2: Tin is loud. Rain is not.
        2 -> 1: Hm.
        1: I hear it too. You hear it too. We hear it too.
        2: Yes.
        ",
        expect![[r#"
            turn 1: 1 2
              1: It hums to me. It hums to you. It hums to us.
                  ! 4 sentences instead of 3: shortened
              2: Like tin.
            turn 1 done: 1 2
            turn 2: 1 2
              1 -> 2: Tin is loud.
                  ! 2 sentences instead of 1: shortened
              2 -> 1: Hm.
            turn 2 done: 1 2
              1 hears from 2
              2 hears from 1
            turn 3: 1 2
              1: I hear it too. You hear it too.
                  ! 3 sentences instead of 2: shortened
              2: Yes.
            turn 3 done: 1 2
            ended: completed
        "#]],
    );
}

#[test]
fn a_run_that_waited_is_begun_and_one_that_was_played_is_resumed() {
    let mut waiting = Stage::waiting(setup(2));
    waiting.play("resumed");
    assert_eq!(waiting.facts, Stage::open(setup(2)).facts, "beginning is not resuming");
    let pending = waiting.chorus.pending();
    waiting.play("resumed");
    assert_eq!(waiting.chorus.pending(), pending, "what was under way is asked again");
    expect![[r#"
        turn 1: 1 2
        resumed
    "#]]
    .assert_eq(&waiting.story());
}

#[test]
fn cancelling_ends_it_at_once() {
    let mut stage = Stage::open(setup(2));
    stage.play("1: Like rain.\n2: Like tin.\n1 -> 2: Tin?\ncancelled");
    assert!(stage.chorus.pending().is_empty());
    assert_eq!(stage.chorus.ended(), Some("cancelled"));
    let facts = stage.facts.len();
    stage.play("resumed\ncancelled");
    assert_eq!(stage.facts.len(), facts, "nothing follows the end");
    let mut waiting = Stage::waiting(setup(2));
    waiting.play("cancelled");
    assert_eq!(waiting.chorus.ended(), Some("cancelled"));
}

#[test]
fn a_log_that_was_cut_off_where_it_should_not_does_not_wait_for_ever() {
    let mut whole = Stage::open(ChorusSetup { voice: None, ..setup(2) });
    whole.play("1: Like rain.\n2: Like tin.\n1 -> 2: Tin?\n2 -> 1: Rain?\n1: Rain.\n2: Tin.");
    for upto in 1..=whole.facts.len() {
        let mut stage = Stage::found(&whole.facts[..upto]);
        stage.play("resumed");
        let waits = !stage.asks().is_empty();
        assert!(waits || stage.chorus.ended().is_some(), "after {:?}", whole.facts[upto - 1].event);
    }
}

#[test]
fn a_chorus_can_be_cancelled_and_takes_no_other_command() {
    let read =
        |command: &str| serde_json::from_str::<ChorusCommand>(&format!(r#"{{"command":"{command}"}}"#));
    assert_eq!(read("cancel").unwrap(), ChorusCommand::Cancel);
    for of_scenes in ["pause", "resume", "step", "note", "world_event"] {
        assert!(read(of_scenes).is_err(), "{of_scenes}");
    }
    assert!(serde_json::from_str::<ChorusCommand>(r#"{"command":"cancel","now":true}"#).is_err());
    assert_eq!(serde_json::to_string(&Chorus::cancel()).unwrap(), r#"{"command":"cancel"}"#);
    assert_eq!(Chorus::go_on(), None);
}

#[test]
fn logs_of_choruses_are_known_by_their_first_record() {
    let stage = Stage::open(setup(2));
    let first = Record::of(&stage.facts[0]);
    assert_eq!(first.kind, Chorus::BEGINS_WITH);
    assert!(Chorus::begin(&first.fact().unwrap()).is_some());
    assert!(stage.facts[1..].iter().all(|fact| Record::of(fact).kind != Chorus::BEGINS_WITH));
}
