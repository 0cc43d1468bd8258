//! The book of requests: what is in flight, what has been seen, what it has cost.

use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use tokio::sync::watch;

use crate::{
    cache::{Account, Cache},
    prompt::Prompt,
    seen::{Api, Outcome, Seen, Usage},
};

/// Shared by the server's thread, which writes, and the test, which reads.
#[derive(Debug)]
pub(crate) struct Book {
    pages: Mutex<Pages>,
    /// Outside the pages so that tests can wait for them to change.
    counts: watch::Sender<Counts>,
    keeps_seen: bool,
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) arrivals: u64,
    pub(crate) in_flight: usize,
}

#[derive(Debug)]
struct Pages {
    /// In order of arrival, so that a request's number is its index. Empty if nothing is kept.
    seen: Vec<Seen>,
    peaks: Peaks,
    usage: Usage,
    cache: Cache,
    /// How far the caches' clock is ahead of the real one.
    ahead: Duration,
}

impl Book {
    pub(crate) fn new(keeps_seen: bool, minimum_tokens: u64) -> Self {
        let pages = Pages {
            seen: Vec::new(),
            peaks: Peaks::default(),
            usage: Usage::default(),
            cache: Cache::new(minimum_tokens),
            ahead: Duration::ZERO,
        };
        Self { pages: Mutex::new(pages), counts: watch::Sender::default(), keeps_seen }
    }

    /// Enters a request, giving it its number.
    pub(crate) fn arrive(&self, seen: &mut Seen) {
        let mut pages = self.open();
        let counts = self.counts();
        seen.number = counts.arrivals;
        seen.in_flight = counts.in_flight + 1;
        pages.peaks.rise(seen.number, seen.in_flight);
        if self.keeps_seen {
            pages.seen.push(seen.clone());
        }
        // Last, so that whoever waits for it finds the page written.
        self.counts.send_replace(Counts { arrivals: seen.number + 1, in_flight: seen.in_flight });
    }

    /// What a prompt costs, given what is cached at this moment.
    pub(crate) fn account(&self, api: Api, model: &str, prompt: &Prompt<'_>) -> Account {
        let mut pages = self.open();
        let now = pages.cache_now();
        pages.cache.look_up(api, model, prompt, now)
    }

    /// The first byte goes out: the input is billed, and what it writes to the cache can be read.
    pub(crate) fn begin(&self, number: u64, account: &Account) {
        let mut pages = self.open();
        let now = pages.cache_now();
        pages.cache.publish(account, now);
        pages.usage += account.usage;
        if let Some(seen) = pages.seen_mut(number) {
            seen.began = Some(Instant::now());
            seen.usage = account.usage;
        }
    }

    /// Nothing more will be sent.
    pub(crate) fn finish(&self, number: u64, outcome: Outcome, output_tokens: u64) {
        let mut pages = self.open();
        pages.usage.output += output_tokens;
        let peak = pages.peaks.since(number);
        if let Some(seen) = pages.seen_mut(number) {
            seen.finished = Some(Instant::now());
            seen.outcome = outcome;
            seen.in_flight = peak;
            seen.usage.output = output_tokens;
        }
        self.counts.send_modify(|counts| counts.in_flight -= 1);
    }

    pub(crate) fn seen(&self) -> Vec<Seen> {
        let pages = self.open();
        let mut seen = pages.seen.clone();
        for one in seen.iter_mut().filter(|one| one.outcome == Outcome::InFlight) {
            one.in_flight = pages.peaks.since(one.number);
        }
        seen
    }

    pub(crate) fn usage(&self) -> Usage {
        self.open().usage
    }

    pub(crate) fn counts(&self) -> Counts {
        *self.counts.borrow()
    }

    pub(crate) async fn wait_for(&self, mut reached: impl FnMut(&Counts) -> bool) {
        // The sender lives in this book, so the channel cannot close while somebody waits.
        let _ = self.counts.subscribe().wait_for(|counts| reached(counts)).await;
    }

    pub(crate) fn let_caches_age(&self, by: Duration) {
        self.open().ahead += by;
    }

    /// A panic elsewhere leaves the book as it was between two entries, which is still true.
    fn open(&self) -> MutexGuard<'_, Pages> {
        self.pages.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Pages {
    fn cache_now(&self) -> Instant {
        Instant::now() + self.ahead
    }

    fn seen_mut(&mut self, number: u64) -> Option<&mut Seen> {
        self.seen.get_mut(usize::try_from(number).ok()?)
    }
}

/// The most requests in flight since any given arrival, without touching every request at every arrival: only
/// arrivals after which there were never as many again are kept, so the counts fall from front to back.
#[derive(Debug, Default)]
struct Peaks(Vec<(u64, usize)>);

impl Peaks {
    fn rise(&mut self, number: u64, in_flight: usize) {
        while self.0.last().is_some_and(|&(_, earlier)| earlier <= in_flight) {
            self.0.pop();
        }
        self.0.push((number, in_flight));
    }

    fn since(&self, number: u64) -> usize {
        let first = self.0.partition_point(|&(at, _)| at < number);
        self.0.get(first).map_or(0, |&(_, in_flight)| in_flight)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn peaks_are_the_highest_count_from_an_arrival_on(counts in prop::collection::vec(1_usize..9, 1..60)) {
            let mut peaks = Peaks::default();
            for (number, &count) in (0..).zip(&counts) {
                peaks.rise(number, count);
                for from in 0..=number {
                    let highest = counts[from as usize..=number as usize].iter().max();
                    prop_assert_eq!(Some(&peaks.since(from)), highest);
                }
            }
        }
    }
}
