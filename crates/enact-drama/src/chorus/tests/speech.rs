//! What is said aloud while others think, and the list of it.

use expect_test::expect;

use super::*;

#[test]
fn speech_never_holds_up_a_turn_and_the_end_waits_for_it() {
    let mut stage = Stage::open(setup(2));
    stage.play(
        "
        1: Like rain.
        2: Like tin.
        1 -> 2: Tin?
        spoken
        2 -> 1: Rain?
        1: Rain.
        2: Tin.
        mute
        spoken
        ",
    );
    expect![[r#"
        turn 1: 1 2
          1: Like rain.
          2: Like tin.
        turn 1 done: 1 2
        turn 2: 1 2
          1 -> 2: Tin?
          1 heard (response)
          2 heard (response)
          1 heard (comment)
          2 -> 1: Rain?
        turn 2 done: 1 2
          1 hears from 2
          2 hears from 1
        turn 3: 1 2
          1: Rain.
          2: Tin.
        turn 3 done: 1 2
          2 not heard (comment): no breath
          1 heard (reply)
          2 heard (reply)
        ended: completed
    "#]]
    .assert_eq(&stage.story());
}

#[test]
fn files_say_whose_and_what_they_are() {
    let mut stage = Stage::open(setup(2));
    stage.play("1: Like rain.\n2: Like tin.\n1 -> 2: Tin?\n2 -> 1: Rain?\n1: Rain.\n2: Tin.");
    let told: Vec<String> = stage
        .speaking()
        .iter()
        .map(|speak| format!("{} \"{}\" in {} ms", speak.path, speak.utterance.text, speak.timeout_ms))
        .collect();
    expect![[r#"
        tts/sessions/00000000-0000-0000-0000-000000000000/turn_1/slot-1_claude-sonnet-4-5_calm_soothing.wav "Like rain." in 120000 ms
        tts/sessions/00000000-0000-0000-0000-000000000000/turn_1/slot-2_claude-opus-4-5_calm_soothing.wav "Like tin." in 120000 ms
        tts/sessions/00000000-0000-0000-0000-000000000000/turn_2/slot-1_comment_to_slot-2_claude-sonnet-4-5_playful_expressive.wav "Tin?" in 120000 ms
        tts/sessions/00000000-0000-0000-0000-000000000000/turn_2/slot-2_comment_to_slot-1_claude-opus-4-5_playful_expressive.wav "Rain?" in 120000 ms
        tts/sessions/00000000-0000-0000-0000-000000000000/turn_3/slot-1_reply_claude-sonnet-4-5_calm_soothing.wav "Rain." in 120000 ms
        tts/sessions/00000000-0000-0000-0000-000000000000/turn_3/slot-2_reply_claude-opus-4-5_calm_soothing.wav "Tin." in 120000 ms"#]].assert_eq(&told.join("\n"));
}

#[test]
fn what_was_being_said_is_said_again_after_a_kill() {
    let mut stage = Stage::open(setup(1));
    stage.play("1: Like rain.");
    let mut again = Stage::found(&stage.facts);
    let speaking = again.speaking();
    assert_eq!(speaking.len(), 1);
    again.play("resumed");
    assert_eq!(again.speaking(), speaking, "into the same file");
    again.play("spoken");
    expect![[r#"
        turn 1: 1
          1: Like rain.
        turn 1 done: 1
        resumed
          1 heard (response)
        ended: completed
    "#]]
    .assert_eq(&again.story());
}

#[test]
fn nobody_speaks_where_there_is_no_voice() {
    let mut stage = Stage::open(ChorusSetup { voice: None, ..setup(1) });
    stage.play("1: Like rain.");
    assert_eq!(stage.chorus.ended(), Some("completed"));
    assert!(stage.chorus.manifest(&stage.facts).is_none());
}

#[test]
fn the_list_grows_with_what_can_be_heard() {
    let mut stage = Stage::open(setup(2));
    assert!(stage.chorus.manifest(&stage.facts).is_none(), "nothing was said yet");
    stage.play("1: Like rain.\n2: Like tin.");
    let before = stage.chorus.manifest(&stage.facts).unwrap();
    assert!(!before.text.contains("audioPath"), "no file is there yet");
    stage.play("spoken\n1 -> 2: Tin?\n2 fails: overloaded\nmute\n2: Tin.\nspoken");
    let paper = stage.chorus.manifest(&stage.facts).unwrap();
    assert_eq!(paper.path, "tts/sessions/00000000-0000-0000-0000-000000000000/session.json");
    expect![[r#"
        {
          "sessionId": "00000000-0000-0000-0000-000000000000",
          "createdAt": "1970-01-01T00:00:00.000Z",
          "message": "What does rain sound like?",
          "turns": {
            "turn_1": [
              {
                "slotId": 1,
                "agentId": "claude-sonnet-4-5",
                "kind": "response",
                "voiceProfile": "calm_soothing",
                "text": "Like rain.",
                "audioPath": "tts/sessions/00000000-0000-0000-0000-000000000000/turn_1/slot-1_claude-sonnet-4-5_calm_soothing.wav",
                "spokenBy": "embedded",
                "durationMs": 100
              },
              {
                "slotId": 2,
                "agentId": "claude-opus-4-5",
                "kind": "response",
                "voiceProfile": "calm_soothing",
                "text": "Like tin.",
                "audioPath": "tts/sessions/00000000-0000-0000-0000-000000000000/turn_1/slot-2_claude-opus-4-5_calm_soothing.wav",
                "spokenBy": "embedded",
                "durationMs": 90
              }
            ],
            "turn_2": [
              {
                "slotId": 1,
                "agentId": "claude-sonnet-4-5",
                "kind": "comment",
                "voiceProfile": "playful_expressive",
                "comment": "Tin?",
                "targetSlotId": 2,
                "delivered": true,
                "audioError": "no breath"
              }
            ],
            "turn_3": [
              {
                "slotId": 2,
                "agentId": "claude-opus-4-5",
                "kind": "reply",
                "voiceProfile": "calm_soothing",
                "text": "Tin.",
                "receivedComments": [
                  {
                    "fromSlotId": 1,
                    "fromAgentId": "claude-sonnet-4-5",
                    "fromAgentName": "CLAUDE-SONNET-4-5",
                    "comment": "Tin?"
                  }
                ],
                "audioPath": "tts/sessions/00000000-0000-0000-0000-000000000000/turn_3/slot-2_reply_claude-opus-4-5_calm_soothing.wav",
                "spokenBy": "embedded",
                "durationMs": 40
              }
            ]
          },
          "ended": "completed"
        }
    "#]].assert_eq(&paper.text);
}

#[test]
fn the_list_names_comments_that_nobody_was_told_of() {
    let mut stage = Stage::open(setup(5));
    stage.play("1: a\n2: b\n3: c\n4: d\n5: e\n1 -> 2: A\n2 -> 1: B\n3 -> 2: C\n4 -> 2: D\n5 -> 2: E");
    let paper = stage.chorus.manifest(&stage.facts).unwrap();
    let list: serde_json::Value = serde_json::from_str(&paper.text).unwrap();
    let told: Vec<String> = list["turns"]["turn_2"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| format!("{} -> {} {}", entry["slotId"], entry["targetSlotId"], entry["delivered"]))
        .collect();
    expect![[r#"
        1 -> 2 true
        2 -> 1 true
        3 -> 2 true
        4 -> 2 false
        5 -> 2 true"#]]
    .assert_eq(&told.join("\n"));
}

#[test]
fn the_list_is_written_only_when_something_changed() {
    let mut stage = Stage::open(setup(2));
    let paper_after = |stage: &mut Stage, script: &str| {
        let before = stage.facts.len();
        stage.play(script);
        stage.chorus.manifest(&stage.facts[before..]).is_some()
    };
    for (script, written) in
        [("1 fails: overloaded", false), ("2: Like tin.", true), ("resumed", true), ("spoken", true)]
    {
        assert_eq!(paper_after(&mut stage, script), written, "{script}");
    }
}
