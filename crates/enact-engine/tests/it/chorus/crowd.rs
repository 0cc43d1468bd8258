//! Many choruses at once.

use std::{sync::Arc, time::Duration};

use enact_drama::{
    Record, Seq,
    chorus::{ChorusEvent, report::ChorusClientEvents},
    production::ClientEvents,
};
use enact_engine::{Log, log::MemoryStore};
use enact_testkit::test_chorus::{Agents, TestChorus, TestVoice};
use futures::future::join_all;

use super::{
    conversations::chat,
    found::Found,
    node::{node, to_end},
};

const CHORUSES: usize = 50;
const FOLLOWERS: usize = 3;

#[tokio::test(start_paused = true)]
async fn of_many_at_once_nothing_is_lost_and_nothing_repeated() {
    let folder = tempfile::tempdir().unwrap();
    let store = Arc::new(MemoryStore::default());
    let agents = Agents::taking([30, 10, 20, 10, 40, 0].map(Duration::from_millis));
    let test_chorus = TestChorus::new(folder.path(), agents, TestVoice::after(Duration::from_millis(15)));
    // Those who follow sit at both nodes, whichever of them plays.
    let nodes = [node(&store, &test_chorus), node(&store, &test_chorus)];
    let play = |number: usize| {
        let (nodes, store, test_chorus) = (&nodes, &store, &test_chorus);
        async move {
            let run = chat(&nodes[0], test_chorus, &number.to_string()).await;
            let followers = (0..FOLLOWERS).map(|place| async move {
                let mut follower = nodes[place % 2].follow(run, Seq(0)).await.unwrap();
                to_end(&mut follower).await
            });
            let seen = join_all(followers).await;
            let kept = store.read(run, Seq(0)).await.unwrap();
            let told = told(&kept);
            for seen in seen {
                assert_eq!(self::told(&seen), told);
            }
            (run, kept)
        }
    };
    for (run, records) in join_all((0..CHORUSES).map(play)).await {
        let found = Found::of(&records);
        assert!(found.is_whole(6, 2), "{found:?}");
        found.check_files(&folder.path().join("artifacts"), run);
    }
}

/// What clients hear, with the seq of each.
fn told(records: &[Record]) -> Vec<String> {
    let facts: Vec<_> = records.iter().map(|record| record.fact::<ChorusEvent>().unwrap()).collect();
    let mut client = ChorusClientEvents::begin(&facts[0]).expect("it begins with its setup");
    let events = facts.iter().filter_map(|fact| Some((fact.seq.0, client.on_fact(fact)?)));
    events.map(|(seq, event)| format!("{seq} {} {}", event.name, event.data)).collect()
}
