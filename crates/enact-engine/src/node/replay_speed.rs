//! The speed of a replay: the pauses between records of a run that was played before.

use std::time::Duration;

use enact_drama::{
    Record, Seq,
    record::{FORKED, RESUMED},
};

/// The longest pause in a replay, at whatever speed: a run may have been paused overnight.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// Before these records no process played the run. A fork then waits in the queue, as every run does after
/// its first record.
const IDLE_BEFORE: [&str; 2] = [FORKED, RESUMED];

/// How many times as fast as it was played.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Speed(f64);

impl Speed {
    /// Slower than this no person waits for.
    pub const SLOWEST: f64 = 0.1;
    /// Faster than this there is no pause left that could be seen.
    pub const FASTEST: f64 = 1_000.0;

    /// Nothing, if it is not a speed between [`SLOWEST`](Speed::SLOWEST) and [`FASTEST`](Speed::FASTEST).
    pub fn new(times: f64) -> Option<Speed> {
        (Speed::SLOWEST..=Speed::FASTEST).contains(&times).then_some(Speed(times))
    }
}

/// How long after one record the next is shown. Time in which no process played the run does not count.
pub(super) fn pause(before: &Record, after: &Record, speed: Speed) -> Duration {
    let waited = before.seq == Seq(0) || before.kind == FORKED;
    if waited || IDLE_BEFORE.contains(&after.kind.as_str()) {
        return Duration::ZERO;
    }
    // Clocks of two nodes may disagree about what came first.
    let took = u64::try_from(after.at.saturating_sub(before.at)).unwrap_or(0);
    let pause = Duration::from_millis(took).div_f64(speed.0);
    pause.min(LONGEST_PAUSE)
}

#[cfg(test)]
mod tests {
    use serde_json::value::RawValue;

    use super::*;

    fn record(seq: u64, kind: &str, at: i64) -> Record {
        Record { seq: Seq(seq), at, kind: kind.to_owned(), v: 1, body: RawValue::NULL.to_owned() }
    }

    #[test]
    fn pauses_are_those_of_the_run_as_far_as_it_was_played() {
        const HOUR: i64 = 3_600_000;
        for (before, after, took_ms, speed, pause_ms) in [
            ("replied", "line_added", 0, 1.0, 0),
            ("asked", "replied", 2_000, 1.0, 2_000),
            ("asked", "replied", 2_000, 4.0, 500),
            ("asked", "replied", 2_000, 0.5, 4_000),
            ("asked", "replied", 1, 1_000.0, 0),
            ("asked", "replied", -50, 1.0, 0),
            ("paused", "continued", HOUR, 1.0, 30_000),
            ("paused", "continued", HOUR, 1_000.0, 3_600),
            ("asked", "replied", i64::MAX, 0.1, 30_000),
            ("slot_spoke", "voiced", 400, 1.0, 400),
            ("asked", "resumed", HOUR, 1.0, 0),
            ("resumed", "replied", 700, 1.0, 700),
            ("beat_settled", "forked", HOUR, 1.0, 0),
            ("forked", "judged", HOUR, 1.0, 0),
        ] {
            let (before, after) = (record(3, before, 0), record(4, after, took_ms));
            let paused = pause(&before, &after, Speed::new(speed).unwrap()).as_millis();
            assert_eq!(paused, pause_ms, "{} {} {took_ms} at {speed}", before.kind, after.kind);
        }
    }

    #[test]
    fn what_follows_the_first_record_waited_in_the_queue() {
        let (first, second) = (record(0, "began", 0), record(1, "noted", 3_600_000));
        assert_eq!(pause(&first, &second, Speed::new(1.0).unwrap()), Duration::ZERO);
    }

    #[test]
    fn speeds_are_positive_and_finite() {
        for times in [0.0, -1.0, f64::NAN, f64::INFINITY, 0.01, 1e9] {
            assert_eq!(Speed::new(times), None, "{times}");
        }
    }
}
