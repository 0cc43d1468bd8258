//! Interruptions: what is cut, what is heard, and who is told what.

use expect_test::expect;

use super::*;

#[test]
fn a_line_of_the_beat_before_is_cut_and_the_interrupter_follows() {
    let mut stage = Stage::open(setup(config(&ALL_THREE, Some("bob"))));
    stage.beat(&[("bob", r#"[TONE: defensive] "Look, I can explain what happened, it was the vendor.""#)]);
    stage.beat(&[("alice", r#"[INTERRUPT after "i can EXPLAIN", TONE: furious] "No excuses!""#)]);
    expect![[r#"
        Bob [TONE: defensive] "Look, I can explain—"
        Alice [INTERRUPT after "i can EXPLAIN", TONE: furious] "No excuses!""#]]
    .assert_eq(&stage.lines().join("\n"));
}

#[test]
fn a_cut_reaches_what_others_were_already_told_but_not_the_speaker() {
    let mut stage = Stage::open(setup(config(&ALL_THREE, Some("bob"))));
    stage.beat(&[("bob", r#"[TONE: defensive] "I can explain, the vendor lied to us.""#)]);
    assert!(stage.prompt("charlie").contains("the vendor lied"), "before the cut everything was said");
    stage.beat(&[("alice", r#"[INTERRUPT after "explain", TONE: furious] "No!""#)]);
    let thread = |who: &str| {
        let messages = stage.request(who).thread;
        messages.iter().map(|message| message.text.to_string()).collect::<Vec<_>>().join("\n~\n")
    };
    expect![[r#"
        BEAT: 1

        SINCE YOU LAST HEARD:
        Bob [TONE: defensive] "I can explain—"

        You are Charlie. Respond in the response format.

        ~
        [SILENT]
        ~
        BEAT: 2

        SINCE YOU LAST HEARD:
        Alice [INTERRUPT after "explain", TONE: furious] "No!"

        You are Charlie. Respond in the response format.
    "#]]
    .assert_eq(&thread("charlie"));
    expect![[r#"
        BEAT: 0

        SINCE YOU LAST HEARD:
        (nothing)

        DIRECTOR NOTE: You are Bob. Begin the scene.

        You are Bob. Respond in the response format.

        ~
        [TONE: defensive] "I can explain, the vendor lied to us."
        ~
        BEAT: 1

        SINCE YOU LAST HEARD:
        (You were cut off by Alice; the others heard only: "I can explain—")

        You are Bob. Respond in the response format.

        ~
        [SILENT]
        ~
        BEAT: 2

        SINCE YOU LAST HEARD:
        Alice [INTERRUPT after "explain", TONE: furious] "No!"

        You are Bob. Respond in the response format.
    "#]]
    .assert_eq(&thread("bob"));
}

#[test]
fn whoever_is_asked_again_in_a_beat_is_told_the_same_as_everyone() {
    let mut stage = Stage::open(setup(config(&ALL_THREE, Some("bob"))));
    stage.beat(&[("bob", r#"[TONE: defensive] "I can explain, the vendor lied to us.""#)]);
    let told = |stage: &Stage| {
        let request = stage.request("charlie");
        let texts = request.thread.iter().map(|message| message.text.to_string()).collect::<Vec<_>>();
        (texts, request.view::<crate::scene::View>().unwrap().lines.clone())
    };
    let before = told(&stage);
    let alice = stage.asks().into_iter().find(|ask| ask.actor == Some(name("alice"))).unwrap().call;
    stage.answer(alice, r#"[INTERRUPT after "explain", TONE: furious] "No!""#);
    stage.happens(Happened::Resumed);
    assert_eq!(told(&stage), before);
    stage.beat(&[("charlie", r#"[TONE: calm] "Easy, both of you.""#), ("bob", "[SILENT]")]);
    assert!(!told(&stage).0.concat().contains("vendor"), "the beat after knows of the cut");
}

#[test]
fn what_is_cut_follows_the_rules() {
    let bob_then = |second: &[(&str, &str)]| {
        let mut stage = Stage::open(setup(config(&ALL_THREE, Some("bob"))));
        stage.beat(&[("bob", r#"[TONE: calm] "One two three four five.""#)]);
        stage.beat(second);
        stage.story()
    };
    // Within a beat, only what arrived earlier can be cut.
    expect![[r#"
          note to bob: You are Bob. Begin the scene.
        beat 0: bob
          Bob [TONE: calm] "One two three four five."
        beat 1: alice bob charlie
          Alice [TONE: calm] "Uno dos—"
          Charlie [INTERRUPT after "dos", TONE: rude] "Stop."
        beat 2: alice bob charlie
    "#]]
    .assert_eq(&bob_then(&[
        ("alice", r#"[TONE: calm] "Uno dos tres.""#),
        ("charlie", r#"[INTERRUPT after "dos", TONE: rude] "Stop.""#),
    ]));
    // Nobody cuts themselves; a phrase nobody said stands as an interjection.
    expect![[r#"
          note to bob: You are Bob. Begin the scene.
        beat 0: bob
          Bob [TONE: calm] "One two three four five."
        beat 1: alice bob charlie
          (bob cut nothing after "two")
          Bob [INTERRUPT after "two", TONE: rude] "Myself."
          (charlie cut nothing after "nine")
          Charlie [INTERRUPT after "nine", TONE: rude] "What?"
        beat 2: alice bob charlie
    "#]]
    .assert_eq(&bob_then(&[
        ("bob", r#"[INTERRUPT after "two", TONE: rude] "Myself.""#),
        ("charlie", r#"[INTERRUPT after "nine", TONE: rude] "What?""#),
    ]));
    // A line is cut at most once.
    expect![[r#"
          note to bob: You are Bob. Begin the scene.
        beat 0: bob
          Bob [TONE: calm] "One two three four—"
        beat 1: alice bob charlie
          Alice [INTERRUPT after "four", TONE: rude] "Enough."
          (charlie cut nothing after "two")
          Charlie [INTERRUPT after "two", TONE: rude] "Me too."
        beat 2: alice bob charlie
    "#]]
    .assert_eq(&bob_then(&[
        ("alice", r#"[INTERRUPT after "four", TONE: rude] "Enough.""#),
        ("charlie", r#"[INTERRUPT after "two", TONE: rude] "Me too.""#),
    ]));
    // No phrase: it is still an interruption, and nothing is cut.
    expect![[r#"
          note to bob: You are Bob. Begin the scene.
        beat 0: bob
          Bob [TONE: calm] "One two three four five."
        beat 1: alice bob charlie
          (alice cut nothing after "")
          Alice [INTERRUPT, TONE: rude] "Hey."
        beat 2: alice bob charlie
    "#]]
    .assert_eq(&bob_then(&[("alice", r#"[INTERRUPT, TONE: rude] "Hey.""#)]));
}

#[test]
fn lines_older_than_the_beat_before_are_out_of_reach() {
    let mut stage = Stage::open(setup(config(&ALICE_AND_BOB, Some("bob"))));
    stage.beat(&[("bob", r#"[TONE: calm] "One two three.""#)]);
    stage.beat(&[("bob", r#"[TONE: calm] "Four five six.""#)]);
    stage.beat(&[("alice", r#"[INTERRUPT after "two", TONE: rude] "Late.""#)]);
    assert_eq!(stage.lines()[0], r#"Bob [TONE: calm] "One two three.""#);
}
