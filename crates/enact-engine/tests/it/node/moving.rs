//! Everything at once, on real threads: nodes come and go, runs and those who follow them move between them.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use enact_drama::{RunId, Seq};
use enact_engine::{Log, Node, log::MemoryStore, node::FollowEvent};
use enact_testkit::{FaultyStore, in_time};

use super::house::{House, Timed, kinds, node, scene};
use crate::submitting::submit;

const RUNS: usize = 40;
const CHANGES: usize = 12;

/// The nodes there are now.
type Nodes = Arc<Mutex<Vec<Node>>>;

/// Follows a run from node to node; returns how many records it saw.
async fn follow(nodes: Nodes, run: RunId, mut pick: usize) -> u64 {
    let mut next = Seq(0);
    loop {
        let node = {
            let nodes = nodes.lock().unwrap();
            nodes[pick % nodes.len()].clone()
        };
        pick += 1;
        let mut follower = node.follow(run, next).await.unwrap();
        loop {
            match follower.next().await.unwrap() {
                Some(FollowEvent::Records(records)) => {
                    for record in records {
                        assert_eq!(record.seq, next, "nothing is missed and nothing comes twice");
                        next = next.next();
                    }
                }
                Some(FollowEvent::Delta(_)) => {}
                Some(FollowEvent::Closed) => break,
                None => return next.0,
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nodes_come_and_go_and_nothing_is_lost() {
    let log = Arc::new(MemoryStore::default());
    let house = House::with(Timed { takes: Duration::from_millis(5), ..Timed::default() });
    let start = || node(&Arc::new(FaultyStore::before(log.clone())), &house);
    let nodes: Nodes = Arc::new(Mutex::new(vec![start(), start(), start()]));
    let first = nodes.lock().unwrap()[0].clone();
    let mut following = Vec::new();
    for place in 0..RUNS {
        let run = submit(&first, scene(40)).await;
        following.push((run, tokio::spawn(follow(nodes.clone(), run, place))));
    }
    let change = async {
        for change in 0..CHANGES {
            tokio::time::sleep(Duration::from_millis(20)).await;
            let new = start();
            let old = {
                let mut nodes = nodes.lock().unwrap();
                let place = change % nodes.len();
                std::mem::replace(&mut nodes[place], new)
            };
            old.stop().await;
            assert_eq!(old.playing(), 0);
        }
    };
    in_time(change).await;
    let mut resumed = 0;
    for (run, following) in following {
        let seen = in_time(following).await.unwrap();
        let records: Vec<_> = log.read(run, Seq(0)).await.unwrap().into_iter().map(Arc::new).collect();
        assert_eq!(seen as usize, records.len());
        let kinds = kinds(&records);
        assert_eq!((kinds["ended"], kinds["beat_opened"], kinds["beat_settled"]), (1, 40, 40));
        resumed += kinds.get("resumed").copied().unwrap_or_default();
    }
    assert!(resumed > RUNS, "runs have moved: {resumed}");
}
