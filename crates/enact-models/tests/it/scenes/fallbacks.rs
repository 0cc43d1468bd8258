//! Fallbacks over real HTTP: what each model was asked and used is in the ledger, to the token.

use enact_drama::scene::{SceneConfig, report::SceneResult};
use enact_models::{Settings, connect};
use fake_provider::{FakeProvider, Fault, RequestOutcome, Script};

use super::office::{answers, calls, config, lively, shared, sonnet, stage};

const SCENES: usize = 50;

/// What the ledgers of some scenes say of a model: its calls, and those of unknown usage.
fn told(results: &[SceneResult], model: &str) -> (u64, u64) {
    let accounts = results.iter().filter_map(|result| result.metadata.costs.by_model.get(model));
    accounts.fold((0, 0), |(tokens, unknown), account| {
        (tokens + account.total_tokens.unwrap_or(0), unknown + account.unaccounted)
    })
}

fn count(server: &FakeProvider, outcome: RequestOutcome) -> usize {
    calls(server).iter().filter(|seen| seen.outcome == outcome).count()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn fifty_scenes_on_a_bad_day_lose_hardly_a_line_and_both_ledgers_are_those_of_the_servers() {
    let faults = [
        (0.15, Fault::Status(500, None)),
        (0.15, Fault::Status(529, None)),
        (0.05, Fault::Status(401, None)),
        (0.05, Fault::Hang),
    ];
    let bad = answers(|_| unreachable!()).play(Script::new(lively).with_faults(3, faults)).start().await;
    let faults = [(0.05, Fault::Status(503, None))];
    let good = answers(|_| unreachable!()).play(Script::new(lively).with_faults(4, faults)).start().await;
    let first = Settings {
        fallback: vec!["spare".to_owned()],
        timeout: Some(std::time::Duration::from_secs(2)),
        ..sonnet(&bad)
    };
    let stage = shared(stage(first).model("spare", connect(sonnet(&good)).unwrap()));
    let playing: Vec<_> = (0..SCENES)
        .map(|_| {
            let stage = stage.clone();
            let config = SceneConfig { reply_timeout_seconds: Some(20.0), ..config(8) };
            tokio::spawn(async move { stage.run_scene(config).await.unwrap() })
        })
        .collect();
    let mut results = Vec::with_capacity(SCENES);
    for scene in playing {
        results.push(scene.await.unwrap());
    }
    bad.wait_until_idle().await;
    good.wait_until_idle().await;

    let (failed, hung) = (count(&bad, RequestOutcome::Failed), count(&bad, RequestOutcome::Dropped));
    assert!(failed > 100 && hung > 10, "it was no bad day: {failed} failed, {hung} hung");
    assert_eq!(calls(&good).len(), failed + hung, "each failure was taken to the fallback, in the same beat");
    let errors = || results.iter().flat_map(|result| &result.metadata.errors);
    let passed_on = errors().filter(|error| error.fallback.as_deref() == Some("spare")).count();
    let lost = errors().filter(|error| error.fallback.is_none()).count();
    assert_eq!(passed_on, failed + hung);
    assert_eq!(lost, count(&good, RequestOutcome::Failed), "only what both have failed to give is lost");

    for (model, server, hung) in [("lead", &bad, hung), ("spare", &good, 0)] {
        let billed = server.usage();
        assert_eq!(told(&results, model), (billed.input() + billed.output, hung as u64), "{model}");
    }
    let by_fallback: usize = results
        .iter()
        .flat_map(|result| result.metadata.fallbacks.values().flat_map(|replies| replies.values()))
        .map(|replies| *replies as usize)
        .sum();
    assert_eq!(by_fallback, count(&good, RequestOutcome::Answered));
    assert!(results.iter().any(|result| result.transcript.contains("Fallbacks: spare for ")));
}
