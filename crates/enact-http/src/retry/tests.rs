use std::{
    fmt,
    sync::atomic::{AtomicUsize, Ordering},
};

use super::*;

const POLICY: RetryPolicy = RetryPolicy {
    retries: 2,
    first_pause: Duration::from_millis(250),
    longest_pause: Duration::from_secs(4),
};

#[derive(Debug, Clone, PartialEq)]
struct Failed(Retry, Option<Duration>);

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

impl Retryable for Failed {
    fn retry(&self) -> Retry {
        self.0
    }

    fn retry_after(&self) -> Option<Duration> {
        self.1
    }
}

const DOWN: Failed = Failed(Retry::Counted, None);
const QUEUED: Failed = Failed(Retry::UntilDeadline, None);

fn asked(seconds: u64) -> Failed {
    Failed(Retry::Counted, Some(Duration::from_secs(seconds)))
}

/// Fails as the list says, then succeeds. Gives the outcome, how often it was tried and how long that took.
async fn play(
    errors: &[Failed],
    policy: RetryPolicy,
    within_ms: u64,
) -> (Result<(), Failed>, usize, Duration) {
    let began = Instant::now();
    let tried = AtomicUsize::new(0);
    let outcome = retry(policy, began + Duration::from_millis(within_ms), || async {
        let place = tried.fetch_add(1, Ordering::Relaxed);
        errors.get(place).cloned().map_or(Ok(()), Err)
    })
    .await;
    (outcome, tried.into_inner(), began.elapsed())
}

#[tokio::test(start_paused = true)]
async fn pauses_grow_and_end() {
    let (outcome, tried, took) = play(&[DOWN, DOWN], POLICY, 30_000).await;
    assert_eq!((outcome, tried), (Ok(()), 3));
    assert!((750..=1_500).contains(&took.as_millis()), "{took:?}");
    for (retries, expected) in [(2, 3), (0, 1)] {
        let policy = RetryPolicy { retries, ..POLICY };
        let (outcome, tried, _) = play(&vec![DOWN; 9], policy, 30_000).await;
        assert_eq!((outcome, tried), (Err(DOWN), expected));
    }
    let slower = RetryPolicy { first_pause: Duration::from_millis(400), ..POLICY };
    let (outcome, tried, took) = play(&[DOWN, DOWN], slower, 30_000).await;
    assert_eq!((outcome, tried), (Ok(()), 3));
    assert!((1_200..=2_400).contains(&took.as_millis()), "{took:?}");
}

#[tokio::test(start_paused = true)]
async fn what_will_not_pass_is_not_tried_again() {
    let refused = Failed(Retry::Never, None);
    let (outcome, tried, _) = play(std::slice::from_ref(&refused), POLICY, 30_000).await;
    assert_eq!((outcome, tried), (Err(refused), 1));
}

#[tokio::test(start_paused = true)]
async fn a_queue_is_waited_in_until_the_deadline() {
    let (outcome, tried, _) = play(&vec![QUEUED; 8], POLICY, 60_000).await;
    assert_eq!((outcome, tried), (Ok(()), 9));
    let (outcome, tried, took) = play(&vec![QUEUED; 1_000], POLICY, 20_000).await;
    assert_eq!(outcome, Err(QUEUED));
    assert!(tried > 5 && took.as_secs() < 20, "{tried} {took:?}");
}

#[tokio::test(start_paused = true)]
async fn calls_that_were_rejected_together_do_not_come_back_together() {
    for asked_ms in [0, 100, 3_000] {
        let asked = Duration::from_millis(asked_ms);
        let least = asked.max(POLICY.first_pause);
        let mut waits = Vec::new();
        for _ in 0..20 {
            let (_, _, took) = play(&[Failed(Retry::Counted, Some(asked))], POLICY, 30_000).await;
            // Clocks of tests go by milliseconds.
            let most = least + POLICY.first_pause + Duration::from_millis(1);
            assert!(took >= least && took <= most, "{took:?}");
            waits.push(took);
        }
        waits.sort();
        waits.dedup();
        assert!(waits.len() > 5, "{waits:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_service_says_how_long() {
    let (outcome, tried, took) = play(&[asked(7)], POLICY, 30_000).await;
    assert_eq!((outcome, tried, took.as_secs()), (Ok(()), 2, 7));
}

#[tokio::test(start_paused = true)]
async fn no_try_begins_after_the_deadline() {
    let (outcome, tried, took) = play(&[asked(60)], POLICY, 30_000).await;
    assert_eq!((outcome, tried, took.as_millis()), (Err(asked(60)), 1, 0));
    let (outcome, tried, _) = play(&vec![DOWN; 3], POLICY, 200).await;
    assert_eq!((outcome, tried), (Err(DOWN), 1));
    for endless in [asked(u64::MAX), Failed(Retry::UntilDeadline, Some(Duration::MAX))] {
        let (outcome, tried, _) = play(std::slice::from_ref(&endless), POLICY, 30_000).await;
        assert_eq!((outcome, tried), (Err(endless), 1));
    }
}

#[test]
fn waiting_times_are_read() {
    let date = "Sun, 06 Nov 1994 08:49:37 GMT";
    for (headers, waits_ms) in [
        (&[("retry-after", "7")][..], Some(7_000)),
        (&[("retry-after", " 0.5 ")], Some(500)),
        (&[("retry-after-ms", "250"), ("retry-after", "7")], Some(250)),
        (&[("date", date), ("retry-after", "Sun, 06 Nov 1994 08:49:49 GMT")], Some(12_000)),
        (&[("date", date), ("retry-after", "Sun, 06 Nov 1994 08:49:30 GMT")], Some(0)),
        // By our own clock that is long ago.
        (&[("retry-after", date)], Some(0)),
        (&[("date", "today"), ("retry-after", "tomorrow")], None),
        (&[], None),
    ] {
        let map = headers.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap()));
        let waited = retry_after(&map.collect::<HeaderMap>());
        assert_eq!(waited.map(|time| time.as_millis()), waits_ms, "{headers:?}");
    }
    for nonsense in ["", "soon", "-1", "NaN", "inf", "1e300", "Wed, 21 Oct"] {
        let headers = HeaderMap::from_iter([(reqwest::header::RETRY_AFTER, nonsense.parse().unwrap())]);
        assert_eq!(retry_after(&headers), None, "{nonsense}");
    }
}
