//! Following: live, late, again, at another speed, and at what cost.

use std::{sync::Arc, time::Duration};

use enact_drama::{
    CallId, Record, RunId, Seq,
    scene::{SceneEvent, raw_answer},
};
use enact_engine::{
    Log,
    log::{Batch, Error, MemoryStore},
    node::{FollowEvent, Speed},
};
use enact_testkit::FaultyStore;
use tokio::time::Instant;

use super::house::{House, Timed, follow_to_end, limited, node, played, scene};
use crate::submitting::{about, submit};

#[tokio::test(start_paused = true)]
async fn a_run_can_be_followed_from_any_seq_while_it_is_played_and_afterwards() {
    let store = Arc::new(MemoryStore::default());
    let node = node(&store, &House::with(Timed::seconds(1)));
    let run = submit(&node, scene(30)).await;
    let mut followers = Vec::new();
    for from in 0..40 {
        followers.push(node.follow(run, Seq(from)).await.unwrap());
    }
    let together = futures::future::join_all(followers.iter_mut().map(follow_to_end)).await;
    let whole = together[0].len();
    assert!(whole > 200, "more than a ring holds: {whole}");
    for (from, seen) in together.iter().enumerate() {
        assert_eq!(seen.len(), whole - from);
    }
    for from in [0, 1, 17, whole - 1, whole, whole + 5] {
        let mut again = node.follow(run, Seq(from as u64)).await.unwrap();
        assert_eq!(follow_to_end(&mut again).await.len(), whole.saturating_sub(from), "from {from}");
    }
}

#[tokio::test(start_paused = true)]
async fn nobody_can_follow_what_does_not_exist() {
    let store = Arc::new(MemoryStore::default());
    let node = node(&store, &House::empty());
    let unknown = scene(1).run;
    assert!(matches!(node.follow(unknown, Seq(0)).await, Err(Error::NotFound(run)) if run == unknown));
}

#[tokio::test(start_paused = true)]
async fn whoever_keeps_up_with_a_run_played_here_never_reads_the_store() {
    let store = Arc::new(FaultyStore::default());
    let model = Timed::seconds(1);
    let node = node(&store, &House::with(model.clone()));
    let run = submit(&node, scene(50)).await;
    model.asked(2).await;
    let mut follower = node.follow(run, Seq(0)).await.unwrap();
    let Some(FollowEvent::Records(_)) = follower.next().await.unwrap() else { panic!("it has begun") };
    let reads = store.reads();
    follow_to_end(&mut follower).await;
    assert_eq!(store.reads(), reads);
}

#[tokio::test(start_paused = true)]
async fn however_many_follow_a_run_played_elsewhere_the_store_is_read_once() {
    let log = Arc::new(MemoryStore::default());
    let (here, watching) =
        (Arc::new(FaultyStore::before(log.clone())), Arc::new(FaultyStore::before(log.clone())));
    let player = node(&here, &House::with(Timed::seconds(1)));
    let audience = limited(&watching, &House::empty(), 0);
    let run = submit(&player, scene(20)).await;
    let mut followers = Vec::new();
    for _ in 0..100 {
        followers.push(audience.follow(run, Seq(0)).await.unwrap());
    }
    let reads = watching.reads();
    let seen = futures::future::join_all(followers.iter_mut().map(follow_to_end)).await;
    assert!(seen.iter().all(|records| records.len() == seen[0].len()));
    let reads = watching.reads() - reads;
    assert!(reads < 2 * seen[0].len(), "{reads} reads for {} records", seen[0].len());
}

#[tokio::test(start_paused = true)]
async fn live_text_comes_before_the_reply_that_it_becomes() {
    let store = Arc::new(MemoryStore::default());
    let node = node(&store, &House::with(Timed::seconds(2)));
    let run = submit(&node, scene(3)).await;
    let mut follower = node.follow(run, Seq(0)).await.unwrap();
    let mut said: Vec<(CallId, String)> = Vec::new();
    let mut replies = 0;
    while let Some(seen) = follower.next().await.unwrap() {
        match seen {
            FollowEvent::Delta(delta) => match said.iter_mut().find(|(call, _)| *call == delta.call) {
                Some((_, text)) => text.push_str(&delta.text),
                None => said.push((delta.call, delta.text.clone())),
            },
            FollowEvent::Records(records) => {
                for record in records {
                    if let SceneEvent::Replied { call, raw, reply, .. } = record.fact().unwrap().event {
                        let at = said.iter().position(|(said, _)| *said == call).expect("it was heard");
                        assert_eq!(said.remove(at).1, raw_answer(&raw, &reply));
                        replies += 1;
                    }
                }
            }
            FollowEvent::Closed => panic!("the node has stopped"),
        }
    }
    assert_eq!((replies, said), (6, Vec::new()), "nothing is heard of a reply that is known");
}

/// A run that was played before, its records so many milliseconds apart.
async fn past(store: &MemoryStore, kinds: &[(&str, i64)]) -> RunId {
    let run = scene(1).run;
    let claim = store.create(about(run)).await.unwrap();
    let mut at = 1_700_000_000_000;
    let mut records = Vec::new();
    for (seq, (kind, after_ms)) in kinds.iter().enumerate() {
        at += after_ms;
        let text = format!(r#"{{"seq":{seq},"at":{at},"kind":"{kind}","v":1,"body":{{}}}}"#);
        records.push(serde_json::from_str::<Record>(&text).unwrap());
    }
    store.append(&claim, Batch::of(records).ended("stalled")).await.unwrap();
    store.release(claim).await.unwrap();
    run
}

#[tokio::test(start_paused = true)]
async fn what_was_played_before_is_shown_with_its_pauses() {
    let store = Arc::new(MemoryStore::default());
    let node = node(&store, &House::empty());
    let run = past(
        &store,
        &[
            ("began", 0),
            ("beat_opened", 9_000),
            ("asked", 0),
            ("replied", 4_000),
            ("line_added", 0),
            ("resumed", 3_600_000),
            ("replied", 2_000),
            ("paused", 500),
            ("continued", 3_600_000),
            ("ended", 1_500),
        ],
    )
    .await;
    for (speed, from, expected) in [
        (1.0, 0, "0: 0 1 2, 4000: 3 4 5, 6000: 6, 6500: 7, 36500: 8, 38000: 9"),
        (2.0, 0, "0: 0 1 2, 2000: 3 4 5, 3000: 6, 3250: 7, 33250: 8, 34000: 9"),
        (1.0, 8, "0: 8, 1500: 9"),
    ] {
        let mut follower = node.follow(run, Seq(from)).await.unwrap().at(Speed::new(speed).unwrap());
        let (began, mut shown) = (Instant::now(), Vec::new());
        while let Some(seen) = follower.next().await.unwrap() {
            let FollowEvent::Records(records) = seen else { panic!("{seen:?}") };
            assert_eq!(follower.next_seq(), records.last().unwrap().seq.next());
            let seqs: Vec<String> = records.iter().map(|record| record.seq.0.to_string()).collect();
            shown.push(format!("{}: {}", began.elapsed().as_millis(), seqs.join(" ")));
        }
        assert_eq!(shown.join(", "), expected, "at {speed} from {from}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_replay_is_cut_short_when_the_node_stops_and_goes_on_where_it_was() {
    let store = Arc::new(MemoryStore::default());
    let first = node(&store, &House::empty());
    let run = past(&store, &[("began", 0), ("asked", 0), ("replied", 20_000), ("ended", 0)]).await;
    let mut follower = first.follow(run, Seq(0)).await.unwrap().at(Speed::new(1.0).unwrap());
    assert!(
        matches!(follower.next().await.unwrap(), Some(FollowEvent::Records(records)) if records.len() == 2)
    );
    let began = Instant::now();
    let (seen, ()) = tokio::join!(follower.next(), async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        first.stop().await;
    });
    assert!(matches!(seen.unwrap(), Some(FollowEvent::Closed)));
    assert_eq!((began.elapsed().as_secs(), follower.next_seq()), (1, Seq(2)));
    assert_eq!(played(&node(&store, &House::empty()), run).await.len(), 4);
}
