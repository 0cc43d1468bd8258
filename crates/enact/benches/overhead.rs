//! What the engine adds to a beat: five actors that answer at once, so that all time is overhead.
//!
//! Divide by the beats of the scene: the bar is 200 µs a beat with a log in memory, 1 ms with SQLite.

mod cast;

use std::{hint::black_box, sync::Arc, time::Duration};

use cast::{config, stage};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use enact_drama::{
    Fact, Production, Record, Seq,
    production::Report,
    record::read_facts,
    scene::report::{SceneReport, transcript},
    scene::{Scene, SceneEvent},
};
use enact_engine::Log;
use enact_store::SqliteStore;
use tokio::runtime::Runtime;

const ACTORS: usize = 5;
const BEATS: u32 = 20;

fn at_once(_: u64, _: &str, _: u32) -> Duration {
    Duration::ZERO
}

fn overhead(criterion: &mut Criterion) {
    let runtime = Runtime::new().expect("a runtime");
    let mut group = criterion.benchmark_group("overhead per beat, 5 actors");
    group.throughput(Throughput::Elements(u64::from(BEATS))).sample_size(20);
    group.bench_function("memory log", |bencher| {
        bencher.iter(|| {
            runtime.block_on(async {
                let result = stage(at_once).run_scene(config(ACTORS, BEATS, 1)).await.expect("played");
                assert_eq!(result.metadata.total_beats, BEATS);
            });
        });
    });
    let folder = tempfile::tempdir().expect("a folder");
    let log = Arc::new(runtime.block_on(SqliteStore::open(folder.path())).expect("a log"));
    group.bench_function("SQLite log", |bencher| {
        bencher.iter(|| {
            runtime.block_on(async {
                let stage = stage(at_once).store(log.clone());
                let result = stage.run_scene(config(ACTORS, BEATS, 1)).await.expect("played");
                assert_eq!(result.metadata.total_beats, BEATS);
            });
        });
    });
    group.finish();
}

/// Replaying a 50-beat log in process: records read, folded, and the transcript written. The bar is 10 ms.
fn replay(criterion: &mut Criterion) {
    let runtime = Runtime::new().expect("a runtime");
    let records: Vec<Record> = runtime.block_on(async {
        let log = Arc::new(enact_engine::log::MemoryStore::default());
        let result = stage(at_once).store(log.clone()).run_scene(config(3, 50, 1)).await.expect("played");
        log.read(result.metadata.run_id, Seq(0)).await.expect("read")
    });
    criterion.bench_function("replay 50 beats, 3 actors", |bencher| {
        bencher.iter(|| {
            let facts: Vec<Fact<SceneEvent>> = read_facts(&records).expect("readable");
            let mut scene = Scene::begin(&facts[0]).expect("a scene");
            facts[1..].iter().for_each(|fact| scene.apply(fact));
            assert!(scene.ended().is_some());
            black_box(transcript(&SceneReport::of(&facts).expect("a story")))
        });
    });
}

criterion_group!(benches, overhead, replay);
criterion_main!(benches);
