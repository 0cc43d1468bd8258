//! What is known here of runs that are played or followed.
//!
//! Recent records stand in a ring that all followers of a run share; older ones are in the log. A run that is played here
//! tells of everything it stores. Of one that is played elsewhere the followers find out themselves, taking turns: however
//! many they are, one of them asks.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, OnceLock, Weak},
};

use enact_drama::{Record, RunId, Seq, production::Delta};
use tokio::sync::{broadcast, watch};

use super::{
    known::{Found, Known, RING},
    lock,
};
use crate::{
    Store,
    log::{self, Status},
    perform::Audience,
};

/// How many pieces of live text may wait for somebody slow, who then misses some: they are provisional.
const DELTAS: usize = 64;

/// The feeds of all runs that are played or followed here, and of no other.
#[derive(Debug, Default)]
pub(super) struct Feeds {
    open: Mutex<Open>,
}

#[derive(Debug, Default)]
struct Open {
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
            known: watch::Sender::new(Known::nothing(open.closed)),
            deltas: OnceLock::new(),
            looking: tokio::sync::Mutex::default(),
            home: Arc::downgrade(self),
        });
        open.feeds.insert(run, Arc::downgrade(&feed));
        feed
    }

    /// Somebody may have appended to a run.
    pub(super) fn wake(&self, run: RunId) {
        if let Some(feed) = self.find(run) {
            feed.known.send_if_modified(Known::hear_news);
        }
    }

    /// Somebody may have appended to any run.
    pub(super) fn wake_all(&self) {
        for feed in self.all() {
            feed.known.send_if_modified(Known::hear_news);
        }
    }

    /// Tells everybody who follows, now or later, that nothing more comes from here.
    pub(super) fn close(&self) {
        lock(&self.open).closed = true;
        for feed in self.all() {
            feed.known.send_modify(Known::close);
        }
    }

    /// How many there are.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        lock(&self.open).feeds.len()
    }

    // What is found leaves these two without the lock: whoever drops the last handle of a feed takes it to forget it.

    fn find(&self, run: RunId) -> Option<Arc<Feed>> {
        lock(&self.open).feeds.get(&run).and_then(Weak::upgrade)
    }

    fn all(&self) -> Vec<Arc<Feed>> {
        lock(&self.open).feeds.values().filter_map(Weak::upgrade).collect()
    }
}

/// What is known of one run, for whoever follows it.
#[derive(Debug)]
pub(super) struct Feed {
    run: RunId,
    known: watch::Sender<Known>,
    /// Made for the first who listens.
    deltas: OnceLock<broadcast::Sender<Heard>>,
    /// Held by whoever finds out what others have appended.
    looking: tokio::sync::Mutex<()>,
    home: Weak<Feeds>,
}

/// A piece of live text, and where in the log it was heard.
#[derive(Debug, Clone)]
pub(super) struct Heard {
    /// The seq of the first record that was not there yet.
    pub(super) before: Seq,
    pub(super) delta: Arc<Delta>,
}

impl Feed {
    pub(super) fn run(&self) -> RunId {
        self.run
    }

    pub(super) fn follow(&self) -> (watch::Receiver<Known>, broadcast::Receiver<Heard>) {
        let deltas = self.deltas.get_or_init(|| broadcast::Sender::new(DELTAS));
        (self.known.subscribe(), deltas.subscribe())
    }

    /// From now on the run is played here, on a log that has come to this seq.
    pub(super) fn play_here(&self, next: Seq) {
        self.known.send_modify(|known| known.play_here(next));
    }

    /// From now on whoever follows has to look for themselves.
    pub(super) fn play_elsewhere(&self) {
        self.known.send_modify(Known::play_elsewhere);
    }

    /// Takes records that have just been stored here; the last ones, if the run has ended with them.
    pub(super) fn grow(&self, records: &[Arc<Record>], ended: bool) {
        let followed = self.listens();
        self.known.send_modify(|known| known.grow(records, followed, ended));
    }

    /// Finds out what others have appended, unless somebody else just has.
    pub(super) async fn look(&self, store: &dyn Store) -> Result<(), log::Error> {
        let _turn = self.looking.lock().await;
        let Some((next, news)) = self.known.borrow().look() else { return Ok(()) };
        let run = store.find(self.run).await?;
        let end = Seq(run.events);
        let mut records = Vec::new();
        if end > next {
            // Whoever is further behind reads the log.
            let from = next.max(Seq(end.0.saturating_sub(RING as u64)));
            records = store.read_some(self.run, from, RING).await?.into_iter().map(Arc::new).collect();
        }
        let found = Found {
            news,
            records,
            end,
            finished: run.status == Status::Finished,
            resting: run.status == Status::Resting,
        };
        self.known.send_if_modified(|known| known.learn(&found));
        Ok(())
    }

    #[cfg(test)]
    pub(super) fn known(&self) -> watch::Ref<'_, Known> {
        self.known.borrow()
    }
}

impl Audience for Feed {
    fn listens(&self) -> bool {
        self.known.receiver_count() > 0
    }

    fn hears(&self, delta: Delta) {
        if let Some(deltas) = self.deltas.get() {
            let before = self.known.borrow().next();
            // Nobody may be listening any more.
            let _ = deltas.send(Heard { before, delta: Arc::new(delta) });
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
