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
        let is_next = queue.alarms.peek().is_none_or(|Reverse(next)| due < next.due);
        let number = queue.set;
        queue.set += 1;
        queue.alarms.push(Reverse(Alarm { due, number, bell }));
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
            while queue.alarms.peek().is_some_and(|Reverse(next)| next.due <= now) {
                if let Some(Reverse(alarm)) = queue.alarms.pop() {
                    // Those who have gone do not mind.
                    let _ = alarm.bell.send(());
                }
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

    #[tokio::test]
    async fn alarms_ring_in_the_order_of_their_moments_and_never_early() {
        let clock = AlarmClock::start();
        let begin = Instant::now();
        let rung = Mutex::new(Vec::new());
        // Set in an order that makes the clock change its mind.
        let ring = async |millis| {
            let wait = Duration::from_millis(millis);
            clock.wait_until(begin + wait).await;
            assert!(begin.elapsed() >= wait);
            rung.lock().expect("a list").push(millis);
        };
        join_all([30, 10, 20, 10, 0].map(&ring)).await;
        assert_eq!(*rung.lock().expect("a list"), [0, 10, 10, 20, 30]);
    }

    #[tokio::test]
    async fn a_clock_stops_with_alarms_set() {
        let clock = AlarmClock::start();
        let waiting = tokio::time::timeout(
            Duration::from_millis(1),
            clock.wait_until(Instant::now() + Duration::from_secs(3600)),
        );
        assert!(waiting.await.is_err());
        drop(clock);
    }
}
