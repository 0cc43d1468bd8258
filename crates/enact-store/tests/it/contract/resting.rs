//! Runs that wait for a command, and what wakes them up.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use enact_drama::{RunId, Seq};
use enact_engine::{
    Store,
    log::{Batch, Claim, CommandId, Error, Status},
    store::{Listing, Notification, Wake},
};
use proptest::prelude::*;
use tokio::task::JoinSet;
use uuid::Uuid;

use super::{Stage, begin, command, enqueue, records, shown, stored, with_body};

pub(crate) async fn a_resting_run_is_found_by_no_poll(stage: Stage) {
    let claim = resting(&stage).await;
    for store in [&stage.first, &stage.second] {
        assert_eq!(store.find(claim.run).await.unwrap().status, Status::Resting);
        assert_eq!(store.waiting(10).await.unwrap(), 0);
        assert!(store.claim_waiting(10).await.unwrap().is_empty());
        assert!(store.inboxes().await.unwrap().is_empty());
        for status in
            [Status::Waiting, Status::Playing, Status::Resting, Status::Interrupted, Status::Finished]
        {
            let wanted = Listing { statuses: vec![status], most: 10, ..Listing::default() };
            let listed = store.list(&wanted).await.unwrap();
            assert_eq!(listed.len(), usize::from(status == Status::Resting), "{status:?}");
            assert!(listed.iter().all(|run| wanted.wants(run)), "{listed:?}");
        }
        let all = Listing { most: 10, ..Listing::default() };
        let any = Listing { statuses: vec![Status::Finished, Status::Resting], ..all.clone() };
        assert_eq!(store.list(&all).await.unwrap().len(), 1);
        assert_eq!(store.list(&any).await.unwrap(), store.list(&all).await.unwrap());
    }
}

pub(crate) async fn who_lets_a_run_rest_has_given_it_up(stage: Stage) {
    let claim = resting(&stage).await;
    gives_nothing(&*stage.first, &claim).await;
    // Nor is it given up twice.
    stage.first.release(claim).await.unwrap();
    stage.first.requeue(claim, "too late", Duration::from_secs(3600)).await.unwrap();
    let found = stage.second.find(claim.run).await.unwrap();
    assert_eq!((found.status, found.problem), (Status::Resting, None));
    assert_eq!(stored(&*stage.first, claim.run).await, shown(&records(0..2)));
}

pub(crate) async fn a_command_wakes_a_run_for_who_posts_it(stage: Stage) {
    let old = resting(&stage).await;
    let run = old.run;
    let posted = stage.second.post(run, command("go"), Wake::Claim).await.unwrap();
    let claim = posted.claim.unwrap();
    assert!(claim.run == run && claim.epoch > old.epoch, "{claim:?} after {old:?}");
    assert_eq!(stage.first.find(run).await.unwrap().status, Status::Playing);
    assert_eq!(ids(&*stage.second, run).await, [posted.id]);
    assert_eq!(stage.second.inboxes().await.unwrap(), stage.second.inbox(run).await.unwrap());
    assert!(matches!(stage.first.claim(run).await, Err(Error::Busy(_))));
    gives_nothing(&*stage.first, &old).await;
    stage.second.append(&claim, Batch::of(records([2])).taken(posted.id)).await.unwrap();
    assert!(stage.second.rest(claim, Some(posted.id)).await.unwrap());
    assert_eq!(stage.first.find(run).await.unwrap().status, Status::Resting);
    gives_nothing(&*stage.second, &claim).await;
}

pub(crate) async fn a_command_wakes_a_run_for_any_node(stage: Stage) {
    let old = resting(&stage).await;
    let run = old.run;
    let posted = stage.first.post(run, command("go"), Wake::Queue).await.unwrap();
    assert_eq!(posted.claim, None);
    assert_eq!(stage.second.find(run).await.unwrap().status, Status::Waiting);
    assert_eq!(stage.second.waiting(10).await.unwrap(), 1);
    gives_nothing(&*stage.first, &old).await;
    let [claim] = stage.second.claim_waiting(10).await.unwrap()[..] else { panic!("it waits") };
    assert!(claim.run == run && claim.epoch > old.epoch, "{claim:?} after {old:?}");
    gives_nothing(&*stage.first, &old).await;
    assert_eq!(ids(&*stage.second, run).await, [posted.id]);
    stage.second.append(&claim, Batch::of(records([2])).taken(posted.id)).await.unwrap();
}

pub(crate) async fn what_was_woken_is_played_by_others_when_it_is_given_up(stage: Stage) {
    for (number, wake) in [Wake::Claim, Wake::Queue].into_iter().enumerate() {
        // Begun by hand, and so in no queue until then.
        let claim = begin(&*stage.first).await;
        stage.first.append(&claim, Batch::of(records([0]))).await.unwrap();
        assert!(stage.first.rest(claim, None).await.unwrap());
        let posted = stage.first.post(claim.run, command("go"), wake).await.unwrap();
        assert_eq!(posted.claim.is_some(), number == 0);
        if let Some(claim) = posted.claim {
            assert!(stage.second.claim_waiting(10).await.unwrap().is_empty(), "it is played");
            stage.first.release(claim).await.unwrap();
        }
        let [taken_over] = stage.second.claim_waiting(10).await.unwrap()[..] else { panic!("it waits") };
        assert_eq!(taken_over.run, claim.run);
        assert_eq!(ids(&*stage.second, claim.run).await, [posted.id]);
    }
}

pub(crate) async fn a_run_that_does_not_rest_is_not_claimed_by_a_command(stage: Stage) {
    let waiting = enqueue(&*stage.first).await;
    let playing = begin(&*stage.first).await;
    let mut news = stage.second.notifications();
    for run in [waiting, playing.run] {
        let posted = stage.second.post(run, command("go"), Wake::Claim).await.unwrap();
        assert_eq!(posted.claim, None);
        // What others did before may be heard meanwhile.
        let heard = async { while news.recv().await.unwrap() != Notification::CommandPosted(run) {} };
        tokio::time::timeout(Duration::from_secs(60), heard).await.unwrap();
    }
    assert_eq!(stage.first.find(waiting).await.unwrap().status, Status::Waiting);
    stage.first.append(&playing, Batch::of(records([0]))).await.unwrap();
}

pub(crate) async fn others_hear_of_a_run_that_waits_for_them(stage: Stage) {
    let one = resting(&stage).await;
    let mut news = stage.first.notifications();
    stage.first.post(one.run, command("go"), Wake::Queue).await.unwrap();
    assert_eq!(news.recv().await.unwrap(), Notification::RunQueued);
    let [claim] = stage.first.claim_waiting(10).await.unwrap()[..] else { panic!("it waits") };
    assert!(stage.first.rest(claim, newest(&*stage.first, one.run).await).await.unwrap());
    stage.first.post(one.run, command("go"), Wake::Claim).await.unwrap();
    assert!(news.is_empty(), "who posted plays it, and there is nothing to do for others");
}

pub(crate) async fn a_run_does_not_rest_while_a_command_waits(stage: Stage) {
    let run = enqueue(&*stage.first).await;
    let [claim] = stage.first.claim_waiting(1).await.unwrap()[..] else { panic!("one waits") };
    let first = stage.second.post(run, command("one"), Wake::Claim).await.unwrap().id;
    assert!(!stage.first.rest(claim, None).await.unwrap());
    assert_eq!(stage.second.find(run).await.unwrap().status, Status::Playing);
    stage.first.append(&claim, Batch::of(records([1])).taken(first)).await.unwrap();
    let second = stage.second.post(run, command("two"), Wake::Claim).await.unwrap().id;
    assert!(!stage.first.rest(claim, Some(first)).await.unwrap());
    // Nothing was given up: it plays on.
    stage.first.append(&claim, Batch::of(records([2]))).await.unwrap();
    // A command that its player has seen and leaves for later does not keep it awake, nor does that of
    // another run.
    let other = begin(&*stage.first).await;
    stage.first.post(other.run, command("three"), Wake::Queue).await.unwrap();
    assert!(stage.first.rest(claim, Some(second)).await.unwrap());
    assert_eq!(stage.second.find(run).await.unwrap().status, Status::Resting);
    assert_eq!(ids(&*stage.first, run).await, [second]);
    let woken = stage.second.post(run, command("four"), Wake::Claim).await.unwrap();
    assert_eq!(ids(&*stage.first, run).await, [second, woken.id]);
    assert!(woken.claim.is_some());
}

pub(crate) async fn only_the_newest_claim_lets_a_run_rest(stage: Stage) {
    let run = enqueue(&*stage.first).await;
    let old = stage.first.claim(run).await.unwrap();
    stage.first.release(old).await.unwrap();
    assert!(matches!(stage.first.rest(old, None).await, Err(Error::Conflict(of)) if of == run));
    let new = stage.second.claim(run).await.unwrap();
    assert!(matches!(stage.first.rest(old, None).await, Err(Error::Conflict(of)) if of == run));
    stage.second.append(&new, Batch::of(records([1]))).await.unwrap();
    let nowhere = Claim { run: RunId(Uuid::now_v7()), ..new };
    assert!(matches!(stage.second.rest(nowhere, None).await, Err(Error::NotFound(of)) if of == nowhere.run));
}

pub(crate) async fn what_has_ended_does_not_rest(stage: Stage) {
    let claim = begin(&*stage.first).await;
    stage.first.append(&claim, Batch::of(records([0])).ended("stalled")).await.unwrap();
    assert!(stage.first.rest(claim, None).await.unwrap(), "it is given up all the same");
    assert_eq!(stage.second.find(claim.run).await.unwrap().status, Status::Finished);
    let late = stage.second.post(claim.run, command("go"), Wake::Claim).await;
    assert!(matches!(late, Err(Error::Ended(_))), "{late:?}");
    let wanted = Listing { statuses: vec![Status::Resting], most: 10, ..Listing::default() };
    assert!(stage.second.list(&wanted).await.unwrap().is_empty());
}

pub(crate) async fn a_resting_run_is_claimed_by_name_and_removed_like_others(stage: Stage) {
    let old = resting(&stage).await;
    let claim = stage.second.claim(old.run).await.unwrap();
    assert!(claim.epoch > old.epoch);
    assert_eq!(stage.first.find(old.run).await.unwrap().status, Status::Playing);
    gives_nothing(&*stage.first, &old).await;
    assert!(stage.second.rest(claim, None).await.unwrap());
    stage.first.delete(old.run).await.unwrap();
    assert!(matches!(stage.second.find(old.run).await, Err(Error::NotFound(_))));
}

/// A process that resumes a run by name may fail before it appends anything. The run is not lost with it.
pub(crate) async fn a_resting_run_that_was_claimed_by_name_and_given_up_can_be_woken(stage: Stage) {
    for wake in [Wake::Claim, Wake::Queue] {
        // Begun by hand, and so in no queue before it rested.
        let old = begin(&*stage.first).await;
        stage.first.append(&old, Batch::of(records([0]))).await.unwrap();
        assert!(stage.first.rest(old, None).await.unwrap());
        let by_name = stage.first.claim(old.run).await.unwrap();
        assert!(stage.second.claim_waiting(10).await.unwrap().is_empty(), "it is played");
        stage.first.release(by_name).await.unwrap();
        assert_eq!(stage.second.find(old.run).await.unwrap().status, Status::Waiting);
        let posted = stage.second.post(old.run, command("go"), wake).await.unwrap();
        assert_eq!(posted.claim, None, "it does not rest, and waits for any node");
        let [claim] = stage.second.claim_waiting(10).await.unwrap()[..] else { panic!("it waits") };
        assert!(claim.run == old.run && claim.epoch > by_name.epoch, "{claim:?} after {by_name:?}");
        stage.second.append(&claim, Batch::of(records([1])).taken(posted.id)).await.unwrap();
        // Once it rests it is in no queue again, and a command wakes it.
        assert!(stage.second.rest(claim, Some(posted.id)).await.unwrap());
        assert!(stage.first.claim_waiting(10).await.unwrap().is_empty());
        let posted = stage.first.post(old.run, command("go"), wake).await.unwrap();
        assert_eq!(posted.claim.is_some(), wake == Wake::Claim);
        if posted.claim.is_none() {
            assert_eq!(stage.first.claim_waiting(10).await.unwrap().len(), 1);
        }
    }
}

pub(crate) async fn a_run_that_never_rested_stays_out_of_the_queue_when_it_is_claimed_by_name(stage: Stage) {
    let by_hand = begin(&*stage.first).await;
    stage.first.append(&by_hand, Batch::of(records([0]))).await.unwrap();
    stage.first.release(by_hand).await.unwrap();
    let again = stage.first.claim(by_hand.run).await.unwrap();
    stage.first.release(again).await.unwrap();
    assert_eq!(stage.second.find(by_hand.run).await.unwrap().status, Status::Interrupted);
    assert!(stage.second.claim_waiting(10).await.unwrap().is_empty());
}

pub(crate) async fn of_many_who_post_at_once_one_wakes_the_run(stage: Stage) {
    let old = resting(&stage).await;
    let mut posting = JoinSet::new();
    for store in [&stage.first, &stage.second].into_iter().cycle().take(20) {
        let store = store.clone();
        posting.spawn(async move { store.post(old.run, command("go"), Wake::Claim).await.unwrap() });
    }
    let posted = posting.join_all().await;
    assert_eq!(posted.iter().filter(|posted| posted.claim.is_some()).count(), 1, "{posted:?}");
    let mut expected: Vec<_> = posted.iter().map(|posted| posted.id).collect();
    expected.sort();
    assert_eq!(ids(&*stage.first, old.run).await, expected);
}

/// Appends of many runs and their rests, sent together, come in the order in which they were sent.
pub(crate) async fn many_runs_rest_and_wake_at_once(stage: Stage) {
    let mut playing = JoinSet::new();
    for _ in 0..40 {
        let store = stage.first.clone();
        playing.spawn(async move {
            let mut claim = begin(&*store).await;
            for seq in 0..5 {
                let (appended, rested) =
                    tokio::join!(store.append(&claim, Batch::of(records([seq]))), store.rest(claim, None));
                assert!(appended.is_ok() && rested.unwrap(), "{appended:?}");
                let posted = store.post(claim.run, command("go"), Wake::Claim).await.unwrap();
                claim = posted.claim.unwrap();
                store.append(&claim, Batch::default().taken(posted.id)).await.unwrap();
            }
            assert_eq!(stored(&*store, claim.run).await, shown(&records(0..5)));
        });
    }
    playing.join_all().await;
}

/// What each of those who post does, one after the other: a `true` plays a run that it wakes, and a `false`
/// leaves that to any node.
pub(crate) fn scripts() -> impl Strategy<Value = Vec<Vec<bool>>> {
    prop::collection::vec(prop::collection::vec(any::<bool>(), 1..8), 1..5)
}

/// Whenever commands are posted, however often their run comes to rest meanwhile: each is answered once and
/// in order, and the run rests with nothing in its inbox.
pub(crate) async fn no_command_is_lost_when_runs_rest(stage: Stage, scripts: Vec<Vec<bool>>) {
    let run = resting(&stage).await.run;
    let is_over = Arc::new(AtomicBool::new(false));
    let mut nodes = JoinSet::new();
    for store in [&stage.first, &stage.second] {
        nodes.spawn(play_what_waits(store.clone(), is_over.clone()));
    }
    let mut posting = JoinSet::new();
    for (script, store) in scripts.into_iter().zip([&stage.first, &stage.second].into_iter().cycle()) {
        posting.spawn(post_all(store.clone(), run, script));
    }
    let mut expected: Vec<CommandId> = posting.join_all().await.into_iter().flatten().collect();
    expected.sort();
    let deadline = tokio::time::Instant::now() + Duration::from_secs(60);
    while stage.first.find(run).await.unwrap().status != Status::Resting {
        assert!(tokio::time::Instant::now() < deadline, "it never comes to rest");
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    // Nothing is posted any more, so what rests now rests for ever.
    assert_eq!(ids(&*stage.first, run).await, [], "a command was left in a resting run");
    is_over.store(true, Ordering::SeqCst);
    nodes.join_all().await;
    let log = stage.second.read(run, Seq(2)).await.unwrap();
    let answered: Vec<_> = log.iter().map(|record| CommandId(record.body.get().parse().unwrap())).collect();
    assert_eq!(answered, expected);
}

async fn post_all(store: Arc<dyn Store>, run: RunId, script: Vec<bool>) -> Vec<CommandId> {
    let mut posted_ids = Vec::new();
    for claims in script {
        let wake = if claims { Wake::Claim } else { Wake::Queue };
        let posted = store.post(run, command("go"), wake).await.unwrap();
        posted_ids.push(posted.id);
        if let Some(claim) = posted.claim {
            answer(&*store, claim).await;
        }
    }
    posted_ids
}

async fn play_what_waits(store: Arc<dyn Store>, is_over: Arc<AtomicBool>) {
    while !is_over.load(Ordering::SeqCst) {
        for claim in store.claim_waiting(5).await.unwrap() {
            answer(&*store, claim).await;
        }
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

/// Answers what is in the inbox until the run can rest.
async fn answer(store: &dyn Store, claim: Claim) {
    let mut next = store.find(claim.run).await.unwrap().events;
    let mut seen = None;
    loop {
        for posted in store.inbox(claim.run).await.unwrap() {
            let batch = Batch::of([with_body(next, &posted.id.0.to_string())]).taken(posted.id);
            store.append(&claim, batch).await.unwrap();
            (next, seen) = (next + 1, Some(posted.id));
        }
        if store.rest(claim, seen).await.unwrap() {
            return;
        }
    }
}

/// A run with two records that rests, and the claim that let it.
async fn resting(stage: &Stage) -> Claim {
    let run = enqueue(&*stage.first).await;
    let [claim] = stage.first.claim_waiting(1).await.unwrap()[..] else { panic!("one waits") };
    assert_eq!(claim.run, run);
    stage.first.append(&claim, Batch::of(records([1]))).await.unwrap();
    assert!(stage.first.rest(claim, None).await.unwrap());
    claim
}

/// What was given up or taken over stores nothing and rests no more.
async fn gives_nothing(store: &dyn Store, old: &Claim) {
    for batch in [Batch::of(records([2])), Batch::default(), Batch::of(records([2])).ended("stalled")] {
        let late = store.append(old, batch).await;
        assert!(matches!(late, Err(Error::Conflict(run)) if run == old.run), "{late:?}");
    }
    let late = store.rest(*old, Some(CommandId(u64::MAX >> 1))).await;
    assert!(matches!(late, Err(Error::Conflict(run)) if run == old.run), "{late:?}");
}

async fn newest(store: &dyn Store, run: RunId) -> Option<CommandId> {
    ids(store, run).await.last().copied()
}

async fn ids(store: &dyn Store, run: RunId) -> Vec<CommandId> {
    store.inbox(run).await.unwrap().iter().map(|posted| posted.id).collect()
}
