use std::time::Duration;

use enact_drama::{chorus::Turn, request::Request, usage::Usage};
use enact_engine::Model;
use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::Scripted;
use crate::test_requests::{request, slot_request};

/// Plays every actor through every beat and writes down who answers what.
async fn played(script: &str, beats: std::ops::Range<u32>, cast: &[&str]) -> String {
    let model = Scripted::parse(script).unwrap();
    let mut shown = String::new();
    for beat in beats {
        for actor in cast {
            let answer = model.answer(request(actor, beat)).await;
            let answer = answer.map_or_else(
                |failure| format!("fails: {}", failure.error),
                |answer| format!("{} ms {:?}", answer.took_ms, answer.text),
            );
            shown += &format!("{beat} {actor} {answer}\n");
        }
    }
    shown
}

fn check_problem(script: &str, expected: Expect) {
    let problem = Scripted::parse(script).unwrap_err();
    let hint = problem.hint.as_deref().unwrap_or("no hint");
    expected.assert_eq(&format!("{problem}\n  {hint}"));
}

#[tokio::test]
async fn a_chorus_is_played_turn_by_turn() {
    let script = "turn 1\nslot-1: {\"text\": \"Hm.\"}\nslot-2: !fail gone\nturn 2\nslot-1 (40ms): {\"targetSlotId\": 2}\n";
    let model = Scripted::parse(script).unwrap();
    let answer = async |slot, turn| {
        model.answer(slot_request(slot, turn)).await.map(|answer| (answer.text, answer.took_ms))
    };
    assert_eq!(answer(1, Turn::Respond).await.unwrap(), ("{\"text\": \"Hm.\"}".to_owned(), 0));
    assert_eq!(answer(1, Turn::Comment).await.unwrap(), ("{\"targetSlotId\": 2}".to_owned(), 40));
    assert_eq!(answer(2, Turn::Respond).await.unwrap_err().error, "gone");
    let nothing = answer(2, Turn::Comment).await.unwrap_err();
    assert_eq!(nothing.error, "the script has nothing for slot-2 in turn 2");
    assert_eq!(nothing.usage, Some(Usage::NONE));
}

#[tokio::test]
async fn hidden_calls_are_for_nobody_in_a_script() {
    let model = Scripted::parse("beat 0\nbob: Well?\n").unwrap();
    let failure = model.answer(Request { beat: Some(0), ..Request::default() }).await.unwrap_err();
    assert_eq!(
        (failure.error.as_str(), failure.usage),
        ("a script only plays characters", Some(Usage::NONE))
    );
}

#[tokio::test]
async fn a_comment_that_is_refused_has_a_second_answer() {
    let model = Scripted::parse("turn 2\nslot-1: first\nslot-1: second\nslot-2: only\n").unwrap();
    let answer = async |slot, again| {
        let request = Request { again, ..slot_request(slot, Turn::Comment) };
        model.answer(request).await.unwrap().text
    };
    let answers =
        [answer(1, false).await, answer(1, true).await, answer(2, false).await, answer(2, true).await];
    assert_eq!(answers, ["first", "second", "only", "only"]);
}

#[tokio::test]
async fn a_script_is_played_beat_by_beat() {
    let script = r#"
# The apology, as rehearsed.
beat 0
alice: [TO: Bob, TONE: angry] "We need to talk."

beat 2
Bob: [TONE: defensive] "Look,
    I can explain: it was late.

    Really."
# A comment action not end a beat.
alice (120ms): "No."
charlie: !fail rate
   limited
beat 3:
charlie (1.2s):
    [SILENT, *sighs*]
alice (5 ms): "Fine."
"#;
    let expected = expect![[r#"
        0 alice 0 ms "[TO: Bob, TONE: angry] \"We need to talk.\""
        0 bob 0 ms "[SILENT]"
        0 charlie 0 ms "[SILENT]"
        1 alice 0 ms "[SILENT]"
        1 bob 0 ms "[SILENT]"
        1 charlie 0 ms "[SILENT]"
        2 alice 120 ms "\"No.\""
        2 bob 0 ms "[TONE: defensive] \"Look,\nI can explain: it was late.\n\nReally.\""
        2 charlie fails: rate limited
        3 alice 5 ms "\"Fine.\""
        3 bob 0 ms "[SILENT]"
        3 charlie 1200 ms "[SILENT, *sighs*]"
    "#]];
    expected.assert_eq(&played(script, 0..4, &["alice", "bob", "charlie"]).await);
}

#[tokio::test]
async fn replies_arrive_as_they_are_written() {
    let script = "beat 0\ncharlie: c\nalice: a\nbob (40ms): b\ndora: d\n";
    let expected = expect![[r#"
        0 alice 1 ms "a"
        0 bob 40 ms "b"
        0 charlie 0 ms "c"
        0 dora 41 ms "d"
    "#]];
    expected.assert_eq(&played(script, 0..1, &["alice", "bob", "charlie", "dora"]).await);
}

#[tokio::test(start_paused = true)]
async fn who_hangs_never_answers() {
    let model = Scripted::parse("beat 1\nbob: !hang\n").unwrap();
    let answer = tokio::time::timeout(Duration::from_secs(3600), model.answer(request("bob", 1)));
    assert!(answer.await.is_err());
}

#[tokio::test]
#[should_panic(expected = "line 2 of the script says so")]
async fn who_panics_panics() {
    let model = Scripted::parse("beat 1\nbob: !panic\n").unwrap();
    let _ = model.answer(request("bob", 1)).await;
}

#[test]
fn it_says_what_it_is() {
    let script = Scripted::parse("beat 0\nalice: a\nbob: b\n").unwrap();
    assert_eq!(script.card().description, "script (2 replies)");
    assert_eq!(script.titled("the-apology.script").card().description, "script (the-apology.script)");
}

#[test]
fn problems_say_where_and_what_to_do() {
    check_problem(
        "alice: hello",
        expect![[r#"
            line 1, column 1: it is not said in which beat alice replies
              put a line 'beat 0' above it; in a chorus, 'turn 1'"#]],
    );
    check_problem(
        "beat one",
        expect![[r#"
        line 1, column 6: 'one' is not a beat
          beats are numbers: 'beat 0'"#]],
    );
    check_problem(
        "turn one",
        expect![[r#"
        line 1, column 6: 'one' is not a turn
          a chorus has three: 'turn 1', 'turn 2' and 'turn 3'"#]],
    );
    check_problem(
        "turn 4",
        expect![[r#"
        line 1, column 6: '4' is not a turn
          a chorus has three: 'turn 1', 'turn 2' and 'turn 3'"#]],
    );
    check_problem(
        "turn 1\nslot-1: a\nslot-1: b",
        expect![[r#"
        line 3, column 1: slot-1 already answers in turn 1, in line 2
          a slot answers once in a turn, and in turn 2 once more if its comment is refused"#]],
    );
    check_problem(
        "turn 2\nslot-1: a\nslot-1: b\nslot-1: c",
        expect![[r#"
        line 4, column 1: slot-1 already answers in turn 2, in line 3
          a slot answers once in a turn, and in turn 2 once more if its comment is refused"#]],
    );
    check_problem(
        "beat 0\n  hello",
        expect![[r#"
        line 2, column 1: an indented line goes on with a reply, but there is none above it
          start the line at the margin, or write 'name:' above it"#]],
    );
    check_problem(
        "beat 0\nhello there",
        expect![[r#"
            line 2, column 1: 'hello there' is neither a beat, a turn nor a reply
              write 'beat 3', 'turn 1', 'alice: [TONE: calm] "Hello."', or '#' before a comment"#]],
    );
    check_problem(
        "beat 0\nal ice: hello",
        expect![[r#"
        line 2, column 1: 'al ice' is not a plain name: use letters, digits, '-' and '_', starting with a letter or digit, at most 64
          no hint"#]],
    );
    check_problem(
        "beat 0\nalice:\nbob: hello",
        expect![[r#"
        line 2, column 1: alice's reply is empty
          write '[SILENT]', or leave the actor out of the beat"#]],
    );
    check_problem(
        "beat 0\nalice: a\nbob: b\nALICE: c",
        expect![[r#"
        line 4, column 1: alice already replies in beat 0, in line 2
          an actor replies once in a beat"#]],
    );
    check_problem(
        "beat 0\nalice: !fial rate limited",
        expect![[r#"
        line 2, column 1: '!fial' is nothing an actor can do
          there are '!fail <error>', '!hang' and '!panic'; a reply begins with '[' or a quote"#]],
    );
    check_problem(
        "beat 0\nalice: !fail",
        expect![[r#"
        line 2, column 1: '!fail' needs an error to fail with
          for example 'alice: !fail rate limited'"#]],
    );
    check_problem(
        "beat 0\nalice: !hang for a while",
        expect![[r#"
        line 2, column 1: '!hang' stands alone, without 'for a while'
          no hint"#]],
    );
    check_problem(
        "beat 0\nalice (soon): a",
        expect![[r#"
        line 2, column 8: 'soon' is not a thinking time
          write it as '120ms' or '1.2s', at most a day"#]],
    );
    check_problem(
        "beat 0\nalice (-1s): a",
        expect![[r#"
        line 2, column 8: '-1s' is not a thinking time
          write it as '120ms' or '1.2s', at most a day"#]],
    );
    check_problem(
        "beat 0\nalice (99999999999999999999s): a",
        expect![[r#"
        line 2, column 8: '99999999999999999999s' is not a thinking time
          write it as '120ms' or '1.2s', at most a day"#]],
    );
}

proptest! {
    #[test]
    fn any_text_is_a_script_or_a_problem(
        lines in prop::collection::vec("beat [0-9]{1,12}|[a-c]( \\([0-9.]{0,25}m?s\\))?: ?!?\\PC{0,8}| ?\\PC{0,12}", 0..12),
    ) {
        let _ = Scripted::parse(&lines.join("\n"));
    }
}
