//! A bad day at the provider: scenes finish, and every failure is accounted for.

use enact_drama::scene::SceneConfig;
use enact_models::Settings;
use fake_provider::{Fault, RequestOutcome, Script, Seen};

use super::office::{answers, calls, config, lively, shared, sonnet, stage};

const SCENES: usize = 100;
const BEATS: u32 = 8;

fn bad_day() -> Script {
    let faults = [
        (0.10, Fault::Status(500, None)),
        (0.10, Fault::Status(529, None)),
        (0.05, Fault::Hang),
        (0.10, Fault::Malformed),
    ];
    Script::new(lively).with_faults(3, faults)
}

async fn play_all(settings: Settings) -> Vec<enact_drama::scene::report::SceneResult> {
    let stage = shared(stage(settings));
    let playing: Vec<_> = (0..SCENES)
        .map(|_| {
            let stage = stage.clone();
            let config = SceneConfig { reply_timeout_seconds: Some(6.0), ..config(BEATS) };
            tokio::spawn(async move { stage.run_scene(config).await.unwrap() })
        })
        .collect();
    let mut results = Vec::with_capacity(SCENES);
    for scene in playing {
        results.push(scene.await.unwrap());
    }
    results
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hundred_scenes_finish_and_every_failure_is_accounted_for() {
    let server = answers(|_| unreachable!()).play(bad_day()).start().await;
    let results = play_all(sonnet(&server)).await;
    server.wait_until_idle().await;
    let calls = calls(&server);
    let count = |outcome| calls.iter().filter(|seen: &&Seen| seen.outcome == outcome).count();
    let (failed, hung, answered) =
        (count(RequestOutcome::Failed), count(RequestOutcome::Dropped), count(RequestOutcome::Answered));
    assert!(failed > 100 && hung > 20, "it was no bad day: {failed} failed, {hung} hung");
    for result in &results {
        assert!(result.transcript.contains("[SCENE END - "), "{}", result.transcript);
    }
    let errors: Vec<&str> =
        results.iter().flat_map(|result| &result.metadata.errors).map(|error| error.error.as_str()).collect();
    assert_eq!(errors.len(), failed + hung, "every failure is in some scene's metadata, and nothing else is");
    assert_eq!(errors.iter().filter(|error| **error == "Response timeout after 6s").count(), hung);
    let sum = |of: fn(&enact_drama::scene::report::Counts) -> u32| -> usize {
        results.iter().map(|result| of(&result.metadata.counts) as usize).sum()
    };
    assert_eq!(sum(|counts| counts.parsed) + sum(|counts| counts.salvaged), answered);
    assert!(sum(|counts| counts.salvaged) > 50, "malformed replies are read as well as can be");
    // Answered calls are in the ledger to the token, rejected calls cost nothing, and calls that hung are
    // unaccounted.
    let billed = server.usage();
    let told: u64 = results.iter().filter_map(|result| result.metadata.costs.total_tokens).sum();
    assert_eq!(told, billed.input() + billed.output);
    let unaccounted: u64 = results.iter().map(|result| result.metadata.costs.unaccounted).sum();
    assert_eq!(unaccounted, hung as u64);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn retries_save_most_replies() {
    let server = answers(|_| unreachable!()).play(bad_day()).start().await;
    let results = play_all(Settings { retries: 2, ..sonnet(&server) }).await;
    let errors: usize = results.iter().map(|result| result.metadata.errors.len()).sum();
    let asked: usize = results.iter().map(|result| result.metadata.total_beats as usize * 3 - 2).sum();
    assert!(
        errors * 100 < asked * 12,
        "{errors} of {asked} replies are missing: hardly more than those that hung"
    );
}
