use expect_test::expect;
use proptest::prelude::*;

use super::*;

fn told(raw: &str, turn: Turn) -> String {
    let AnswerReading { text, aim, profile, warnings } = read(raw, turn);
    let aim = match aim {
        Aim::Nowhere => String::new(),
        Aim::At(number) => format!(" -> {number}"),
    };
    let mut line = format!("[{}]{aim} {text}", profile.as_str());
    for warning in warnings {
        line += &format!(" ! {warning}");
    }
    line
}

fn all(raws: &[&str], turn: Turn) -> String {
    raws.iter().map(|raw| told(raw, turn)).collect::<Vec<_>>().join("\n")
}

#[test]
fn answers_as_they_are_asked_for_and_as_they_come() {
    let raws = [
        r#"{"text": "Like rain.", "voice_profile": "calm_soothing"}"#,
        r#"{"voiceProfile": "Calm-Soothing", "text": " Like\n\train. "}"#,
        "```json\n{\"text\": \"Like rain.\", \"voice_profile\": \"calm_soothing\"}\n```",
        r#"Here you are: {"text": "Like rain.", "voice_profile": "calm_soothing"} I hope it helps."#,
        r#"<think>{"text": "no"}</think>{"text": "Like rain.", "voice_profile": "calm_soothing"}"#,
        r#"A set {x} of {"text": "drafts"} and then {"text": "Like rain.", "voice_profile": "calm_soothing"}"#,
        r#"[{"text": "Like rain.", "voice_profile": "calm_soothing"}]"#,
        r#"{"spoken_response": {"text": "Like rain.", "voice_profile": "calm_soothing"}}"#,
        r#"{"response": "Like rain.", "profile": "calm_soothing"}"#,
        r#"{"text": "Like rain.", "voice_profile": "shouting"}"#,
        r#"{"text": "Like rain.", "voice_profile": 7}"#,
        r#""Like rain.""#,
        "Like rain,\nand like {nothing} else.",
        "```\nLike rain.\n```",
        r#"{"response": {"text": "Like rain.", "voice_profile": "calm_soothing"}}"#,
        r#"{"reasoning": "hm", "output": {"text": "Like rain.", "voice_profile": "calm_soothing"}}"#,
        r#"{"message": "ok", "answers": [{"text": "Like rain.", "voice_profile": "calm_soothing"}]}"#,
        r#"{"voice_profile": "calm_soothing", "reply": {"text": "Like rain."}}"#,
        r#"{"text": ["Like rain.", "And tin."], "voice_profile": "calm_soothing"}"#,
        r#"{"text": 42, "voice_profile": "calm_soothing"}"#,
        r#""{\"text\": \"Like rain.\", \"voice_profile\": \"calm_soothing\"}""#,
        r#"{"text": "Like rain.", "voice_profile": "calm_soothing"} Format: {"text": "<what you say>", "voice_profile": "<a voice profile>"}"#,
        r#"{"text": "Like rain.", "voice_profile": "calm_soothing"} or {"text": "Like tin.", "voice_profile": "<a voice profile>"}"#,
    ];
    expect![[r#"
        [calm_soothing] Like rain.
        [calm_soothing] Like rain.
        [calm_soothing] Like rain. ! more than a JSON object
        [calm_soothing] Like rain. ! more than a JSON object
        [calm_soothing] Like rain.
        [calm_soothing] Like rain. ! more than a JSON object
        [calm_soothing] Like rain. ! more than a JSON object
        [calm_soothing] Like rain.
        [calm_soothing] Like rain.
        [friendly_casual] Like rain. ! no voice profile is called "shouting": friendly_casual taken
        [friendly_casual] Like rain. ! no voice profile: friendly_casual taken
        [friendly_casual] Like rain. ! not JSON: taken word for word
        [friendly_casual] Like rain, and like {nothing} else. ! not JSON: taken word for word
        [friendly_casual] Like rain. ! not JSON: taken word for word
        [calm_soothing] Like rain.
        [calm_soothing] Like rain.
        [calm_soothing] Like rain.
        [calm_soothing] Like rain.
        [calm_soothing] Like rain. And tin.
        [calm_soothing] 42
        [calm_soothing] Like rain. ! more than a JSON object
        [calm_soothing] Like rain. ! more than a JSON object
        [calm_soothing] Like rain. ! more than a JSON object"#]]
    .assert_eq(&all(&raws, Turn::Respond));
}

#[test]
fn broken_json_is_not_read_aloud() {
    let raws = [
        r#"{"text": "Like rain that nev"#,
        "{\"text\": \"Like\nrain.\", \"voice_profile\": \"calm_soothing\"}",
        r#"{"text": "She said "hush" to me, softly", "voice_profile": "calm_soothing"}"#,
        r#"{"voice_profile": "calm_soothing", "text": "Like rain.",}"#,
        r#"{"text": "caf\u00e9 \u12", "voice_profile": "calm_soothing""#,
        r#"{"voice_profile": "calm_soothing""#,
        "{'text': 'Like rain.', 'voice_profile': 'calm_soothing'}",
        r#"{text: "Like rain.", voice_profile: "calm_soothing"}"#,
        "{“text”: “Like rain.”, “voice_profile”: “calm_soothing”}",
        r#""text": "Like rain.", "voice_profile": "calm_soothing""#,
        r#"{"text": "smile \ud83d\ude00 now", "voice_profile": "calm_soothing""#,
        r#"{"text": "He said "yes", "no" and left", "voice_profile": "calm_soothing"}"#,
        r#"{"text": "He said "yes", and left", "voice_profile": "calm_soothing"}"#,
        r#"{"text": "I hear "rain", "tin", and "sleep"", "voice_profile": "calm_soothing"}"#,
        r#"{"voice_profile": "calm_soothing", "text": ""Rain", he said: "hush", and left"}"#,
        "Here it is:\n```json\n{'text': 'Like rain.', 'voice_profile': 'calm_soothing',\n```",
        r#"{"text" "}"#,
        r#"{"text": }"#,
    ];
    expect![[r#"
        [friendly_casual] Like rain that nev ! its JSON is broken ! no voice profile: friendly_casual taken
        [calm_soothing] Like rain. ! its JSON is broken
        [calm_soothing] She said "hush" to me, softly ! its JSON is broken
        [calm_soothing] Like rain. ! its JSON is broken
        [calm_soothing] café 12 ! its JSON is broken
        [calm_soothing]  ! its JSON is broken
        [calm_soothing] Like rain. ! its JSON is broken
        [calm_soothing] Like rain. ! its JSON is broken
        [calm_soothing] Like rain. ! its JSON is broken
        [calm_soothing] Like rain. ! its JSON is broken
        [calm_soothing] smile 😀 now ! its JSON is broken
        [calm_soothing] He said "yes", "no" and left ! its JSON is broken
        [calm_soothing] He said "yes", and left ! its JSON is broken
        [calm_soothing] I hear "rain", "tin", and "sleep" ! its JSON is broken
        [calm_soothing] "Rain", he said: "hush", and left ! its JSON is broken
        [calm_soothing] Like rain. ! its JSON is broken
        [friendly_casual]  ! its JSON is broken ! no voice profile: friendly_casual taken
        [friendly_casual]  ! its JSON is broken ! no voice profile: friendly_casual taken"#]]
    .assert_eq(&all(&raws, Turn::Respond));
}

#[test]
fn nothing_to_say_is_nothing() {
    for raw in [
        "",
        " \n ",
        "{}",
        r#"{"text": ""}"#,
        r#"{"text": "\u0007 \n"}"#,
        r#"{"text": null}"#,
        "``` ```",
        r#"{"text": "<what you say>"}"#,
        r#"{"text": {}}"#,
        r#"{"text": true}"#,
    ] {
        let text = read(raw, Turn::Respond).text;
        assert_eq!(text, "", "{raw:?}");
    }
}

#[test]
fn whom_a_comment_names() {
    let aims = [
        r#"3"#,
        r#""3""#,
        r#"3.0"#,
        r#""slot-3""#,
        r#""Slot 3""#,
        r#""Speaker 3""#,
        r#""speaker #3""#,
        r#""Speaker 3 (gpt-4o)""#,
        r#""3-4""#,
        r#""3.5""#,
        r#""4o""#,
        r#"-3"#,
        r#"3.5"#,
        r#"0"#,
        r#"99999999999999999999"#,
        r#""gpt-4o""#,
        r#"null"#,
        r#""""#,
    ];
    let of = |aim: &str| {
        let raw = format!(r#"{{"targetSlotId": {aim}, "comment": "Oh.", "voice_profile": "calm_soothing"}}"#);
        format!("{aim} is {:?}", read(&raw, Turn::Comment).aim)
    };
    expect![[r#"
        3 is At(3)
        "3" is At(3)
        3.0 is At(3)
        "slot-3" is At(3)
        "Slot 3" is At(3)
        "Speaker 3" is At(3)
        "speaker #3" is At(3)
        "Speaker 3 (gpt-4o)" is At(3)
        "3-4" is At(0)
        "3.5" is At(0)
        "4o" is At(0)
        -3 is At(0)
        3.5 is At(0)
        0 is At(0)
        99999999999999999999 is At(18446744073709551615)
        "gpt-4o" is At(0)
        null is Nowhere
        "" is Nowhere"#]]
    .assert_eq(&aims.map(of).join("\n"));
    let raws = [
        r#"{"target_slot_id": 2, "comment": "Oh.", "text": "no", "voice_profile": "calm_soothing"}"#,
        r#"{"target": "Speaker 2", "text": "Oh.", "voice_profile": "calm_soothing"}"#,
        r#"{"targetSlotId": 2, "comment": "Oh"#,
        "I like what Speaker 2 said.",
        r#"{"comment": {"targetSlotId": 2, "comment": "Oh.", "voice_profile": "calm_soothing"}}"#,
        r#"{"targetSlotId": 2, "comment": {"text": "Oh."}, "voice_profile": "calm_soothing"}"#,
        r#"{"targetSlotId": 2.0, "comment": "Oh.", "voice_profile": "calm_soothing",}"#,
        r#"{"comment": "Oh.", "targetSlotId": 2} {"comment": "No.", "voice_profile": "calm_soothing"}"#,
        r#"{"targetSlotId": <the number of that speaker>, "comment": "<what you say to them>"}"#,
    ];
    expect![[r#"
        [calm_soothing] -> 2 Oh.
        [calm_soothing] -> 2 Oh.
        [friendly_casual] -> 2 Oh ! its JSON is broken ! no voice profile: friendly_casual taken
        [friendly_casual] I like what Speaker 2 said. ! not JSON: taken word for word
        [calm_soothing] -> 2 Oh.
        [calm_soothing] -> 2 Oh.
        [calm_soothing] -> 2 Oh. ! its JSON is broken
        [friendly_casual] -> 2 Oh. ! more than a JSON object ! no voice profile: friendly_casual taken
        [friendly_casual] -> 0  ! its JSON is broken ! no voice profile: friendly_casual taken"#]]
    .assert_eq(&all(&raws, Turn::Comment));
}

proptest! {
    #[test]
    fn any_text_has_a_reading_on_one_line(raw in r#"(\PC|[{}\[\]":,\\u0-9\n]|"text"|"comment"){0,200}"#) {
        for turn in [Turn::Respond, Turn::Comment, Turn::Reply] {
            let text = read(&raw, turn).text;
            prop_assert_eq!(&one_line(&text), &text);
        }
    }

    #[test]
    fn what_is_well_said_is_heard_as_it_is(text in r"\PC{1,200}", target in 1u64..=6) {
        let raw = serde_json::json!({"targetSlotId": target, "comment": text, "voice_profile": "calm_soothing"});
        let reading = read(&raw.to_string(), Turn::Comment);
        prop_assert_eq!(reading.text, one_line(&text));
        prop_assert_eq!(reading.aim, Aim::At(target));
        prop_assert!(reading.warnings.is_empty());
    }
}
