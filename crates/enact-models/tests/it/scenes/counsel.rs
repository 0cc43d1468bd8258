//! A judge model over HTTP, and what it costs.

use std::sync::Arc;

use enact_drama::scene::{HiddenPurpose, SceneConfig, SceneEnd};
use enact_engine::{Stage, log::MemoryStore};
use enact_models::{Settings, connect};
use fake_provider::{Fault, PlannedResponse, Seen};
use serde_json::json;

use super::office::{answers, calls, config, lively, sheet, sonnet, stage};

/// The judge has a model of its own, so that the server can tell who asks.
fn judged(server: &fake_provider::FakeProvider) -> Stage {
    let judge = Settings { model: "claude-haiku-4-5".into(), ..sonnet(server) };
    stage(sonnet(server))
        .model("judge", connect(judge).unwrap())
        .judge("judge")
        .store(Arc::new(MemoryStore::default()))
}

fn is_judge(seen: &Seen) -> bool {
    seen.model == "claude-haiku-4-5"
}

fn goals() -> SceneConfig {
    SceneConfig { goals: vec!["The matter of the keys is cleared up".into()], ..config(20) }
}

fn opinion(evidence: &str) -> String {
    json!({
        "goals": [{"goal": 1, "met": !evidence.is_empty(), "evidence": evidence}],
        "closure": true, "positionsExpressed": true, "leftToExplore": false, "confidence": 0.9,
        "characters": [{"name": "bob", "inCharacter": 0.3, "why": "Bob would speak up."}],
        "note": "",
    })
    .to_string()
}

#[tokio::test]
async fn a_judge_reads_what_rules_cannot() {
    let server = answers(|seen| match (is_judge(seen), seen.number) {
        // Models like to wrap what they were asked for.
        (true, 20..) => {
            PlannedResponse::text(format!("```json\n{}\n```", opinion("do you, by any chance, know")))
        }
        (true, _) => PlannedResponse::text(opinion("")),
        (false, _) => lively(seen),
    })
    .start()
    .await;
    let result = judged(&server).run_scene(goals()).await.unwrap();
    let metadata = &result.metadata;
    assert_eq!(metadata.reason, Some(SceneEnd::GoalAchieved), "{}", result.transcript);
    assert!(metadata.goals[0].evidence.as_deref().unwrap().contains("do you, by any chance, know"));
    assert!(metadata.drift[&enact_drama::Name::new("bob").unwrap()] > 0);
    // What the moderator asks is counted apart, and the ledger agrees with the bill.
    let hidden = calls(&server).iter().filter(|seen| is_judge(seen)).count() as u64;
    assert_eq!(metadata.costs.by_purpose[&HiddenPurpose::Judge.into()].calls, hidden);
    let billed = server.usage();
    assert_eq!(metadata.costs.total_tokens, Some(billed.input() + billed.output));
    let prompts = calls(&server)
        .iter()
        .filter(|seen| !is_judge(seen))
        .map(|seen| seen.body.to_string())
        .collect::<String>();
    assert!(prompts.contains("You are drifting out of character. Bob would speak up."));
}

#[tokio::test]
async fn without_an_opinion_the_rules_go_on_alone() {
    for fault in [Fault::Status(500, None), Fault::Malformed, Fault::Empty, Fault::CutAfter(1), Fault::Refuse]
    {
        let shown = format!("{fault:?}");
        let server = answers(move |seen| match is_judge(seen) {
            true => PlannedResponse::fault(fault.clone()),
            false => lively(seen),
        })
        .start()
        .await;
        let result = judged(&server).run_scene(SceneConfig { max_beats: Some(6), ..goals() }).await.unwrap();
        assert_eq!(result.metadata.reason, Some(SceneEnd::MaxBeatsExceeded), "{shown}");
        assert!(calls(&server).iter().any(is_judge), "{shown}: the judge was asked");
        assert_eq!(result.metadata.errors.len(), 0, "{shown}: no character failed");
        assert_eq!(result.metadata.goals[0].met, None);
    }
}

#[test]
fn sheets_are_ordinary() {
    let words = sheet("alice").split_whitespace().count();
    assert!((200..600).contains(&words), "{words}");
}
