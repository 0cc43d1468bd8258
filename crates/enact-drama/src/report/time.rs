//! Moments as people and programs read them, always in UTC.

use jiff::Timestamp;

/// `2025-10-03 14:32:18`, as transcripts and lists show it.
pub fn date_time(at_ms: i64) -> String {
    moment(at_ms).strftime("%Y-%m-%d %H:%M:%S").to_string()
}

/// `2025-10-03`
pub(super) fn day(at_ms: i64) -> String {
    moment(at_ms).strftime("%Y-%m-%d").to_string()
}

/// `2025-10-03T14:32:18.000Z`
pub fn for_programs(at_ms: i64) -> String {
    moment(at_ms).strftime("%Y-%m-%dT%H:%M:%S%.3fZ").to_string()
}

/// A log whose clock was beyond all years still has to be shown, and then any date is as good.
fn moment(at_ms: i64) -> Timestamp {
    Timestamp::from_millisecond(at_ms).unwrap_or(Timestamp::UNIX_EPOCH)
}
