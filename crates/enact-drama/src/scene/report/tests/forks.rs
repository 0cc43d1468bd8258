//! Runs that share their beginning with another.

use expect_test::expect;

use super::facts::{Facts, START, speak};
use crate::{
    RunId,
    model_card::ModelCard,
    report::Cost,
    scene::HiddenPurpose,
    scene::{
        SceneEnd, SceneEvent,
        report::{ForkedFrom, SceneReport, debug_log, metadata, transcript},
    },
    usage::{NanoUsd, Price, Usage},
};

const PARENT: RunId = RunId(uuid::Uuid::from_u128(0x0199_aa51_7b90_7000_8000_0000_0000_0009));
const PRICE: Price = Price { uncached: 1_000, cache_read: 100, cache_write: 1_250, output: 5_000 };
const USED: Usage = Usage { uncached: 2_000, output: 600, ..Usage::NONE };
/// 2,000,000 + 3,000,000
const ONE_CALL: u64 = 5_000_000;

fn paid() -> Facts {
    let mut facts = Facts::of("quick");
    facts.setup.models.insert("improviser".into(), ModelCard { price: Some(PRICE), ..ModelCard::free("x") });
    facts.usage = Some(USED);
    facts
}

fn forked(facts: Facts, beat: u32) -> Facts {
    facts.fact(SceneEvent::BeatSettled { beat }).later(86_400_000).fact(SceneEvent::Forked {
        run: PARENT,
        beat,
        line: None,
    })
}

/// Two calls before the fork and one behind it, and a judge that was being asked when it was forked.
fn fork() -> Facts {
    let parent = paid()
        .beat()
        .later(1_000)
        .reply("alice", speak("calm", "Well?"))
        .consulted(HiddenPurpose::Judge, "improviser")
        .reply("bob", speak("calm", "Well what?"));
    forked(parent, 0).later(500).beat().later(200).reply("alice", speak("calm", "Never mind."))
}

fn costs(story: &SceneReport) -> (Cost, Option<Cost>) {
    (story.ledger.total().cost(), story.ledger.inherited.map(|totals| totals.cost()))
}

#[test]
fn what_is_shared_is_listed_apart() {
    let story = fork().ended(SceneEnd::Stalled).story();
    let known = |calls| Cost::Known(NanoUsd(calls * ONE_CALL));
    assert_eq!(costs(&story), (known(1), Some(known(2))), "the judge was asked by the other run");
    let metadata = serde_json::to_value(metadata(&story)).expect("JSON");
    expect![[r#"
        {
          "forkedFrom": {
            "runId": "0199aa51-7b90-7000-8000-000000000009",
            "beat": 0
          },
          "inherited": {
            "calls": 2,
            "totalTokens": 5200,
            "estimatedUSD": 0.01,
            "usage": {
              "uncached": 4000,
              "cacheRead": 0,
              "cacheWrite": 0,
              "output": 1200
            },
            "unaccounted": 0
          },
          "ownTokens": 2600,
          "ownUSD": 0.005,
          "ownBeats": [
            "1"
          ]
        }"#]]
    .assert_eq(&format!(
        "{:#}",
        serde_json::json!({
            "forkedFrom": metadata["forkedFrom"],
            "inherited": metadata["costs"]["inherited"],
            "ownTokens": metadata["costs"]["totalTokens"],
            "ownUSD": metadata["costs"]["estimatedUSD"],
            "ownBeats": metadata["costs"]["byBeat"].as_object().map(|beats| beats.keys().collect::<Vec<_>>()),
        })
    ));
}

#[test]
fn the_time_between_the_beat_and_the_fork_is_nobodys() {
    let story = fork().story();
    assert_eq!((story.time.total_ms(), story.beat_ms.as_slice()), (1_200, &[1_000, 200][..]));
    assert_eq!(story.started_at, START + 1_000 + 86_400_000);
    assert_eq!((story.beats, story.lines.len()), (2, 3), "the story is the whole story");
}

#[test]
fn a_fork_of_a_fork_inherits_from_both() {
    let again = forked(fork(), 1).later(5).beat().reply("bob", speak("calm", "So?")).story();
    let known = |calls| Cost::Known(NanoUsd(calls * ONE_CALL));
    assert_eq!(costs(&again), (known(1), Some(known(3))));
    assert_eq!(again.forked_from, Some(ForkedFrom { run_id: PARENT, beat: 1, line: None }));
}

#[test]
fn the_statistics_say_whose_beginning_it_is() {
    let told = |facts: Facts| {
        let text = transcript(&facts.story());
        let figures = ["- Total tokens", "- Estimated cost", "- Forked from"];
        let lines = text.lines().filter(|line| figures.iter().any(|figure| line.starts_with(figure)));
        lines.map(|line| format!("{line}\n")).collect::<String>()
    };
    let improvised = Facts::of("quick").beat().reply("alice", speak("calm", "Well?"));
    let mut untold = paid().beat();
    untold.usage = None;
    let untold = untold.reply("alice", speak("calm", "Well?"));
    expect![[r#"
        - Total tokens: ~2,600
        - Estimated cost: $0.005 USD
        - Forked from: run 0199aa51-7b90-7000-8000-000000000009, after beat 0 (until then ~5,200 tokens, $0.01 USD)
        - Total tokens: none: no model was asked
        - Estimated cost: $0.00 USD
        - Forked from: run 0199aa51-7b90-7000-8000-000000000009, after beat 0
        - Total tokens: none: no model was asked
        - Estimated cost: $0.00 USD
        - Forked from: run 0199aa51-7b90-7000-8000-000000000009, after beat 0 (what was used until then is unknown)
    "#]]
    .assert_eq(&[told(fork()), told(forked(improvised, 0)), told(forked(untold, 0))].concat());
    assert!(!told(paid().beat()).contains("Forked"));
}

#[test]
fn the_debug_log_says_where_its_own_begins() {
    let log = debug_log(&fork().log());
    let told = "\"message\":\"forked: run 0199aa51-7b90-7000-8000-000000000009 played everything before, through \
                the end of beat 0\"";
    assert!(log.contains(told), "{log}");
}
