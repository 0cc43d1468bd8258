//! Waiting to within a fraction of a millisecond.
//!
//! The runtime's own timers count whole milliseconds and are one or two late, which is more than what the benchmarks
//! allow everything between the client and us. A thread that sleeps until the next moment is as exact as the system.

use std::{
    cmp::Reverse,
    collections::BinaryHeap,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread::{self, JoinHandle},
    time::Instant,
};

use tokio::sync::oneshot;

/// Wakes whoever waits, each at its moment. Its thread ends when it is dropped.
#[derive(Debug)]
pub(crate) struct AlarmClock {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug, Default)]
struct Shared {
    queue: Mutex<Queue>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Queue {
    /// The earliest on top.
    alarms: BinaryHeap<Reverse<Alarm>>,
    set: u64,
    stopped: bool,
}

#[derive(Debug)]
struct Alarm {
    due: Instant,
    /// Those due at the same moment ring in the order in which they were set.
    number: u64,
    bell: oneshot::Sender<()>,
}

impl AlarmClock {
    pub(crate) fn start() -> Self {
        let shared = Arc::new(Shared::default());
        let clock = Arc::clone(&shared);
        let thread = thread::Builder::new()
            .name("fake-provider-clock".to_owned())
            .spawn(move || clock.run())
            .expect("a thread for the clock");
        Self { shared, thread: Some(thread) }
    }

    /// Returns at that moment, or at once if it has passed.
    pub(crate) async fn wait_until(&self, due: Instant) {
        if due <= Instant::now() {
            return;
        }
        let (bell, rings) = oneshot::channel();
        self.shared.set(due, bell);
        // A clock that has stopped rings no more, but then nobody waits either.
        let _ = rings.await;
    }
}

impl Drop for AlarmClock {
    fn drop(&mut self) {
        self.shared.open().stopped = true;
        self.shared.changed.notify_one();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn set(&self, due: Instant, bell: oneshot::Sender<()>) {
        let mut queue = self.open();
        let is_next = queue.push(due, bell);
        drop(queue);
        // Only an earlier moment than the one slept for is news.
        if is_next {
            self.changed.notify_one();
        }
    }

    fn run(&self) {
        let mut queue = self.open();
        while !queue.stopped {
            let now = Instant::now();
            while let Some(alarm) = queue.pop_due(now) {
                // Those who have gone do not mind.
                let _ = alarm.bell.send(());
            }
            let next = queue.alarms.peek().map(|Reverse(next)| next.due.saturating_duration_since(now));
            queue = match next {
                Some(sleep) => {
                    self.changed.wait_timeout(queue, sleep).unwrap_or_else(PoisonError::into_inner).0
                }
                None => self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner),
            };
        }
    }

    fn open(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Queue {
    /// Says whether the new alarm is the earliest of all.
    fn push(&mut self, due: Instant, bell: oneshot::Sender<()>) -> bool {
        let is_next = self.alarms.peek().is_none_or(|Reverse(next)| due < next.due);
        self.alarms.push(Reverse(Alarm { due, number: self.set, bell }));
        self.set += 1;
        is_next
    }

    fn pop_due(&mut self, now: Instant) -> Option<Alarm> {
        let is_due = self.alarms.peek().is_some_and(|Reverse(next)| next.due <= now);
        is_due.then(|| self.alarms.pop()).flatten().map(|Reverse(alarm)| alarm)
    }
}

impl Ord for Alarm {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.due, self.number).cmp(&(other.due, other.number))
    }
}

impl PartialOrd for Alarm {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Alarm {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Alarm {}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use futures::future::join_all;

    use super::*;

    #[test]
    fn alarms_are_due_in_the_order_of_their_moments_then_as_they_were_set() {
        let begin = Instant::now();
        let at = |millis| begin + Duration::from_millis(millis);
        let mut queue = Queue::default();
        let earliest = [30, 10, 20, 10].map(|millis| queue.push(at(millis), oneshot::channel().0));
        assert_eq!(earliest, [true, true, false, false]);
        let mut ring = |now| -> Vec<u64> {
            std::iter::from_fn(|| queue.pop_due(at(now))).map(|alarm| alarm.number).collect()
        };
        assert!(ring(9).is_empty());
        assert_eq!(ring(10), [1, 3]);
        assert_eq!(ring(40), [2, 0]);
    }

    #[tokio::test]
    async fn nobody_is_woken_early() {
        let clock = AlarmClock::start();
        let begin = Instant::now();
        let sleep = async |millis| {
            let wait = Duration::from_millis(millis);
            clock.wait_until(begin + wait).await;
            assert!(begin.elapsed() >= wait);
        };
        // Set in an order that makes the clock change its mind.
        join_all([30, 10, 20, 10, 0].map(sleep)).await;
    }

    #[tokio::test]
    async fn a_clock_stops_with_alarms_set() {
        let clock = AlarmClock::start();
        let waiting = clock.wait_until(Instant::now() + Duration::from_secs(3600));
        assert!(tokio::time::timeout(Duration::from_millis(1), waiting).await.is_err());
        drop(clock);
    }
}
