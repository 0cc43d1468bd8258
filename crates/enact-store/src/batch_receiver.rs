//! The writer's queue, read in batches: both databases store many appends in one transaction faster than one
//! by one.

use std::time::Duration;

use enact_engine::log;
use tokio::sync::{mpsc, oneshot};

/// How many jobs may wait. Each run waits for its own append, so a thousand runs at once fit; those beyond
/// wait for a place, which slows them to the speed of the disk.
const CAPACITY: usize = 1024;

/// Batching window once several jobs wait at a time: answers of many scenes come in bursts,
/// and a commit costs the same for one append as for fifty. A single scene never waits for this.
const BATCH_WINDOW: Duration = Duration::from_millis(1);

/// How many jobs have to come at a time for the next ones to be waited for. With fewer, waiting would be most
/// of what a write takes.
const BUSY_FROM: usize = 16;

/// Where the outcome of a job goes.
pub(crate) type Done<T> = oneshot::Sender<Result<T, log::Error>>;

/// Answers the caller of a job. One that is gone has stopped playing; what was stored stays stored.
pub(crate) fn finish<T>(done: Done<T>, outcome: Result<T, log::Error>) {
    let _ = done.send(outcome);
}

/// Has the writer do a job, and waits for its outcome.
pub(crate) async fn ask<J, T>(
    jobs: &mpsc::Sender<J>,
    job: impl FnOnce(Done<T>) -> J,
) -> Result<T, log::Error> {
    let gone = || log::Error::Storage("the task that writes is gone".to_owned());
    let (done, outcome) = oneshot::channel();
    jobs.send(job(done)).await.map_err(|_| gone())?;
    outcome.await.map_err(|_| gone())?
}

/// The receiving end of the writer's queue.
pub(crate) struct BatchReceiver<J> {
    jobs: mpsc::Receiver<J>,
    /// Whether many came at a time the last time.
    busy: bool,
}

impl<J> BatchReceiver<J> {
    /// A queue, and its end.
    pub(crate) fn new() -> (mpsc::Sender<J>, BatchReceiver<J>) {
        let (send, jobs) = mpsc::channel(CAPACITY);
        (send, BatchReceiver { jobs, busy: false })
    }

    /// All jobs that wait by now, in order; `None` once all senders are gone.
    pub(crate) async fn next_batch(&mut self) -> Option<Vec<J>> {
        let mut waiting = Vec::new();
        if self.jobs.recv_many(&mut waiting, CAPACITY).await == 0 {
            return None;
        }
        if self.busy {
            tokio::time::sleep(BATCH_WINDOW).await;
            while waiting.len() < CAPACITY
                && let Ok(job) = self.jobs.try_recv()
            {
                waiting.push(job);
            }
        }
        self.busy = waiting.len() >= BUSY_FROM;
        Some(waiting)
    }
}
