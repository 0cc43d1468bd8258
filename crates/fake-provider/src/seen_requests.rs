//! The requests that came: what is in flight, what has been seen, what it has cost.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use crate::{
    cache::{CacheAccount, PrefixCache},
    prompt::Prompt,
    running::Traffic,
    seen::{Api, BilledUsage, RequestOutcome, Seen},
};

/// Shared by the server's thread, which writes, and the test, which reads.
#[derive(Debug)]
pub(crate) struct SeenRequests {
    state: Mutex<SeenState>,
    /// Outside the state so that tests can wait for it to change.
    pub(crate) traffic: Arc<Traffic>,
    keeps_seen: bool,
}

#[derive(Debug)]
struct SeenState {
    /// In order of arrival, so that a request's number is its index. Empty if nothing is kept.
    seen: Vec<Seen>,
    /// The numbers of those that are being answered.
    in_flight: Vec<u64>,
    usage: BilledUsage,
    cache: PrefixCache,
    /// How far the caches' clock is ahead of the real one.
    ahead: Duration,
}

impl SeenRequests {
    pub(crate) fn new(keeps_seen: bool, minimum_tokens: u64) -> Self {
        let state = SeenState {
            seen: Vec::new(),
            in_flight: Vec::new(),
            usage: BilledUsage::default(),
            cache: PrefixCache::new(minimum_tokens),
            ahead: Duration::ZERO,
        };
        Self { state: Mutex::new(state), traffic: Arc::default(), keeps_seen }
    }

    /// Enters a request, giving it its number.
    pub(crate) fn arrive(&self, seen: &mut Seen) {
        let mut state = self.open();
        let counts = self.traffic.counts();
        seen.number = counts.arrivals;
        seen.in_flight = counts.in_flight + 1;
        if self.keeps_seen {
            state.seen.push(seen.clone());
            state.in_flight.push(seen.number);
            state.note_peak(seen.in_flight);
        }
        // Last, so that a test that waits for it finds the page written.
        self.traffic.arrive();
    }

    /// What a prompt costs, given what is cached at this moment.
    pub(crate) fn account(&self, api: Api, model: &str, prompt: &Prompt<'_>) -> CacheAccount {
        let mut state = self.open();
        let now = state.cache_now();
        state.cache.look_up(api, model, prompt, now)
    }

    /// The first byte goes out: the input is billed, and what it writes to the cache can be read.
    pub(crate) fn begin(&self, number: u64, account: &CacheAccount) {
        let mut state = self.open();
        let now = state.cache_now();
        state.cache.publish(account, now);
        state.usage += account.usage;
        if let Some(seen) = state.seen_mut(number) {
            seen.began = Some(Instant::now());
            seen.usage = account.usage;
        }
    }

    /// Nothing more will be sent.
    pub(crate) fn finish(&self, number: u64, outcome: RequestOutcome, output_tokens: u64) {
        let mut state = self.open();
        state.usage.output += output_tokens;
        state.in_flight.retain(|other| *other != number);
        if let Some(seen) = state.seen_mut(number) {
            seen.finished = Some(Instant::now());
            seen.outcome = outcome;
            seen.usage.output = output_tokens;
        }
        self.traffic.leave(outcome == RequestOutcome::Dropped);
    }

    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.open().seen.clone()
    }

    pub(crate) fn usage(&self) -> BilledUsage {
        self.open().usage
    }

    pub(crate) fn let_caches_age(&self, by: Duration) {
        self.open().ahead += by;
    }

    /// A panic elsewhere leaves the entries as they were, each of them whole.
    fn open(&self) -> MutexGuard<'_, SeenState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SeenState {
    fn cache_now(&self) -> Instant {
        Instant::now() + self.ahead
    }

    /// So many are in flight: each of them has to know if it is the most in its time.
    fn note_peak(&mut self, in_flight: usize) {
        for number in &self.in_flight {
            let seen = usize::try_from(*number).ok().and_then(|number| self.seen.get_mut(number));
            if let Some(seen) = seen {
                seen.in_flight = seen.in_flight.max(in_flight);
            }
        }
    }

    fn seen_mut(&mut self, number: u64) -> Option<&mut Seen> {
        self.seen.get_mut(usize::try_from(number).ok()?)
    }
}
