//! How long a call may take, and how times are written for people.

use std::{fmt, time::Duration};

/// A call ends by itself so long before its caller gives up: a call that is dropped cannot tell what it has used, one
/// that fails can.
const MARGIN: Duration = Duration::from_millis(50);

/// The margin is at most this fraction of the time a caller gives.
const MARGIN_DIVISOR: u32 = 10;

/// A day: longer than any caller waits, short enough for any clock.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

/// The time for one call, counted from its beginning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallDeadline {
    /// When the call ends.
    pub effective: Duration,
    /// What messages say was waited: the whole time, with its margin.
    pub nominal: Duration,
}

impl CallDeadline {
    /// As long as the caller waits, unless the operator's own timeout is shorter.
    pub fn new(caller: Duration, operator: Option<Duration>) -> CallDeadline {
        let caller = caller.min(LONGEST);
        let operator = operator.unwrap_or(LONGEST);
        let margin = MARGIN.min(caller / MARGIN_DIVISOR);
        CallDeadline { effective: operator.min(caller - margin), nominal: operator.min(caller) }
    }
}

/// A time for people: `30s`, `1.5s`, `250ms`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HumanDuration(pub Duration);

impl fmt::Display for HumanDuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.as_millis() {
            ms @ 1..950 => write!(f, "{ms}ms"),
            _ => write!(f, "{}s", (self.0.as_secs_f64() * 10.0).round() / 10.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_read_well() {
        for (ms, text) in [
            (0, "0s"),
            (250, "250ms"),
            (999, "1s"),
            (1_000, "1s"),
            (1_500, "1.5s"),
            (2_999, "3s"),
            (30_000, "30s"),
        ] {
            assert_eq!(HumanDuration(Duration::from_millis(ms)).to_string(), text);
        }
    }

    #[test]
    fn a_call_ends_before_it_is_given_up() {
        for (caller_ms, operator_ms, effective_ms, nominal_ms) in [
            (30_000, None, 29_950, 30_000),
            (200, None, 180, 200),
            (0, None, 0, 0),
            (30_000, Some(5_000), 5_000, 5_000),
            (30_000, Some(29_990), 29_950, 29_990),
            (30_000, Some(90_000), 29_950, 30_000),
        ] {
            let operator = operator_ms.map(Duration::from_millis);
            let CallDeadline { effective, nominal } =
                CallDeadline::new(Duration::from_millis(caller_ms), operator);
            let told = (effective.as_millis(), nominal.as_millis());
            assert_eq!(told, (effective_ms, nominal_ms), "{caller_ms} {operator_ms:?}");
        }
        assert!(CallDeadline::new(Duration::MAX, None).effective <= LONGEST);
    }
}
