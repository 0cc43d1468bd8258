use std::sync::Arc;

use proptest::prelude::*;
use tokio::time::{advance, sleep, timeout};

use super::*;
use crate::Provider;

fn in_seconds(seconds: u64) -> Instant {
    Instant::now() + Duration::from_secs(seconds)
}

#[tokio::test(start_paused = true)]
async fn calls_at_once_are_limited_and_the_first_to_come_is_the_first_to_go() {
    let queue = Arc::new(CallQueue::new(Some(2), None));
    let order = Arc::new(Mutex::new(Vec::new()));
    let calls: Vec<_> = (0..6)
        .map(|number| {
            let (queue, order) = (queue.clone(), order.clone());
            tokio::spawn(async move {
                let permit = queue.enter(in_seconds(60)).await.unwrap();
                lock(&order).push((number, Instant::now()));
                sleep(Duration::from_secs(1)).await;
                drop(permit);
            })
        })
        .collect();
    let began = Instant::now();
    for call in calls {
        call.await.unwrap();
    }
    let order: Vec<(u64, u64)> =
        lock(&order).iter().map(|(number, at)| (*number, (*at - began).as_secs())).collect();
    assert_eq!(order, [(0, 0), (1, 0), (2, 1), (3, 1), (4, 2), (5, 2)]);
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_dropped_leaves_its_slot_and_its_place() {
    let queue = CallQueue::new(Some(1), Some(1));
    let held = queue.enter(in_seconds(60)).await.unwrap();
    let too_long = queue.enter(in_seconds(5)).await.unwrap_err();
    let said = "timeout in the queue: 'max_parallel' is 1";
    assert_eq!(too_long.to_string(), said);
    // Dropped while it waits.
    assert!(timeout(Duration::from_secs(1), queue.enter(in_seconds(60))).await.is_err());
    drop(held);
    let _next = timeout(Duration::ZERO, queue.enter(in_seconds(60))).await.unwrap().unwrap();

    queue.wait_to_send(in_seconds(1)).await.unwrap();
    assert!(timeout(Duration::from_secs(10), queue.wait_to_send(in_seconds(100))).await.is_err());
    // The one that was dropped does not count: the next leaves a minute after the first.
    let began = Instant::now();
    queue.wait_to_send(in_seconds(100)).await.unwrap();
    assert_eq!(began.elapsed(), Duration::from_secs(50));
}

#[tokio::test(start_paused = true)]
async fn a_turn_that_would_come_too_late_is_not_waited_for() {
    let queue = CallQueue::new(None, Some(2));
    for _ in 0..2 {
        queue.wait_to_send(in_seconds(1)).await.unwrap();
    }
    advance(Duration::from_secs(20)).await;
    let began = Instant::now();
    let too_late = queue.wait_to_send(in_seconds(39)).await.unwrap_err();
    assert_eq!(began.elapsed(), Duration::ZERO);
    assert_eq!(
        too_late.to_string(),
        "timeout in the queue: the next call may start in 40s, 'requests_per_minute' is 2"
    );
    queue.wait_to_send(in_seconds(40)).await.unwrap();
    assert_eq!(began.elapsed(), Duration::from_secs(40));
}

#[test]
fn models_that_are_configured_alike_share_a_queue() {
    let limited = |model: &str, most: usize| Settings {
        max_parallel: Some(most),
        ..Settings::new(Provider::OpenAi, model)
    };
    let one = CallQueue::shared(&limited("shared-queue", 2), None, None);
    assert!(Arc::ptr_eq(&one, &CallQueue::shared(&limited("shared-queue", 2), None, None)));
    assert!(!Arc::ptr_eq(&one, &CallQueue::shared(&limited("another-queue", 2), None, None)));
    assert!(!Arc::ptr_eq(&one, &CallQueue::shared(&limited("shared-queue", 3), None, None)));
}

proptest! {
    /// However calls come, and some of them are given up: no minute has more than it may have, and they leave
    /// in the order in which they came.
    #[test]
    fn no_minute_has_too_many(
        most in 1..5_usize,
        calls in prop::collection::vec((0..30_000_u64, 0..200_u64, any::<bool>()), 1..40),
    ) {
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        let left = runtime.block_on(async {
            let queue = Arc::new(CallQueue::new(None, Some(most)));
            let left = Arc::new(Mutex::new(Vec::new()));
            let mut waiting = Vec::new();
            for (number, (pause, seconds, gives_up)) in calls.into_iter().enumerate() {
                advance(Duration::from_millis(pause)).await;
                let (queue, left) = (queue.clone(), left.clone());
                waiting.push(tokio::spawn(async move {
                    let departs = queue.wait_to_send(in_seconds(seconds));
                    let most = if gives_up { Duration::from_secs(3) } else { Duration::from_secs(1_000) };
                    if let Ok(Ok(())) = timeout(most, departs).await {
                        lock(&left).push((number, Instant::now()));
                    }
                }));
                tokio::task::yield_now().await;
            }
            for call in waiting {
                call.await.unwrap();
            }
            let mut left = lock(&left).clone();
            left.sort_by_key(|(number, _)| *number);
            left
        });
        for pair in left.windows(2) {
            prop_assert!(pair[0].1 <= pair[1].1, "{left:?}");
        }
        for window in left.windows(most + 1) {
            prop_assert!(window[most].1 - window[0].1 >= MINUTE, "{left:?}");
        }
    }
}
