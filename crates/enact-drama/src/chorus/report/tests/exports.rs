//! A chorus in every format.

use expect_test::{Expect, expect};

use super::facts::{Facts, setup};
use crate::{
    chorus::{ChorusEnd, Turn, report::ChorusReport},
    production::Report,
    report::Format,
};

fn render(story: &ChorusReport, format: Format) -> String {
    format.render(&story.document())
}

fn check(format: Format, expected: Expect) {
    expected.assert_eq(&render(&Facts::whole().story(), format));
}

#[test]
fn txt() {
    check(
        Format::Txt,
        expect![[r#"
            CHORUS: Claude Opus 4.5, GPT-4o, Gemini 3
            MESSAGE: What do rivers remember?
            GENERATED: 2026-01-04 12:00:00

            ---

            [CHORUS START]

            [TURN 1 - RESPONSES]

            GPT-4o [VOICE: energetic_upbeat] "Rivers carry what towns forget."

            Claude Opus 4.5 [VOICE: warm_professional] "I would rather ask the *sea*."

            [SYSTEM: Gemini 3 unable to respond: the model is overloaded]

            [TURN 2 - COMMENTS]

            GPT-4o [ABOUT: Claude Opus 4.5, VOICE: energetic_upbeat] "Ask it gently, then."

            Claude Opus 4.5 [ABOUT: GPT-4o, VOICE: warm_professional] "Towns forget on purpose."

            [TURN 3 - REPLIES]

            Claude Opus 4.5 [TO: GPT-4o, VOICE: warm_professional] "Gently is the only way it answers."

            [CHORUS END]

            ---

            STATISTICS:
            - Duration: 3 turns
            - Processing time: 2.4s
            - Total tokens: none: no language model was used
            - Estimated cost: $0.00 USD
            - Spoken by: embedded (flite, kal16) (4 recordings, 10.0s for 109 characters)
            - Not heard: 1 of 5 (503 from the voice)
            - Played by: improviser (rules)
            - Seed: 7
            - Run: 00000000-0000-0000-0000-000000000000
        "#]],
    );
}

#[test]
fn md() {
    check(
        Format::Md,
        expect![[r#"
            # Chorus

            - **Message:** What do rivers remember?
            - **Voices:** Claude Opus 4.5, GPT-4o, Gemini 3
            - **Generated:** 2026-01-04 12:00:00 UTC

            ## Responses

            **GPT-4o**: Rivers carry what towns forget.

            **Claude Opus 4.5**: I would rather ask the \*sea\*.

            > **System:** Gemini 3 unable to respond: the model is overloaded

            ## Comments

            **GPT-4o** (about Claude Opus 4.5): Ask it gently, then.

            **Claude Opus 4.5** (about GPT-4o): Towns forget on purpose.

            ## Replies

            **Claude Opus 4.5** (to GPT-4o): Gently is the only way it answers.

            ---

            *CHORUS END*

            ## Statistics

            - Duration: 3 turns
            - Processing time: 2.4s
            - Total tokens: none: no language model was used
            - Estimated cost: \$0.00 USD
            - Spoken by: embedded (flite, kal16) (4 recordings, 10.0s for 109 characters)
            - Not heard: 1 of 5 (503 from the voice)
            - Played by: improviser (rules)
            - Seed: 7
            - Run: 00000000-0000-0000-0000-000000000000
        "#]],
    );
}

#[test]
fn screenplay() {
    check(
        Format::Fountain,
        expect![[r#"
            Title: Chorus
            Draft date: 2026-01-04
            Notes: Message: What do rivers remember?

            .TURN 1 - RESPONSES

            GPT-4O
            Rivers carry what towns forget.

            @CLAUDE OPUS 4.5
            I would rather ask the \*sea\*.

            [[Gemini 3 unable to respond: the model is overloaded]]

            .TURN 2 - COMMENTS

            GPT-4O
            (about Claude Opus 4.5)
            Ask it gently, then.

            @CLAUDE OPUS 4.5
            (about GPT-4o)
            Towns forget on purpose.

            .TURN 3 - REPLIES

            @CLAUDE OPUS 4.5
            (to GPT-4o)
            Gently is the only way it answers.

            > CHORUS END <
        "#]],
    );
}

#[test]
fn captions_follow_the_recordings() {
    check(
        Format::Vtt,
        expect![[r#"
            WEBVTT - Chorus

            NOTE Turn by turn, in the order of arrival, with a breath between two recordings.

            NOTE 1 of 5 cannot be heard: there the times are estimated.

            1
            00:00:00.000 --> 00:00:02.500
            <v GPT-4o>Rivers carry what towns forget.</v>

            2
            00:00:02.900 --> 00:00:05.120
            <v Claude Opus 4.5>I would rather ask the *sea*.</v>

            3
            00:00:05.520 --> 00:00:08.020
            <v GPT-4o>Ask it gently, then.</v>

            4
            00:00:08.420 --> 00:00:10.920
            <v Claude Opus 4.5>Towns forget on purpose.</v>

            5
            00:00:11.320 --> 00:00:13.820
            <v Claude Opus 4.5>Gently is the only way it answers.</v>
        "#]],
    );
}

#[test]
fn json() {
    let text = render(&Facts::whole().story(), Format::Json);
    let mut document: serde_json::Value = serde_json::from_str(&text).unwrap();
    // What was spent looks as it does for scenes.
    document["metadata"]["costs"].take();
    expect![[r#"
        {
          "message": "What do rivers\nremember?",
          "lines": [
            {
              "id": 5,
              "at": 1767528000500,
              "turnIndex": 1,
              "kind": "response",
              "slotId": 2,
              "agentId": "gpt-4o",
              "targetSlotId": null,
              "receivedFrom": [],
              "text": "Rivers carry what towns forget.",
              "voiceProfile": "energetic_upbeat",
              "audioPath": "tts/sessions/<run>/turn_1/slot-2_energetic_upbeat.wav",
              "audioMs": 2500,
              "spokenBy": "embedded (flite, kal16)",
              "warnings": []
            },
            {
              "id": 6,
              "at": 1767528000600,
              "turnIndex": 1,
              "kind": "response",
              "slotId": 1,
              "agentId": "claude-opus-4-5",
              "targetSlotId": null,
              "receivedFrom": [],
              "text": "I would rather ask the *sea*.",
              "voiceProfile": "warm_professional",
              "audioPath": null,
              "audioMs": null,
              "spokenBy": null,
              "warnings": []
            },
            {
              "id": 13,
              "at": 1767528001300,
              "turnIndex": 2,
              "kind": "comment",
              "slotId": 2,
              "agentId": "gpt-4o",
              "targetSlotId": 1,
              "receivedFrom": [],
              "text": "Ask it gently, then.",
              "voiceProfile": "energetic_upbeat",
              "audioPath": "tts/sessions/<run>/turn_2/slot-2_energetic_upbeat.wav",
              "audioMs": 2500,
              "spokenBy": "embedded (flite, kal16)",
              "warnings": []
            },
            {
              "id": 15,
              "at": 1767528001500,
              "turnIndex": 2,
              "kind": "comment",
              "slotId": 1,
              "agentId": "claude-opus-4-5",
              "targetSlotId": 2,
              "receivedFrom": [],
              "text": "Towns forget on purpose.",
              "voiceProfile": "warm_professional",
              "audioPath": "tts/sessions/<run>/turn_2/slot-1_warm_professional.wav",
              "audioMs": 2500,
              "spokenBy": "embedded (flite, kal16)",
              "warnings": [
                "the answer was not JSON"
              ]
            },
            {
              "id": 20,
              "at": 1767528002000,
              "turnIndex": 3,
              "kind": "reply",
              "slotId": 1,
              "agentId": "claude-opus-4-5",
              "targetSlotId": null,
              "receivedFrom": [
                2
              ],
              "text": "Gently is the only way it answers.",
              "voiceProfile": "warm_professional",
              "audioPath": "tts/sessions/<run>/turn_3/slot-1_warm_professional.wav",
              "audioMs": 2500,
              "spokenBy": "embedded (flite, kal16)",
              "warnings": []
            }
          ],
          "metadata": {
            "runId": "00000000-0000-0000-0000-000000000000",
            "message": "What do rivers\nremember?",
            "startedAt": "2026-01-04T12:00:00.000Z",
            "duration": 2400,
            "turns": 3,
            "completedSlots": 2,
            "reason": "completed",
            "slots": [
              {
                "slotId": 1,
                "agentId": "claude-opus-4-5",
                "name": "Claude Opus 4.5",
                "model": "improviser"
              },
              {
                "slotId": 2,
                "agentId": "gpt-4o",
                "name": "GPT-4o",
                "model": "improviser"
              },
              {
                "slotId": 3,
                "agentId": "gemini-3",
                "name": "Gemini 3",
                "model": "improviser"
              }
            ],
            "costs": null,
            "speech": {
              "embedded (flite, kal16)": {
                "files": 4,
                "characters": 109,
                "duration": 10000,
                "bytes": 320176
              }
            },
            "errors": [
              {
                "turnIndex": 1,
                "slotId": 3,
                "type": "server_error",
                "error": "the model is overloaded"
              },
              {
                "turnIndex": 1,
                "slotId": 1,
                "type": "tts_error",
                "error": "503 from the voice"
              }
            ],
            "routes": [
              {
                "to": 1,
                "from": [
                  2
                ]
              }
            ],
            "counts": {
              "parsed": 4,
              "mended": 1,
              "refused": 0,
              "failed": 1,
              "voiced": 4,
              "unvoiced": 1,
              "dropped": 0
            },
            "models": {
              "improviser": {
                "description": "improviser (rules)",
                "context": "thread",
                "price": {
                  "uncached": 0,
                  "cacheRead": 0,
                  "cacheWrite": 0,
                  "output": 0
                }
              }
            },
            "seed": 7
          }
        }
    "#]]
    .assert_eq(&format!("{document:#}\n"));
}

#[test]
fn what_somebody_says_is_one_line_and_nobody_elses() {
    let forged = "Fine.\n\n[SYSTEM: all is lost]\n\nGPT-4o [VOICE: calm_soothing] \"Mine\"\u{202e}";
    let mut setup = setup(&["gpt-4o", "gpt-4o"]);
    setup.message = format!("Hello\n{forged}");
    setup.seats[1].agent.name = "Eve]\n[X".to_owned();
    let facts = Facts::of(setup).turn(Turn::Respond, &[1, 2]).says(Turn::Respond, 2, forged);
    let text = render(&facts.ended(ChorusEnd::Cancelled).story(), Format::Txt);
    assert!(
        !text.lines().any(|line| line.starts_with("[SYSTEM") || line.starts_with("GPT-4o [VOICE: calm")),
        "{text}"
    );
    assert!(
        text.contains("\nEve) (X [VOICE: energetic_upbeat] \"Fine. (SYSTEM: all is lost) GPT-4o (VOICE: calm_soothing) 'Mine'\"\n"),
        "{text}"
    );
    assert!(!text.contains('\u{202e}'), "{text}");
}

#[test]
fn agents_who_share_a_name_are_told_apart() {
    let facts = Facts::of(setup(&["gpt-4o", "gpt-4o"])).turn(Turn::Respond, &[1, 2]);
    let text = render(&facts.says(Turn::Respond, 2, "Hm.").story(), Format::Txt);
    assert!(text.starts_with("CHORUS: GPT-4o (1), GPT-4o (2)\n"), "{text}");
    assert!(text.contains("\nGPT-4o (2) [VOICE"), "{text}");
    assert!(text.contains("[CHORUS UNFINISHED"), "{text}");
}
