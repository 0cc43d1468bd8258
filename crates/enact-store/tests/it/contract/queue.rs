//! Runs that wait to be played, and who gets them.

use std::{
    collections::HashSet,
    time::{Duration, Instant},
};

use enact_drama::RunId;
use enact_engine::{
    log::{Batch, Claim, Error, NewRun, Status},
    store::Notification,
};
use tokio::task::JoinSet;

use super::{Stage, begin, enqueue, new_run, records, shown, stored, submission};

/// Longer than any test lasts.
const FOR_NOW: Duration = Duration::from_secs(3_600);

pub(crate) async fn a_run_that_is_enqueued_waits_with_its_records(stage: Stage) {
    let parent = enqueue(&*stage.first).await;
    let new = NewRun { parent: Some(parent), ..new_run() };
    stage.first.enqueue(submission(new.clone(), records(0..3))).await.unwrap();
    for store in [&stage.first, &stage.second] {
        let found = store.find(new.run).await.unwrap();
        assert_eq!((found.status, found.events, found.parent), (Status::Waiting, 3, Some(parent)));
        assert_eq!((found.name, found.started_at, found.reason), (new.name.clone(), new.at, None));
        assert_eq!(stored(&**store, new.run).await, shown(&records(0..3)));
    }
}

pub(crate) async fn a_run_is_enqueued_once(stage: Stage) {
    let new = new_run();
    stage.first.enqueue(submission(new.clone(), records(0..2))).await.unwrap();
    let again = stage.second.enqueue(submission(new.clone(), records(0..5))).await;
    assert!(matches!(again, Err(Error::Conflict(run)) if run == new.run), "{again:?}");
    assert_eq!(stored(&*stage.first, new.run).await.len(), 2);
    assert_eq!(stage.first.claim_waiting(10).await.unwrap().len(), 1);
}

pub(crate) async fn a_queue_takes_no_log_with_gaps(stage: Stage) {
    for gap in [vec![1], vec![0, 2], vec![0, 0]] {
        let new = new_run();
        let outcome = stage.first.enqueue(submission(new.clone(), records(gap))).await;
        assert!(matches!(outcome, Err(Error::Conflict(run)) if run == new.run), "{outcome:?}");
        assert!(matches!(stage.first.find(new.run).await, Err(Error::NotFound(_))));
    }
    assert!(stage.first.claim_waiting(10).await.unwrap().is_empty());
}

pub(crate) async fn the_oldest_is_claimed_first(stage: Stage) {
    let mut waiting = Vec::new();
    for store in [&stage.first, &stage.second].into_iter().cycle().take(5) {
        waiting.push(enqueue(&**store).await);
    }
    assert!(stage.first.claim_waiting(0).await.unwrap().is_empty());
    assert_eq!(counted(&stage, 100).await, 5);
    assert_eq!((counted(&stage, 3).await, counted(&stage, 0).await), (3, 0), "counting ends there");
    assert_eq!(runs(&stage.first.claim_waiting(2).await.unwrap()), waiting[..2]);
    assert_eq!(counted(&stage, 100).await, 3);
    assert_eq!(runs(&stage.second.claim_waiting(10).await.unwrap()), waiting[2..]);
    assert!(stage.first.claim_waiting(10).await.unwrap().is_empty());
    assert_eq!(counted(&stage, 100).await, 0);
}

async fn counted(stage: &Stage, at_most: usize) -> usize {
    stage.second.waiting(at_most).await.unwrap()
}

pub(crate) async fn what_was_claimed_is_played_and_waits_again_when_it_is_released(stage: Stage) {
    let run = enqueue(&*stage.first).await;
    let [first] = stage.first.claim_waiting(10).await.unwrap()[..] else { panic!("one waits") };
    assert_eq!(status(&stage, run).await, Status::Playing);
    assert!(matches!(stage.second.claim(run).await, Err(Error::Busy(_))));
    stage.first.append(&first, Batch::of(records([1]))).await.unwrap();
    stage.first.release(first).await.unwrap();
    assert_eq!(status(&stage, run).await, Status::Waiting);

    let [second] = stage.second.claim_waiting(10).await.unwrap()[..] else { panic!("it waits again") };
    assert!(second.epoch > first.epoch);
    let late = stage.first.append(&first, Batch::of(records([2]))).await;
    assert!(matches!(late, Err(Error::Conflict(_))), "{late:?}");
    stage.second.append(&second, Batch::of(records([2])).ended("stalled")).await.unwrap();
    stage.second.release(second).await.unwrap();
    assert_eq!(status(&stage, run).await, Status::Finished);
    assert!(stage.first.claim_waiting(10).await.unwrap().is_empty(), "what has ended waits for nobody");
    assert_eq!(stored(&*stage.first, run).await, shown(&records(0..3)));
}

pub(crate) async fn a_run_is_taken_out_of_the_queue_by_name_too(stage: Stage) {
    let run = enqueue(&*stage.first).await;
    let claim = stage.second.claim(run).await.unwrap();
    assert!(stage.first.claim_waiting(10).await.unwrap().is_empty());
    stage.second.release(claim).await.unwrap();
    assert_eq!(runs(&stage.first.claim_waiting(10).await.unwrap()), [run]);
}

pub(crate) async fn what_was_begun_by_hand_is_in_no_queue(stage: Stage) {
    let claim = begin(&*stage.first).await;
    stage.first.append(&claim, Batch::of(records([0]))).await.unwrap();
    stage.first.release(claim).await.unwrap();
    assert_eq!(status(&stage, claim.run).await, Status::Interrupted);
    assert!(stage.first.claim_waiting(10).await.unwrap().is_empty());
}

pub(crate) async fn of_many_who_claim_at_once_each_run_goes_to_one(stage: Stage) {
    let mut waiting = HashSet::new();
    for _ in 0..50 {
        waiting.insert(enqueue(&*stage.first).await);
    }
    let mut claiming = JoinSet::new();
    for store in [&stage.first, &stage.second].into_iter().cycle().take(20) {
        let store = store.clone();
        claiming.spawn(async move { store.claim_waiting(3).await.unwrap() });
    }
    let claims: Vec<Claim> = claiming.join_all().await.into_iter().flatten().collect();
    let claimed: HashSet<RunId> = claims.iter().map(|claim| claim.run).collect();
    assert_eq!(claimed.len(), claims.len(), "none was given to two");
    // A claimer may skip rows that another has locked; the next claim finds them.
    let rest = stage.first.claim_waiting(50).await.unwrap();
    assert_eq!(claimed.len() + rest.len(), waiting.len());
    assert_eq!(claimed.into_iter().chain(runs(&rest)).collect::<HashSet<_>>(), waiting);
}

pub(crate) async fn what_is_put_back_says_why_and_waits(stage: Stage) {
    let run = enqueue(&*stage.first).await;
    let [claim] = stage.first.claim_waiting(1).await.unwrap()[..] else { panic!("one waits") };
    stage.first.requeue(claim, "its model is missing", FOR_NOW).await.unwrap();
    let found = stage.second.find(run).await.unwrap();
    assert_eq!((found.status, found.problem.as_deref()), (Status::Waiting, Some("its model is missing")));
    assert!(stage.first.claim_waiting(10).await.unwrap().is_empty());
    assert!(stage.second.claim_waiting(10).await.unwrap().is_empty());
    let late = stage.first.append(&claim, Batch::of(records([1]))).await;
    assert!(matches!(late, Err(Error::Conflict(_))), "{late:?}");

    // A claim by id ignores the back-off.
    let claim = stage.second.claim(run).await.unwrap();
    let found = stage.first.find(run).await.unwrap();
    assert_eq!((found.status, found.problem), (Status::Playing, None), "it does not wait any more");
    stage.second.requeue(claim, "again", Duration::ZERO).await.unwrap();
    assert_eq!(runs(&stage.first.claim_waiting(10).await.unwrap()), [run]);
}

pub(crate) async fn what_was_put_back_comes_back_when_its_pause_is_over(stage: Stage) {
    const PAUSE: Duration = Duration::from_millis(60);
    /// Stores may count in whole milliseconds.
    const ROUNDING: Duration = Duration::from_millis(2);
    let run = enqueue(&*stage.first).await;
    let [claim] = stage.first.claim_waiting(1).await.unwrap()[..] else { panic!("one waits") };
    let start = Instant::now();
    stage.first.requeue(claim, "busy", PAUSE).await.unwrap();
    loop {
        let claims = stage.second.claim_waiting(1).await.unwrap();
        if !claims.is_empty() {
            assert_eq!(runs(&claims), [run]);
            break;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert!(start.elapsed() + ROUNDING >= PAUSE, "after {:?}", start.elapsed());
}

pub(crate) async fn an_old_claim_puts_nothing_back(stage: Stage) {
    let run = enqueue(&*stage.first).await;
    let [old] = stage.first.claim_waiting(1).await.unwrap()[..] else { panic!("one waits") };
    stage.first.release(old).await.unwrap();
    let [new] = stage.second.claim_waiting(1).await.unwrap()[..] else { panic!("it waits again") };
    stage.first.requeue(old, "too late", FOR_NOW).await.unwrap();
    let found = stage.first.find(run).await.unwrap();
    assert_eq!((found.status, found.problem), (Status::Playing, None));
    stage.second.append(&new, Batch::of(records([1]))).await.unwrap();
}

/// Notifications are hints and may get lost: a listener that also polls finds every waiting run.
pub(crate) async fn who_waits_for_news_finds_what_waits(stage: Stage) {
    let mut news = stage.second.notifications();
    let looking = stage.second.clone();
    let claimed = tokio::spawn(async move {
        loop {
            let claims = looking.claim_waiting(1).await.unwrap();
            if let [claim] = claims[..] {
                return claim.run;
            }
            let _ = tokio::time::timeout(Duration::from_millis(200), news.recv()).await;
        }
    });
    let run = enqueue(&*stage.first).await;
    assert_eq!(claimed.await.unwrap(), run);
}

/// A run that is put back is announced, so that idle nodes need not poll for it.
pub(crate) async fn a_run_that_is_given_up_is_news_if_it_waits(stage: Stage) {
    let run = enqueue(&*stage.first).await;
    let [claim] = stage.first.claim_waiting(1).await.unwrap()[..] else { panic!("one waits") };
    let by_hand = begin(&*stage.first).await;
    let mut news = stage.first.notifications();
    stage.first.release(by_hand).await.unwrap();
    assert!(news.is_empty(), "nobody finds it in the queue");
    stage.first.release(claim).await.unwrap();
    assert_eq!(news.recv().await.unwrap(), Notification::RunQueued);
    let [claim] = stage.first.claim_waiting(1).await.unwrap()[..] else { panic!("it waits again") };
    stage.first.append(&claim, Batch::of(records([1])).ended("stalled")).await.unwrap();
    stage.first.release(claim).await.unwrap();
    while let Ok(news) = news.try_recv() {
        assert_ne!(news, Notification::RunQueued, "{run} is over");
    }
}

async fn status(stage: &Stage, run: RunId) -> Status {
    let status = stage.first.find(run).await.unwrap().status;
    assert_eq!(stage.second.find(run).await.unwrap().status, status, "all see the same");
    status
}

fn runs(claims: &[Claim]) -> Vec<RunId> {
    claims.iter().map(|claim| claim.run).collect()
}
