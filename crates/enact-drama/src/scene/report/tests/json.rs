//! The JSON export of the small scene, metadata and all.

use expect_test::expect;

use super::exports::check;
use crate::report::Format;

#[test]
fn as_json() {
    check(
        Format::Json,
        expect![[r#"
            {
              "title": "Quick Apology",
              "setting": "A kitchen, at night",
              "characters": [
                {
                  "name": "alice",
                  "display": "Alice"
                },
                {
                  "name": "bob",
                  "display": "Bob"
                },
                {
                  "name": "charlie",
                  "display": "Charlie"
                }
              ],
              "lines": [
                {
                  "id": 4,
                  "at": 1759501938000,
                  "beat": 0,
                  "kind": "line",
                  "speaker": "Bob",
                  "action": "speak",
                  "target": "Alice",
                  "tone": "sheepish",
                  "content": "I know I'm late, but the traffic—",
                  "full": "I know I'm late, but the traffic was...",
                  "interruptAfter": null,
                  "nonverbal": null,
                  "cut": {
                    "at": 32,
                    "by": "alice"
                  }
                },
                {
                  "id": 8,
                  "at": 1759501938000,
                  "beat": 1,
                  "kind": "line",
                  "speaker": "Alice",
                  "action": "interrupt",
                  "target": null,
                  "tone": "cold",
                  "content": "Don't.",
                  "full": "Don't.",
                  "interruptAfter": "late",
                  "nonverbal": "turns away",
                  "cut": null
                },
                {
                  "id": 11,
                  "at": 1759501938000,
                  "beat": 1,
                  "kind": "silence",
                  "speaker": "Charlie",
                  "action": "silent",
                  "target": null,
                  "tone": null,
                  "content": "",
                  "full": "",
                  "interruptAfter": null,
                  "nonverbal": "looks at the floor",
                  "cut": null
                },
                {
                  "id": 12,
                  "at": 1759501938000,
                  "beat": 1,
                  "kind": "event",
                  "speaker": null,
                  "action": null,
                  "target": null,
                  "tone": null,
                  "content": "The kettle whistles",
                  "full": "The kettle whistles",
                  "interruptAfter": null,
                  "nonverbal": null,
                  "cut": null
                },
                {
                  "id": 16,
                  "at": 1759501938000,
                  "beat": 2,
                  "kind": "line",
                  "speaker": "Bob",
                  "action": "react",
                  "target": null,
                  "tone": "ashamed",
                  "content": "puts down the keys",
                  "full": "",
                  "interruptAfter": null,
                  "nonverbal": "puts down the keys",
                  "cut": null
                },
                {
                  "id": 19,
                  "at": 1759501938000,
                  "beat": 2,
                  "kind": "system",
                  "speaker": null,
                  "action": null,
                  "target": null,
                  "tone": null,
                  "content": "Charlie unable to respond",
                  "full": "Charlie unable to respond",
                  "interruptAfter": null,
                  "nonverbal": null,
                  "cut": null
                },
                {
                  "id": 22,
                  "at": 1759501938000,
                  "beat": 2,
                  "kind": "line",
                  "speaker": "Alice",
                  "action": "speak",
                  "target": null,
                  "tone": "tired",
                  "content": "*Fine.* It's <okay> & done_",
                  "full": "*Fine.* It's <okay> & done_",
                  "interruptAfter": null,
                  "nonverbal": null,
                  "cut": null
                }
              ],
              "metadata": {
                "name": "quick-apology",
                "runId": "0199aa51-7b90-7000-8000-000000000001",
                "startedAt": "2025-10-03T14:32:18.000Z",
                "duration": 0,
                "totalBeats": 3,
                "characterCount": 3,
                "goalAchieved": true,
                "reason": "goal_achieved",
                "goals": [
                  {
                    "text": "Bob apologizes",
                    "met": null,
                    "evidence": null,
                    "by": null,
                    "reading": "apologise, by Bob",
                    "why": "nothing was judged yet"
                  },
                  {
                    "text": "Alice accepts",
                    "met": null,
                    "evidence": null,
                    "by": null,
                    "reading": "accept, by Alice",
                    "why": "nothing was judged yet"
                  }
                ],
                "tension": [
                  {
                    "round": 0,
                    "tension": 37,
                    "why": [
                      "confident +3",
                      "teasing_pause +4"
                    ]
                  },
                  {
                    "round": 1,
                    "tension": 44,
                    "why": [
                      "cold +4",
                      "interruption +3"
                    ]
                  },
                  {
                    "round": 2,
                    "tension": 42,
                    "why": [
                      "tired -2"
                    ]
                  }
                ],
                "costs": {
                  "totalTokens": 0,
                  "estimatedUSD": 0.0,
                  "cacheHitRate": null,
                  "byCharacter": {
                    "alice": {
                      "calls": 2,
                      "totalTokens": 0,
                      "estimatedUSD": 0.0,
                      "usage": {
                        "uncached": 0,
                        "cacheRead": 0,
                        "cacheWrite": 0,
                        "output": 0
                      },
                      "unaccounted": 0
                    },
                    "bob": {
                      "calls": 2,
                      "totalTokens": 0,
                      "estimatedUSD": 0.0,
                      "usage": {
                        "uncached": 0,
                        "cacheRead": 0,
                        "cacheWrite": 0,
                        "output": 0
                      },
                      "unaccounted": 0
                    },
                    "charlie": {
                      "calls": 2,
                      "totalTokens": 0,
                      "estimatedUSD": 0.0,
                      "usage": {
                        "uncached": 0,
                        "cacheRead": 0,
                        "cacheWrite": 0,
                        "output": 0
                      },
                      "unaccounted": 0
                    }
                  },
                  "byPurpose": {
                    "reply": {
                      "calls": 6,
                      "totalTokens": 0,
                      "estimatedUSD": 0.0,
                      "usage": {
                        "uncached": 0,
                        "cacheRead": 0,
                        "cacheWrite": 0,
                        "output": 0
                      },
                      "unaccounted": 0
                    }
                  },
                  "byModel": {
                    "improviser": {
                      "calls": 6,
                      "totalTokens": 0,
                      "estimatedUSD": 0.0,
                      "usage": {
                        "uncached": 0,
                        "cacheRead": 0,
                        "cacheWrite": 0,
                        "output": 0
                      },
                      "unaccounted": 0
                    }
                  },
                  "unaccounted": 0,
                  "byBeat": {
                    "0": {
                      "calls": 1,
                      "totalTokens": 0,
                      "estimatedUSD": 0.0,
                      "usage": {
                        "uncached": 0,
                        "cacheRead": 0,
                        "cacheWrite": 0,
                        "output": 0
                      },
                      "unaccounted": 0
                    },
                    "1": {
                      "calls": 2,
                      "totalTokens": 0,
                      "estimatedUSD": 0.0,
                      "usage": {
                        "uncached": 0,
                        "cacheRead": 0,
                        "cacheWrite": 0,
                        "output": 0
                      },
                      "unaccounted": 0
                    },
                    "2": {
                      "calls": 3,
                      "totalTokens": 0,
                      "estimatedUSD": 0.0,
                      "usage": {
                        "uncached": 0,
                        "cacheRead": 0,
                        "cacheWrite": 0,
                        "output": 0
                      },
                      "unaccounted": 0
                    }
                  }
                },
                "errors": [
                  {
                    "beat": 2,
                    "character": "charlie",
                    "error": "Response timeout after 30s"
                  }
                ],
                "counts": {
                  "parsed": 5,
                  "salvaged": 0,
                  "failed": 1,
                  "interruptions": 1,
                  "silences": 1,
                  "events": 1,
                  "drifts": 0
                },
                "drift": {},
                "model": "improviser",
                "models": {
                  "improviser": {
                    "description": "improviser (built-in rules, not a language model)",
                    "context": "window",
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
        "#]],
    );
}
