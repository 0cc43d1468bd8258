//! Brings what happens in a run to those who follow it.
//!
//! Who follows holds a cursor, never a queue: recent records come from a ring that all followers of a run share, older ones
//! from the log. However slow somebody is, the run neither waits nor remembers anything for them.

use std::{
    collections::{HashMap, VecDeque},
    sync::{
        Arc, Mutex, Weak,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use enact_drama::{Record, RunId, Seq};
use tokio::sync::{broadcast, watch};

use super::lock;
use crate::{
    Store,
    log::{self, Status},
    perform::{Audience, Delta},
};

/// How many records of a run are at hand: those of a few beats.
const RING: usize = 64;
/// How many pieces of live text may wait for somebody slow, who then misses some: they are provisional.
const DELTAS: usize = 64;
/// How many records are read from the log at a time.
const PAGE: usize = 256;
/// How often a run that is played elsewhere is looked at, should news of it be lost.
const LOOKING: Duration = Duration::from_secs(1);

/// The feeds of all runs that are played or followed here.
#[derive(Debug, Default)]
pub(super) struct Feeds {
    feeds: Mutex<HashMap<RunId, Weak<Feed>>>,
}

impl Feeds {
    pub(super) fn of(&self, run: RunId) -> Arc<Feed> {
        let mut feeds = lock(&self.feeds);
        if let Some(feed) = feeds.get(&run).and_then(Weak::upgrade) {
            return feed;
        }
        if feeds.len() == feeds.capacity() {
            feeds.retain(|_, feed| feed.strong_count() > 0);
        }
        let feed = Arc::new(Feed::new());
        feeds.insert(run, Arc::downgrade(&feed));
        feed
    }

    pub(super) fn follow(&self, store: Arc<dyn Store>, run: RunId, from: Seq) -> Follower {
        let feed = self.of(run);
        feed.followers.fetch_add(1, Ordering::SeqCst);
        let (state, deltas) = (feed.state.subscribe(), feed.deltas.subscribe());
        Follower { feed, store, run, next: from, state, deltas, looked: false, woken: 0 }
    }

    /// Somebody else has appended to a run.
    pub(super) fn wake(&self, run: RunId) {
        if let Some(feed) = lock(&self.feeds).get(&run).and_then(Weak::upgrade)
            && !feed.here.load(Ordering::SeqCst)
        {
            feed.state.send_modify(|state| state.woken += 1);
        }
    }

    /// Tells everybody who follows that nothing more comes from here.
    pub(super) fn close(&self) {
        for feed in lock(&self.feeds).values().filter_map(Weak::upgrade) {
            feed.state.send_modify(|state| state.closed = true);
        }
    }
}

/// What happens in one run.
#[derive(Debug)]
pub(super) struct Feed {
    ring: Mutex<VecDeque<Arc<Record>>>,
    state: watch::Sender<State>,
    deltas: broadcast::Sender<Arc<Delta>>,
    followers: AtomicUsize,
    /// Whether the run is played by this node, which then tells of everything.
    here: AtomicBool,
}

#[derive(Debug, Clone, Copy, Default)]
struct State {
    /// The seq after the newest record that is known here.
    next: Seq,
    /// Grows when others may have appended.
    woken: u64,
    ended: bool,
    closed: bool,
}

impl Feed {
    fn new() -> Feed {
        Feed {
            ring: Mutex::default(),
            state: watch::Sender::default(),
            deltas: broadcast::Sender::new(DELTAS),
            followers: AtomicUsize::new(0),
            here: AtomicBool::new(false),
        }
    }

    pub(super) fn play_here(&self, here: bool) {
        self.here.store(here, Ordering::SeqCst);
        // Whoever waits has to know where to look from now on.
        self.state.send_modify(|state| state.woken += 1);
    }

    /// Takes records that have just been stored.
    pub(super) fn grow(&self, records: &[Arc<Record>]) {
        let (Some(first), Some(last)) = (records.first(), records.last()) else { return };
        {
            let mut ring = lock(&self.ring);
            if self.followers.load(Ordering::SeqCst) == 0
                || ring.back().is_some_and(|newest| newest.seq.next() != first.seq)
            {
                ring.clear();
            }
            if self.followers.load(Ordering::SeqCst) > 0 {
                ring.extend(records.iter().cloned());
                let surplus = ring.len().saturating_sub(RING);
                ring.drain(..surplus);
            }
        }
        let next = last.seq.next();
        self.state.send_modify(|state| state.next = next);
    }

    pub(super) fn end(&self) {
        self.state.send_modify(|state| state.ended = true);
    }

    /// What is at hand from a seq on; nothing if that is not where the ring reaches.
    fn recent(&self, from: Seq) -> Vec<Arc<Record>> {
        let ring = lock(&self.ring);
        match ring.front() {
            Some(oldest) if oldest.seq <= from => {
                ring.iter().skip((from.0 - oldest.seq.0) as usize).cloned().collect()
            }
            _ => Vec::new(),
        }
    }
}

impl Audience for Feed {
    fn hears(&self, delta: Delta) {
        if self.followers.load(Ordering::Relaxed) > 0 {
            // Nobody may be listening any more.
            let _ = self.deltas.send(Arc::new(delta));
        }
    }
}

/// Somebody who follows a run. Reads on where it stopped, as slowly as it likes.
#[derive(Debug)]
pub struct Follower {
    feed: Arc<Feed>,
    store: Arc<dyn Store>,
    run: RunId,
    next: Seq,
    state: watch::Receiver<State>,
    deltas: broadcast::Receiver<Arc<Delta>>,
    /// Whether the log was read to its end since there was last a reason to.
    looked: bool,
    /// As of when.
    woken: u64,
}

/// What a follower gets to see.
#[derive(Debug, Clone)]
pub enum Seen {
    /// What happened next: never empty, and without gaps.
    Records(Vec<Arc<Record>>),
    /// Live text, provisional.
    Delta(Arc<Delta>),
    /// The node stops: follow the run elsewhere, from the next seq on.
    Closed,
}

impl Follower {
    /// The seq of the next record.
    pub fn next_seq(&self) -> Seq {
        self.next
    }

    /// What comes next; nothing once the run has ended and all of it was seen. Cancel safe.
    pub async fn next(&mut self) -> Result<Option<Seen>, log::Error> {
        loop {
            let state = *self.state.borrow_and_update();
            let recent = self.feed.recent(self.next);
            if !recent.is_empty() {
                return Ok(Some(self.seen(recent)));
            }
            if !self.looked || state.next > self.next || state.woken != self.woken {
                self.woken = state.woken;
                let page = self.store.read_some(self.run, self.next, PAGE).await?;
                self.looked = page.len() < PAGE;
                if !page.is_empty() {
                    return Ok(Some(self.seen(page.into_iter().map(Arc::new).collect())));
                }
                if state.ended || self.store.find(self.run).await?.status == Status::Finished {
                    // It may have ended between the two looks.
                    let rest = self.store.read_some(self.run, self.next, PAGE).await?;
                    if rest.is_empty() {
                        return Ok(None);
                    }
                    return Ok(Some(self.seen(rest.into_iter().map(Arc::new).collect())));
                }
            } else if state.ended {
                return Ok(None);
            }
            if state.closed {
                return Ok(Some(Seen::Closed));
            }
            let here = self.feed.here.load(Ordering::SeqCst);
            tokio::select! {
                biased;
                changed = self.state.changed() => {
                    if changed.is_err() {
                        return Ok(Some(Seen::Closed));
                    }
                    self.looked = self.looked && here;
                }
                Ok(delta) = self.deltas.recv() => return Ok(Some(Seen::Delta(delta))),
                () = tokio::time::sleep(LOOKING), if !here => self.looked = false,
            }
        }
    }

    fn seen(&mut self, records: Vec<Arc<Record>>) -> Seen {
        if let Some(last) = records.last() {
            self.next = last.seq.next();
        }
        Seen::Records(records)
    }
}

impl Drop for Follower {
    fn drop(&mut self) {
        self.feed.followers.fetch_sub(1, Ordering::SeqCst);
    }
}
