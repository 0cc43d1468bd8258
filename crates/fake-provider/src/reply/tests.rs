use std::{borrow::Cow, collections::BTreeSet};

use super::*;
use crate::prompt::{PromptBlock, PromptRole};

fn prompt(last: &str) -> Prompt<'_> {
    let block = |role, text| PromptBlock { role, text: Cow::Borrowed(text), breakpoint: None };
    let scene = "You play one character.\n\nSetting: a pier\n\nCast:\n- Alice\n- Bob: a sailor\n- Dr. Wu\n";
    Prompt {
        blocks: vec![block(PromptRole::System, scene), block(PromptRole::User, last)],
        ..Prompt::default()
    }
}

#[test]
fn the_same_request_gets_the_same_reply_and_another_another() {
    assert_eq!(default_reply(&prompt("BEAT: 1")), default_reply(&prompt("BEAT: 1")));
    let beats: Vec<String> = (0..100).map(|beat| format!("BEAT: {beat}")).collect();
    let replies: BTreeSet<String> = beats.iter().map(|beat| default_reply(&prompt(beat))).collect();
    assert!(replies.len() > 50, "only {} different replies", replies.len());
}

#[test]
fn whoever_is_to_speak_has_something_to_say() {
    let schema = serde_json::json!({
        "type": "object",
        "properties": {
            "targetSlotId": {"type": "integer", "enum": [2, 3, 5]},
            "comment": {"type": "string"},
            "voice_profile": {"type": "string", "enum": ["calm_soothing", "friendly_casual"]},
        },
        "required": ["targetSlotId", "comment", "voice_profile"],
    });
    let mut targets = BTreeSet::new();
    for slot in 0..40 {
        let last = format!("You are slot {slot}.");
        let answer = structured(&prompt(&last), &schema);
        assert_eq!(answer, structured(&prompt(&last), &schema));
        let comment = answer["comment"].as_str().unwrap();
        assert!(
            REPLIES["words"].iter().any(|words| words.starts_with(comment)) && !comment.is_empty(),
            "{answer}"
        );
        assert!(["calm_soothing", "friendly_casual"].contains(&answer["voice_profile"].as_str().unwrap()));
        targets.insert(answer["targetSlotId"].as_u64().unwrap());
    }
    assert_eq!(targets, BTreeSet::from([2, 3, 5]));
    // Verdicts stay as small as they can be.
    let verdict =
        serde_json::json!({"type": "object", "properties": {"why": {"type": "string"}}, "required": ["why"]});
    assert_eq!(structured(&prompt("x"), &verdict)["why"], "");
}

#[test]
fn nobody_talks_to_themselves_or_to_strangers() {
    for beat in 0..200 {
        let last = format!("BEAT: {beat}\n\nYou are Bob. Respond in the response format.\n");
        let reply = default_reply(&prompt(&last));
        if let Some((_, rest)) = reply.split_once("[TO: ") {
            let (to, _) = rest.split_once(',').expect("a tone follows");
            assert!(["Alice", "Dr. Wu"].contains(&to), "{reply}");
        }
        assert!(reply.starts_with('[') && reply.contains(']'), "{reply}");
    }
}
