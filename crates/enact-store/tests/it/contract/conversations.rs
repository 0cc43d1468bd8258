//! Runs that follow each other: one at a time, and each after the one it was made ready for.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering::SeqCst},
};

use enact_drama::RunId;
use enact_engine::{
    Store,
    log::{Batch, Error, NewRun, Status},
    store::{Conversation, ConversationHead, Enqueued, LONGEST_NAME, NextRun, Notification, Submission},
};
use tokio::task::JoinSet;

use super::{Stage, idempotency_keys::idempotency_key, new_run, records, shown, stored, submission};

pub(crate) async fn a_conversation_goes_from_run_to_run(stage: Stage) {
    let of = named("ann", "tea");
    assert_eq!(stands(&stage, &of).await, None);
    let mut after = None;
    for _ in 0..3 {
        let (run, outcome) = converse(&*stage.first, &of, after).await;
        assert_eq!(outcome, Enqueued::New);
        after = Some(ConversationHead { run, cleared: false });
        assert_eq!(stands(&stage, &of).await, after);
        let found = stage.second.find(run).await.unwrap();
        assert_eq!((found.status, found.events), (Status::Waiting, 2));
        assert_eq!(stored(&*stage.second, run).await, shown(&records(0..2)));
        end(&*stage.second, run).await;
        assert_eq!(stands(&stage, &of).await, after, "its newest run is that also once it is over");
    }
}

pub(crate) async fn a_conversation_is_busy_until_its_newest_run_has_ended(stage: Stage) {
    let of = named("ann", "tea");
    let (run, _) = converse(&*stage.first, &of, None).await;
    let after = stands(&stage, &of).await;
    let refused = async |why| {
        for store in [&stage.first, &stage.second] {
            let (next, outcome) = converse(&**store, &of, after).await;
            assert_eq!(outcome, Enqueued::Busy(run), "{why}");
            assert!(matches!(store.find(next).await, Err(Error::NotFound(_))), "{why}: nothing is made");
        }
        assert_eq!(stands(&stage, &of).await, after, "{why}");
    };
    refused("it waits").await;
    let [claim] = stage.first.claim_waiting(10).await.unwrap()[..] else { panic!("one waits") };
    refused("it is played").await;
    stage.first.append(&claim, Batch::of(records([2]))).await.unwrap();
    stage.first.release(claim).await.unwrap();
    refused("it was given up").await;
    let claim = stage.second.claim(run).await.unwrap();
    stage.second.append(&claim, Batch::of(records([3])).ended("done")).await.unwrap();
    // The run counts as ended at once, before its owner releases the claim.
    assert_eq!(converse(&*stage.first, &of, after).await.1, Enqueued::New);
}

pub(crate) async fn who_was_made_ready_for_another_run_comes_too_late(stage: Stage) {
    let of = named("ann", "tea");
    let (first, _) = converse(&*stage.first, &of, None).await;
    end(&*stage.first, first).await;
    let after_first = stands(&stage, &of).await;
    assert_eq!(converse(&*stage.second, &of, None).await.1, Enqueued::Busy(first), "it has begun");
    let (second, _) = converse(&*stage.first, &of, after_first).await;
    end(&*stage.first, second).await;
    let late = converse(&*stage.second, &of, after_first).await;
    assert_eq!(late.1, Enqueued::Busy(second), "it has gone on");
    let elsewhere = Some(ConversationHead { run: RunId(uuid::Uuid::now_v7()), cleared: false });
    assert_eq!(converse(&*stage.second, &of, elsewhere).await.1, Enqueued::Busy(second));
}

pub(crate) async fn conversations_know_nothing_of_each_other(stage: Stage) {
    let longest = "\u{1f3ad}".repeat(LONGEST_NAME);
    let names = [
        ("", ""),
        ("", "tea"),
        ("tea", ""),
        ("ann", "tea"),
        ("ann", "Tea"),
        ("ann", "tea "),
        ("bob", "tea"),
        ("ann", "t\0ea"),
        ("ann", "t"),
        ("ann", r"t\0ea"),
        ("ann", r"t\\0ea"),
        ("ann", "t\\\0ea"),
        ("an\0n", "tea"),
        ("ann", "té"),
        ("ann", "te\u{301}"),
        ("ann", "'; DROP TABLE runs; --"),
        (&longest, &longest),
        (&longest, &"\0".repeat(LONGEST_NAME)),
    ];
    let mut begun = Vec::new();
    for (owner, name) in names {
        let of = named(owner, name);
        let (run, outcome) = converse(&*stage.first, &of, None).await;
        assert_eq!(outcome, Enqueued::New, "{of:?}");
        begun.push((of, run));
    }
    stage.second.clear(&begun[3].0).await.unwrap();
    for (number, (of, run)) in begun.iter().enumerate() {
        assert_eq!(
            stands(&stage, of).await,
            Some(ConversationHead { run: *run, cleared: number == 3 }),
            "{of:?}"
        );
    }
}

pub(crate) async fn a_cleared_conversation_begins_anew_with_its_next_run(stage: Stage) {
    let of = named("ann", "tea");
    assert_eq!(stage.first.clear(&of).await.unwrap(), None, "there was nothing to clear");
    let (first, _) = converse(&*stage.first, &of, None).await;
    let before = stands(&stage, &of).await.unwrap();
    // Also while its newest run is played, and that goes on.
    let claim = stage.first.claim(first).await.unwrap();
    assert_eq!(stage.second.clear(&of).await.unwrap(), Some(before));
    let cleared = ConversationHead { cleared: true, ..before };
    assert_eq!(stands(&stage, &of).await, Some(cleared));
    assert_eq!(stage.first.clear(&of).await.unwrap(), Some(cleared), "it was cleared before");
    // Who was made ready before it was cleared has to wait for what it follows.
    assert_eq!(converse(&*stage.first, &of, Some(before)).await.1, Enqueued::Busy(first));
    assert_eq!(stands(&stage, &of).await, Some(cleared), "who is refused changes nothing");
    let (second, outcome) = converse(&*stage.second, &of, Some(cleared)).await;
    assert_eq!(outcome, Enqueued::New, "who begins anew has nothing to wait for");
    let head = ConversationHead { run: second, cleared: false };
    assert_eq!(stands(&stage, &of).await, Some(head));
    assert_eq!(converse(&*stage.second, &of, Some(cleared)).await.1, Enqueued::Busy(second));

    assert_eq!(stage.second.find(first).await.unwrap().status, Status::Playing);
    stage.first.append(&claim, Batch::of(records([2])).ended("done")).await.unwrap();
    assert_eq!(stands(&stage, &of).await, Some(head), "an earlier run ends without a trace");
}

pub(crate) async fn what_is_cleared_while_the_next_run_is_made_ready_stays_cleared(stage: Stage) {
    let of = named("ann", "tea");
    let (first, _) = converse(&*stage.first, &of, None).await;
    end(&*stage.first, first).await;
    let seen = stands(&stage, &of).await;
    stage.second.clear(&of).await.unwrap();
    let (second, outcome) = converse(&*stage.first, &of, seen).await;
    assert_eq!(outcome, Enqueued::New);
    assert_eq!(stands(&stage, &of).await, Some(ConversationHead { run: second, cleared: true }));
}

pub(crate) async fn a_removed_run_leaves_no_conversation(stage: Stage) {
    let (of, other) = (named("ann", "tea"), named("ann", "coffee"));
    let (run, _) = converse(&*stage.first, &of, None).await;
    converse(&*stage.first, &other, None).await;
    let seen = stands(&stage, &of).await;
    stage.second.delete(run).await.unwrap();
    assert_eq!(stands(&stage, &of).await, None);
    assert!(stands(&stage, &other).await.is_some());
    assert_eq!(stage.first.clear(&of).await.unwrap(), None);
    // A turn that was prepared to follow the deleted run starts a new conversation.
    let (second, outcome) = converse(&*stage.first, &of, seen).await;
    assert_eq!(outcome, Enqueued::New);
    end(&*stage.first, second).await;
    let (third, _) = converse(&*stage.first, &of, stands(&stage, &of).await).await;
    // An earlier run is not what it stands at.
    stage.first.delete(second).await.unwrap();
    assert_eq!(stands(&stage, &of).await, Some(ConversationHead { run: third, cleared: false }));
}

pub(crate) async fn an_order_is_recognised_however_busy_its_conversation_is(stage: Stage) {
    let of = named("ann", "tea");
    let place = async |store: &dyn Store, of: &Conversation, digest| {
        let (new, next) = (new_run(), NextRun { of: of.clone(), after: None });
        let outcome = store
            .enqueue(Submission {
                idempotency_key: Some(idempotency_key("ann", "1", digest)),
                next: Some(next),
                ..submission(new.clone(), records(0..2))
            })
            .await;
        (new.run, outcome.unwrap())
    };
    let (run, outcome) = place(&*stage.first, &of, "a").await;
    assert_eq!(outcome, Enqueued::New);
    for state in ["busy", "over"] {
        for of in [&of, &named("ann", "coffee")] {
            assert_eq!(place(&*stage.second, of, "a").await.1, Enqueued::AlreadyQueued(run), "{state}");
            assert_eq!(place(&*stage.second, of, "b").await.1, Enqueued::KeyReused, "{state}");
        }
        assert_eq!(stands(&stage, &of).await, Some(ConversationHead { run, cleared: false }));
        assert_eq!(stands(&stage, &named("ann", "coffee")).await, None);
        if state == "busy" {
            end(&*stage.first, run).await;
        }
    }
    assert_eq!(
        stage.first.find_submitted(&idempotency_key("ann", "1", "a")).await.unwrap(),
        Some(Enqueued::AlreadyQueued(run))
    );
}

pub(crate) async fn who_is_refused_leaves_nothing_behind(stage: Stage) {
    let (of, other) = (named("ann", "tea"), named("ann", "coffee"));
    let (run, _) = converse(&*stage.first, &of, None).await;
    let next = |of: &Conversation| NextRun { of: of.clone(), after: None };
    let key = Some(idempotency_key("ann", "1", "a"));
    let busy = stage
        .second
        .enqueue(Submission {
            idempotency_key: key.clone(),
            next: Some(next(&of)),
            ..submission(new_run(), records(0..2))
        })
        .await;
    assert_eq!(busy.unwrap(), Enqueued::Busy(run));
    let taken = NewRun { run, ..new_run() };
    let conflict = stage
        .second
        .enqueue(Submission {
            idempotency_key: key.clone(),
            next: Some(next(&other)),
            ..submission(taken, records(0..2))
        })
        .await;
    assert!(matches!(conflict, Err(Error::Conflict(id)) if id == run), "{conflict:?}");
    let gap = stage
        .second
        .enqueue(Submission {
            idempotency_key: key.clone(),
            next: Some(next(&other)),
            ..submission(new_run(), records([1]))
        })
        .await;
    assert!(matches!(gap, Err(Error::Conflict(_))), "{gap:?}");
    assert_eq!(stands(&stage, &other).await, None);
    assert_eq!(
        stage.first.find_submitted(&idempotency_key("ann", "1", "a")).await.unwrap(),
        None,
        "the key is free"
    );
    assert_eq!(stage.first.waiting(10).await.unwrap(), 1);
    let free = stage
        .second
        .enqueue(Submission {
            idempotency_key: key,
            next: Some(next(&other)),
            ..submission(new_run(), records(0..2))
        })
        .await;
    assert_eq!(free.unwrap(), Enqueued::New);
}

pub(crate) async fn of_many_who_begin_a_conversation_at_once_one_does(stage: Stage) {
    for round in 0..5 {
        let of = named("ann", &format!("round {round}"));
        let outcomes = crowd(&stage, &of, None).await;
        one_made_it(&stage, &of, &outcomes).await;
    }
    assert_eq!(stage.first.waiting(100).await.unwrap(), 5);
}

pub(crate) async fn of_many_who_go_on_with_a_conversation_at_once_one_does(stage: Stage) {
    let of = named("ann", "tea");
    let (first, _) = converse(&*stage.first, &of, None).await;
    end(&*stage.first, first).await;
    for _ in 0..5 {
        let outcomes = crowd(&stage, &of, stands(&stage, &of).await).await;
        let made = one_made_it(&stage, &of, &outcomes).await;
        end(&*stage.second, made).await;
    }
}

pub(crate) async fn of_many_who_repeat_an_order_at_once_one_begins_a_conversation(stage: Stage) {
    let of = named("ann", "tea");
    let mut conversing = JoinSet::new();
    for store in [&stage.first, &stage.second].into_iter().cycle().take(20) {
        let (store, next) = (store.clone(), NextRun { of: of.clone(), after: None });
        conversing.spawn(async move {
            let new = new_run();
            let order = Some(idempotency_key("ann", "1", "a"));
            (
                new.run,
                store
                    .enqueue(Submission {
                        idempotency_key: order,
                        next: Some(next),
                        ..submission(new, records(0..2))
                    })
                    .await
                    .unwrap(),
            )
        });
    }
    let outcomes = conversing.join_all().await;
    let made: Vec<RunId> =
        outcomes.iter().filter(|(_, outcome)| *outcome == Enqueued::New).map(|(run, _)| *run).collect();
    let [made] = made[..] else { panic!("{outcomes:?}") };
    let repeated =
        |(run, outcome): &(RunId, Enqueued)| *run == made || *outcome == Enqueued::AlreadyQueued(made);
    assert!(outcomes.iter().all(repeated), "{outcomes:?}");
    assert_eq!(stands(&stage, &of).await, Some(ConversationHead { run: made, cleared: false }));
}

/// Those who talk, clear, remove and play all at once: no run is lost, and no two are ever open in one
/// conversation.
pub(crate) async fn a_conversation_survives_a_crowd(stage: Stage) {
    const EACH: usize = 15;
    let of = named("ann", "tea");
    let (begun, done) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let mut crowd = JoinSet::new();
    for (number, store) in [&stage.first, &stage.second].into_iter().cycle().take(6).enumerate() {
        let (store, of, begun, done) = (store.clone(), of.clone(), begun.clone(), done.clone());
        crowd.spawn(async move {
            let mut made = Vec::new();
            for step in 0..EACH {
                let cleared_before = done.load(SeqCst);
                let seen = store.conversation(&of).await.unwrap();
                let (run, outcome) = converse(&*store, &of, seen).await;
                if outcome == Enqueued::New {
                    let newest = store.conversation(&of).await.unwrap().map(|talk| talk.run);
                    let cleared = begun.load(SeqCst) > cleared_before;
                    assert!(
                        newest == Some(run) || cleared,
                        "nobody goes on before it has ended or was cleared"
                    );
                    if (number + step).is_multiple_of(3) {
                        store.delete(run).await.unwrap();
                    } else {
                        end(&*store, run).await;
                        made.push(run);
                    }
                } else {
                    begun.fetch_add(1, SeqCst);
                    store.clear(&of).await.unwrap();
                    done.fetch_add(1, SeqCst);
                }
            }
            made
        });
    }
    let made: Vec<RunId> = crowd.join_all().await.into_iter().flatten().collect();
    assert!(!made.is_empty());
    for run in made {
        assert_eq!(stage.first.find(run).await.unwrap().status, Status::Finished);
    }
    assert_eq!(stage.first.waiting(10).await.unwrap(), 0);
}

pub(crate) async fn who_waits_for_news_finds_the_next_run(stage: Stage) {
    let mut news = stage.first.notifications();
    let (run, _) = converse(&*stage.first, &named("ann", "tea"), None).await;
    while news.recv().await.unwrap() != Notification::RunQueued {}
    assert_eq!(stage.first.claim_waiting(1).await.unwrap()[0].run, run);
}

/// Twenty who were all made ready for the same moment.
async fn crowd(stage: &Stage, of: &Conversation, after: Option<ConversationHead>) -> Vec<(RunId, Enqueued)> {
    let mut conversing = JoinSet::new();
    for store in [&stage.first, &stage.second].into_iter().cycle().take(20) {
        let (store, of) = (store.clone(), of.clone());
        conversing.spawn(async move { converse(&*store, &of, after).await });
    }
    conversing.join_all().await
}

async fn one_made_it(stage: &Stage, of: &Conversation, outcomes: &[(RunId, Enqueued)]) -> RunId {
    let made: Vec<RunId> =
        outcomes.iter().filter(|(_, outcome)| *outcome == Enqueued::New).map(|(run, _)| *run).collect();
    let [made] = made[..] else { panic!("{outcomes:?}") };
    assert_eq!(stands(stage, of).await, Some(ConversationHead { run: made, cleared: false }));
    for (run, outcome) in outcomes {
        if *run != made {
            assert_eq!(*outcome, Enqueued::Busy(made));
            assert!(matches!(stage.first.find(*run).await, Err(Error::NotFound(_))), "nothing is made");
        }
    }
    made
}

async fn converse(
    store: &dyn Store,
    of: &Conversation,
    after: Option<ConversationHead>,
) -> (RunId, Enqueued) {
    let new = new_run();
    let next = NextRun { of: of.clone(), after };
    let outcome = store
        .enqueue(Submission { next: Some(next), ..submission(new.clone(), records(0..2)) })
        .await
        .unwrap();
    (new.run, outcome)
}

/// Plays a run that waits to its end.
async fn end(store: &dyn Store, run: RunId) {
    let claim = store.claim(run).await.unwrap();
    store.append(&claim, Batch::of(records([2])).ended("done")).await.unwrap();
    store.release(claim).await.unwrap();
}

async fn stands(stage: &Stage, of: &Conversation) -> Option<ConversationHead> {
    let stands = stage.first.conversation(of).await.unwrap();
    assert_eq!(stage.second.conversation(of).await.unwrap(), stands, "all see the same");
    stands
}

fn named(owner: &str, name: &str) -> Conversation {
    Conversation { owner: owner.to_owned(), name: name.to_owned() }
}
