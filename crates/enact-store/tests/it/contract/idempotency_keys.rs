//! Requests that are repeated make one run.

use enact_engine::{
    log::Error,
    store::{Enqueued, IdempotencyKey, Submission},
};
use tokio::task::JoinSet;

use super::{Stage, new_run, records, submission};

pub(crate) async fn the_same_order_makes_one_run(stage: Stage) {
    let (first, second) = (new_run(), new_run());
    assert_eq!(stage.second.find_submitted(&idempotency_key("ann", "1", "a")).await.unwrap(), None);
    assert_eq!(place(&stage, first.clone(), idempotency_key("ann", "1", "a")).await, Enqueued::New);
    let again = stage
        .second
        .enqueue(Submission {
            idempotency_key: Some(idempotency_key("ann", "1", "a")),
            ..submission(second.clone(), records(0..1))
        })
        .await;
    assert_eq!(again.unwrap(), Enqueued::AlreadyQueued(first.run));
    for (key, digest, expected) in [
        ("1", "a", Some(Enqueued::AlreadyQueued(first.run))),
        ("1", "b", Some(Enqueued::KeyReused)),
        ("2", "a", None),
    ] {
        assert_eq!(
            stage.second.find_submitted(&idempotency_key("ann", key, digest)).await.unwrap(),
            expected
        );
    }
    assert!(matches!(stage.first.find(second.run).await, Err(Error::NotFound(_))));
    assert_eq!(stage.first.claim_waiting(10).await.unwrap().len(), 1);
}

pub(crate) async fn a_key_is_used_for_one_thing(stage: Stage) {
    let first = new_run();
    assert_eq!(place(&stage, first.clone(), idempotency_key("ann", "1", "a")).await, Enqueued::New);
    let other = new_run();
    assert_eq!(place(&stage, other.clone(), idempotency_key("ann", "1", "b")).await, Enqueued::KeyReused);
    assert!(matches!(stage.first.find(other.run).await, Err(Error::NotFound(_))));
    // The first use stands.
    assert_eq!(
        place(&stage, new_run(), idempotency_key("ann", "1", "a")).await,
        Enqueued::AlreadyQueued(first.run)
    );
    // Another key and another sender are other orders.
    assert_eq!(place(&stage, new_run(), idempotency_key("ann", "2", "a")).await, Enqueued::New);
    assert_eq!(place(&stage, new_run(), idempotency_key("bob", "1", "b")).await, Enqueued::New);
}

pub(crate) async fn of_many_who_order_at_once_one_makes_a_run(stage: Stage) {
    let mut ordering = JoinSet::new();
    for store in [&stage.first, &stage.second].into_iter().cycle().take(20) {
        let store = store.clone();
        ordering.spawn(async move {
            let new = new_run();
            let outcome = store
                .enqueue(Submission {
                    idempotency_key: Some(idempotency_key("ann", "1", "a")),
                    ..submission(new.clone(), records(0..2))
                })
                .await;
            (new.run, outcome.unwrap())
        });
    }
    let outcomes = ordering.join_all().await;
    let made: Vec<_> = outcomes.iter().filter(|(_, outcome)| *outcome == Enqueued::New).collect();
    let [(made, _)] = made[..] else { panic!("{outcomes:?}") };
    for (run, outcome) in &outcomes {
        assert!(run == made || *outcome == Enqueued::AlreadyQueued(*made), "{outcome:?}");
    }
    assert_eq!(stage.first.claim_waiting(50).await.unwrap().len(), 1);
}

pub(crate) async fn of_many_who_use_a_key_at_once_one_gets_it(stage: Stage) {
    let mut ordering = JoinSet::new();
    for (number, store) in [&stage.first, &stage.second].into_iter().cycle().take(20).enumerate() {
        let store = store.clone();
        ordering.spawn(async move {
            let key = idempotency_key("ann", "1", &number.to_string());
            store
                .enqueue(Submission { idempotency_key: Some(key), ..submission(new_run(), records(0..2)) })
                .await
                .unwrap()
        });
    }
    let mut outcomes = ordering.join_all().await;
    outcomes.sort_by_key(|outcome| *outcome != Enqueued::New);
    assert_eq!(outcomes[0], Enqueued::New);
    assert!(outcomes[1..].iter().all(|outcome| *outcome == Enqueued::KeyReused), "{outcomes:?}");
}

pub(crate) async fn an_order_that_makes_nothing_leaves_its_key_free(stage: Stage) {
    let new = new_run();
    stage.first.enqueue(submission(new.clone(), records(0..1))).await.unwrap();
    let conflict = stage
        .first
        .enqueue(Submission {
            idempotency_key: Some(idempotency_key("ann", "1", "a")),
            ..submission(new, records(0..1))
        })
        .await;
    assert!(matches!(conflict, Err(Error::Conflict(_))), "{conflict:?}");
    let gap = stage
        .first
        .enqueue(Submission {
            idempotency_key: Some(idempotency_key("ann", "1", "a")),
            ..submission(new_run(), records([1]))
        })
        .await;
    assert!(matches!(gap, Err(Error::Conflict(_))), "{gap:?}");
    assert_eq!(place(&stage, new_run(), idempotency_key("ann", "1", "b")).await, Enqueued::New);
}

async fn place(stage: &Stage, new: enact_engine::log::NewRun, key: IdempotencyKey) -> Enqueued {
    stage
        .first
        .enqueue(Submission { idempotency_key: Some(key), ..submission(new, records(0..1)) })
        .await
        .unwrap()
}

pub(crate) fn idempotency_key(from: &str, key: &str, digest: &str) -> IdempotencyKey {
    IdempotencyKey { from: from.to_owned(), key: key.to_owned(), digest: digest.to_owned() }
}
