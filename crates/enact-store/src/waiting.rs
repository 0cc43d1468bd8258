//! What waits to be written, taken together: both databases store many appends in one go faster than one after the other.

use std::time::Duration;

use tokio::sync::mpsc;

/// How many jobs may wait. Each run waits for its own append, so a thousand runs at once fit; those beyond wait for
/// a place, which slows them to the speed of the disk.
const QUEUE: usize = 1024;

/// How long jobs are gathered before they are stored, once several wait at a time: answers of many scenes come in bursts,
/// and a commit costs the same for one append as for fifty. A single scene never waits for this.
const GATHERING: Duration = Duration::from_millis(1);

/// The end of a queue at which somebody writes.
pub(crate) struct Waiting<J> {
    jobs: mpsc::Receiver<J>,
    /// Whether several waited the last time.
    busy: bool,
}

impl<J> Waiting<J> {
    /// A queue, and its end.
    pub(crate) fn new() -> (mpsc::Sender<J>, Waiting<J>) {
        let (send, jobs) = mpsc::channel(QUEUE);
        (send, Waiting { jobs, busy: false })
    }

    /// All that waits by now, in order; nothing once everybody who could send is gone.
    pub(crate) async fn take(&mut self) -> Option<Vec<J>> {
        let mut waiting = Vec::new();
        if self.jobs.recv_many(&mut waiting, QUEUE).await == 0 {
            return None;
        }
        if self.busy {
            tokio::time::sleep(GATHERING).await;
            while waiting.len() < QUEUE
                && let Ok(job) = self.jobs.try_recv()
            {
                waiting.push(job);
            }
        }
        self.busy = waiting.len() > 1;
        Some(waiting)
    }
}
