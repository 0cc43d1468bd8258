//! What runs cost, added up.

use enact_drama::{Record, RunId, Seq};
use enact_engine::{
    Log, Store,
    log::{Batch, NewRun},
    node::NodeLimits,
    store::Submission,
};
use enact_server::ServerOptions;
use serde_json::{Value, json, value::RawValue};
use uuid::Uuid;

use super::{
    server::{Server, apology, gated},
    stream::Events,
};

fn calls(costs: &Value) -> u64 {
    costs["groups"].as_array().unwrap().iter().map(|group| group["calls"].as_u64().unwrap()).sum()
}

fn new_run(at: i64) -> NewRun {
    let (run, name) = (RunId(Uuid::now_v7()), "waits".to_owned());
    NewRun { run, production: "scene", name, at, parent: None, account: String::new() }
}

/// A paused scene that has played one beat, and what follows it.
async fn resting(server: &Server) -> (RunId, Events) {
    let run = server.play(gated()).await;
    let mut events = Events::of(server.get(&format!("/v1/runs/{run}/events")).await);
    events.until("asked").await;
    server.post(&format!("/v1/runs/{run}/pause"), json!({})).await;
    events.until("paused").await;
    server.let_answer(2);
    rests(server, run).await;
    (run, events)
}

async fn rests(server: &Server, run: RunId) {
    let path = format!("/v1/runs/{run}");
    enact_testkit::until(async || server.json(&path).await["status"] == "paused").await;
    enact_testkit::until(async || server.node.playing() == 0).await;
}

#[tokio::test]
async fn every_way_of_adding_up_comes_to_the_same() {
    let server = Server::start().await;
    let finished = server.play_out(apology()).await;
    server.play_out(apology()).await;
    let playing = server.play(gated()).await;
    let mut events = Events::of(server.get(&format!("/v1/runs/{playing}/events")).await);
    server.let_answer(2);
    events.until("beat_settled").await;

    let by_run = server.json("/v1/costs").await;
    let total = by_run["total"]["calls"].as_u64().unwrap();
    assert!(total > 4, "{by_run}");
    assert_eq!((&by_run["runs"], &by_run["complete"]), (&3.into(), &true.into()));
    assert_eq!(by_run["groups"][0]["key"], playing.to_string(), "the newest first");
    assert_eq!(by_run["groups"][0]["name"], "the-apology");
    for by in ["run", "character", "model", "purpose", "day"] {
        // Twice: derived, and then kept.
        for _ in 0..2 {
            let costs = server.json(&format!("/v1/costs?by={by}")).await;
            assert_eq!((&costs["by"], calls(&costs)), (&by.into(), total), "{costs}");
            assert_eq!(costs["total"], by_run["total"]);
            assert_eq!(costs["total"]["estimatedUSD"], 0.0);
        }
    }
    let models = server.json("/v1/costs?by=model").await;
    let names: Vec<&str> =
        models["groups"].as_array().unwrap().iter().map(|group| group["key"].as_str().unwrap()).collect();
    assert_eq!(names, ["gated", "improviser"]);

    let own = server.json(&format!("/v1/runs/{finished}/costs")).await;
    assert_eq!(own["status"], "finished");
    let group =
        by_run["groups"].as_array().unwrap().iter().find(|group| group["key"] == finished.to_string());
    assert_eq!(own["costs"]["byModel"]["improviser"]["calls"], group.unwrap()["calls"]);
}

#[tokio::test]
async fn only_runs_of_the_time_asked_for_count() {
    let server = Server::start().await;
    server.play_out(apology()).await;
    for (query, runs) in [("from=2020-01-01", 1), ("to=2020-01-01", 0), ("from=2020-01-01&to=2021-01-01", 0)]
    {
        let costs = server.json(&format!("/v1/costs?{query}")).await;
        assert_eq!(costs["runs"], runs, "{query}");
    }
}

#[tokio::test]
async fn what_branches_share_is_counted_once() {
    let server = Server::start().await;
    let parent = server.play_out(apology()).await;
    let before = server.json("/v1/costs").await["total"]["calls"].as_u64().unwrap();
    let beats = server.json(&format!("/v1/runs/{parent}")).await["metadata"]["totalBeats"].as_u64().unwrap();
    // It shares everything, and ends where its parent does.
    let fork = format!("/v1/runs/{parent}/fork");
    let response = server.post(&fork, serde_json::json!({ "beat": beats - 1, "seed": 7 })).await;
    let run = super::server::run_id(&response.json().await.unwrap());
    server.get(&format!("/v1/runs/{run}/events")).await.text().await.unwrap();
    assert_eq!(server.json("/v1/costs").await["total"]["calls"].as_u64().unwrap(), before);
}

#[tokio::test]
async fn groups_come_to_the_total_though_some_of_them_have_no_price() {
    let server = Server::start().await;
    let mut scene = apology();
    scene["models"] = json!({ "alice": "priced", "bob": "unpriced" });
    scene["maxBeats"] = 3.into();
    server.play_out(scene).await;
    for by in ["run", "character", "model", "purpose", "day"] {
        let costs = server.json(&format!("/v1/costs?by={by}")).await;
        let known = costs["total"]["knownUSD"].as_f64().unwrap();
        assert!(known > 0.0 && costs["total"]["estimatedUSD"].is_null(), "{costs}");
        let groups = costs["groups"].as_array().unwrap().iter();
        let sum: f64 = groups.map(|group| group["knownUSD"].as_f64().unwrap()).sum();
        assert!((sum - known).abs() < 1e-12, "{by}: {costs}");
    }
}

#[tokio::test]
async fn a_long_queue_does_not_keep_the_sum_from_being_complete() {
    let server =
        Server::with(NodeLimits { runs: 0, ..NodeLimits::default() }, ServerOptions::default()).await;
    let body = RawValue::from_string("{}".to_owned()).unwrap();
    for _ in 0..2_500 {
        let first = Record { seq: Seq(0), at: 0, kind: "began".to_owned(), v: 1, body: body.clone() };
        let waits = Submission {
            run: new_run(0),
            records: vec![first],
            rows: Vec::new(),
            idempotency_key: None,
            next: None,
        };
        server.log.enqueue(waits).await.unwrap();
    }
    let costs = server.json("/v1/costs").await;
    assert_eq!((&costs["complete"], &costs["runs"]), (&json!(true), &json!(0)));
}

#[tokio::test]
async fn what_another_version_could_not_read_is_read_by_this_one() {
    let server = Server::start().await;
    let run = server.play_out(apology()).await;
    let kept = r#"{"name":"the-apology","production":"scene","account":"","unreadableBy":"0.0.1"}"#;
    server.log.keep_extract(run, "costs.2", kept).await.unwrap();
    for _ in 0..2 {
        let costs = server.json("/v1/costs").await;
        assert_eq!((&costs["unreadable"], &costs["complete"]), (&json!(0), &json!(true)));
        assert!(costs["total"]["calls"].as_u64().unwrap() > 0, "{costs}");
    }
    let kept = server.log.extracts("costs.2", 0..i64::MAX).await.unwrap();
    assert!(!kept[0].body.contains("unreadable"), "{}", kept[0].body);
}

/// More of them than one request folds.
#[tokio::test]
async fn all_that_rests_is_counted_when_it_is_asked_for_again() {
    let server = Server::start().await;
    let (run, _events) = resting(&server).await;
    let calls = server.json("/v1/costs").await["total"]["calls"].as_u64().unwrap();
    assert!(calls > 0);
    let records = server.log.read(run, Seq(0)).await.unwrap();
    for _ in 0..2_500 {
        let claim = server.log.create(new_run(1_000)).await.unwrap();
        server.log.append(&claim, Batch::of(records.clone())).await.unwrap();
        assert!(server.log.rest(claim, None).await.unwrap());
    }
    for (complete, runs) in [(false, 2_001), (true, 2_501), (true, 2_501)] {
        let costs = server.json("/v1/costs?by=model").await;
        assert_eq!((&costs["complete"], &costs["runs"]), (&json!(complete), &json!(runs)));
        assert_eq!(costs["total"]["calls"], calls * runs);
    }
}

#[tokio::test]
async fn what_is_kept_of_a_resting_run_is_forgotten_once_it_goes_on() {
    let server = Server::start().await;
    let (run, mut events) = resting(&server).await;
    let path = format!("/v1/runs/{run}");
    let sum = async || {
        let costs = server.json("/v1/costs").await;
        assert_eq!((&costs["runs"], &costs["complete"]), (&json!(1), &json!(true)), "{costs}");
        let own = server.json(&format!("{path}/costs")).await;
        let calls = costs["total"]["calls"].as_u64().unwrap();
        assert_eq!(own["costs"]["byModel"]["gated"]["calls"], calls, "{own}");
        calls
    };
    // Twice: derived, and then kept.
    let before = [sum().await, sum().await];
    server.post(&format!("{path}/step"), json!({})).await;
    events.until("asked").await;
    assert!(sum().await >= before[0]);
    server.let_answer(2);
    rests(&server, run).await;
    let after = [sum().await, sum().await];
    assert!(before[0] == before[1] && before[1] < after[0] && after[0] == after[1], "{before:?} {after:?}");
    // Also by its end, which is kept in the place of all that was kept before.
    server.post(&format!("{path}/resume"), json!({})).await;
    server.let_answer(super::server::ENOUGH);
    events.until("end").await;
    let ended = [sum().await, sum().await];
    assert!(after[1] < ended[0] && ended[0] == ended[1], "{after:?} {ended:?}");
}
