//! Comments: whom they go to, and who is told of them.

use expect_test::expect;

use super::*;
use crate::usage::Usage;

const ANSWERS: &str = "1: Like rain.\n2: Like tin.\n3: Like sleep.\n";

fn commenting(script: &str, expected: expect_test::Expect) {
    let mut stage = Stage::open(ChorusSetup { voice: None, ..setup(3) });
    stage.play(ANSWERS);
    let before = stage.story().len();
    stage.play(script);
    expected.assert_eq(&stage.story()[before..]);
}

#[test]
fn a_comment_at_oneself_or_at_nobody_is_asked_for_again() {
    commenting(
        "
        1 -> 1: I like it.
        2 -> 5: And you?
        3 raw: What a thing to say.
        1 -> 2: I like it.
        2 -> 3: And you?
        3 -> 1: What a thing to say.
        ",
        expect![[r#"
              1 refused: AtOneself
              1 asked again
              2 refused: AtNobody
              2 asked again
              3 refused: NoTarget
              3 asked again
              1 -> 2: I like it.
              2 -> 3: And you?
              3 -> 1: What a thing to say.
            turn 2 done: 1 2 3
              1 hears from 3
              2 hears from 1
              3 hears from 2
            turn 3: 1 2 3
        "#]],
    );
}

#[test]
fn the_second_time_it_goes_to_whoever_heard_the_least() {
    commenting(
        "
        2 -> 1: Rain?
        3 -> 3: Me.
        1 -> 0: Nobody.
        3 raw: Still me.
        1 -> 1: Still nobody.
        ",
        expect![[r#"
              2 -> 1: Rain?
              3 refused: AtOneself
              3 asked again
              1 refused: AtNobody
              1 asked again
              3 -> 2: Still me.
                  ! not JSON: taken word for word
                  ! aimed at nobody: given to slot 2
              1 -> 3: Still nobody.
                  ! aimed at itself: given to slot 3
            turn 2 done: 1 2 3
              1 hears from 2
              2 hears from 3
              3 hears from 1
            turn 3: 1 2 3
        "#]],
    );
}

#[test]
fn a_second_try_that_fails_leaves_the_first_comment() {
    commenting(
        "
        1 -> 1: I like it.
        2 -> 2: So do I.
        3 -> 9: And I.
        1 fails: overloaded
        2 raw: {}
        time is up
        ",
        expect![[r#"
              1 refused: AtOneself
              1 asked again
              2 refused: AtOneself
              2 asked again
              3 refused: AtNobody
              3 asked again
              1 -> 3: I like it.
                  ! asked again and got nothing: overloaded
                  ! aimed at itself: given to slot 3
              2 -> 1: So do I.
                  ! asked again and got nothing: nothing to say was found in the answer
                  ! aimed at itself: given to slot 1
              3 -> 2: And I.
                  ! asked again and got nothing: no answer within 60 s
                  ! aimed at nobody who takes part: given to slot 2
            turn 2 done: 1 2 3
              1 hears from 2
              2 hears from 3
              3 hears from 1
            turn 3: 1 2 3
        "#]],
    );
}

#[test]
fn a_second_try_that_fails_is_told_as_one() {
    let mut stage = Stage::open(ChorusSetup { voice: None, ..setup(3) });
    stage.play(ANSWERS).play("1 -> 1: I like it.\n2 raw: So do I.\n2 raw: {\"text\": {}}");
    let call = stage.ask("1").call;
    let usage = Usage { uncached: 7, ..Usage::NONE };
    let failure = Failure {
        kind: FailureKind::RateLimited,
        usage: Some(usage),
        took_ms: 9,
        ..Failure::new("too many")
    };
    stage.happens(Happened::Failed { call, failure });
    let told = stage.facts.iter().filter_map(|fact| match &fact.event {
        ChorusEvent::SlotSpoke { call, slot, text, instead_of: Some(outcome), usage, took_ms, .. } => {
            let used = usage.map(|usage| usage.uncached);
            Some(format!("{} {slot}: {text} ({outcome:?}, {used:?}, {took_ms} ms)", call.0))
        }
        _ => None,
    });
    expect![[r#"
        9 2: So do I. (NoAnswer { error: "nothing to say was found in the answer", failure: Empty, raw: Some("{\"text\": {}}") }, None, 0 ms)
        8 1: I like it. (NoAnswer { error: "too many", failure: RateLimited, raw: None }, Some(7), 9 ms)"#]].assert_eq(&told.collect::<Vec<_>>().join("\n"));
}

#[test]
fn an_answer_of_no_use_is_kept() {
    let mut stage = Stage::open(setup(1));
    stage.play("1 raw: {\"text\": {\"mood\": true}}");
    let failed = stage.facts.iter().find_map(|fact| match &fact.event {
        ChorusEvent::SlotFailed { outcome, .. } => Some(outcome.clone()),
        _ => None,
    });
    let outcome = failed.unwrap();
    assert_eq!(outcome.error, "nothing to say was found in the answer");
    assert_eq!(outcome.raw.as_deref(), Some("{\"text\": {\"mood\": true}}"));
}

#[test]
fn a_slot_that_failed_is_nobody() {
    check(
        3,
        "
        1: Like rain.
        2 fails: overloaded
        3: Like sleep.
        1 -> 2: Are you there?
        3 -> 1: Rain.
        1 -> 3: And you?
        3: Yes.
        1: Yes.
        ",
        expect![[r#"
            turn 1: 1 2 3
              1: Like rain.
              2 failed: overloaded (overloaded)
              3: Like sleep.
            turn 1 done: 1 3
            turn 2: 1 3
              1 refused: AtNobody
              1 asked again
              3 -> 1: Rain.
              1 -> 3: And you?
            turn 2 done: 1 3
              1 hears from 3
              3 hears from 1
            turn 3: 1 3
              3: Yes.
              1: Yes.
            turn 3 done: 1 3
            ended: completed
        "#]],
    );
}

#[test]
fn nobody_hears_more_than_three() {
    check(
        6,
        "
        1: a
        2: b
        3: c
        4: d
        5: e
        6: f
        1 -> 2: from one
        2 -> 1: from two
        3 -> 2: from three
        4 -> 2: from four
        5 -> 2: from five
        6 -> 2: from six
        ",
        expect![[r#"
            turn 1: 1 2 3 4 5 6
              1: a
              2: b
              3: c
              4: d
              5: e
              6: f
            turn 1 done: 1 2 3 4 5 6
            turn 2: 1 2 3 4 5 6
              1 -> 2: from one
              2 -> 1: from two
              3 -> 2: from three
              4 -> 2: from four
              5 -> 2: from five
              6 -> 2: from six
            turn 2 done: 1 2 3 4 5 6
              1 hears from 2
              2 hears from 3 4 6, not from 1 5
            turn 3: 1 2
        "#]],
    );
}

#[test]
fn who_is_dropped_depends_on_the_seed_alone() {
    let slot = |number| SlotId::new(number).unwrap();
    let comments: Vec<(SlotId, SlotId)> = [1, 3, 4, 5, 6].map(|from| (slot(from), slot(2))).to_vec();
    let dropped = |seed| routing::routes(&comments, seed)[0].dropped.clone();
    let mut backwards = comments.clone();
    backwards.reverse();
    assert_eq!(routing::routes(&comments, 7), routing::routes(&backwards, 7), "not on the order of arrival");
    let different: std::collections::BTreeSet<_> = (0..200).map(dropped).collect();
    assert_eq!(different.len(), 10, "each two of five are dropped sometimes");
}

#[test]
fn each_slot_reads_the_others_in_an_order_of_its_own() {
    let mut stage = Stage::open(setup(6));
    stage.play("1: a\n2: b\n3: c\n4: d\n5: e\n6: f");
    let read = |slot: &str| {
        let request = stage.request(slot);
        let peers = &request.view::<crate::chorus::ChorusView>().unwrap().peers;
        peers.iter().map(|peer| peer.slot_id.to_string()).collect::<Vec<_>>().join(" ")
    };
    expect![[r#"
        3 4 5 6 2
        5 6 3 1 4
        2 5 1 6 4
        6 5 2 3 1
        6 1 4 3 2
        2 4 3 5 1"#]]
    .assert_eq(&["1", "2", "3", "4", "5", "6"].map(read).join("\n"));
}
