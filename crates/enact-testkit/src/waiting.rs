//! Waiting for what comes about in its own time.

use std::{panic::Location, time::Duration};

/// How long a test waits for anything before it has failed. No test waits for this to pass, so it is longer
/// than anything takes on a busy machine. Where time is paused it costs nothing.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// How long to wait before looking again. Short, because paused time advances by it.
const INTERVAL: Duration = Duration::from_millis(1);

/// Looks again and again until something holds.
#[track_caller]
pub fn until(mut holds: impl AsyncFnMut() -> bool) -> impl Future<Output = ()> {
    until_some(async move || holds().await.then_some(()))
}

/// Looks again and again until there is something to see.
#[track_caller]
pub fn until_some<T>(mut look: impl AsyncFnMut() -> Option<T>) -> impl Future<Output = T> {
    in_time(async move {
        loop {
            if let Some(seen) = look().await {
                return seen;
            }
            tokio::time::sleep(INTERVAL).await;
        }
    })
}

/// Panics if it is not done in time, instead of hanging.
#[track_caller]
pub fn in_time<T>(future: impl Future<Output = T>) -> impl Future<Output = T> {
    let caller = Location::caller();
    async move {
        let Ok(done) = tokio::time::timeout(PATIENCE, future).await else {
            panic!("what {caller} waits for has not come about within {PATIENCE:?}")
        };
        done
    }
}

/// Lets time pass at once: every timer of this runtime that is due by then fires, while sockets and other
/// processes notice nothing. For tests that would otherwise sleep to see that nothing happens. Needs a
/// runtime of one thread.
#[cfg(feature = "paused-time")]
pub async fn pass(time: Duration) {
    tokio::time::pause();
    tokio::time::advance(time).await;
    // Tasks woken by the clock run before the caller goes on.
    tokio::task::yield_now().await;
    tokio::time::resume();
}

/// The same for tests without a runtime, which wait for other processes.
pub mod blocking {
    use std::{
        thread,
        time::{Duration, Instant},
    };

    use super::PATIENCE;

    /// Longer than where time may be paused: to look is often to ask another process.
    const INTERVAL: Duration = Duration::from_millis(5);

    /// Looks again and again until something holds.
    #[track_caller]
    pub fn until(mut holds: impl FnMut() -> bool) {
        until_some(|| holds().then_some(()));
    }

    /// Looks again and again until there is something to see.
    #[track_caller]
    pub fn until_some<T>(mut look: impl FnMut() -> Option<T>) -> T {
        let began = Instant::now();
        loop {
            if let Some(seen) = look() {
                return seen;
            }
            assert!(began.elapsed() < PATIENCE, "what is waited for has not come about within {PATIENCE:?}");
            thread::sleep(INTERVAL);
        }
    }
}
