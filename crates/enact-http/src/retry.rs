//! What is tried again, and when: only what can help, only while there is time.
//!
//! A 429 becomes `Error::RateLimited` in `error`; what may be tried again is the caller's choice, by [`Retryable`].

use std::{
    fmt::Display,
    future::Future,
    time::{Duration, SystemTime},
};

use backon::{BackoffBuilder, ConstantBuilder, ExponentialBuilder};
use reqwest::header::HeaderMap;
use tokio::time::{Instant, sleep};

/// How often a call is tried again, and how long the pauses are.
#[derive(Debug, Clone, Copy)]
pub struct RetryPolicy {
    pub retries: usize,
    /// The first pause; those that follow double. Up to as much again is added at random, so that calls which
    /// were rejected together do not come back together.
    pub first_pause: Duration,
    pub longest_pause: Duration,
}

/// What to do about an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Retry {
    Never,
    /// Try again, as often as the policy says.
    Counted,
    /// Try again until the deadline: the service has put the call into a queue.
    UntilDeadline,
}

/// An error that knows whether trying again can help.
pub trait Retryable: Display {
    fn retry(&self) -> Retry;

    /// How long the service asks to wait, which counts more than the policy's pauses.
    fn retry_after(&self) -> Option<Duration>;
}

/// Tries until it succeeds, fails for good, or the next try would begin after `until`. The error then is the
/// last failure, not that time ran out.
pub async fn retry<T, E, Attempt>(
    policy: RetryPolicy,
    until: Instant,
    mut attempt: impl FnMut() -> Attempt,
) -> Result<T, E>
where
    E: Retryable,
    Attempt: Future<Output = Result<T, E>>,
{
    let RetryPolicy { retries, first_pause, longest_pause } = policy;
    let mut pauses = ExponentialBuilder::default()
        .with_min_delay(first_pause)
        .with_max_delay(longest_pause)
        .without_max_times()
        .with_jitter()
        .build();
    let mut jitters =
        ConstantBuilder::default().with_delay(first_pause).without_max_times().with_jitter().build();
    let mut left = retries;
    loop {
        let error = match attempt().await {
            Ok(done) => return Ok(done),
            Err(error) => error,
        };
        match error.retry() {
            Retry::UntilDeadline => {}
            Retry::Counted if left > 0 => left -= 1,
            Retry::Counted | Retry::Never => return Err(error),
        }
        let pause = pauses.next().unwrap_or(longest_pause);
        // Never at once, even if the service says so: all its clients would be back at once.
        let pause = error.retry_after().map_or(pause, |asked| {
            asked.saturating_sub(first_pause).saturating_add(jitters.next().unwrap_or(first_pause))
        });
        match Instant::now().checked_add(pause) {
            Some(next) if next < until => {}
            _ => return Err(error),
        }
        tracing::debug!(%error, pause_ms = pause.as_millis() as u64, "retrying a call");
        sleep(pause).await;
    }
}

/// How long a service asks to wait: `retry-after` in seconds or as a date, or OpenAI's `retry-after-ms`.
pub fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = |name: &str| Some(headers.get(name)?.to_str().ok()?.trim());
    let number = |name: &str| text(name)?.parse::<f64>().ok();
    let date = |name: &str| httpdate::parse_http_date(text(name)?).ok();
    let until = || {
        // By the server's own clock if it tells the time: ours may be wrong. A date in the past means now.
        let now = date("date").unwrap_or_else(SystemTime::now);
        Some(date("retry-after")?.duration_since(now).unwrap_or_default())
    };
    let asked = number("retry-after-ms").map(|ms| ms / 1000.0).or_else(|| number("retry-after"));
    asked.map_or_else(until, seconds)
}

pub(crate) fn seconds(seconds: f64) -> Option<Duration> {
    Duration::try_from_secs_f64(seconds).ok()
}

#[cfg(test)]
mod tests;
