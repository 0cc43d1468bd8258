//! Scenes over real HTTP, beside a bare loop that sends the same kind of requests and does nothing else.
//!
//! The provider runs in a process of its own and answers after 50 ms. Bars: requests of a beat leave within
//! 5 ms of each other; at most 1 ms above the slowest answer in the median and 3 ms at the 99th percentile;
//! 0.45 ms of processor time a beat at 50 scenes, and twice that where runs are followed and a line comes in
//! 40 frames; wall time of 50 and 200 scenes at once at most 1.5 times the bare loop's.

#![expect(clippy::print_stdout, reason = "a benchmark prints what it measured")]

mod bare;
mod provider;

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use enact_drama::{
    Fact,
    scene::{AdviserChoice, SceneConfig, SceneEvent},
};
use enact_engine::{
    Model, Stage,
    model::{Answer, Failure, LiveText, ModelCard, Request},
    run_loop::Observer,
};
use enact_models::{ApiKey, Provider, Settings, connect};
use enact_store::SqliteStore;
use provider::{Remote, Timing};
use tokio::sync::mpsc;

/// As in the program itself: a fifth of what a call costs here is memory that is taken and given back.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const CAST: [&str; 3] = ["alice", "bob", "charlie"];
const BEATS: u32 = 20;
/// How long the provider thinks.
const ANSWER_MS: u64 = 50;
/// A line of some forty tokens.
const FRAMES: usize = 40;

fn main() {
    // The same program is its own provider, so that the two share no thread and no processor account.
    if let Some(manner) = provider::asked_to_serve() {
        return provider::serve(&manner);
    }
    let quick = std::env::args().any(|arg| arg == "--test");
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    if let Some((what, scenes)) = asked_to_play() {
        return runtime.block_on(play_once(&what, scenes));
    }
    runtime.block_on(async {
        one_scene(if quick { 1 } else { 10 }).await;
        for scenes in if quick { vec![2] } else { vec![50, 200] } {
            many_scenes(scenes).await;
        }
        followed_scenes(if quick { 2 } else { 50 }).await;
    });
}

/// `--play ours 30`: what is played once and not measured here, because something else counts its instructions
/// or system calls.
fn asked_to_play() -> Option<(String, usize)> {
    let mut args = std::env::args().skip_while(|arg| arg != "--play").skip(1);
    Some((args.next()?, args.next()?.parse().expect("a number of scenes")))
}

async fn play_once(what: &str, scenes: usize) {
    match what {
        "ours" => {
            let remote = Remote::forgetful(ANSWER_MS);
            play_ours(stage(&remote), scenes).await;
        }
        "bare" => {
            let remote = Remote::forgetful(ANSWER_MS);
            drop(bare::play(remote.base_url(), scenes, &CAST, BEATS).await);
        }
        "followed" => {
            let remote = Remote::forgetful_in_frames(ANSWER_MS, FRAMES);
            play_ours(stage_with(Arc::new(Followed(model(&remote)))), scenes).await;
        }
        other => panic!("ours, bare or followed, not '{other}'"),
    }
}

/// One scene at a time: what a beat takes beyond its slowest answer.
async fn one_scene(rounds: usize) {
    let mut remote = Remote::start(ANSWER_MS);
    let folder = tempfile::tempdir().expect("a folder");
    let stage = stage(&remote).store(Arc::new(SqliteStore::open(folder.path()).await.expect("a log")));
    let (mut over, mut bare_over, mut apart) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..rounds {
        let before = remote.timings().len();
        let mut beats = Beats::default();
        let setup = stage.cast(config()).expect("a scene");
        let (_requests, mut nothing) = mpsc::channel(1);
        let result = stage.play_scene(setup, &mut beats, &mut nothing).await.expect("played");
        assert_eq!((result.metadata.total_beats, result.metadata.errors.len()), (BEATS, 0));
        let timings = remote.timings().split_off(before);
        over.extend(beats.took.iter().zip(by_beat(&timings)).map(beyond_slowest));
        let before = remote.timings().len();
        let bare = bare::play(remote.base_url(), 1, &CAST, BEATS).await;
        let bare_timings = remote.timings().split_off(before);
        bare_over.extend(bare.iter().zip(by_beat(&bare_timings)).map(beyond_slowest));
        for asked in by_beat(&timings) {
            let first = asked.iter().map(|call| call.arrived).min();
            let last = asked.iter().map(|call| call.arrived).max();
            apart.extend(first.zip(last).map(|(first, last)| last - first));
        }
    }
    over.sort();
    bare_over.sort();
    apart.sort();
    println!(
        "one scene of {} characters and {BEATS} beats over HTTP, {rounds} times, SQLite log",
        CAST.len()
    );
    println!(
        "  above the slowest answer: {:.2} ms median, {:.2} ms p99; the bare loop {:.2} ms, {:.2} ms",
        ms(at(&over, 50)),
        ms(at(&over, 99)),
        ms(at(&bare_over, 50)),
        ms(at(&bare_over, 99))
    );
    println!(
        "  a beat's requests arrive within {:.2} ms median, {:.2} ms at most",
        ms(at(&apart, 50)),
        ms(at(&apart, 100))
    );
}

/// Many scenes at once: ours, then the bare loop, then both again, and the better of each.
async fn many_scenes(scenes: usize) {
    let remote = Remote::forgetful(ANSWER_MS);
    let (mut ours, mut bare) = (Vec::new(), Vec::new());
    for _ in 0..3 {
        ours.push(measured(play_ours(stage(&remote), scenes)).await);
        let plain = async { drop(bare::play(remote.base_url(), scenes, &CAST, BEATS).await) };
        bare.push(measured(plain).await);
    }
    let (ours, bare) = (best(&ours), best(&bare));
    let beats = scenes as f64 * f64::from(BEATS);
    println!("{scenes} scenes at once over HTTP, beside a bare loop");
    println!(
        "  wall time {:.2} s, bare {:.2} s: {:.2} times",
        ours.wall.as_secs_f64(),
        bare.wall.as_secs_f64(),
        ours.wall.as_secs_f64() / bare.wall.as_secs_f64()
    );
    println!(
        "  processor time a beat {:.3} ms, bare {:.3} ms: {:.2} times",
        ms(ours.cpu) / beats,
        ms(bare.cpu) / beats,
        ours.cpu.as_secs_f64() / bare.cpu.as_secs_f64()
    );
}

/// The same with streams: every run has a follower, and each line comes in so many frames.
async fn followed_scenes(scenes: usize) {
    let remote = Remote::forgetful_in_frames(ANSWER_MS, FRAMES);
    let mut runs = Vec::new();
    for _ in 0..3 {
        let followed = Arc::new(Followed(model(&remote)));
        runs.push(measured(play_ours(stage_with(followed), scenes)).await);
    }
    let Spent { wall, cpu } = best(&runs);
    println!("{scenes} scenes at once over HTTP, followed, {FRAMES} frames a line");
    println!(
        "  wall time {:.2} s, processor time a beat {:.3} ms",
        wall.as_secs_f64(),
        ms(cpu) / (scenes as f64 * f64::from(BEATS))
    );
}

/// A model whose answers are always followed.
#[derive(Debug)]
struct Followed(Arc<dyn Model>);

#[async_trait::async_trait]
impl Model for Followed {
    fn card(&self) -> ModelCard {
        self.0.card()
    }

    async fn answer(&self, request: Request) -> Result<Answer, Failure> {
        self.0.answer_live(request, LiveText::to(|text| drop(std::hint::black_box(text.to_owned())))).await
    }
}

fn best(runs: &[Spent]) -> Spent {
    Spent {
        wall: runs.iter().map(|run| run.wall).min().unwrap_or_default(),
        cpu: runs.iter().map(|run| run.cpu).min().unwrap_or_default(),
    }
}

async fn play_ours(stage: Stage, scenes: usize) {
    let folder = tempfile::tempdir().expect("a folder");
    let log = Arc::new(SqliteStore::open(folder.path()).await.expect("a log"));
    let stage = Arc::new(stage.store(log));
    let playing: Vec<_> = (0..scenes)
        .map(|_| {
            let stage = stage.clone();
            tokio::spawn(async move { stage.run_scene(config()).await })
        })
        .collect();
    for scene in playing {
        let result = scene.await.expect("no panic").expect("played");
        assert_eq!((result.metadata.total_beats, result.metadata.errors.len()), (BEATS, 0));
    }
}

fn stage(remote: &Remote) -> Stage {
    stage_with(model(remote))
}

fn stage_with(model: Arc<dyn Model>) -> Stage {
    // The bare loop asks actors alone, and so do the scenes: a judge would be a fourth call.
    let stage = Stage::new("lead", model).judge(AdviserChoice::None).event_writer(AdviserChoice::None);
    CAST.iter().fold(stage, |stage, name| stage.sheet(*name, bare::sheet(name)))
}

fn model(remote: &Remote) -> Arc<dyn Model> {
    let settings = Settings {
        base_url: Some(remote.base_url().to_owned()),
        key: Some(ApiKey::new("sk-bench")),
        ..Settings::new(Provider::Anthropic, "claude-sonnet-4-5")
    };
    connect(settings).expect("a model")
}

fn config() -> SceneConfig {
    SceneConfig {
        name: "benchmark".into(),
        prompt: "They talk about everything and nothing.".into(),
        characters: CAST.map(str::to_owned).to_vec(),
        max_beats: Some(i64::from(BEATS)),
        ..SceneConfig::default()
    }
}

/// How long each beat took, from the moment its asks may leave to the moment it is known to have settled.
#[derive(Default)]
struct Beats {
    opened: Option<Instant>,
    took: Vec<Duration>,
}

impl Observer<SceneEvent> for Beats {
    fn on_facts(&mut self, facts: &[Fact<SceneEvent>]) -> Duration {
        for fact in facts {
            match fact.event {
                SceneEvent::BeatSettled { .. } => self.took.extend(self.opened.take().map(|at| at.elapsed())),
                SceneEvent::BeatOpened { .. } => self.opened = Some(Instant::now()),
                _ => {}
            }
        }
        Duration::ZERO
    }
}

fn beyond_slowest((took, asked): (&Duration, &[Timing])) -> Duration {
    took.saturating_sub(asked.iter().map(|call| call.took).max().unwrap_or_default())
}

/// Everyone is asked in every beat, and no beat opens before the last has settled.
fn by_beat(timings: &[Timing]) -> impl Iterator<Item = &[Timing]> {
    timings.chunks(CAST.len())
}

struct Spent {
    wall: Duration,
    cpu: Duration,
}

async fn measured(work: impl Future<Output = ()>) -> Spent {
    let (began, cpu) = (Instant::now(), processor_time());
    work.await;
    Spent { wall: began.elapsed(), cpu: processor_time().saturating_sub(cpu) }
}

/// What all threads of this process have used; the kernel counts in hundredths of a second.
fn processor_time() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    let ticks: u64 = fields.skip(11).take(2).filter_map(|field| field.parse::<u64>().ok()).sum();
    Duration::from_millis(ticks * 10)
}

fn at(sorted: &[Duration], percent: usize) -> Duration {
    sorted
        .get((sorted.len() * percent / 100).min(sorted.len().saturating_sub(1)))
        .copied()
        .unwrap_or_default()
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}
