//! A limit on wrong tokens, by the address they come from: guessing is slow.

use std::{
    collections::{HashMap, HashSet},
    net::IpAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

/// Addresses remembered at once, in about 3 MiB. Past it all are forgotten: against so many guessers only a
/// good secret helps.
const MOST_ADDRESSES: usize = 65_536;

/// Pairs of address and token remembered at once, in about 6 MiB. Past it all are forgotten, which costs
/// callers at a throttled address a minute.
const MOST_REMEMBERED: usize = 65_536;

/// After so many wrong tokens in a minute an address may send no new token, right or wrong: if right ones
/// passed, guessing would go on as fast as before. Tokens that were right from there before still pass, since
/// whole offices and all callers of a proxy share one address.
///
/// Not `governor`, which can count but not look without counting.
#[derive(Debug)]
pub(super) struct AuthThrottle {
    /// What one wrong token costs.
    price: Duration,
    /// Wrong tokens (as time) an address may accumulate before it is throttled.
    credit: Duration,
    /// When each address's wrong tokens expire (GCRA).
    clear_at: Mutex<HashMap<IpAddr, Instant>>,
    /// Which tokens were right, from where.
    right: Mutex<HashSet<(IpAddr, Arc<str>)>>,
}

impl AuthThrottle {
    pub(super) fn new(per_minute: u32) -> AuthThrottle {
        let price = Duration::from_secs(60) / per_minute.max(1);
        AuthThrottle {
            price,
            credit: price * per_minute.max(1).saturating_sub(1),
            clear_at: Mutex::default(),
            right: Mutex::default(),
        }
    }

    /// How long this address has to wait before it may send a token that was not right from there before.
    pub(super) fn retry_after(&self, peer: IpAddr, now: Instant) -> Option<Duration> {
        let owed = self.clear_at().get(&peer)?.saturating_duration_since(now);
        owed.checked_sub(self.credit).filter(|wait| !wait.is_zero())
    }

    pub(super) fn record_failure(&self, peer: IpAddr, now: Instant) {
        let mut clear_at = self.clear_at();
        if clear_at.len() >= MOST_ADDRESSES {
            clear_at.retain(|_, at| *at > now);
            if clear_at.len() >= MOST_ADDRESSES {
                clear_at.clear();
            }
        }
        let at = clear_at.entry(peer).or_insert(now);
        *at = now.max(*at) + self.price;
    }

    /// This token, by its name, was right when it came from this address.
    pub(super) fn remember_success(&self, peer: IpAddr, token: Arc<str>) {
        let mut right = self.right();
        if right.len() >= MOST_REMEMBERED {
            right.clear();
        }
        right.insert((peer, token));
    }

    pub(super) fn succeeded_before(&self, peer: IpAddr, token: Arc<str>) -> bool {
        self.right().contains(&(peer, token))
    }

    fn right(&self) -> MutexGuard<'_, HashSet<(IpAddr, Arc<str>)>> {
        self.right.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn clear_at(&self) -> MutexGuard<'_, HashMap<IpAddr, Instant>> {
        self.clear_at.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    #[test]
    fn guessing_is_slowed_to_the_rate() {
        let throttle = AuthThrottle::new(10);
        let (guesser, other) = (Ipv4Addr::new(192, 0, 2, 1).into(), Ipv4Addr::new(192, 0, 2, 2).into());
        let start = Instant::now();
        let mut guesses = 0;
        // A guess every 10 ms for ten minutes.
        for step in 0..60_000 {
            let now = start + step * Duration::from_millis(10);
            if throttle.retry_after(guesser, now).is_none() {
                throttle.record_failure(guesser, now);
                guesses += 1;
            }
            assert_eq!(throttle.retry_after(other, now), None);
        }
        assert_eq!(guesses, 10 + 99, "ten at once, then one every six seconds");
        assert_eq!(throttle.retry_after(guesser, start + Duration::from_secs(700)), None);
    }

    #[test]
    fn a_crowd_of_guessers_is_bounded() {
        let throttle = AuthThrottle::new(1);
        let now = Instant::now();
        for number in 0..2 * u32::try_from(MOST_ADDRESSES).unwrap() + 1 {
            throttle.record_failure(Ipv4Addr::from_bits(number).into(), now);
        }
        assert!(throttle.clear_at().len() <= MOST_ADDRESSES);
        for number in 0..2 * u32::try_from(MOST_REMEMBERED).unwrap() + 1 {
            throttle.remember_success(Ipv4Addr::from_bits(number).into(), "me".into());
        }
        assert!(throttle.right().len() <= MOST_REMEMBERED);
    }
}
