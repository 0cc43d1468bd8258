//! How often a caller may call.

use std::{
    fmt,
    hash::Hash,
    net::IpAddr,
    num::NonZeroU32,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use governor::{
    Quota, RateLimiter,
    clock::{Clock, DefaultClock},
    middleware::NoOpMiddleware,
    state::keyed::DashMapStateStore,
};

/// Once in so many checks the keys that are no longer limited are dropped: that looks at all of them. No more than so many
/// can be added in between.
const CLEANUP_INTERVAL: u32 = 1024;

/// Whose requests are counted together: those of a token, or of an address without one.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Key {
    Caller(Arc<str>),
    Address(IpAddr),
}

/// So many in one go, then so many over time, for each key.
pub(super) struct Rate<K: Hash + Eq + Clone = Key, C: Clock = DefaultClock> {
    limiter: RateLimiter<K, DashMapStateStore<K>, C, NoOpMiddleware<C::Instant>>,
    clock: C,
    checks: AtomicU32,
}

impl<K: Hash + Eq + Clone, C: Clock + Clone> Rate<K, C> {
    /// Zero cannot be meant, and counts as one.
    pub(super) fn new(per_second: u32, burst: u32, clock: C) -> Rate<K, C> {
        let at_least_one = |number| NonZeroU32::new(number).unwrap_or(NonZeroU32::MIN);
        let quota = Quota::per_second(at_least_one(per_second)).allow_burst(at_least_one(burst));
        let limiter = RateLimiter::dashmap_with_clock(quota, clock.clone());
        Rate { limiter, clock, checks: AtomicU32::new(0) }
    }

    /// Counts one more, or says how long to wait for it.
    pub(super) fn check(&self, key: &K) -> Result<(), Duration> {
        if self.checks.fetch_add(1, Ordering::Relaxed) % CLEANUP_INTERVAL == CLEANUP_INTERVAL - 1 {
            self.limiter.retain_recent();
        }
        self.limiter.check_key(key).map_err(|not_until| not_until.wait_time_from(self.clock.now()))
    }
}

impl<K: Hash + Eq + Clone, C: Clock> fmt::Debug for Rate<K, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rate").field("keys", &self.limiter.len()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use governor::clock::FakeRelativeClock;

    use super::*;

    #[test]
    fn a_burst_then_the_rate() {
        let clock = FakeRelativeClock::default();
        let rate = Rate::new(2, 5, clock.clone());
        for _ in 0..5 {
            assert_eq!(rate.check(&"a"), Ok(()));
        }
        assert_eq!(rate.check(&"a"), Err(Duration::from_millis(500)));
        assert_eq!(rate.check(&"b"), Ok(()), "others are not affected");
        clock.advance(Duration::from_millis(500));
        assert_eq!(rate.check(&"a"), Ok(()));
        assert_eq!(rate.check(&"a"), Err(Duration::from_millis(500)));
    }

    #[test]
    fn what_is_long_ago_is_forgotten() {
        let clock = FakeRelativeClock::default();
        let rate = Rate::new(1, 1, clock.clone());
        for key in 0..20 * CLEANUP_INTERVAL {
            clock.advance(Duration::from_millis(10));
            assert_eq!(rate.check(&key), Ok(()));
        }
        assert!(rate.limiter.len() <= 2 * CLEANUP_INTERVAL as usize, "{rate:?}");
    }
}
