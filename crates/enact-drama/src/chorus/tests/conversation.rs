//! What slots are asked, and what they remember of earlier messages.

use expect_test::expect;

use super::*;
use crate::{chorus::SlotThread, request::MessageRole};

/// The messages of a request, shortened to their first words.
fn heads(request: &Request) -> String {
    let head = |(role, text): (MessageRole, &str)| {
        let who = match role {
            MessageRole::User => "told",
            MessageRole::Assistant => "said",
        };
        let line = text.split("\n\n").take(2).collect::<Vec<_>>().join(" ");
        format!("{who}: {}", crate::text::shortened(&crate::text::one_line(&line), 100))
    };
    let messages = request.thread.iter().map(|message| head((message.role, &message.text)));
    messages.collect::<Vec<_>>().join("\n")
}

#[test]
fn what_is_asked_for_has_a_shape() {
    let mut stage = Stage::open(setup(3));
    let first = stage.request("2");
    assert_eq!(first.schema.as_ref().unwrap().name, "spoken_response");
    assert_eq!((first.beat, first.timeout_ms, first.max_tokens), (Some(1), 60_000, 1024));
    assert_eq!(first.me(), "slot-2");
    assert_eq!(first.system[0], stage.request("1").system[0], "the same bytes for every slot");
    assert_eq!(&*first.system[1], "You are Speaker 2. The others call you CLAUDE-OPUS-4-5.");
    stage.play("1: Like rain.\n3: Like sleep.\n2: Like tin.");
    let second = stage.request("2");
    assert_eq!(second.system, first.system);
    expect![[r#"
        {
          "type": "object",
          "properties": {
            "targetSlotId": {
              "type": "integer",
              "enum": [
                1,
                3
              ],
              "description": "Whom you say it to"
            },
            "comment": {
              "type": "string",
              "description": "What you say to them, in one sentence"
            },
            "voice_profile": {
              "type": "string",
              "enum": [
                "friendly_casual",
                "warm_professional",
                "energetic_upbeat",
                "calm_soothing",
                "confident_charming",
                "playful_expressive"
              ],
              "description": "How it sounds"
            }
          },
          "required": [
            "targetSlotId",
            "comment",
            "voice_profile"
          ],
          "additionalProperties": false
        }"#]]
    .assert_eq(&format!("{:#}", second.schema.unwrap().json));
}

#[test]
fn a_thread_grows_turn_by_turn() {
    let mut stage = Stage::open(setup(2));
    stage.play("1: Like rain.\n2: Like tin.\n1 -> 1: Me.");
    expect![[r#"
        told: Turn 1 of 3. Somebody says to all of you: "What does rain sound like?"
        said: {"text":"Like rain.","voice_profile":"calm_soothing"}
        told: Turn 2 of 3. You said: "Like rain."
        said: {"targetSlotId":1,"comment":"Me.","voice_profile":"playful_expressive"}
        told: You are Speaker 1 yourself. Comment on exactly one of the others: "targetSlotId" has to be 2. Answer…"#]].assert_eq(&heads(&stage.request("1")));
    let correction = stage.request("1").thread.last().unwrap().text.clone();
    expect![[r#"You are Speaker 1 yourself. Comment on exactly one of the others: "targetSlotId" has to be 2. Answer again with the JSON object and nothing else."#]].assert_eq(&correction);
    let asked = stage.request("1").thread;
    stage.play("1 -> 2: You.\n2 -> 1: Rain?");
    let then = stage.request("1").thread;
    assert_eq!(then[..asked.len()], asked[..], "what was sent is the beginning of what is sent next");
    expect![[r#"
        told: Turn 1 of 3. Somebody says to all of you: "What does rain sound like?"
        said: {"text":"Like rain.","voice_profile":"calm_soothing"}
        told: Turn 2 of 3. You said: "Like rain."
        said: {"targetSlotId":1,"comment":"Me.","voice_profile":"playful_expressive"}
        told: You are Speaker 1 yourself. Comment on exactly one of the others: "targetSlotId" has to be 2. Answer…
        said: {"targetSlotId":2,"comment":"You.","voice_profile":"playful_expressive"}
        told: Turn 3 of 3. You said: "Like rain.""#]].assert_eq(&heads(&stage.request("1")));
}

#[test]
fn a_first_comment_that_was_taken_after_all_is_not_corrected() {
    let mut stage = Stage::open(setup(2));
    stage.play("1: Like rain.\n2: Like tin.\n1 -> 1: Me.\n2 -> 1: Rain?\n1 fails: overloaded");
    assert_eq!(stage.request("1").thread.len(), 5, "two answered questions and the third");
}

/// The next message of a conversation.
fn next(stage: &Stage, message: &str, slots: u8) -> Stage {
    let wanted = ChorusRequest { message: message.into(), threads: stage.chorus.threads(), ..wanted(slots) };
    Stage::open(options().assemble(RunId(uuid::Uuid::nil()), wanted).unwrap())
}

#[test]
fn slots_remember_earlier_messages() {
    let mut first = Stage::open(setup(3));
    first.play(
        "1: Like rain.\n2: Like tin.\n3 fails: overloaded\n1 -> 2: Tin?\n2 -> 1: Rain?\n1: Rain.\n2: Tin.",
    );
    let second = next(&first, "And snow?", 1);
    expect![[r#"
        told: Turn 1 of 3. Somebody says to all of you: "What does rain sound like?"
        said: {"text":"Like rain.","voice_profile":"calm_soothing"}
        told: Turn 2 of 3. You said: "Like rain."
        said: {"targetSlotId":2,"comment":"Tin?","voice_profile":"playful_expressive"}
        told: Turn 3 of 3. You said: "Like rain."
        said: {"text":"Rain.","voice_profile":"calm_soothing"}
        told: Turn 1 of 3. Somebody says to all of you: "And snow?""#]]
    .assert_eq(&heads(&second.request("1")));
    assert_eq!(second.request("1").view::<crate::chorus::ChorusView>().unwrap().messages_before, 1);
    let third = next(&second, "And fog?", 3);
    let remembered = ["1", "2", "3"].map(|slot| third.request(slot).thread.len());
    assert_eq!(remembered, [7, 7, 1], "slot 2 was silent and keeps its thread, slot 3 never said anything");
}

#[test]
fn players_without_memory_are_told_of_this_message_only() {
    let mut first = Stage::open(setup(2));
    first.play("1: Like rain.\n2: Like tin.\n1 -> 2: Tin?\n2 -> 1: Rain?\n1: Rain.\n2: Tin.");
    let mut setup = next(&first, "And snow?", 2).chorus.setup().clone();
    let card = ModelCard { max_tokens: Some(77), ..ModelCard::free_without_memory("rules") };
    setup.models.insert("script".into(), card);
    let mut second = Stage::open(setup);
    second.play("1: Softer.\n2: Like nothing.");
    let request = second.request("1");
    assert_eq!((request.thread.len(), request.max_tokens), (3, 77));
    assert_eq!(second.chorus.threads()[0].messages.len(), 8, "the thread is kept, should another model play");
}

#[test]
fn threads_are_forgotten_from_their_beginning() {
    let mut stage = Stage::open(setup(1));
    for message in 0..200 {
        stage.play(&format!("1: Answer {message}."));
        stage = next(&stage, &format!("Message {message}"), 1);
    }
    let threads = stage.chorus.threads();
    let [SlotThread { answered, messages, .. }] = &threads[..] else { panic!("one slot spoke") };
    assert_eq!(*answered, 200);
    assert!((40..=100).contains(&messages.len()), "{}", messages.len());
    assert!(
        messages.chunks(2).all(|pair| pair[0].0 == MessageRole::User && pair[1].0 == MessageRole::Assistant)
    );
    assert!(messages.last().unwrap().1.contains("Answer 199."));
}

#[test]
fn a_thread_never_begins_in_the_middle() {
    let mut stage = Stage::open(setup(2));
    for message in 0..40 {
        stage.play(
            "1: Like rain.\n2: Like tin.\n1 -> 1: Me.\n1 -> 2: Tin?\n2 -> 1: Rain?\n1: Rain.\n2: Tin.\nspoken",
        );
        stage = next(&stage, &format!("Message {message}"), 2);
        for thread in &stage.chorus.setup().threads {
            assert!(thread.messages.len() <= 96);
            assert_eq!(thread.begins[0], 0);
            for begins in &thread.begins {
                let (role, text) = &thread.messages[*begins];
                assert!(*role == MessageRole::User && text.starts_with("Turn 1 of 3."), "{text}");
            }
        }
    }
}

#[test]
fn a_stubborn_model_is_corrected_for_good() {
    let mut stage = Stage::open(setup(2));
    stage.play("1: Like rain.\n2: Like tin.\n1 -> 1: Me.");
    let asked = stage.request("1").thread;
    stage.play("1 -> 1: Me.\n2 -> 1: Rain?");
    let then = stage.request("1").thread;
    assert_eq!(then[..asked.len()], asked[..], "what was sent is the beginning of what is sent next");
    assert_eq!(then.len(), asked.len() + 2);
}

#[test]
fn threads_are_bounded_in_bytes_and_keep_their_newest() {
    let long = "word ".repeat(3_000);
    let mut stage = Stage::open(setup(1));
    for message in 0..20 {
        stage.play(&format!("1: Answer {message}."));
        stage = next(&stage, &long, 1);
        let threads = &stage.chorus.setup().threads[0];
        let bytes: usize = threads.messages.iter().map(|(_, text)| text.len()).sum();
        assert!(bytes < 100 * 1024, "{bytes}");
    }
    stage.play("1: Here.");
    assert!(stage.chorus.threads()[0].messages.last().unwrap().1.contains("Here."));
}

#[test]
fn a_thread_that_its_model_could_not_read_is_cut() {
    let mut stage = Stage::open(setup(1));
    for message in 0..10 {
        stage.play(&format!("1: Answer {message}."));
        stage = next(&stage, "And then?", 1);
    }
    assert_eq!(stage.chorus.threads()[0].messages.len(), 20);
    stage.fail("1", FailureKind::ContextTooLong, "too long");
    let left = stage.chorus.threads()[0].messages.len();
    assert!((8..=10).contains(&left), "{left}");
    for _ in 0..5 {
        stage = next(&stage, "And then?", 1);
        stage.fail("1", FailureKind::ContextTooLong, "too long");
    }
    assert_eq!(stage.chorus.threads(), [], "nobody is stuck for good with what they cannot read");
}

#[test]
fn a_second_ask_that_was_too_long_counts_as_well() {
    let mut stage = Stage::open(setup(2));
    stage.play("1: Like rain.\n2: Like tin.\n1 -> 1: Me.");
    stage.fail("1", FailureKind::ContextTooLong, "too long");
    stage.play("2 -> 1: Rain?\n1: Rain.");
    assert!(stage.chorus.threads().iter().all(|thread| thread.slot.number() != 1));
}

#[test]
fn an_operator_may_keep_threads_short() {
    let mut setup = setup(1);
    setup.models.get_mut("script").unwrap().thread_tokens = Some(1_000);
    let mut stage = Stage::open(setup);
    for message in 0..30 {
        stage.play(&format!("1: Answer {message}."));
        let bytes: usize = stage.chorus.threads()[0].messages.iter().map(|(_, text)| text.len()).sum();
        assert!(bytes <= 4_000, "{bytes}");
        let mut setup = next(&stage, "And then?", 1).chorus.setup().clone();
        setup.models.get_mut("script").unwrap().thread_tokens = Some(1_000);
        stage = Stage::open(setup);
    }
}

#[test]
fn endless_answers_are_kept_as_they_were_understood() {
    let mut stage = Stage::open(setup(1));
    let endless =
        format!(r#"{} {{"text": "Like rain.", "voice_profile": "calm_soothing"}}"#, "so ".repeat(5_000));
    stage.answer("1", &endless);
    let kept = &stage.chorus.threads()[0].messages[1].1;
    assert_eq!(kept, r#"{"text":"Like rain.","voice_profile":"calm_soothing"}"#);
    stage = Stage::open(setup(1));
    stage.answer("1", &"so ".repeat(50_000));
    let raw = stage.facts.iter().find_map(|fact| match &fact.event {
        ChorusEvent::SlotSpoke { raw, warnings, .. } => Some((raw.len(), warnings.len())),
        _ => None,
    });
    assert_eq!(raw, Some((32 * 1024, 3)));
}
