//! How many may be served at once, in all and for each caller or address.

use std::{
    collections::HashMap,
    hash::Hash,
    sync::{Arc, Mutex, PoisonError},
};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::rate::RateKey;
use crate::limits::semaphore;

/// How many permits each key holds. Has no more entries than there are permits.
#[derive(Debug, Clone)]
pub(crate) struct CountByKey<K>(Arc<Mutex<HashMap<K, usize>>>);

impl<K> Default for CountByKey<K> {
    fn default() -> CountByKey<K> {
        CountByKey(Arc::default())
    }
}

impl<K: Hash + Eq + Clone> CountByKey<K> {
    /// A permit for this key, unless it holds so many already. It counts until it is dropped.
    pub(crate) fn acquire(&self, key: K, most: usize) -> Option<KeyPermit<K>> {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if counts.get(&key).is_some_and(|count| *count >= most) {
            return None;
        }
        *counts.entry(key.clone()).or_default() += 1;
        Some(KeyPermit { key, counts: self.clone() })
    }
}

#[derive(Debug)]
pub(crate) struct KeyPermit<K: Hash + Eq + Clone> {
    key: K,
    counts: CountByKey<K>,
}

impl<K: Hash + Eq + Clone> Drop for KeyPermit<K> {
    fn drop(&mut self) {
        let mut counts = self.counts.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(&self.key) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.key);
            }
        }
    }
}

/// So many at once, and half as many of one caller, so that no caller keeps out the others.
#[derive(Debug)]
pub(super) struct ConcurrencyLimit {
    all: Arc<Semaphore>,
    per_caller: usize,
    /// The same for an address whose callers have sent no token.
    per_address: usize,
    held: CountByKey<RateKey>,
}

/// Why there is no permit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LimitReached {
    /// All are taken.
    All,
    /// This caller has its share.
    Share,
}

/// A permit; released on drop.
#[derive(Debug)]
pub(super) struct Permit {
    _all: OwnedSemaphorePermit,
    _of_key: KeyPermit<RateKey>,
}

impl ConcurrencyLimit {
    /// With a single configured caller there is no other to protect: it may hold all permits.
    pub(super) fn new(number: usize, callers: usize) -> ConcurrencyLimit {
        let half = (number / 2).max(1);
        let per_caller = if callers > 1 { half } else { usize::MAX };
        ConcurrencyLimit {
            all: semaphore(number),
            per_caller,
            per_address: half,
            held: CountByKey::default(),
        }
    }

    pub(super) fn acquire(&self, key: &RateKey) -> Result<Permit, LimitReached> {
        let share = match key {
            RateKey::Caller(_) => self.per_caller,
            RateKey::Address(_) => self.per_address,
        };
        let of_key = self.held.acquire(key.clone(), share).ok_or(LimitReached::Share)?;
        let all = self.all.clone().try_acquire_owned().map_err(|_| LimitReached::All)?;
        Ok(Permit { _all: all, _of_key: of_key })
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use super::*;

    fn caller(name: &str) -> RateKey {
        RateKey::Caller(name.into())
    }

    #[test]
    fn no_caller_gets_all_while_there_are_others() {
        let limit = ConcurrencyLimit::new(5, 2);
        let mine = [(); 2].map(|()| limit.acquire(&caller("me")).unwrap());
        assert_eq!(limit.acquire(&caller("me")).unwrap_err(), LimitReached::Share);
        let _yours = [(); 2].map(|()| limit.acquire(&caller("you")).unwrap());
        let _theirs = limit.acquire(&RateKey::Address(Ipv4Addr::LOCALHOST.into())).unwrap();
        assert_eq!(limit.acquire(&caller("they")).unwrap_err(), LimitReached::All);
        drop(mine);
        limit.acquire(&caller("they")).unwrap();
        assert_eq!(limit.held.0.lock().unwrap().len(), 2, "a key without permits leaves nothing");
    }

    #[test]
    fn an_only_caller_gets_all_and_an_address_half() {
        let limit = ConcurrencyLimit::new(3, 1);
        let all = [(); 3].map(|()| limit.acquire(&caller("me")).unwrap());
        assert_eq!(limit.acquire(&caller("me")).unwrap_err(), LimitReached::All);
        drop(all);
        let stranger = RateKey::Address(Ipv4Addr::LOCALHOST.into());
        let _one = limit.acquire(&stranger).unwrap();
        assert_eq!(limit.acquire(&stranger).unwrap_err(), LimitReached::Share);
    }

    #[test]
    fn a_key_has_so_many_and_no_more() {
        let counts = CountByKey::default();
        let [one, other]: [IpAddr; 2] = ["192.0.2.1", "192.0.2.2"].map(|text| text.parse().unwrap());
        let first = counts.acquire(one, 2).unwrap();
        let _second = counts.acquire(one, 2).unwrap();
        assert!(counts.acquire(one, 2).is_none());
        assert!(counts.acquire(other, 2).is_some());
        drop(first);
        assert!(counts.acquire(one, 2).is_some());
        assert_eq!(counts.0.lock().unwrap().len(), 1, "a key without permits leaves nothing");
    }
}
