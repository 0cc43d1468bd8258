//! Budgets hold when streams break and broken tries are made again, all of which is billed.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use async_trait::async_trait;
use enact_drama::{
    budget::Budget,
    model_card::ModelCard,
    production::{Answer, Failure},
    request::Request,
    scene::{SceneConfig, SceneEnd},
    usage::{NanoUsd, Price},
};
use enact_engine::{Model, Stage, log::MemoryStore, model::LiveText};
use enact_models::{Settings, connect};
use fake_provider::{BilledUsage, FakeProvider, Fault, PlannedResponse, Seen};
use serde_json::json;

use super::office::{CAST, answers, asked, calls, lively, sheet, sonnet};

const PRICE: Price = Price { uncached: 3_000, cache_read: 300, cache_write: 3_750, output: 15_000 };

/// More than any budget has room for.
const RETRIES: usize = 6;

/// Half of all streams break: most of them before the first word, so that they are asked for again.
const FAULTS: [(u64, Fault); 4] = [
    (40, Fault::CutAfter(0)),
    (44, Fault::CutAfter(2)),
    (48, Fault::EndWithoutStop),
    (50, Fault::HangAfter(0)),
];

/// One run: a name by which its calls are known, and what it may use.
#[derive(Clone)]
struct BudgetedRun {
    name: String,
    cast: usize,
    budget: Budget,
}

impl BudgetedRun {
    fn seeded(seed: u64) -> BudgetedRun {
        let tokens = 8_000 + seed * 7_919 % 60_000;
        let budget = match seed % 3 {
            0 => Budget { cost: Some(NanoUsd(tokens * PRICE.uncached)), tokens: None },
            _ => Budget { cost: None, tokens: Some(tokens) },
        };
        BudgetedRun { name: format!("run-{seed}"), cast: 2 + (seed % 2) as usize, budget }
    }

    /// Plays a scene with a judge and an event writer, and says why it ended.
    async fn play(&self, server: &FakeProvider, retries: usize) -> Option<SceneEnd> {
        let settings = |model: String| Settings { model, retries, price: Some(PRICE), ..sonnet(server) };
        let model = |role: &str| connect(settings(format!("{}-{role}", self.name))).unwrap();
        let stage = Stage::new("lead", Arc::new(Followed(model("lead"))))
            .model("judge", model("judge"))
            .model("writer", model("writer"))
            .judge("judge")
            .event_writer("writer")
            .budget(self.budget)
            .store(Arc::new(MemoryStore::default()));
        let cast = &CAST[..self.cast];
        let stage = cast.iter().fold(stage, |stage, name| stage.sheet(*name, sheet(name)));
        let config = SceneConfig {
            name: self.name.clone(),
            prompt: "Some colleagues wait for the outcome of a meeting.".into(),
            characters: cast.iter().map(|name| (*name).to_owned()).collect(),
            goals: vec!["The matter of the keys is cleared up".into()],
            max_beats: Some(60),
            reply_timeout_seconds: Some(8.0),
            ..SceneConfig::default()
        };
        stage.run_scene(config).await.unwrap().metadata.reason
    }

    /// The part of the budget that the provider has billed.
    fn used(&self, server: &FakeProvider) -> f64 {
        let name = format!("{}-", self.name);
        let billed = calls(server).into_iter().filter(|seen| seen.model.starts_with(&name));
        let billed: Vec<BilledUsage> = billed.map(|seen| seen.usage).collect();
        let tokens: u64 = billed.iter().map(|usage| usage.input() + usage.output).sum();
        let cost: u64 = billed.iter().map(cost).sum();
        match (self.budget.tokens, self.budget.cost) {
            (Some(most), _) => tokens as f64 / most as f64,
            (_, Some(most)) => cost as f64 / most.0 as f64,
            _ => 0.0,
        }
    }
}

/// A model whose answers are heard as they come, and so asked for as streams: half of a plain answer would not
/// be asked for again.
#[derive(Debug)]
struct Followed(Arc<dyn Model>);

#[async_trait]
impl Model for Followed {
    fn card(&self) -> ModelCard {
        self.0.card()
    }

    async fn answer(&self, request: Request) -> Result<Answer, Failure> {
        self.0.answer_live(request, LiveText::to(|_| {})).await
    }
}

fn cost(usage: &BilledUsage) -> u64 {
    usage.uncached * PRICE.uncached
        + usage.cache_read * PRICE.cache_read
        + usage.cache_write * PRICE.cache_write
        + usage.output * PRICE.output
}

/// Everyone answers at length; the judge never thinks that it is over.
fn act(seen: &Seen) -> PlannedResponse {
    if seen.model.ends_with("-judge") {
        return PlannedResponse::json(&json!({
            "goals": [{"goal": 1, "met": false, "evidence": ""}],
            "closure": false, "positionsExpressed": false, "leftToExplore": true, "confidence": 0.1,
            "characters": [], "note": "",
        }));
    }
    if seen.model.ends_with("-writer") {
        return PlannedResponse::json(&json!({"event": format!("The clock strikes {}.", seen.number)}));
    }
    lively(seen)
}

/// Every run has dice of its own, which the order among runs does not change.
fn breaking(seen: &Seen, count: u64) -> PlannedResponse {
    let act = act(seen);
    let (_, beat) = asked(seen);
    let dice = seen.model.bytes().fold(u64::from(beat) ^ count, |sum, byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3).rotate_left(17)
    });
    match FAULTS.iter().find(|(until, _)| dice % 100 < *until) {
        Some((_, fault)) => act.with_fault(fault.clone()),
        None => act,
    }
}

async fn play_all(seeds: std::ops::Range<u64>) -> Vec<(BudgetedRun, Option<SceneEnd>, f64)> {
    let counts: Mutex<HashMap<String, u64>> = Mutex::default();
    let server = answers(move |seen| {
        let mut counts = counts.lock().unwrap();
        let count = counts.entry(seen.model.clone()).or_default();
        *count += 1;
        breaking(seen, *count)
    });
    let server = Arc::new(server.start().await);
    let runs: Vec<BudgetedRun> = seeds.map(BudgetedRun::seeded).collect();
    let playing: Vec<_> = runs
        .iter()
        .cloned()
        .map(|run| {
            let server = server.clone();
            tokio::spawn(async move { run.play(&server, RETRIES).await })
        })
        .collect();
    let mut reasons = Vec::new();
    for playing in playing {
        reasons.push(playing.await.unwrap());
    }
    server.wait_until_idle().await;
    runs.into_iter().zip(reasons).map(|(run, why)| (run.clone(), why, run.used(&server))).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_budget_is_exceeded_when_half_of_the_streams_break() {
    // `ENACT_BUDGET_RUNS=200` plays as many as the project promises.
    let runs = std::env::var("ENACT_BUDGET_RUNS").ok().and_then(|runs| runs.parse().ok()).unwrap_or(40);
    let played = play_all(0..runs).await;
    let ended = played.iter().filter(|(_, why, _)| *why == Some(SceneEnd::BudgetExceeded)).count();
    assert!(ended * 2 > played.len(), "{ended} of {} runs came to the end of their budget", played.len());
    for (run, why, used) in &played {
        println!("{} {:?} {why:?} {:.0} %", run.name, run.budget, used * 100.0);
    }
    for (run, why, used) in &played {
        assert!(*used <= 1.0, "{}: {:.0} % of {:?}, {why:?}", run.name, used * 100.0, run.budget);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn most_of_a_budget_is_used_where_nothing_breaks() {
    let server = Arc::new(answers(act).start().await);
    for tokens in [30_000, 60_000] {
        let run = BudgetedRun {
            name: format!("whole-{tokens}"),
            cast: 2,
            budget: Budget { cost: None, tokens: Some(tokens) },
        };
        let why = tokio::time::timeout(Duration::from_secs(60), run.play(&server, 2)).await.unwrap();
        let used = run.used(&server);
        assert_eq!(why, Some(SceneEnd::BudgetExceeded));
        assert!((0.8..=1.0).contains(&used), "{:.0} % of {tokens}", used * 100.0);
    }
}
