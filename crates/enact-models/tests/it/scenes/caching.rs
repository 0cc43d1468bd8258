//! What was sent once is paid for once.

use enact_drama::model_card::Context;
use enact_models::{PromptCache, Settings};
use fake_provider::{FakeProvider, Seen};

use super::office::{answers, asked, calls, config, lively, sonnet, stage};

const BEATS: u32 = 20;
/// What a token of input costs in thousandths of its price: not cached, read and written.
const UNCACHED: u64 = 1_000;
const READ: u64 = 100;
const WRITTEN: u64 = 1_250;

async fn play(
    settings: impl Fn(&FakeProvider) -> Settings,
) -> (FakeProvider, enact_drama::scene::report::SceneResult) {
    let server = answers(lively).start().await;
    let result = stage(settings(&server)).run_scene(config(BEATS)).await.unwrap();
    assert_eq!((result.metadata.total_beats, result.metadata.errors.len()), (BEATS, 0));
    (server, result)
}

fn bill(calls: &[Seen]) -> (u64, u64) {
    let billed = |seen: &Seen| {
        seen.usage.uncached * UNCACHED + seen.usage.cache_read * READ + seen.usage.cache_write * WRITTEN
    };
    (calls.iter().map(billed).sum(), calls.iter().map(|seen| seen.usage.input() * UNCACHED).sum())
}

#[tokio::test]
async fn threads_are_read_from_the_cache() {
    let (server, result) = play(sonnet).await;
    let calls = calls(&server);
    assert!(
        result.transcript.contains("—\""),
        "a line was cut after it had been sent: {}",
        result.transcript
    );
    let later: Vec<&Seen> = calls.iter().filter(|seen| asked(seen).1 > 1).collect();
    let read: u64 = later.iter().map(|seen| seen.usage.cache_read).sum();
    let input: u64 = later.iter().map(|seen| seen.usage.input()).sum();
    assert!(read * 100 >= input * 85, "{read} of {input} input tokens were read from the cache");
    let (paid, uncached) = bill(&calls);
    assert!(paid * 4 <= uncached, "the input costs {paid}, and {uncached} if nothing were cached");

    // The ledger says what the server billed, to the token.
    let costs = &result.metadata.costs;
    let billed = server.usage();
    assert_eq!(costs.total_tokens, Some(billed.input() + billed.output));
    assert_eq!(costs.unaccounted, 0);
    let usd = costs.estimated_usd.unwrap();
    assert!(usd < 0.50, "a scene of {BEATS} beats costs ${usd}");
    let nano = billed.uncached * 3_000
        + billed.cache_read * 300
        + billed.cache_write * 3_750
        + billed.output * 15_000;
    assert!((usd - nano as f64 / 1e9).abs() < 1e-9, "{usd} is not {nano} nano-USD");
}

#[tokio::test]
async fn a_window_is_not_and_costs_more() {
    let (server, _) = play(|server| Settings { context: Context::Window, ..sonnet(server) }).await;
    let (windowed, _) = bill(&calls(&server));
    let threads = calls(&server).iter().map(|seen| seen.body["messages"].as_array().unwrap().len()).max();
    assert_eq!(threads, Some(1), "each call stands for itself");
    let (server, _) = play(sonnet).await;
    let (threaded, _) = bill(&calls(&server));
    assert!(threaded < windowed, "{threaded} with threads, {windowed} with a window");
}

#[tokio::test]
async fn an_hour_of_caching_is_asked_for_everywhere_or_nowhere() {
    for (cache, marks) in [(PromptCache::OneHour, "\"1h\""), (PromptCache::Off, "")] {
        let server = answers(lively).start().await;
        stage(Settings { cache, ..sonnet(&server) }).run_scene(config(3)).await.unwrap();
        for seen in calls(&server) {
            let body = seen.body.to_string();
            let (breakpoints, hours) =
                (body.matches("cache_control").count(), body.matches("\"1h\"").count());
            let expected = if marks.is_empty() { 0 } else { 3 };
            assert_eq!((breakpoints, hours), (expected, expected), "{body}");
        }
    }
}
