//! What time it is. Waiting is tokio's business, so that tests can pause it.

use std::{
    fmt::Debug,
    time::{SystemTime, UNIX_EPOCH},
};

/// Tells UTC milliseconds.
pub trait Clock: Debug + Send + Sync {
    fn now_ms(&self) -> i64;
}

/// The machine's clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now_ms(&self) -> i64 {
        SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_millis() as i64)
    }
}
