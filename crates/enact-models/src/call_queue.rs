//! How many calls of a model are under way at once, and how many leave in a minute.
//!
//! All models of a process that are configured alike share one queue, whichever run they play in: the limit
//! is the provider's. Other processes are not known here.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use enact_http::HumanDuration;
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::{Instant, sleep_until, timeout_at},
};

use crate::Settings;

const MINUTE: Duration = Duration::from_secs(60);

/// The calls of a model that wait, first come first served.
#[derive(Debug)]
pub(crate) struct CallQueue {
    slots: Option<CallSlots>,
    per_minute: Option<RateWindow>,
}

#[derive(Debug)]
struct CallSlots {
    most: usize,
    /// Fair: permits are given in the order in which they were asked for, and one that waits no longer is
    /// passed over.
    free: Arc<Semaphore>,
}

/// When tries leave, so that no minute has more than `most` of them.
#[derive(Debug)]
struct RateWindow {
    most: usize,
    all: Mutex<RateWindows>,
}

#[derive(Debug, Default)]
struct RateWindows {
    /// Those of the last minute and those to come, in order.
    at: VecDeque<SendTime>,
    next_id: u64,
}

#[derive(Debug, Clone, Copy)]
struct SendTime {
    id: u64,
    at: Instant,
}

/// The right to make a call. It ends when this is dropped.
#[derive(Debug)]
pub(crate) struct CallPermit {
    _permit: Option<OwnedSemaphorePermit>,
}

/// A call waited too long, or would have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum QueueTooLong {
    #[error("timeout in the queue: 'max_parallel' is {most}")]
    Parallel { most: usize },
    #[error("timeout in the queue: the next call may start in {}, 'requests_per_minute' is {most}", HumanDuration(*in_time))]
    PerMinute { most: usize, in_time: Duration },
}

/// What models have in common that share a queue.
#[derive(Debug, PartialEq, Eq, Hash)]
struct QueueKey {
    provider: crate::Provider,
    model: String,
    /// An address or, of a program, its path.
    place: Option<String>,
    max_parallel: Option<usize>,
    requests_per_minute: Option<usize>,
}

/// The queues of this process: as many as there are models with limits.
static QUEUES: LazyLock<Mutex<HashMap<QueueKey, Arc<CallQueue>>>> = LazyLock::new(Mutex::default);

impl CallQueue {
    /// The queue of all models with these settings. `place` is where a program is that has no address.
    pub(crate) fn shared(
        settings: &Settings,
        place: Option<&str>,
        standard: Option<usize>,
    ) -> Arc<CallQueue> {
        let max_parallel = settings.max_parallel.or(standard);
        let key = QueueKey {
            provider: settings.provider,
            model: settings.model.clone(),
            place: place.map(str::to_owned).or_else(|| settings.base_url.clone()),
            max_parallel,
            requests_per_minute: settings.requests_per_minute,
        };
        let new = || Arc::new(CallQueue::new(max_parallel, settings.requests_per_minute));
        lock(&QUEUES).entry(key).or_insert_with(new).clone()
    }

    fn new(max_parallel: Option<usize>, requests_per_minute: Option<usize>) -> CallQueue {
        let slots = max_parallel.map(|most| CallSlots { most, free: Arc::new(Semaphore::new(most)) });
        let per_minute = requests_per_minute.map(|most| RateWindow { most, all: Mutex::default() });
        CallQueue { slots, per_minute }
    }

    /// Waits until another call may be made, though not beyond `until`. Cancel safe: a call that is dropped
    /// while it waits leaves its place to the next.
    pub(crate) async fn enter(&self, until: Instant) -> Result<CallPermit, QueueTooLong> {
        let Some(CallSlots { most, free }) = &self.slots else { return Ok(CallPermit { _permit: None }) };
        let permit = timeout_at(until, free.clone().acquire_owned()).await;
        // The semaphore is never closed.
        let permit = permit.ok().and_then(Result::ok).ok_or(QueueTooLong::Parallel { most: *most })?;
        Ok(CallPermit { _permit: Some(permit) })
    }

    /// Waits until another try may leave. Where that would be after `until`, it fails at once, so that a
    /// fallback has the time. Cancel safe, as [`enter`](CallQueue::enter) is.
    pub(crate) async fn wait_to_send(&self, until: Instant) -> Result<(), QueueTooLong> {
        let Some(rate) = &self.per_minute else { return Ok(()) };
        let reserved = rate.reserve(until)?;
        let mut at = reserved.first.at;
        loop {
            sleep_until(at).await;
            match rate.try_send_now(reserved.first.id) {
                Some(later) => at = later,
                None => break,
            }
        }
        reserved.keep();
        Ok(())
    }
}

impl RateWindow {
    fn reserve(&self, until: Instant) -> Result<ReservedSend<'_>, QueueTooLong> {
        let now = Instant::now();
        let mut all = lock(&self.all);
        while all.at.front().is_some_and(|first| first.at + MINUTE <= now) {
            all.at.pop_front();
        }
        let earliest = self.earliest(&all, all.at.len()).unwrap_or(now);
        // First come, first served.
        let at = all.at.back().map_or(earliest, |last| earliest.max(last.at)).max(now);
        if at > until {
            return Err(QueueTooLong::PerMinute { most: self.most, in_time: at - now });
        }
        let first = SendTime { id: all.next_id, at };
        all.next_id += 1;
        all.at.push_back(first);
        Ok(ReservedSend { rate: self, first, kept: false })
    }

    /// When the one at this place may leave: a minute after the one that was `most` places before it.
    fn earliest(&self, all: &RateWindows, place: usize) -> Option<Instant> {
        let before = place.checked_sub(self.most).and_then(|at| all.at.get(at));
        before.map(|departure| departure.at + MINUTE)
    }

    /// Leaves now, or says when: one before it may have left later than it was to, if its task had to wait.
    fn try_send_now(&self, id: u64) -> Option<Instant> {
        let now = Instant::now();
        let mut all = lock(&self.all);
        let place = all.at.iter().position(|departure| departure.id == id)?;
        let later = self.earliest(&all, place).filter(|earliest| *earliest > now);
        all.at[place].at = later.unwrap_or(now);
        later
    }
}

/// A try that is to leave. It is given back unless it was kept.
struct ReservedSend<'a> {
    rate: &'a RateWindow,
    /// When it was to leave at first.
    first: SendTime,
    kept: bool,
}

impl ReservedSend<'_> {
    fn keep(mut self) {
        self.kept = true;
    }
}

impl Drop for ReservedSend<'_> {
    fn drop(&mut self) {
        if !self.kept {
            lock(&self.rate.all).at.retain(|departure| departure.id != self.first.id);
        }
    }
}

/// What a poisoned lock guards is still whole: nothing panics while it is held.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
