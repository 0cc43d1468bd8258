//! Failures: one actor failing costs that actor's reply, never the scene.

use expect_test::expect;

use super::*;
use crate::scene::OnMalformed;

#[test]
fn a_failing_actor_is_benched_says_so_once_and_is_tried_every_fifth_beat() {
    let mut stage = Stage::open(setup(SceneConfig { max_beats: Some(20), ..config(&ALL_THREE, None) }));
    for beat in 0..14 {
        let word = ["ab", "cd", "ef"][beat % 3].repeat(beat + 1);
        let talk = format!(r#"[TONE: angry] "Why {word}, {word}s and {word}ish?""#);
        let bob_asked = stage.asks().iter().any(|ask| ask.actor == Some(name("bob")));
        let mut answers = vec![("alice", talk.as_str())];
        if bob_asked {
            answers
                .push(("bob", if beat < 12 { "!fail overloaded" } else { r#"[TONE: calm] "Here I am.""# }));
        }
        stage.beat(&answers);
    }
    let about_bob: Vec<String> = stage
        .story()
        .lines()
        .filter(|line| line.starts_with("beat") || line.contains("Bob"))
        .map(str::to_owned)
        .collect();
    expect![[r#"
        beat 0: alice bob charlie
          [SYSTEM: Bob unable to respond]
        beat 1: alice bob charlie
          [SYSTEM: Bob unable to respond]
        beat 2: alice bob charlie
          [SYSTEM: Bob unable to respond]
          [SYSTEM: Bob sits out after 3 failures in a row]
        beat 3: alice charlie
        beat 4: alice charlie
        beat 5: alice charlie
        beat 6: alice charlie
        beat 7: alice bob charlie
        beat 8: alice charlie
        beat 9: alice charlie
        beat 10: alice charlie
        beat 11: alice charlie
        beat 12: alice bob charlie
          [SYSTEM: Bob is back]
          Bob [TONE: calm] "Here I am."
        beat 13: alice bob charlie
          Bob [TONE: calm] "Here I am."
        beat 14: alice bob charlie"#]]
    .assert_eq(&about_bob.join("\n"));
}

#[test]
fn late_answers_change_nothing() {
    let mut stage = Stage::open(setup(config(&ALICE_AND_BOB, None)));
    let late = stage.asks().into_iter().find(|ask| ask.actor == Some(name("bob"))).unwrap().call;
    stage.beat(&[("alice", r#"[TONE: calm] "Hello.""#), ("bob", "!late")]);
    let facts = stage.facts.len();
    stage.answer(late, r#"[TONE: calm] "Hello back.""#);
    assert_eq!(stage.facts.len(), facts);
    expect![[r#"
          note to all: The scene begins. Whoever would naturally speak first may do so.
        beat 0: alice bob
          Alice [TONE: calm] "Hello."
          [SYSTEM: Bob unable to respond]
        beat 1: alice bob
    "#]]
    .assert_eq(&stage.story());
    let error = stage.facts.iter().find_map(|fact| match &fact.event {
        SceneEvent::CallFailed { error, .. } => Some(error.as_str()),
        _ => None,
    });
    assert_eq!(error, Some("Response timeout after 30s"));
}

#[test]
fn a_failed_update_is_covered_by_the_next() {
    let mut stage = Stage::open(setup(config(&ALICE_AND_BOB, None)));
    stage.beat(&[("alice", r#"[TONE: calm] "First.""#)]);
    stage.beat(&[("alice", r#"[TONE: calm] "Second.""#), ("bob", "!fail overloaded")]);
    let prompt = stage.prompt("bob");
    assert!(prompt.contains("First.") && prompt.contains("Second."), "{prompt}");
    assert_eq!(stage.request("bob").thread.len(), 3, "one answered update, and the new one");
}

#[test]
fn a_malformed_reply_is_salvaged_asked_for_again_or_ignored() {
    let with = |on_malformed| {
        let mut stage =
            Stage::open(setup(SceneConfig { on_malformed, ..config(&ALICE_AND_BOB, Some("bob")) }));
        let call = stage.asks()[0].call;
        stage.answer(call, "I just talk without any format.");
        if on_malformed == OnMalformed::Retry {
            assert!(stage.prompt("bob").contains("did not follow the response format"));
            let again = stage.asks()[0].call;
            assert_ne!(again, call);
            stage.answer(again, "And again.");
        }
        stage.story()
    };
    expect![[r#"
          note to bob: You are Bob. Begin the scene.
        beat 0: bob
          Bob [TONE: neutral] "I just talk without any format."
        beat 1: alice bob
    "#]]
    .assert_eq(&with(OnMalformed::Salvage));
    expect![[r#"
          note to bob: You are Bob. Begin the scene.
        beat 0: bob
          note to bob: Your answer "I just talk without any format." did not follow the response format. Answer again in that format.
          Bob [TONE: neutral] "And again."
        beat 1: alice bob
    "#]]
    .assert_eq(&with(OnMalformed::Retry));
    expect![[r#"
          note to bob: You are Bob. Begin the scene.
        beat 0: bob
          note to all: Someone should respond to move the scene forward.
        beat 1: alice bob
    "#]]
    .assert_eq(&with(OnMalformed::Ignore));
}

#[test]
fn an_endless_answer_is_read_and_kept_only_so_far() {
    let mut stage = Stage::open(setup(config(&ALICE_AND_BOB, Some("bob"))));
    let call = stage.asks()[0].call;
    stage.answer(call, &format!(r#"[TONE: calm] "{}""#, "word ".repeat(20_000)));
    let kept = stage.facts.iter().find_map(|fact| match &fact.event {
        SceneEvent::Replied { raw: Some(raw), warnings, .. } => Some((raw.len(), warnings.len())),
        _ => None,
    });
    let (bytes, warnings) = kept.unwrap();
    assert!(bytes <= 32 * 1024 && warnings > 0, "{bytes} bytes, {warnings} warnings");
}

#[test]
fn a_failed_or_silent_opener_leaves_the_floor_to_everyone() {
    for answer in ["!fail overloaded", "[SILENT]"] {
        let mut stage = Stage::open(setup(config(&ALL_THREE, Some("bob"))));
        stage.beat(&[("bob", answer)]);
        assert_eq!(stage.asks().len(), 3, "{answer}");
    }
}
