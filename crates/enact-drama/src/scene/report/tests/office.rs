//! The requirements' Office Confrontation, as a log.

use expect_test::expect;

use super::facts::{Facts, interrupt, silent, speak};
use crate::{
    judge::{GoalStatus, Verdict},
    model_card::ModelCard,
    scene::{
        NoteReason, SceneEnd, SceneEvent,
        report::{debug_log, metadata, transcript},
    },
    usage::{Price, Usage},
};

/// The requirements' "Transcript Format", word for word, except that they wrap long lines for the page and a
/// transcript never does.
const REQUIRED: &str = r#"SCENE: Office Confrontation
CHARACTERS: Alice, Bob, Charlie
GOAL: Bob apologizes, Alice accepts, agree on next steps
GENERATED: 2025-10-03 14:32:18

---

[SCENE START]
[Setting: Office conference room, afternoon]

Alice [TO: Bob, TONE: angry] "We need to talk about the Henderson project. Now."

Bob [TONE: defensive, *leans back in chair*] "Look, I can explain what happened—"

Alice [INTERRUPT after "explain", TONE: furious] "I don't want excuses! We lost the client!"

Charlie [TONE: nervous, *glances between them*] "Maybe we should all just..."

[EVENT: Phone rings loudly on conference table]

Bob [TONE: frustrated, *silences phone*] "Can we please just discuss this calmly?"

Alice [TO: Bob, TONE: stern but controlled] "Fine. Tell me what happened."

Bob [TO: Alice, TONE: remorseful, *makes eye contact*] "I underestimated the complexity. I should have asked for help earlier. I'm genuinely sorry."

Alice [TONE: softening, *sits down*] "I appreciate you saying that. But we need a plan to prevent this from happening again."

Bob [TO: Alice, TONE: earnest] "Agreed. I'll set up weekly check-ins with you and document all project timelines. No more surprises."

Alice [TONE: accepting, *nods*] "Okay. Let's do that. Charlie, can you help Bob set up the new process?"

Charlie [TONE: relieved] "Absolutely. I'll get a framework together by tomorrow."

[SCENE END - Goal: Achieved]

---

STATISTICS:
- Duration: 12 beats
- Processing time: 47.3s
- Total tokens: ~15,200
- Estimated cost: $0.08 USD
"#;

#[rustfmt::skip]
pub(super) fn office() -> Facts {
    let mut facts = Facts::of("office-confrontation");
    facts.setup.config.setting = Some("Office conference room, afternoon".to_owned());
    facts.setup.goals = ["Bob apologizes", "Alice accepts", "agree on next steps"].map(str::to_owned).to_vec();
    facts.setup.models = [("sonnet".to_owned(), ModelCard {
        price: Some(Price { uncached: 3_000, cache_read: 300, cache_write: 3_750, output: 15_000 }),
        ..ModelCard::free("a language model")
    })].into();
    facts.setup.cast.iter_mut().for_each(|role| role.model = "sonnet".to_owned());
    facts.usage = Some(Usage { uncached: 950, cache_read: 50, cache_write: 20, output: 247, ..Usage::NONE });
    facts
        .beat().reply("alice", speak("angry", "We need to talk about the Henderson project. Now.").to("Bob"))
        .beat().later(4_300)
        .reply("bob", speak("defensive", "Look, I can explain what happened, the vendor was late.").doing("leans back in chair"))
        .beat().later(4_000)
        .reply("alice", interrupt("explain", "furious", "I don't want excuses! We lost the client!"))
        .cut("what happened", "alice")
        .beat().later(4_000)
        .reply("charlie", speak("nervous", "Maybe we should all just...").doing("glances between them"))
        .beat().later(4_000).reply("charlie", silent().doing("shifts in chair"))
        .fact(SceneEvent::Noted { to: None, text: "Someone should respond to move scene forward".to_owned(), why: NoteReason::AllSilent })
        .event("Phone rings loudly on conference table")
        .beat().later(4_000).reply("bob", speak("frustrated", "Can we please just discuss this calmly?").doing("silences phone"))
        .beat().later(4_000).reply("alice", speak("stern but controlled", "Fine. Tell me what happened.").to("Bob"))
        .beat().later(4_000)
        .reply("bob", speak("remorseful", "I underestimated the complexity. I should have asked for help earlier. I'm genuinely sorry.").to("Alice").doing("makes eye contact"))
        .beat().later(4_000)
        .reply("alice", speak("softening", "I appreciate you saying that. But we need a plan to prevent this from happening again.").doing("sits down"))
        .beat().later(4_000)
        .reply("bob", speak("earnest", "Agreed. I'll set up weekly check-ins with you and document all project timelines. No more surprises.").to("Alice"))
        .beat().later(4_000)
        .reply("alice", speak("accepting", "Okay. Let's do that. Charlie, can you help Bob set up the new process?").doing("nods"))
        .beat().later(4_000)
        .reply("charlie", speak("relieved", "Absolutely. I'll get a framework together by tomorrow."))
        .fact(SceneEvent::BeatSettled { beat: 11 })
        .fact(SceneEvent::Judged { verdict: verdict() })
        .later(3_000)
        .ended(SceneEnd::GoalAchieved)
}

fn verdict() -> Verdict {
    let met = |text: &str, evidence: &str, by: &str| GoalStatus {
        met: Some(true),
        evidence: Some(evidence.to_owned()),
        by: Some(by.to_owned()),
        ..GoalStatus::unknown(text)
    };
    Verdict {
        complete: true,
        confidence: 0.95,
        goals: vec![
            met("Bob apologizes", "I'm genuinely sorry.", "Bob"),
            met("Alice accepts", "Okay. Let's do that.", "Alice"),
            met("agree on next steps", "Agreed. I'll set up weekly check-ins with you", "Bob"),
        ],
        closure: true,
        positions: true,
    }
}

#[test]
fn the_transcript_is_the_seeds() {
    let text = transcript(&office().story());
    let (seed, added) = text.split_at(REQUIRED.len().min(text.len()));
    assert_eq!(seed, REQUIRED);
    expect![[r#"
        - Cache: 5% of input read from cache
        - Played by: a language model
        - Seed: 7
        - Run: 0199aa51-7b90-7000-8000-000000000001
    "#]]
    .assert_eq(added);
}

#[test]
fn metadata_as_json() {
    let json = serde_json::to_string_pretty(&metadata(&office().story())).expect("JSON");
    expect![[r#"
        {
          "name": "office-confrontation",
          "runId": "0199aa51-7b90-7000-8000-000000000001",
          "startedAt": "2025-10-03T14:32:18.000Z",
          "duration": 47300,
          "totalBeats": 12,
          "characterCount": 3,
          "goalAchieved": true,
          "reason": "goal_achieved",
          "goals": [
            {
              "text": "Bob apologizes",
              "met": true,
              "evidence": "I'm genuinely sorry.",
              "by": "Bob",
              "reading": "apologise, by Bob"
            },
            {
              "text": "Alice accepts",
              "met": true,
              "evidence": "Okay. Let's do that.",
              "by": "Alice",
              "reading": "accept, by Alice"
            },
            {
              "text": "agree on next steps",
              "met": true,
              "evidence": "Agreed. I'll set up weekly check-ins with you",
              "by": "Bob",
              "reading": "agree, by Alice and Bob and Charlie, about \"next steps\""
            }
          ],
          "tension": [
            {
              "round": 0,
              "tension": 34,
              "why": [
                "angry +4"
              ]
            },
            {
              "round": 1,
              "tension": 40,
              "why": [
                "teasing_pause +4",
                "defensive +2"
              ]
            },
            {
              "round": 2,
              "tension": 49,
              "why": [
                "furious +6",
                "interruption +3"
              ]
            },
            {
              "round": 3,
              "tension": 54,
              "why": [
                "hesitant -1",
                "teasing_pause +4",
                "nervous +2"
              ]
            },
            {
              "round": 5,
              "tension": 58,
              "why": [
                "frustrated +4"
              ]
            },
            {
              "round": 6,
              "tension": 63,
              "why": [
                "confident +3",
                "stern +2"
              ]
            },
            {
              "round": 7,
              "tension": 60,
              "why": [
                "hesitant -1",
                "remorseful -2"
              ]
            },
            {
              "round": 8,
              "tension": 56,
              "why": [
                "warm -2",
                "softening -2"
              ]
            },
            {
              "round": 9,
              "tension": 54,
              "why": [
                "earnest -2"
              ]
            },
            {
              "round": 10,
              "tension": 50,
              "why": [
                "accepting -4"
              ]
            },
            {
              "round": 11,
              "tension": 46,
              "why": [
                "relieved -4"
              ]
            }
          ],
          "costs": {
            "totalTokens": 15204,
            "estimatedUSD": 0.07974,
            "cacheHitRate": 0.049019607843137254,
            "byCharacter": {
              "alice": {
                "calls": 5,
                "totalTokens": 6335,
                "estimatedUSD": 0.033225,
                "usage": {
                  "uncached": 4750,
                  "cacheRead": 250,
                  "cacheWrite": 100,
                  "output": 1235
                },
                "unaccounted": 0
              },
              "bob": {
                "calls": 4,
                "totalTokens": 5068,
                "estimatedUSD": 0.02658,
                "usage": {
                  "uncached": 3800,
                  "cacheRead": 200,
                  "cacheWrite": 80,
                  "output": 988
                },
                "unaccounted": 0
              },
              "charlie": {
                "calls": 3,
                "totalTokens": 3801,
                "estimatedUSD": 0.019935,
                "usage": {
                  "uncached": 2850,
                  "cacheRead": 150,
                  "cacheWrite": 60,
                  "output": 741
                },
                "unaccounted": 0
              }
            },
            "byPurpose": {
              "reply": {
                "calls": 12,
                "totalTokens": 15204,
                "estimatedUSD": 0.07974,
                "usage": {
                  "uncached": 11400,
                  "cacheRead": 600,
                  "cacheWrite": 240,
                  "output": 2964
                },
                "unaccounted": 0
              }
            },
            "byModel": {
              "sonnet": {
                "calls": 12,
                "totalTokens": 15204,
                "estimatedUSD": 0.07974,
                "usage": {
                  "uncached": 11400,
                  "cacheRead": 600,
                  "cacheWrite": 240,
                  "output": 2964
                },
                "unaccounted": 0
              }
            },
            "unaccounted": 0,
            "byBeat": {
              "0": {
                "calls": 1,
                "totalTokens": 1267,
                "estimatedUSD": 0.006645,
                "usage": {
                  "uncached": 950,
                  "cacheRead": 50,
                  "cacheWrite": 20,
                  "output": 247
                },
                "unaccounted": 0
              },
              "1": {
                "calls": 1,
                "totalTokens": 1267,
                "estimatedUSD": 0.006645,
                "usage": {
                  "uncached": 950,
                  "cacheRead": 50,
                  "cacheWrite": 20,
                  "output": 247
                },
                "unaccounted": 0
              },
              "2": {
                "calls": 1,
                "totalTokens": 1267,
                "estimatedUSD": 0.006645,
                "usage": {
                  "uncached": 950,
                  "cacheRead": 50,
                  "cacheWrite": 20,
                  "output": 247
                },
                "unaccounted": 0
              },
              "3": {
                "calls": 1,
                "totalTokens": 1267,
                "estimatedUSD": 0.006645,
                "usage": {
                  "uncached": 950,
                  "cacheRead": 50,
                  "cacheWrite": 20,
                  "output": 247
                },
                "unaccounted": 0
              },
              "4": {
                "calls": 1,
                "totalTokens": 1267,
                "estimatedUSD": 0.006645,
                "usage": {
                  "uncached": 950,
                  "cacheRead": 50,
                  "cacheWrite": 20,
                  "output": 247
                },
                "unaccounted": 0
              },
              "5": {
                "calls": 1,
                "totalTokens": 1267,
                "estimatedUSD": 0.006645,
                "usage": {
                  "uncached": 950,
                  "cacheRead": 50,
                  "cacheWrite": 20,
                  "output": 247
                },
                "unaccounted": 0
              },
              "6": {
                "calls": 1,
                "totalTokens": 1267,
                "estimatedUSD": 0.006645,
                "usage": {
                  "uncached": 950,
                  "cacheRead": 50,
                  "cacheWrite": 20,
                  "output": 247
                },
                "unaccounted": 0
              },
              "7": {
                "calls": 1,
                "totalTokens": 1267,
                "estimatedUSD": 0.006645,
                "usage": {
                  "uncached": 950,
                  "cacheRead": 50,
                  "cacheWrite": 20,
                  "output": 247
                },
                "unaccounted": 0
              },
              "8": {
                "calls": 1,
                "totalTokens": 1267,
                "estimatedUSD": 0.006645,
                "usage": {
                  "uncached": 950,
                  "cacheRead": 50,
                  "cacheWrite": 20,
                  "output": 247
                },
                "unaccounted": 0
              },
              "9": {
                "calls": 1,
                "totalTokens": 1267,
                "estimatedUSD": 0.006645,
                "usage": {
                  "uncached": 950,
                  "cacheRead": 50,
                  "cacheWrite": 20,
                  "output": 247
                },
                "unaccounted": 0
              },
              "10": {
                "calls": 1,
                "totalTokens": 1267,
                "estimatedUSD": 0.006645,
                "usage": {
                  "uncached": 950,
                  "cacheRead": 50,
                  "cacheWrite": 20,
                  "output": 247
                },
                "unaccounted": 0
              },
              "11": {
                "calls": 1,
                "totalTokens": 1267,
                "estimatedUSD": 0.006645,
                "usage": {
                  "uncached": 950,
                  "cacheRead": 50,
                  "cacheWrite": 20,
                  "output": 247
                },
                "unaccounted": 0
              }
            }
          },
          "errors": [],
          "counts": {
            "parsed": 12,
            "salvaged": 0,
            "failed": 0,
            "interruptions": 1,
            "silences": 1,
            "events": 1,
            "drifts": 0
          },
          "drift": {},
          "model": "sonnet",
          "models": {
            "sonnet": {
              "description": "a language model",
              "context": "thread",
              "price": {
                "uncached": 3000,
                "cacheRead": 300,
                "cacheWrite": 3750,
                "output": 15000
              }
            }
          },
          "speed": {
            "sonnet": {
              "answers": 12,
              "tokensPerSecond": 2058.3
            }
          },
          "seed": 7
        }"#]]
    .assert_eq(&json);
}

#[test]
fn debug_log_from_start_to_end() {
    expect![[r#"
        {"at":"2025-10-03T14:32:18.000Z","beat":null,"level":"info","message":"scene 'office-confrontation' began with alice, bob, charlie","run":"0199aa51-7b90-7000-8000-000000000001","goals":["Bob apologizes","Alice accepts","agree on next steps"],"maxBeats":50,"seed":7,"models":{"sonnet":"a language model"}}
        {"at":"2025-10-03T14:32:18.000Z","beat":0,"level":"info","message":"beat 0 opened for alice, bob, charlie","timeoutMs":30000}
        {"at":"2025-10-03T14:32:18.000Z","beat":0,"level":"info","message":"alice replied in 120 ms: speaks to Bob, tone angry","actor":"alice","usage":{"uncached":950,"cacheRead":50,"cacheWrite":20,"output":247},"usd":0.006645}
        {"at":"2025-10-03T14:32:18.000Z","beat":1,"level":"info","message":"beat 1 opened for alice, bob, charlie","timeoutMs":30000}
        {"at":"2025-10-03T14:32:22.300Z","beat":1,"level":"info","message":"bob replied in 120 ms: speaks, tone defensive","actor":"bob","usage":{"uncached":950,"cacheRead":50,"cacheWrite":20,"output":247},"usd":0.006645}
        {"at":"2025-10-03T14:32:22.300Z","beat":2,"level":"info","message":"beat 2 opened for alice, bob, charlie","timeoutMs":30000}
        {"at":"2025-10-03T14:32:26.300Z","beat":2,"level":"info","message":"alice replied in 120 ms: interrupts after \"explain\", tone furious","actor":"alice","usage":{"uncached":950,"cacheRead":50,"cacheWrite":20,"output":247},"usd":0.006645}
        {"at":"2025-10-03T14:32:26.300Z","beat":2,"level":"info","message":"alice cut bob's line: Look, I can explain what happened—","actor":"alice","line":8,"heardBytes":33}
        {"at":"2025-10-03T14:32:26.300Z","beat":3,"level":"info","message":"beat 3 opened for alice, bob, charlie","timeoutMs":30000}
        {"at":"2025-10-03T14:32:30.300Z","beat":3,"level":"info","message":"charlie replied in 120 ms: speaks, tone nervous","actor":"charlie","usage":{"uncached":950,"cacheRead":50,"cacheWrite":20,"output":247},"usd":0.006645}
        {"at":"2025-10-03T14:32:30.300Z","beat":4,"level":"info","message":"beat 4 opened for alice, bob, charlie","timeoutMs":30000}
        {"at":"2025-10-03T14:32:34.300Z","beat":4,"level":"info","message":"charlie replied in 120 ms: stays silent","actor":"charlie","usage":{"uncached":950,"cacheRead":50,"cacheWrite":20,"output":247},"usd":0.006645}
        {"at":"2025-10-03T14:32:34.300Z","beat":4,"level":"info","message":"note to everyone: Someone should respond to move scene forward","why":"all_silent","to":null}
        {"at":"2025-10-03T14:32:34.300Z","beat":4,"level":"info","message":"event: Phone rings loudly on conference table","line":22}
        {"at":"2025-10-03T14:32:34.300Z","beat":5,"level":"info","message":"beat 5 opened for alice, bob, charlie","timeoutMs":30000}
        {"at":"2025-10-03T14:32:38.300Z","beat":5,"level":"info","message":"bob replied in 120 ms: speaks, tone frustrated","actor":"bob","usage":{"uncached":950,"cacheRead":50,"cacheWrite":20,"output":247},"usd":0.006645}
        {"at":"2025-10-03T14:32:38.300Z","beat":6,"level":"info","message":"beat 6 opened for alice, bob, charlie","timeoutMs":30000}
        {"at":"2025-10-03T14:32:42.300Z","beat":6,"level":"info","message":"alice replied in 120 ms: speaks to Bob, tone stern but controlled","actor":"alice","usage":{"uncached":950,"cacheRead":50,"cacheWrite":20,"output":247},"usd":0.006645}
        {"at":"2025-10-03T14:32:42.300Z","beat":7,"level":"info","message":"beat 7 opened for alice, bob, charlie","timeoutMs":30000}
        {"at":"2025-10-03T14:32:46.300Z","beat":7,"level":"info","message":"bob replied in 120 ms: speaks to Alice, tone remorseful","actor":"bob","usage":{"uncached":950,"cacheRead":50,"cacheWrite":20,"output":247},"usd":0.006645}
        {"at":"2025-10-03T14:32:46.300Z","beat":8,"level":"info","message":"beat 8 opened for alice, bob, charlie","timeoutMs":30000}
        {"at":"2025-10-03T14:32:50.300Z","beat":8,"level":"info","message":"alice replied in 120 ms: speaks, tone softening","actor":"alice","usage":{"uncached":950,"cacheRead":50,"cacheWrite":20,"output":247},"usd":0.006645}
        {"at":"2025-10-03T14:32:50.300Z","beat":9,"level":"info","message":"beat 9 opened for alice, bob, charlie","timeoutMs":30000}
        {"at":"2025-10-03T14:32:54.300Z","beat":9,"level":"info","message":"bob replied in 120 ms: speaks to Alice, tone earnest","actor":"bob","usage":{"uncached":950,"cacheRead":50,"cacheWrite":20,"output":247},"usd":0.006645}
        {"at":"2025-10-03T14:32:54.300Z","beat":10,"level":"info","message":"beat 10 opened for alice, bob, charlie","timeoutMs":30000}
        {"at":"2025-10-03T14:32:58.300Z","beat":10,"level":"info","message":"alice replied in 120 ms: speaks, tone accepting","actor":"alice","usage":{"uncached":950,"cacheRead":50,"cacheWrite":20,"output":247},"usd":0.006645}
        {"at":"2025-10-03T14:32:58.300Z","beat":11,"level":"info","message":"beat 11 opened for alice, bob, charlie","timeoutMs":30000}
        {"at":"2025-10-03T14:33:02.300Z","beat":11,"level":"info","message":"charlie replied in 120 ms: speaks, tone relieved","actor":"charlie","usage":{"uncached":950,"cacheRead":50,"cacheWrite":20,"output":247},"usd":0.006645}
        {"at":"2025-10-03T14:33:02.300Z","beat":11,"level":"info","message":"beat 11 settled in 4000 ms","tookMs":4000}
        {"at":"2025-10-03T14:33:02.300Z","beat":11,"level":"info","message":"the judge says complete: 3 of 3 goals met, confidence 0.95","confidence":0.95,"closure":true,"positions":true,"goals":[{"text":"Bob apologizes","met":true,"evidence":"I'm genuinely sorry.","by":"Bob"},{"text":"Alice accepts","met":true,"evidence":"Okay. Let's do that.","by":"Alice"},{"text":"agree on next steps","met":true,"evidence":"Agreed. I'll set up weekly check-ins with you","by":"Bob"}]}
        {"at":"2025-10-03T14:33:05.300Z","beat":11,"level":"info","message":"scene ended: goal_achieved","reason":"goal_achieved"}
    "#]].assert_eq(&debug_log(&office().log()));
}
