//! Following a run: nothing is missed, nothing comes twice.
//!
//! A follower holds a cursor, never a queue. However slow it is, the run neither waits nor remembers anything
//! for it.

#[cfg(test)]
mod tests;

use std::{collections::VecDeque, sync::Arc};

use enact_drama::{Record, Seq, production::Delta};
use tokio::{
    sync::{
        broadcast::{self, error::TryRecvError},
        watch,
    },
    time::{Instant, sleep_until},
};

use super::{
    feed::{Feed, PositionedDelta},
    log_tail::{LogTail, NextStep},
    replay_speed::{self, Speed},
};
use crate::{Store, log};

/// How many records are read from the log at a time. More would be held for each of many who catch up at
/// once.
const PAGE: usize = 64;
/// How many bytes they may have together, beyond which the last go and are read again: a follower that takes
/// nothing holds no more, unless one record alone is longer.
const PAGE_BYTES: usize = 32 * 1024;

/// What a follower gets to see.
#[derive(Debug, Clone)]
pub enum FollowEvent {
    /// What happened next: never empty, and without gaps.
    Records(Vec<Arc<Record>>),
    /// Live text, provisional: the record that ends its call comes after all of it. A slow follower may miss
    /// pieces.
    Delta(Arc<Delta>),
    /// The node stops: follow the run elsewhere, from the next seq on.
    Closed,
}

/// Follows a run. Reads on where it stopped, as slowly as it likes.
#[derive(Debug)]
pub struct Follower {
    cursor: Cursor,
    pace: Option<Pace>,
}

impl Follower {
    pub(super) fn new(feed: Arc<Feed>, store: Arc<dyn Store>, from: Seq) -> Follower {
        let (known, deltas) = feed.follow();
        let cursor = Cursor { feed, store, next: from, page: PAGE, known, deltas, heard: None };
        Follower { cursor, pace: None }
    }

    /// Lets records come with the pauses they came with, at this speed.
    pub fn at(mut self, speed: Speed) -> Follower {
        self.pace = Some(Pace { speed, waiting: VecDeque::new(), shown: None });
        self
    }

    /// The seq of the next record.
    pub fn next_seq(&self) -> Seq {
        let waiting = self.pace.as_ref().and_then(|pace| pace.waiting.front());
        waiting.map_or(self.cursor.next, |record| record.seq)
    }

    /// What comes next; nothing once the run has ended and all of it was seen. Cancel safe.
    pub async fn next(&mut self) -> Result<Option<FollowEvent>, log::Error> {
        let Some(pace) = &mut self.pace else { return self.cursor.next().await };
        loop {
            let Some(due) = pace.due() else {
                match self.cursor.next().await? {
                    Some(FollowEvent::Records(records)) => pace.waiting = records.into(),
                    other => return Ok(other),
                }
                continue;
            };
            if due <= Instant::now() {
                return Ok(Some(FollowEvent::Records(pace.show())));
            }
            tokio::select! {
                () = sleep_until(due) => {}
                // Fails only once the feed is gone, which the cursor holds.
                _ = self.cursor.known.wait_for(LogTail::is_closed) => return Ok(Some(FollowEvent::Closed)),
            }
        }
    }
}

/// Where a follower is.
#[derive(Debug)]
struct Cursor {
    feed: Arc<Feed>,
    store: Arc<dyn Store>,
    next: Seq,
    /// How many records to read from the log next.
    page: usize,
    known: watch::Receiver<LogTail>,
    deltas: broadcast::Receiver<PositionedDelta>,
    /// Live text whose place in the log is still ahead.
    heard: Option<PositionedDelta>,
}

impl Cursor {
    async fn next(&mut self) -> Result<Option<FollowEvent>, log::Error> {
        loop {
            if let Some(delta) = self.take_due_delta() {
                return Ok(Some(delta));
            }
            let step = self.known.borrow_and_update().step(self.next);
            match step {
                NextStep::Show(records) => return Ok(Some(self.emit(records))),
                NextStep::ReadLog => {
                    let page = self.read_page().await?;
                    return Ok(Some(self.emit(page)));
                }
                NextStep::Poll => self.feed.poll(&*self.store).await?,
                NextStep::Over => return Ok(None),
                NextStep::Closed => return Ok(Some(FollowEvent::Closed)),
                NextStep::Wait(until) => self.wait(until).await,
            }
        }
    }

    /// Older records, never none, and no more than a follower may hold.
    async fn read_page(&mut self) -> Result<Vec<Arc<Record>>, log::Error> {
        let mut records = self.store.read_some(self.feed.run(), self.next, self.page).await?;
        if records.is_empty() {
            // Records that were there are gone only with their run.
            return Err(log::Error::NotFound(self.feed.run()));
        }
        let mut bytes = 0;
        let fit = records.iter().take_while(|record| {
            bytes += record.body.get().len();
            bytes <= PAGE_BYTES
        });
        let fit = fit.count().max(1);
        // Where records are long, fewer are read the next time.
        self.page = if fit < records.len() { fit } else { (self.page * 2).min(PAGE) };
        records.truncate(fit);
        Ok(self.feed.share(records))
    }

    /// Waits until there may be something to see.
    async fn wait(&mut self, until: Option<Instant>) {
        let time_to_look = async {
            match until {
                Some(at) => sleep_until(at).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            // The feed that both come from is held by this cursor, so neither ends.
            _ = self.known.changed() => {}
            heard = self.deltas.recv(), if self.heard.is_none() => self.heard = heard.ok(),
            () = time_to_look => {}
        }
    }

    /// Listens to the next piece of live text, if there is one.
    fn poll_delta(&mut self) {
        while self.heard.is_none() {
            match self.deltas.try_recv() {
                Ok(heard) => self.heard = Some(heard),
                Err(TryRecvError::Lagged(_)) => {}
                Err(TryRecvError::Empty | TryRecvError::Closed) => return,
            }
        }
    }

    /// The piece of live text that was heard, if everything before it was seen.
    fn take_due_delta(&mut self) -> Option<FollowEvent> {
        let heard = self.heard.take_if(|heard| heard.before <= self.next)?;
        Some(FollowEvent::Delta(heard.delta))
    }

    /// Shows records, up to where live text was heard. That comes first if it was heard before all of them;
    /// they are found again.
    fn emit(&mut self, mut records: Vec<Arc<Record>>) -> FollowEvent {
        // Only now: all that was said before a record was stored has been heard by the time the record is
        // known.
        self.poll_delta();
        if let Some(delta) = self.take_due_delta() {
            return delta;
        }
        if let Some(heard) = &self.heard {
            let ahead = heard.before.0.saturating_sub(self.next.0);
            records.truncate(usize::try_from(ahead).unwrap_or(usize::MAX));
        }
        if let Some(last) = records.last() {
            self.next = last.seq.next();
        }
        FollowEvent::Records(records)
    }
}

/// Records that wait until it is their time.
#[derive(Debug)]
struct Pace {
    speed: Speed,
    /// At most what the cursor gives at once.
    waiting: VecDeque<Arc<Record>>,
    /// The last one that was shown, and when.
    shown: Option<(Arc<Record>, Instant)>,
}

impl Pace {
    /// When the next record is to be shown; nothing if there is none.
    fn due(&self) -> Option<Instant> {
        let next = self.waiting.front()?;
        Some(match &self.shown {
            Some((last, at)) => *at + replay_speed::pause(last, next, self.speed),
            None => Instant::now(),
        })
    }

    /// Takes out the next record and all that came together with it.
    fn show(&mut self) -> Vec<Arc<Record>> {
        let mut together: Vec<Arc<Record>> = self.waiting.pop_front().into_iter().collect();
        while let (Some(last), Some(next)) = (together.last(), self.waiting.front())
            && replay_speed::pause(last, next, self.speed).is_zero()
        {
            together.extend(self.waiting.pop_front());
        }
        self.shown = together.last().cloned().map(|last| (last, Instant::now()));
        together
    }
}
