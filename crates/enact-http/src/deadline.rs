//! How long a call may take, and how times are written for people.

use std::{fmt, time::Duration};

/// A call ends by itself so long before its caller gives up: a call that is dropped cannot tell what it has
/// used, one that fails can.
const MARGIN: Duration = Duration::from_millis(50);

/// The margin is at most this fraction of the time a caller gives.
const MARGIN_DIVISOR: u32 = 10;

/// A day: longer than any caller waits, short enough for any clock.
const MAX_TIMEOUT: Duration = Duration::from_secs(24 * 60 * 60);

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
        let caller = caller.min(MAX_TIMEOUT);
        let operator = operator.unwrap_or(MAX_TIMEOUT);
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
mod tests;
