//! What is known here of runs that are played or followed.
//!
//! Recent records stand in a ring that all followers of a run share; older ones are in the log. A run that is played here
//! tells of everything it stores. Of one that is played elsewhere the followers find out themselves, taking turns: however
//! many they are, one of them asks.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex, OnceLock, Weak},
    time::Duration,
};

use enact_drama::{Record, RunId, Seq};
use tokio::{
    sync::{broadcast, watch},
    time::Instant,
};

use super::lock;
use crate::{
    Store,
    log::{self, Status},
    perform::{Audience, Delta},
};

/// How many records of a run are at hand: those of a few beats.
pub(super) const RING: usize = 64;
/// How many bytes they may have together, beyond which the oldest go. Two thousand followed runs stay within 16 MiB, and
/// a beat of a talkative cast fits in.
const RING_BYTES: usize = 8 * 1024;
/// What a record takes beside its texts.
const RECORD_BYTES: usize = size_of::<Record>() + size_of::<Arc<Record>>();
/// How many pieces of live text may wait for somebody slow, who then misses some: they are provisional.
const DELTAS: usize = 64;
/// How often a run that is played elsewhere is looked at, should news of it be lost.
const LOOKING: Duration = Duration::from_secs(1);

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
        let state = State { closed: open.closed, ..State::default() };
        let feed = Arc::new(Feed {
            run,
            state: watch::Sender::new(state),
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
            feed.wake();
        }
    }

    /// Somebody may have appended to any run.
    pub(super) fn wake_all(&self) {
        self.all().iter().for_each(|feed| feed.wake());
    }

    /// Tells everybody who follows, now or later, that nothing more comes from here.
    pub(super) fn close(&self) {
        lock(&self.open).closed = true;
        for feed in self.all() {
            feed.state.send_modify(|state| state.closed = true);
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
    state: watch::Sender<State>,
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

    pub(super) fn follow(&self) -> (watch::Receiver<State>, broadcast::Receiver<Heard>) {
        let deltas = self.deltas.get_or_init(|| broadcast::Sender::new(DELTAS));
        (self.state.subscribe(), deltas.subscribe())
    }

    /// How many records are at hand, and their bytes.
    #[cfg(test)]
    pub(super) fn kept(&self) -> (usize, usize) {
        let state = self.state.borrow();
        (state.ring.len(), state.ring_bytes)
    }

    /// From now on the run is played here, on a log that has come to this seq.
    pub(super) fn play_here(&self, next: Seq) {
        self.state.send_modify(|state| {
            state.played = Played::Here;
            state.next = state.next.max(next);
        });
    }

    /// From now on whoever follows has to look for themselves.
    pub(super) fn play_elsewhere(&self) {
        self.state.send_modify(|state| state.played = Played::Elsewhere { looked: None });
    }

    /// Takes records that have just been stored; the last ones, if the run has ended with them.
    pub(super) fn grow(&self, records: &[Arc<Record>], ended: bool) {
        // Nothing is kept for nobody. Whoever comes in this very moment finds the records in the log.
        let followed = self.state.receiver_count() > 0;
        self.state.send_modify(|state| {
            state.take(records, followed);
            state.ended |= ended;
        });
    }

    fn wake(&self) {
        self.state.send_if_modified(|state| match &mut state.played {
            Played::Here => false,
            Played::Elsewhere { looked } => {
                *looked = None;
                state.news += 1;
                true
            }
        });
    }

    /// Finds out what others have appended, unless somebody else just has.
    pub(super) async fn look(&self, store: &dyn Store) -> Result<(), log::Error> {
        let _turn = self.looking.lock().await;
        let (known, news) = {
            let state = self.state.borrow();
            if state.wants_a_look().is_none_or(|at| at > Instant::now()) {
                return Ok(());
            }
            (state.next, state.news)
        };
        let found = store.find(self.run).await?;
        let end = Seq(found.events);
        let records: Vec<Arc<Record>> = if end > known {
            // Whoever is further behind reads the log.
            let from = known.max(Seq(end.0.saturating_sub(RING as u64)));
            store.read_some(self.run, from, RING).await?.into_iter().map(Arc::new).collect()
        } else {
            Vec::new()
        };
        self.state.send_if_modified(|state| {
            // It may have come here meanwhile, and more is known than was found.
            let Played::Elsewhere { looked } = &mut state.played else { return false };
            if state.news == news && records.len() < RING {
                *looked = Some(Instant::now());
            }
            state.take(&records, true);
            state.ended |= found.status == Status::Finished && state.next >= end;
            !records.is_empty() || state.ended
        });
        Ok(())
    }
}

impl Audience for Feed {
    fn listens(&self) -> bool {
        self.state.receiver_count() > 0
    }

    fn hears(&self, delta: Delta) {
        if let Some(deltas) = self.deltas.get() {
            let before = self.state.borrow().next;
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

/// What is known of a run.
#[derive(Debug, Default)]
pub(super) struct State {
    /// The newest records, without gaps up to `next`; or nothing.
    ring: VecDeque<Arc<Record>>,
    ring_bytes: usize,
    /// The seq after the newest record that is known of.
    next: Seq,
    played: Played,
    /// Grows when others may have appended.
    news: u64,
    /// Nothing comes after `next`.
    ended: bool,
    closed: bool,
}

#[derive(Debug)]
enum Played {
    /// Nothing is in the log that is not known.
    Here,
    Elsewhere {
        /// When `next` was found to be the end of the log; nothing if there is a reason to look at once.
        looked: Option<Instant>,
    },
}

impl Default for Played {
    fn default() -> Played {
        Played::Elsewhere { looked: None }
    }
}

/// What somebody is to do who has seen everything before some seq.
#[derive(Debug)]
pub(super) enum Step {
    Show(Vec<Arc<Record>>),
    /// There is more, but it is no longer at hand.
    ReadLog,
    Look,
    /// Until something changes, or until it is time to look.
    Wait(Option<Instant>),
    Over,
    Closed,
}

impl State {
    pub(super) fn step(&self, from: Seq) -> Step {
        if from < self.next {
            return match self.recent(from) {
                Some(records) => Step::Show(records),
                None => Step::ReadLog,
            };
        }
        if self.ended {
            return Step::Over;
        }
        if self.closed {
            return Step::Closed;
        }
        match self.wants_a_look() {
            Some(at) if at <= Instant::now() => Step::Look,
            until => Step::Wait(until),
        }
    }

    pub(super) fn is_closed(&self) -> bool {
        self.closed
    }

    /// When to look for what others have appended.
    fn wants_a_look(&self) -> Option<Instant> {
        match self.played {
            Played::Here => None,
            _ if self.ended => None,
            Played::Elsewhere { looked } => Some(looked.map_or_else(Instant::now, |at| at + LOOKING)),
        }
    }

    /// What is at hand from a seq on, if the ring reaches back to it.
    fn recent(&self, from: Seq) -> Option<Vec<Arc<Record>>> {
        let oldest = self.ring.front()?.seq;
        let skipped = usize::try_from(from.0.checked_sub(oldest.0)?).ok()?;
        let records: Vec<_> = self.ring.iter().skip(skipped).cloned().collect();
        (!records.is_empty()).then_some(records)
    }

    fn take(&mut self, records: &[Arc<Record>], followed: bool) {
        let Some(last) = records.last() else { return };
        if last.seq < self.next {
            return;
        }
        let joins = self.ring.back().zip(records.first()).is_some_and(|(a, b)| a.seq.next() == b.seq);
        if !followed || !joins {
            self.ring = VecDeque::new();
            self.ring_bytes = 0;
        }
        self.next = last.seq.next();
        if !followed {
            return;
        }
        for record in records {
            self.ring_bytes += bytes(record);
            self.ring.push_back(record.clone());
        }
        // What has just come stays whatever its size, or somebody who has kept up would have to read the log.
        while (self.ring_bytes > RING_BYTES || self.ring.len() > RING) && self.ring.len() > records.len() {
            if let Some(oldest) = self.ring.pop_front() {
                self.ring_bytes -= bytes(&oldest);
            }
        }
    }
}

fn bytes(record: &Record) -> usize {
    RECORD_BYTES + record.kind.len() + record.body.get().len()
}
