//! Choruses on a node, in SQLite: six slots, three turns, everything said aloud.
//!
//! * One chorus over real HTTP, with a server that answers after 300 ms and another that speaks after 400 ms,
//!   twelve at a time. Bar: at most 1.1 times its critical path, which is the slowest answer of each turn and
//!   the last speech.
//! * The embedded voice. Bar: the first audio within 100 ms of its text.
//! * Fifty choruses at once. Bars: each follower gets every event once, and memory does not grow with the
//!   text.

#![expect(clippy::print_stdout, reason = "a benchmark prints what it measured")]

mod company;
mod events;

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use company::{Company, Timed};
use enact_engine::{Model, Voice};
use enact_models::{ApiKey, Provider, Settings};
use enact_testkit::memory_kib;
use enact_voices::{OpenAiSettings, VoiceService};
use fake_provider::{FakeProvider, FakeSpeech, PlannedResponse, Seen};
use futures::future::join_all;
use serde_json::json;

const ANSWERS_AFTER: Duration = Duration::from_millis(300);
const SPEAKS_AFTER: Duration = Duration::from_millis(400);
const SPOKEN_AT_ONCE: usize = 12;
const MOST_OF_CRITICAL_PATH: f64 = 1.1;
const FIRST_AUDIO_WITHIN: Duration = Duration::from_millis(100);
const SLOTS: usize = 6;
/// Everybody speaks of the first slot, and that one of the second.
const REPLIES: usize = 2;
/// Followers of each of the fifty.
const FOLLOWERS: usize = 2;
/// A chorus holds its threads, what it says while it is written, and a reader or two.
const MOST_KIB_EACH: u64 = 2 * 1024;

fn main() {
    // `cargo bench -- --test` only wants to see that it works.
    let quick = std::env::args().any(|arg| arg == "--test");
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        critical_path(if quick { 1 } else { 10 }, quick).await;
        first_audio(if quick { 1 } else { 10 }, quick).await;
        crowd(if quick { 5 } else { 50 }).await;
    });
}

/// What a chorus takes beyond what it has to wait for.
async fn critical_path(rounds: usize, quick: bool) {
    let language = FakeProvider::builder().script(answer).start().await;
    let speech = FakeSpeech::builder().after(SPEAKS_AFTER).at_once(SPOKEN_AT_ONCE).start().await;
    let company = Company::new(over_http(&language), speaking(&speech)).await;
    let (mut walls, mut ratios) = (Vec::new(), Vec::new());
    for round in 0..rounds {
        let before = language.seen().len();
        let began = Instant::now();
        let events = company.play(&round.to_string()).await;
        let wall = began.elapsed();
        events.check(SLOTS, REPLIES);
        let seen = language.seen();
        let mut answers: Vec<&Seen> = seen[before..].iter().filter(|seen| seen.method == "POST").collect();
        answers.sort_by_key(|seen| seen.arrived);
        assert_eq!(answers.len(), 2 * SLOTS + REPLIES);
        let turns = [&answers[..SLOTS], &answers[SLOTS..2 * SLOTS], &answers[2 * SLOTS..]];
        let slowest = turns.iter().map(|turn| turn.iter().map(|seen| took(seen)).max().unwrap_or_default());
        let path = slowest.sum::<Duration>() + SPEAKS_AFTER;
        walls.push(wall);
        ratios.push(wall.as_secs_f64() / path.as_secs_f64());
    }
    walls.sort();
    ratios.sort_by(f64::total_cmp);
    println!("one chorus of {SLOTS} over HTTP, {rounds} times: answers after 300 ms, speech after 400 ms");
    println!(
        "  wall time {:.0} ms median, {:.3} times its critical path; at worst {:.3} times (bar {MOST_OF_CRITICAL_PATH})",
        ms(walls[rounds / 2]),
        ratios[rounds / 2],
        ratios[rounds - 1],
    );
    println!("  at most {} spoken at once", speech.most_at_once());
    assert!(quick || ratios[rounds / 2] <= MOST_OF_CRITICAL_PATH, "too slow");
}

/// How soon something that was said can be heard.
async fn first_audio(rounds: usize, quick: bool) {
    let company = Company::new(Arc::new(Timed::default()), embedded()).await;
    let (mut first, mut all) = (Vec::new(), Vec::new());
    for round in 0..rounds {
        let events = company.play(&round.to_string()).await;
        events.check(SLOTS, REPLIES);
        let delays = events.until_heard();
        first.extend(delays.first());
        all.extend(delays);
    }
    first.sort();
    all.sort();
    println!("the embedded voice, {rounds} choruses one after the other, all slots answering at once");
    println!(
        "  first audio {:.1} ms after its text in the median, {:.1} ms at worst (bar 100 ms); all: median {:.1} ms, slowest {:.1} ms",
        ms(first[first.len() / 2]),
        ms(first[first.len() - 1]),
        ms(all[all.len() / 2]),
        ms(all[all.len() - 1]),
    );
    assert!(quick || first[first.len() - 1] <= FIRST_AUDIO_WITHIN, "too slow");
}

/// Many at once, each with those who follow it.
async fn crowd(choruses: usize) {
    let company = Company::new(Arc::new(Timed { after: ANSWERS_AFTER }), embedded()).await;
    // Whatever is made once and kept is not the crowd's.
    company.play("first").await.check(SLOTS, REPLIES);
    let (before, peak) = (memory_kib("self", "VmRSS").unwrap_or(0) as u64, company::Peak::watch());
    let began = Instant::now();
    let names: Vec<String> = (0..choruses).map(|number| number.to_string()).collect();
    let played = join_all(names.iter().map(|name| company.play_before(name, FOLLOWERS))).await;
    let took = began.elapsed();
    let each_kib = peak.kib().saturating_sub(before) / choruses as u64;
    let mut events = 0;
    for seen in &played {
        for one in seen {
            one.check(SLOTS, REPLIES);
            assert_eq!(one.seqs(), seen[0].seqs(), "everybody gets the same");
        }
        events += seen[0].seqs().len();
    }
    println!(
        "{choruses} choruses at once, answers after 300 ms, the embedded voice, {FOLLOWERS} followers each"
    );
    println!(
        "  {:.2} s in all; {events} events, none lost and none repeated; {each_kib} KiB each at the peak (bar {MOST_KIB_EACH})",
        took.as_secs_f64()
    );
    assert!(each_kib <= MOST_KIB_EACH, "too much memory");
}

/// What the server says to whatever shape is wanted.
fn answer(seen: &Seen) -> PlannedResponse {
    let prompt = seen.prompt();
    let target = prompt.schema.and_then(|schema| schema.pointer("/properties/targetSlotId/enum/0"));
    let profile = "calm_soothing";
    let answer = match target {
        Some(target) => {
            json!({"targetSlotId": target, "comment": "That is well said.", "voice_profile": profile})
        }
        None => json!({"text": "A story is a promise that somebody keeps.", "voice_profile": profile}),
    };
    PlannedResponse::json(&answer).after(ANSWERS_AFTER)
}

fn over_http(server: &FakeProvider) -> Arc<dyn Model> {
    let settings = Settings {
        base_url: Some(server.base_url()),
        key: Some(ApiKey::new("sk-bench")),
        ..Settings::new(Provider::Anthropic, "claude-sonnet-4-5")
    };
    enact_models::connect(settings).expect("a model")
}

fn speaking(server: &FakeSpeech) -> Arc<dyn Voice> {
    let service = VoiceService::OpenAi(OpenAiSettings {
        base_url: Some(server.base_url()),
        ..OpenAiSettings::default()
    });
    let settings = enact_voices::VoiceSettings::new("speech", service);
    enact_voices::connect(enact_voices::VoiceSettings { at_once: Some(SPOKEN_AT_ONCE), ..settings })
        .expect("a voice")
}

fn embedded() -> Arc<dyn Voice> {
    enact_voices::connect(enact_voices::VoiceSettings::new("embedded", VoiceService::Embedded))
        .expect("a voice")
}

/// From a request's arrival until its answer was sent.
fn took(seen: &Seen) -> Duration {
    seen.finished.map_or(Duration::ZERO, |finished| finished - seen.arrived)
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
