//! The memory that each followed run costs. In a process of its own, because the whole process is measured.

use std::sync::Arc;

use async_trait::async_trait;
use enact_drama::{Problem, Record, RunId, Seq};
use enact_engine::{
    Log, Models, Node,
    log::{Batch, Claim, MemoryStore},
    node::{FollowEvent, Follower, NodeLimits, ResourceProvider},
};
use enact_testkit::{memory_kib, run_in_own_process};
use uuid::Uuid;

use crate::submitting::{about, productions};

const RUNS: usize = 2_000;
/// More than is kept at hand.
const RECORDS: u64 = 100;
const BODY: usize = 300;
/// The most that a run with one follower may take.
const KIB_EACH: usize = 20;

#[derive(Debug)]
struct NoModels;

#[async_trait]
impl ResourceProvider for NoModels {
    async fn models(&self, _: &[enact_drama::production::Player]) -> Result<Models, Problem> {
        Err(Problem::config("nobody plays"))
    }
}

fn record(seq: u64) -> Record {
    let body = "x".repeat(BODY);
    let text = format!(r#"{{"seq":{seq},"at":0,"kind":"asked","v":1,"body":"{body}"}}"#);
    serde_json::from_str(&text).unwrap()
}

/// A run that is being played elsewhere.
async fn begun(store: &MemoryStore) -> Claim {
    let run = RunId(Uuid::now_v7());
    let claim = store.create(about(run)).await.unwrap();
    store.append(&claim, Batch::of([record(0)])).await.unwrap();
    claim
}

async fn see(follower: &mut Follower, next: u64) {
    while follower.next_seq().0 < next {
        assert!(matches!(follower.next().await.unwrap(), Some(FollowEvent::Records(_))));
    }
}

#[tokio::test]
async fn a_run_that_is_followed_takes_little_memory() {
    if run_in_own_process("following_memory::a_run_that_is_followed_takes_little_memory") {
        return;
    }
    let store = Arc::new(MemoryStore::default());
    let node = Node::start(
        store.clone(),
        Arc::new(NoModels),
        productions(),
        NodeLimits { runs: 0, ..NodeLimits::default() },
    );
    let mut claims = Vec::new();
    for _ in 0..RUNS {
        let claim = begun(&store).await;
        store.append(&claim, Batch::of((1..RECORDS).map(record))).await.unwrap();
        claims.push(claim);
    }
    let before = memory_kib("self", "VmRSS").unwrap();
    let mut followers = Vec::new();
    for claim in &claims {
        let mut follower = node.follow(claim.run, Seq(0)).await.unwrap();
        see(&mut follower, RECORDS).await;
        followers.push(follower);
    }
    let each = (memory_kib("self", "VmRSS").unwrap() - before) / RUNS;
    assert!((1..=KIB_EACH).contains(&each), "{each} KiB");
}
