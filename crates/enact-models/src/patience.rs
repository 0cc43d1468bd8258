//! How long an answer is waited for, and how that is said.

use std::{fmt, time::Duration};

use enact_drama::request::Request;

use crate::Settings;

/// How long before whoever asks gives up a call ends by itself: a call that is dropped cannot tell what it has used,
/// one that fails can.
const MARGIN: Duration = Duration::from_millis(50);

/// Those who have little time lose no more than this part of it.
const SMALLEST_PART: u32 = 10;

/// A day: longer than anybody waits, short enough for any clock.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

/// The time for one call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Patience {
    /// When the call ends, counted from its beginning.
    pub(crate) limit: Duration,
    /// What people are told was waited: the whole time, margin and all.
    pub(crate) whole: Duration,
}

impl Patience {
    /// As long as whoever asks waits, unless the operator says less.
    pub(crate) fn of(request: &Request, settings: &Settings) -> Patience {
        let asked = Duration::from_millis(request.patience_ms).min(LONGEST);
        let own = settings.timeout.unwrap_or(LONGEST);
        let margin = MARGIN.min(asked / SMALLEST_PART);
        Patience { limit: own.min(asked - margin), whole: own.min(asked) }
    }
}

/// A time for people: `30s`, `1.5s`, `250ms`.
pub(crate) struct Span(pub(crate) Duration);

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Span(time) = *self;
        match time.as_millis() {
            0 => f.write_str("0s"),
            ms if ms < 1000 => write!(f, "{ms}ms"),
            ms if ms % 1000 == 0 => write!(f, "{}s", ms / 1000),
            _ => write!(f, "{:.1}s", time.as_secs_f64()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Provider, test_requests::request};

    #[test]
    fn times_read_well() {
        for (ms, text) in [(0, "0s"), (250, "250ms"), (1_000, "1s"), (1_500, "1.5s"), (30_000, "30s")] {
            assert_eq!(Span(Duration::from_millis(ms)).to_string(), text);
        }
    }

    #[test]
    fn a_call_ends_before_it_is_given_up() {
        for (patience_ms, timeout_ms, limit_ms, whole_ms) in [
            (30_000, None, 29_950, 30_000),
            (200, None, 180, 200),
            (0, None, 0, 0),
            (30_000, Some(5_000), 5_000, 5_000),
            (30_000, Some(29_990), 29_950, 29_990),
            (30_000, Some(90_000), 29_950, 30_000),
        ] {
            let asked = Request { patience_ms, ..request("alice", 0) };
            let timeout = timeout_ms.map(Duration::from_millis);
            let settings = Settings { timeout, ..Settings::new(Provider::Ollama, "m") };
            let Patience { limit, whole } = Patience::of(&asked, &settings);
            let told = (limit.as_millis(), whole.as_millis());
            assert_eq!(told, (limit_ms, whole_ms), "{patience_ms} {timeout_ms:?}");
        }
        let forever = Request { patience_ms: u64::MAX, ..request("alice", 0) };
        assert!(Patience::of(&forever, &Settings::new(Provider::Ollama, "m")).limit <= LONGEST);
    }
}
