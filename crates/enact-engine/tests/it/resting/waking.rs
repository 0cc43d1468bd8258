//! What wakes a run, where it is played then, and that no command is lost or counted twice on the way.

use std::{sync::Arc, time::Duration};

use enact_drama::RunId;
use enact_engine::{
    Log, Store,
    log::{Claim, CommandId, Error, MemoryStore, Status},
    store::{Listing, Wake},
};
use enact_testkit::{FaultyStore, in_time, until};
use futures::future::join_all;

use super::counter::{Counter, CounterCommand, add, kinds, node, post, rests, submit, total};

/// Two ways to the same store, so that faults can differ.
fn two_stores() -> (Arc<MemoryStore>, Arc<FaultyStore>, Arc<FaultyStore>) {
    let log = Arc::new(MemoryStore::default());
    let store = || Arc::new(FaultyStore::before(log.clone()));
    (log.clone(), store(), store())
}

#[tokio::test(start_paused = true)]
async fn a_run_that_waits_for_a_command_is_nobodys_and_is_polled_by_nobody() {
    let store = Arc::new(FaultyStore::default());
    let node = node(&store, 1);
    let run = submit(&node).await;
    rests(&*store.inner, run).await;
    until(async || node.playing() == 0).await;
    let resting = Listing { statuses: vec![Status::Resting], most: 10, ..Listing::default() };
    let listed: Vec<RunId> = store.list(&resting).await.unwrap().into_iter().map(|run| run.run).collect();
    assert_eq!(listed, [run]);
    assert_eq!(serde_json::to_value(Status::Resting).unwrap(), "resting");

    let before = (store.reads(), store.claims());
    tokio::time::sleep(Duration::from_secs(3_600)).await;
    assert_eq!((store.reads(), store.claims()), before, "for an hour nothing looks at it");
    assert_eq!(store.inner.waiting(10).await.unwrap(), 0);
    assert_eq!(store.inner.claim_waiting(10).await.unwrap(), [], "it is in no queue");
    assert_eq!(kinds(&*store.inner, run).await, ["counter_began", "opened"]);
}

#[tokio::test(start_paused = true)]
async fn a_command_wakes_it_on_the_node_that_received_it() {
    let (log, first, second) = two_stores();
    let here = node(&first, 1);
    let run = submit(&here).await;
    rests(&*log, run).await;
    // From now on no node can claim from the queue.
    first.hold_claims();
    second.hold_claims();
    let there = node(&second, 1);
    let posted = tokio::time::Instant::now();
    post(&there, run, add(5)).await;
    until(async || total(&*log, run).await == 5).await;
    assert!(posted.elapsed() < Duration::from_millis(100), "{:?}", posted.elapsed());
    rests(&*log, run).await;
    assert_eq!(kinds(&*log, run).await, ["counter_began", "opened", "added"], "it need not be resumed");
    assert_eq!(log.inbox(run).await.unwrap(), []);
}

/// Whoever holds a run knows it as it was. What another node has added since is read before it is played.
#[tokio::test(start_paused = true)]
async fn a_run_that_was_held_meanwhile_goes_on_from_where_others_left_it() {
    // Fewer than are read at a time, and more.
    for times in [1, 300] {
        let (log, first, second) = two_stores();
        let (here, there) = (node(&first, 1), node(&second, 1));
        let run = submit(&here).await;
        rests(&*log, run).await;
        let held = here.hold::<Counter>(run).await.unwrap();
        assert_eq!(held.facts.len(), 2);
        post(&there, run, CounterCommand::Add { number: 1, times }).await;
        until(async || total(&*log, run).await == u64::from(times)).await;
        rests(&*log, run).await;
        let (reads, records) = (first.reads(), first.records_read());
        here.command_held(held, add(5)).await.unwrap();
        until(async || total(&*log, run).await == u64::from(times) + 5).await;
        rests(&*log, run).await;
        assert_eq!(first.records_read() - records, times as usize, "only what is new");
        assert!(first.reads() - reads <= 2);
        assert_eq!(kinds(&*log, run).await.len(), 3 + times as usize);
    }
}

/// What a node claimed without hearing of it is freed when it looks: others may have room for it.
#[tokio::test(start_paused = true)]
async fn a_node_without_room_looks_again_and_again() {
    let store = Arc::new(FaultyStore::default());
    let desk = node(&store, 0);
    submit(&desk).await;
    let before = store.looks();
    tokio::time::sleep(Duration::from_secs(10)).await;
    let looks = store.looks() - before;
    assert!((9..=11).contains(&looks), "{looks} times in ten seconds");
    assert_eq!((store.claims(), store.inner.waiting(10).await.unwrap()), (0, 1));
}

#[tokio::test(start_paused = true)]
async fn it_is_played_elsewhere_where_the_node_that_received_the_command_has_no_room() {
    let (log, first, second) = two_stores();
    let playing = node(&first, 1);
    let run = submit(&playing).await;
    rests(&*log, run).await;
    let claims = first.claims();
    let desk = node(&second, 0);
    post(&desk, run, add(5)).await;
    until(async || total(&*log, run).await == 5).await;
    assert_eq!((first.claims(), desk.playing()), (claims + 1, 0), "it waited in the queue");
    rests(&*log, run).await;

    // Without another node the command waits with its run.
    playing.stop().await;
    post(&desk, run, add(6)).await;
    let found = log.find(run).await.unwrap();
    assert_eq!((found.status, log.inbox(run).await.unwrap().len()), (Status::Waiting, 1));
    let _late = node(&first, 1);
    until(async || total(&*log, run).await == 11).await;
    rests(&*log, run).await;
}

#[tokio::test(start_paused = true)]
async fn a_command_that_this_version_cannot_read_keeps_no_run_from_resting() {
    let store = Arc::new(FaultyStore::default());
    let node = node(&store, 1);
    let run = submit(&node).await;
    rests(&*store.inner, run).await;
    let refused = node.command(run, r#"{"command":"multiply"}"#).await.unwrap_err().to_string();
    assert!(
        refused
            .starts_with("this is no command of a counter: command must be add or cancel, found 'multiply'"),
        "{refused}"
    );

    // A newer node has no such scruples.
    let newer = store.post(run, r#"{"command":"multiply"}"#.into(), Wake::Queue).await.unwrap();
    until(async || store.claims() == 2).await;
    rests(&*store.inner, run).await;
    until(async || node.playing() == 0).await;
    tokio::time::sleep(Duration::from_secs(3_600)).await;
    assert_eq!(store.claims(), 2, "it is tried once");
    let left: Vec<CommandId> = store.inbox(run).await.unwrap().iter().map(|posted| posted.id).collect();
    assert_eq!(left, [newer.id], "it stays for a version that knows it");

    post(&node, run, add(5)).await;
    until(async || total(&*store.inner, run).await == 5).await;
    rests(&*store.inner, run).await;
    assert_eq!(store.inbox(run).await.unwrap().len(), 1, "what came later is taken all the same");
    node.cancel(run).await.unwrap();
    until(async || store.find(run).await.unwrap().status == Status::Finished).await;
    assert_eq!(store.inbox(run).await.unwrap(), []);
}

#[tokio::test(start_paused = true)]
async fn a_process_that_dies_between_waking_and_its_first_append_loses_no_command() {
    let (log, first, second) = two_stores();
    let dying = node(&first, 1);
    let run = submit(&dying).await;
    rests(&*log, run).await;
    first.hold_appends();
    post(&dying, run, add(5)).await;
    let claimed = log.find(run).await.unwrap();
    assert_eq!((claimed.status, claimed.events), (Status::Playing, 2), "it is woken, and nothing is stored");
    tokio::time::sleep(Duration::from_millis(500)).await;

    // As if its lease had run out.
    log.release(Claim { run, epoch: 2 }).await.unwrap();
    let _living = node(&second, 1);
    until(async || total(&*log, run).await == 5).await;
    rests(&*log, run).await;
    // It was not dead after all, and finds out that it counts no longer.
    first.release_appends();
    until(async || dying.playing() == 0).await;
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert_eq!(total(&*log, run).await, 5);
    assert_eq!(kinds(&*log, run).await, ["counter_began", "opened", "added"]);
    assert_eq!(log.inbox(run).await.unwrap(), []);
}

#[tokio::test(start_paused = true)]
async fn a_command_whose_append_fails_is_taken_later() {
    let store = Arc::new(FaultyStore::default());
    let node = node(&store, 1);
    let run = submit(&node).await;
    rests(&*store.inner, run).await;
    store.fail_after_appends(0);
    post(&node, run, add(5)).await;
    until(async || store.find(run).await.unwrap().problem.is_some()).await;
    assert_eq!((total(&*store.inner, run).await, store.inbox(run).await.unwrap().len()), (0, 1));
    store.recover();
    until(async || total(&*store.inner, run).await == 5).await;
    rests(&*store.inner, run).await;
    assert_eq!(kinds(&*store.inner, run).await, ["counter_began", "opened", "added"]);
}

#[tokio::test(start_paused = true)]
async fn a_store_that_is_away_while_a_run_wants_to_rest_holds_it_up_and_nothing_more() {
    let store = Arc::new(FaultyStore::default());
    let node = node(&store, 1);
    let run = submit(&node).await;
    rests(&*store.inner, run).await;
    store.hold_appends();
    post(&node, run, add(5)).await;
    tokio::time::sleep(Duration::from_millis(10)).await;
    store.fail();
    store.release_appends();
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert_eq!(store.inner.find(run).await.unwrap().status, Status::Playing, "it could not be given up");
    store.recover();
    rests(&*store.inner, run).await;
    assert_eq!(total(&*store.inner, run).await, 5);
}

#[tokio::test(start_paused = true)]
async fn commands_that_came_before_a_run_was_set_going_do_not_set_it_going() {
    let store = Arc::new(FaultyStore::default());
    let desk = node(&store, 0);
    let run = submit(&desk).await;
    post(&desk, run, add(5)).await;
    // A process stores what follows from the command, and dies before it has begun.
    store.fail_after_appends(1);
    let playing = node(&store, 1);
    until(async || store.find(run).await.unwrap().problem.is_some()).await;
    assert_eq!(kinds(&*store.inner, run).await, ["counter_began", "added"]);
    store.recover();
    rests(&*store.inner, run).await;
    assert_eq!(kinds(&*store.inner, run).await, ["counter_began", "added", "opened"]);
    until(async || playing.playing() == 0).await;
}

#[tokio::test(start_paused = true)]
async fn a_resting_run_can_be_deleted_and_cancelled() {
    let store = Arc::new(MemoryStore::default());
    let node = node(&store, 1);
    let (gone, over) = (submit(&node).await, submit(&node).await);
    rests(&*store, gone).await;
    rests(&*store, over).await;
    node.delete(gone).await.unwrap();
    assert!(matches!(node.cancel(gone).await, Err(enact_engine::node::Error::Log(Error::NotFound(_)))));
    node.cancel(over).await.unwrap();
    until(async || store.find(over).await.unwrap().status == Status::Finished).await;
    assert_eq!(store.find(over).await.unwrap().reason.as_deref(), Some("cancelled"));
    assert!(matches!(node.cancel(over).await, Err(enact_engine::node::Error::Log(Error::Ended(_)))));
}

const WRITERS: u64 = 8;
const COMMANDS: u64 = 50;

/// On real threads: whether a run rests is decided while commands arrive, again and again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_command_of_many_writers_on_many_nodes_counts_once() {
    let log = Arc::new(MemoryStore::default());
    let nodes = [1, 1, 0].map(|runs| node(&Arc::new(FaultyStore::before(log.clone())), runs));
    let run = submit(&nodes[0]).await;
    let write = |writer: u64| {
        let (node, log) = (nodes[writer as usize % nodes.len()].clone(), log.clone());
        tokio::spawn(async move {
            for _ in 0..COMMANDS {
                post(&node, run, add(1)).await;
                // Some wait until it rests, so that it is woken more than once.
                while writer.is_multiple_of(2) && !log.inbox(run).await.unwrap().is_empty() {
                    tokio::task::yield_now().await;
                }
            }
        })
    };
    for written in in_time(join_all((0..WRITERS).map(write))).await {
        written.unwrap();
    }
    until(async || total(&*log, run).await == WRITERS * COMMANDS).await;
    rests(&*log, run).await;
    let kinds = kinds(&*log, run).await;
    assert_eq!(kinds.iter().filter(|kind| *kind == "added").count() as u64, WRITERS * COMMANDS);
    assert_eq!(kinds.iter().filter(|kind| *kind == "opened").count(), 1);
    for node in nodes {
        until(async || node.playing() == 0).await;
    }
}
