//! Trying again: only what can help, only while there is time.

use std::{future::Future, time::Duration};

use backon::{BackoffBuilder, ConstantBuilder, ExponentialBuilder};
use tokio::time::{Instant, sleep};

use crate::error::Error;

/// How often what went wrong is tried again. Being told to come back later is not going wrong: that is a queue, and one waits in it
/// as long as there is patience.
const RETRIES: usize = 2;

/// The first pause, to which up to as much again is added by chance: those who were turned away together shall not come back together.
const FIRST_PAUSE: Duration = Duration::from_millis(250);

/// What is said takes a few seconds to say, so a place is free by then.
const LONGEST_PAUSE: Duration = Duration::from_secs(4);

/// Tries until it succeeds, fails for good, or the next try would begin too late. What is returned then is why it failed, not that
/// time ran out. A service that says how long to wait knows better than our own pauses; what chance adds to them it adds there too.
pub(crate) async fn persistently<T, Try>(
    until: Instant,
    mut attempt: impl FnMut() -> Try + Send,
) -> Result<T, Error>
where
    Try: Future<Output = Result<T, Error>> + Send,
{
    let mut pauses = ExponentialBuilder::default()
        .with_min_delay(FIRST_PAUSE)
        .with_max_delay(LONGEST_PAUSE)
        .without_max_times()
        .with_jitter()
        .build();
    let mut told_pauses =
        ConstantBuilder::default().with_delay(FIRST_PAUSE).without_max_times().with_jitter().build();
    let mut left = RETRIES;
    loop {
        let error = match attempt().await {
            Ok(done) => return Ok(done),
            Err(error) => error,
        };
        if !error.is_queue() {
            if left == 0 || !error.may_pass() {
                return Err(error);
            }
            left -= 1;
        }
        let pause = pauses.next().unwrap_or(LONGEST_PAUSE);
        // Whoever says "at once" is not taken at its word: everybody would be back at once.
        let pause = error.retry_after().map_or(pause, |told| {
            told.saturating_sub(FIRST_PAUSE).saturating_add(told_pauses.next().unwrap_or(FIRST_PAUSE))
        });
        match Instant::now().checked_add(pause) {
            Some(next) if next < until => {}
            _ => return Err(error),
        }
        tracing::debug!(%error, pause_ms = pause.as_millis() as u64, "speaking is tried again");
        sleep(pause).await;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// Fails as the list says, then succeeds. Gives the outcome, how often it was tried and how long that took.
    async fn play(errors: &[Error], within_ms: u64) -> (Result<(), Error>, usize, Duration) {
        let began = Instant::now();
        let tried = AtomicUsize::new(0);
        let outcome = persistently(began + Duration::from_millis(within_ms), || async {
            let place = tried.fetch_add(1, Ordering::Relaxed);
            errors.get(place).cloned().map_or(Ok(()), Err)
        })
        .await;
        (outcome, tried.into_inner(), began.elapsed())
    }

    #[tokio::test(start_paused = true)]
    async fn what_may_pass_is_tried_again_a_few_times() {
        let down = Error::Server { status: 500 };
        let (outcome, tried, took) = play(&[down.clone(), down.clone()], 30_000).await;
        assert_eq!((outcome, tried), (Ok(()), 3));
        assert!((750..=1_500).contains(&took.as_millis()), "{took:?}");
        let (outcome, tried, _) = play(&vec![down.clone(); 9], 30_000).await;
        assert_eq!((outcome, tried), (Err(down), 3));
        let (outcome, tried, _) = play(&[Error::NoCredit], 30_000).await;
        assert_eq!((outcome, tried), (Err(Error::NoCredit), 1));
    }

    #[tokio::test(start_paused = true)]
    async fn a_queue_is_waited_in_as_long_as_there_is_patience() {
        for queue in [
            Error::Crowded { retry_after: None },
            Error::RateLimited { retry_after: None },
            Error::Overloaded { status: 429, retry_after: None },
        ] {
            let (outcome, tried, _) = play(&vec![queue.clone(); 8], 60_000).await;
            assert_eq!((outcome, tried), (Ok(()), 9), "{queue}");
            let (outcome, tried, took) = play(&vec![queue.clone(); 1_000], 20_000).await;
            assert_eq!(outcome, Err(queue));
            assert!(tried > 5 && took.as_secs() < 20, "{tried} {took:?}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn those_who_were_turned_away_together_do_not_come_back_together() {
        for told_ms in [0, 100, 3_000] {
            let told = Duration::from_millis(told_ms);
            let least = told.max(FIRST_PAUSE);
            let mut waits = Vec::new();
            for _ in 0..20 {
                let (_, _, took) = play(&[Error::RateLimited { retry_after: Some(told) }], 30_000).await;
                // Clocks of tests go by milliseconds.
                assert!(took >= least && took <= least + FIRST_PAUSE + Duration::from_millis(1), "{took:?}");
                waits.push(took);
            }
            waits.sort();
            waits.dedup();
            assert!(waits.len() > 5, "{waits:?}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn the_service_says_how_long() {
        let busy =
            |seconds| Error::Overloaded { status: 429, retry_after: Some(Duration::from_secs(seconds)) };
        let (outcome, tried, took) = play(&[busy(7)], 30_000).await;
        assert_eq!((outcome, tried, took.as_secs()), (Ok(()), 2, 7));
        let (outcome, tried, took) = play(&[busy(60)], 30_000).await;
        assert_eq!((outcome, tried, took.as_millis()), (Err(busy(60)), 1, 0));
        let (outcome, tried, _) = play(&[busy(u64::MAX)], 30_000).await;
        assert_eq!((outcome, tried), (Err(busy(u64::MAX)), 1));
    }
}
