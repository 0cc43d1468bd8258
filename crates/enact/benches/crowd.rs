//! A thousand scenes at once in one process, with SQLite: how near to the ideal, and how much memory each.
//!
//! The ideal is what the slowest scene takes if nothing but its actors costs time. The bar is 10 % above that, and
//! 100 KiB a scene.

#![expect(clippy::print_stdout, reason = "a benchmark prints what it measured")]

mod cast;

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use cast::{config, stage};
use enact_drama::dice::Dice;
use enact_engine::Stage;
use enact_store::SqliteStore;
use enact_testkit::memory_kib;

const BEATS: u32 = 20;
/// Played before memory is measured, so that what all scenes share is there: connections, statements, threads.
const FIRST: u64 = 20;
const ACTORS: [&str; 3] = ["alice", "bob", "charlie"];

/// One second, give or take 20 %.
fn about_a_second(seed: u64, actor: &str, beat: u32) -> Duration {
    Duration::from_millis(800 + Dice::new(seed, actor, beat).below(401) as u64)
}

#[tokio::main]
async fn main() {
    // `cargo bench -- --test` only wants to see that it works.
    let scenes: u64 = if std::env::args().any(|arg| arg == "--test") { 5 } else { 1000 };
    let beats = if scenes == 5 { 2 } else { BEATS };
    let ideal = (0..scenes)
        .map(|seed| (0..beats).map(|beat| slowest(seed, beat)).sum())
        .max()
        .unwrap_or(Duration::ZERO);

    let folder = tempfile::tempdir().expect("a folder");
    let log = Arc::new(SqliteStore::open(folder.path()).await.expect("a log"));
    let empty_kib = memory_kib("self", "VmRSS").unwrap_or(0) as u64;
    play(stage(|_, _, _| Duration::ZERO).store(log.clone()), FIRST, beats).await;
    let before_kib = memory_kib("self", "VmRSS").unwrap_or(0) as u64;
    let began = Instant::now();
    play(stage(about_a_second).store(log), scenes, beats).await;
    let took = began.elapsed();
    let peak_kib = memory_kib("self", "VmHWM").unwrap_or(0) as u64;
    // The first scenes may have left memory that others use now, so as many fewer are counted.
    let each_kib = peak_kib.saturating_sub(before_kib) / scenes.saturating_sub(FIRST).max(1);
    let shared_kib = peak_kib.saturating_sub(empty_kib) / scenes;
    println!("{scenes} scenes at once, {beats} beats, {} actors, SQLite log", ACTORS.len());
    println!(
        "  wall time {:.2} s, ideal {:.2} s: {:+.1} %",
        took.as_secs_f64(),
        ideal.as_secs_f64(),
        (took.as_secs_f64() / ideal.as_secs_f64() - 1.0) * 100.0
    );
    println!("  memory at the peak: {each_kib} KiB a scene, {shared_kib} KiB with what all of them share");
}

/// Plays so many scenes at once. Their results are dropped as they come: a thousand transcripts that are
/// kept until the last scene is over would be the caller's memory.
async fn play(stage: Stage, scenes: u64, beats: u32) {
    let stage = Arc::new(stage);
    let playing: Vec<_> = (0..scenes)
        .map(|seed| {
            let stage = stage.clone();
            tokio::spawn(async move {
                let result = stage.run_scene(config(ACTORS.len(), beats, seed)).await.expect("played");
                assert_eq!((result.metadata.total_beats, result.metadata.errors.len()), (beats, 0));
            })
        })
        .collect();
    for scene in playing {
        scene.await.expect("no panic");
    }
}

fn slowest(seed: u64, beat: u32) -> Duration {
    ACTORS.iter().map(|actor| about_a_second(seed, actor, beat)).max().unwrap_or(Duration::ZERO)
}
