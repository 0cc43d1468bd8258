//! Nodes that take runs from each other while they play them.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use enact_drama::RunId;
use enact_engine::{
    Log, Store,
    log::{Batch, Claim, Error, Status},
    store::Listing,
};
use enact_store::PostgresStore;
use enact_testkit::{in_time, until};
use proptest::prelude::*;
use tokio::task::JoinSet;

use super::{database, enqueue, frozen, node, numbers, record};

/// How many records make a run complete.
const LENGTH: u64 = 40;

proptest! {
    // Each case takes a second or so, in which hundreds of things happen at once.
    #![proptest_config(ProptestConfig { cases: 4, ..ProptestConfig::default() })]

    /// Whatever dies, and whenever: every seq is stored once, what was accepted is what is there, and all
    /// runs finish.
    #[test]
    fn each_seq_is_stored_once_however_often_nodes_are_taken_for_dead(
        nodes in 2..5usize,
        runs in 1..8usize,
        pauses in prop::collection::vec(1..60u64, 4..20),
    ) {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        runtime.block_on(async {
            in_time(compete(nodes, runs, pauses)).await;
        });
    }
}

async fn compete(nodes: usize, runs: usize, pauses: Vec<u64>) {
    let url = database::fresh().await;
    let onlooker = node(&url).await;
    let mut known = Vec::new();
    for _ in 0..runs {
        known.push(enqueue(&onlooker).await);
    }
    let over = Arc::new(AtomicBool::new(false));
    let mut playing = JoinSet::new();
    for number in 1..=nodes as u64 {
        let (store, over) = (Arc::new(frozen(&url).await), over.clone());
        playing.spawn(async move {
            let mut accepted = Vec::new();
            while !over.load(Ordering::SeqCst) {
                let mut acts = JoinSet::new();
                for claim in store.claim_waiting(2).await.unwrap() {
                    acts.spawn(play(store.clone(), claim, number));
                }
                accepted.extend(acts.join_all().await.into_iter().flatten());
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            accepted
        });
    }
    // Anybody is taken for dead at any moment, and for alive again; none of them knows.
    for pause in pauses {
        tokio::time::sleep(Duration::from_millis(pause)).await;
        set_leases(&url, "CASE WHEN random() < 0.5 THEN interval '0' ELSE interval '1 hour' END").await;
    }
    // A node that was taken for dead has lost its runs to another that plays them, so that all of them come
    // to their end.
    set_leases(&url, "interval '1 hour'").await;
    until(async || onlooker.list(&unfinished()).await.unwrap().is_empty()).await;
    over.store(true, Ordering::SeqCst);
    let mut accepted: Vec<(RunId, u64, u64)> = playing.join_all().await.into_iter().flatten().collect();
    accepted.sort();

    let mut there = Vec::new();
    for run in known {
        let bodies = numbers(&onlooker, run).await;
        assert_eq!(bodies.len() as u64, LENGTH);
        // The first was there before anybody played.
        there.extend(bodies.into_iter().zip(0..).skip(1).map(|(body, seq)| (run, seq, body)));
    }
    there.sort();
    assert_eq!(there, accepted);
}

async fn set_leases(url: &str, lasts: &str) {
    let sql = format!("UPDATE nodes SET expires_at = clock_timestamp() + {lasts}");
    database::run_sql(url, &sql).await;
}

fn unfinished() -> Listing {
    let statuses = vec![Status::Playing, Status::Waiting, Status::Interrupted];
    Listing { statuses, most: 1, ..Listing::default() }
}

/// Plays until the end or until another node does; says which records were accepted, and that it was this
/// node's.
async fn play(store: Arc<PostgresStore>, claim: Claim, number: u64) -> Vec<(RunId, u64, u64)> {
    let mut accepted = Vec::new();
    let mut next = numbers(&store, claim.run).await.len() as u64;
    while next < LENGTH {
        // Differs for each claim, so that each record shows who wrote it.
        let body = number * 1_000_000 + claim.epoch * 1_000 + next;
        let batch = Batch::of([record(next, body)]);
        let batch = if next + 1 == LENGTH { batch.ended("stalled") } else { batch };
        match store.append(&claim, batch).await {
            Ok(()) => accepted.push((claim.run, next, body)),
            Err(Error::Conflict(_)) => return accepted,
            Err(other) => panic!("{other}"),
        }
        next += 1;
    }
    store.release(claim).await.unwrap();
    accepted
}
