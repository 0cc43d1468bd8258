//! The feed of a run that is played or followed here: the newest records, shared by all its followers.
//!
//! Older records are in the log. A run that is played here pushes what it stores. A run that is played
//! elsewhere is polled by its followers, of which one asks the store for all.

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Arc, Mutex, OnceLock, Weak},
};

use enact_drama::{Record, RunId, Seq, production::Delta};
use tokio::sync::{broadcast, watch};

use super::{
    lock,
    log_tail::{Fetched, LogTail, RING_RECORDS},
};
use crate::{
    Store,
    log::{self, Status},
    run_loop::DeltaSink,
};

/// How many pieces of live text wait for a slow follower, which then misses some: they are provisional.
const DELTA_BUFFER: usize = 64;

/// The feeds of all runs that are played or followed here, and of no other.
#[derive(Debug, Default)]
pub(super) struct Feeds {
    open: Mutex<OpenFeeds>,
}

#[derive(Debug, Default)]
struct OpenFeeds {
    feeds: HashMap<RunId, Weak<Feed>>,
    closed: bool,
}

impl Feeds {
    pub(super) fn of(self: &Arc<Self>, run: RunId) -> Arc<Feed> {
        let mut open = lock(&self.open);
        if let Some(feed) = open.feeds.get(&run).and_then(Weak::upgrade) {
            return feed;
        }
        let feed = Arc::new(Feed {
            run,
            known: watch::Sender::new(LogTail::nothing(open.closed)),
            deltas: OnceLock::new(),
            polling: tokio::sync::Mutex::default(),
            held: Mutex::default(),
            home: Arc::downgrade(self),
        });
        open.feeds.insert(run, Arc::downgrade(&feed));
        feed
    }

    /// Another node may have appended to a run.
    pub(super) fn wake(&self, run: RunId) {
        if let Some(feed) = self.find(run) {
            feed.known.send_if_modified(LogTail::invalidate);
        }
    }

    /// Other nodes may have appended to any run.
    pub(super) fn wake_all(&self) {
        for feed in self.all() {
            feed.known.send_if_modified(LogTail::invalidate);
        }
    }

    /// Tells all followers, now or later, that nothing more comes from here.
    pub(super) fn close(&self) {
        lock(&self.open).closed = true;
        for feed in self.all() {
            feed.known.send_modify(LogTail::close);
        }
    }

    /// How many there are.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        lock(&self.open).feeds.len()
    }

    // These two return feeds without the lock: dropping the last handle of a feed takes the lock to remove
    // it.

    fn find(&self, run: RunId) -> Option<Arc<Feed>> {
        lock(&self.open).feeds.get(&run).and_then(Weak::upgrade)
    }

    fn all(&self) -> Vec<Arc<Feed>> {
        lock(&self.open).feeds.values().filter_map(Weak::upgrade).collect()
    }
}

/// What is known of one run, for its followers.
#[derive(Debug)]
pub(super) struct Feed {
    run: RunId,
    known: watch::Sender<LogTail>,
    /// Made for the first follower.
    deltas: OnceLock<broadcast::Sender<PositionedDelta>>,
    /// Held by the follower that polls the store.
    polling: tokio::sync::Mutex<()>,
    /// Older records that followers hold just now, so that all of them hold the same.
    held: Mutex<BTreeMap<Seq, Weak<Record>>>,
    home: Weak<Feeds>,
}

/// A piece of live text, and where in the log it was heard.
#[derive(Debug, Clone)]
pub(super) struct PositionedDelta {
    /// The seq of the first record that was not there yet.
    pub(super) before: Seq,
    pub(super) delta: Arc<Delta>,
}

impl Feed {
    pub(super) fn run(&self) -> RunId {
        self.run
    }

    pub(super) fn follow(&self) -> (watch::Receiver<LogTail>, broadcast::Receiver<PositionedDelta>) {
        let deltas = self.deltas.get_or_init(|| broadcast::Sender::new(DELTA_BUFFER));
        (self.known.subscribe(), deltas.subscribe())
    }

    /// From now on the run is played here, on a log that has come to this seq.
    pub(super) fn play_here(&self, next: Seq) {
        self.known.send_modify(|known| known.play_here(next));
    }

    /// From now on its followers have to poll the store.
    pub(super) fn play_elsewhere(&self) {
        self.known.send_modify(LogTail::play_elsewhere);
    }

    /// Takes records that have just been stored here; the last ones, if the run has ended with them.
    pub(super) fn push(&self, records: &[Arc<Record>], ended: bool) {
        let followed = self.has_listeners();
        self.known.send_modify(|known| known.push(records, followed, ended));
    }

    /// Polls the store for what others have appended, unless another follower just has.
    pub(super) async fn poll(&self, store: &dyn Store) -> Result<(), log::Error> {
        let _turn = self.polling.lock().await;
        let Some((next, generation)) = self.known.borrow().poll_from() else { return Ok(()) };
        let run = store.find(self.run).await?;
        let end = Seq(run.events);
        let mut records = Vec::new();
        if end > next {
            // Followers that are further behind read the log.
            let from = next.max(Seq(end.0.saturating_sub(RING_RECORDS as u64)));
            records =
                store.read_some(self.run, from, RING_RECORDS).await?.into_iter().map(Arc::new).collect();
        }
        let found = Fetched {
            generation,
            records,
            end,
            finished: run.status == Status::Finished,
            resting: matches!(run.status, Status::Resting | Status::Paused),
        };
        self.known.send_if_modified(|known| known.merge(&found));
        Ok(())
    }

    /// Records that a follower has read from the log, or the same ones if another holds them: of a thousand
    /// followers that take nothing each would otherwise hold a copy of its own.
    pub(super) fn share(&self, records: Vec<Record>) -> Vec<Arc<Record>> {
        let mut held = lock(&self.held);
        held.retain(|_, record| record.strong_count() > 0);
        let shared = records.into_iter().map(|record| {
            if let Some(same) = held.get(&record.seq).and_then(Weak::upgrade) {
                return same;
            }
            let record = Arc::new(record);
            held.insert(record.seq, Arc::downgrade(&record));
            record
        });
        shared.collect()
    }

    #[cfg(test)]
    pub(super) fn known(&self) -> watch::Ref<'_, LogTail> {
        self.known.borrow()
    }
}

impl DeltaSink for Feed {
    fn has_listeners(&self) -> bool {
        self.known.receiver_count() > 0
    }

    fn send(&self, delta: Delta) {
        if let Some(deltas) = self.deltas.get() {
            let before = self.known.borrow().next();
            // The last follower may be gone.
            let _ = deltas.send(PositionedDelta { before, delta: Arc::new(delta) });
        }
    }
}

impl Drop for Feed {
    fn drop(&mut self) {
        let Some(home) = self.home.upgrade() else { return };
        let mut open = lock(&home.open);
        // Another may have been opened for the same run since.
        if open.feeds.get(&self.run).is_some_and(|feed| feed.strong_count() == 0) {
            open.feeds.remove(&self.run);
        }
    }
}
