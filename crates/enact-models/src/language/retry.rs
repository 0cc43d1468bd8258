//! Trying again: only what can help, only while there is time.

use std::{future::Future, time::Duration};

use backon::{ExponentialBuilder, Retryable};
use tokio::time::Instant;

use super::failure::{Broken, Error};

/// The first pause, to which up to as much again is added by chance: those who were turned away together shall not
/// come back together.
const FIRST_PAUSE: Duration = Duration::from_millis(400);

/// A beat is over sooner than a longer pause would be.
const LONGEST_PAUSE: Duration = Duration::from_secs(20);

/// Tries until it succeeds, fails for good, or the next try would begin too late. What is returned then is why it
/// failed, not that time ran out. A provider that says how long to wait knows better than our own pauses.
pub(super) async fn persistently<T, Try>(
    retries: usize,
    until: Instant,
    attempt: impl FnMut() -> Try,
) -> Result<T, Error>
where
    Try: Future<Output = Result<T, Broken>>,
{
    let pauses = ExponentialBuilder::default()
        .with_min_delay(FIRST_PAUSE)
        .with_max_delay(LONGEST_PAUSE)
        .with_max_times(retries)
        .with_jitter();
    attempt
        .retry(pauses)
        .sleep(tokio::time::sleep)
        .when(Broken::may_be_tried_again)
        .adjust(|broken, pause| {
            // Whoever says "at once" is not taken at its word: everybody would be back at once.
            let told = broken.error.retry_after().map(|wait| wait.max(FIRST_PAUSE));
            let pause = told.or(pause).filter(|_| pause.is_some())?;
            let next = Instant::now().checked_add(pause)?;
            (next < until).then_some(pause)
        })
        .notify(|broken, pause| {
            tracing::debug!(error = %broken.error, pause_ms = pause.as_millis() as u64, "trying again");
        })
        .await
        .map_err(|broken| broken.error)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// Fails as the list says, then succeeds. Gives the outcome, how often it was tried and how long that took.
    async fn play(errors: &[Error], retries: usize, within_ms: u64) -> (Result<(), Error>, usize, Duration) {
        let began = Instant::now();
        let tried = Cell::new(0);
        let outcome = persistently(retries, began + Duration::from_millis(within_ms), || async {
            let place = tried.replace(tried.get() + 1);
            match errors.get(place) {
                Some(error) => Err(Broken { error: error.clone(), begun: false }),
                None => Ok(()),
            }
        })
        .await;
        (outcome, tried.get(), began.elapsed())
    }

    fn limited(seconds: u64) -> Error {
        Error::RateLimited { retry_after: Some(Duration::from_secs(seconds)) }
    }

    #[tokio::test(start_paused = true)]
    async fn pauses_grow_and_end() {
        let down = Error::Server { status: 500 };
        let (outcome, tried, took) = play(&[down.clone(), down.clone()], 2, 30_000).await;
        assert_eq!((outcome, tried), (Ok(()), 3));
        assert!((1_200..=2_400).contains(&took.as_millis()), "{took:?}");
        let (outcome, tried, _) = play(&vec![down.clone(); 9], 2, 30_000).await;
        assert_eq!((outcome, tried), (Err(down.clone()), 3));
        let (outcome, tried, _) = play(&vec![down.clone(); 9], 0, 30_000).await;
        assert_eq!((outcome, tried), (Err(down), 1));
    }

    #[tokio::test(start_paused = true)]
    async fn the_provider_says_how_long() {
        let (outcome, tried, took) = play(&[limited(7)], 2, 30_000).await;
        assert_eq!((outcome, tried, took.as_secs()), (Ok(()), 2, 7));
    }

    #[tokio::test(start_paused = true)]
    async fn nobody_waits_for_what_comes_too_late() {
        let (outcome, tried, took) = play(&[limited(60)], 2, 30_000).await;
        assert_eq!((outcome, tried, took.as_millis()), (Err(limited(60)), 1, 0));
        let (outcome, tried, _) = play(&vec![Error::Dropped; 3], 5, 300).await;
        assert_eq!((outcome, tried), (Err(Error::Dropped), 1));
    }

    #[tokio::test(start_paused = true)]
    async fn an_endless_wait_is_too_late() {
        let forever = Error::RateLimited { retry_after: Some(Duration::MAX) };
        let (outcome, tried, _) = play(std::slice::from_ref(&forever), 2, 30_000).await;
        assert_eq!((outcome, tried), (Err(forever), 1));
    }

    #[tokio::test(start_paused = true)]
    async fn what_will_not_pass_is_not_tried_again() {
        let (outcome, tried, _) = play(&[Error::Refused], 5, 30_000).await;
        assert_eq!((outcome, tried), (Err(Error::Refused), 1));
    }
}
