//! The newest records of one run, and what a follower that has come to some seq does next.

use std::{collections::VecDeque, sync::Arc, time::Duration};

use enact_drama::{Record, Seq};
use tokio::time::Instant;

/// How many records of a run are at hand: those of a few beats.
pub(super) const RING_RECORDS: usize = 64;
/// How many bytes they may have together, beyond which the oldest go. Two thousand followed runs stay within
/// 16 MiB, and a beat of a talkative cast fits in.
const RING_BYTES: usize = 8 * 1024;
/// What a record takes beside its texts.
const RECORD_BYTES: usize = size_of::<Record>() + size_of::<Arc<Record>>();
/// How often a run that is played elsewhere is looked at, should a notification be lost.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// Poll interval for a resting run, which may rest for days. A notification tells when it wakes, except
/// between two processes on one SQLite folder: their followers lag by this much.
const RESTING_POLL_INTERVAL: Duration = Duration::from_secs(3);

/// What is known of a run, played here or followed.
#[derive(Debug, Default)]
pub(super) struct LogTail {
    /// The newest records, without gaps up to `next`; or nothing.
    ring: VecDeque<Arc<Record>>,
    ring_bytes: usize,
    /// The seq after the newest record that is known of.
    next: Seq,
    played: PlayedAt,
    /// Grows when others may have appended.
    generation: u64,
    /// Nothing comes after `next`.
    ended: bool,
    closed: bool,
}

#[derive(Debug)]
enum PlayedAt {
    /// Nothing is in the log that is not known.
    Here,
    Elsewhere {
        /// When to look again, once `next` was found to be the end of the log; nothing if there is a reason
        /// to look at once.
        again: Option<Instant>,
    },
}

impl Default for PlayedAt {
    fn default() -> PlayedAt {
        PlayedAt::Elsewhere { again: None }
    }
}

/// What a follower does next that has seen everything before some seq.
#[derive(Debug)]
pub(super) enum NextStep {
    Show(Vec<Arc<Record>>),
    /// There is more, but it is no longer at hand.
    ReadLog,
    Poll,
    /// Until something changes, or until it is time to look.
    Wait(Option<Instant>),
    Over,
    Closed,
}

/// What the store said of a run that is played elsewhere.
#[derive(Debug)]
pub(super) struct Fetched {
    /// The generation of notifications this answer belongs to.
    pub(super) generation: u64,
    /// The newest records: contiguous with those known, or the last of them.
    pub(super) records: Vec<Arc<Record>>,
    /// How far the log had come at least.
    pub(super) end: Seq,
    /// Whether that is as far as it ever comes.
    pub(super) finished: bool,
    /// Whether it waits for a command.
    pub(super) resting: bool,
}

impl LogTail {
    pub(super) fn nothing(closed: bool) -> LogTail {
        LogTail { closed, ..LogTail::default() }
    }

    /// What is to be done next from a seq on.
    pub(super) fn step(&self, from: Seq) -> NextStep {
        if from < self.next {
            return match self.recent(from) {
                Some(records) => NextStep::Show(records),
                // A follower that is far behind does not keep a node from stopping.
                None if self.closed => NextStep::Closed,
                None => NextStep::ReadLog,
            };
        }
        if self.ended {
            return NextStep::Over;
        }
        if self.closed {
            return NextStep::Closed;
        }
        match self.next_poll() {
            Some(at) if at <= Instant::now() => NextStep::Poll,
            until => NextStep::Wait(until),
        }
    }

    pub(super) fn next(&self) -> Seq {
        self.next
    }

    /// How many records are at hand, and their bytes.
    #[cfg(test)]
    pub(super) fn at_hand(&self) -> (usize, usize) {
        (self.ring.len(), self.ring_bytes)
    }

    pub(super) fn close(&mut self) {
        self.closed = true;
    }

    pub(super) fn is_closed(&self) -> bool {
        self.closed
    }

    /// From now on the run is played here, on a log that has come to this seq.
    pub(super) fn play_here(&mut self, next: Seq) {
        self.played = PlayedAt::Here;
        self.next = self.next.max(next);
    }

    /// From now on followers have to poll the store.
    pub(super) fn play_elsewhere(&mut self) {
        self.played = PlayedAt::Elsewhere { again: None };
    }

    /// Takes records that have just been stored here; the last ones, if the run has ended with them.
    pub(super) fn push(&mut self, records: &[Arc<Record>], followed: bool, ended: bool) {
        let Some(last) = records.last() else { return };
        if followed {
            // What has just come stays whatever its size, or a follower that has kept up would have to read
            // the log.
            self.take(records, records.len());
        } else {
            // Without followers nothing is kept. One that comes in this very moment finds the records in the
            // log.
            self.forget();
            self.next = self.next.max(last.seq.next());
        }
        self.ended |= ended;
    }

    /// Others may have appended. Returns whether that is of interest.
    pub(super) fn invalidate(&mut self) -> bool {
        match &mut self.played {
            PlayedAt::Here => false,
            PlayedAt::Elsewhere { again } => {
                *again = None;
                self.generation += 1;
                true
            }
        }
    }

    /// Where to poll the store from, and as of which generation; nothing if no poll is due.
    pub(super) fn poll_from(&self) -> Option<(Seq, u64)> {
        let due = self.next_poll().is_some_and(|at| at <= Instant::now());
        due.then_some((self.next, self.generation))
    }

    /// Takes in what the store said. Returns whether it is of interest.
    pub(super) fn merge(&mut self, found: &Fetched) -> bool {
        // It may have come here meanwhile, and more is known than was found.
        let PlayedAt::Elsewhere { again } = &mut self.played else { return false };
        if self.generation == found.generation && found.records.len() < RING_RECORDS {
            let interval = if found.resting { RESTING_POLL_INTERVAL } else { POLL_INTERVAL };
            *again = Some(Instant::now() + interval);
        }
        self.take(&found.records, 0);
        self.ended |= found.finished && self.next >= found.end;
        !found.records.is_empty() || self.ended
    }

    /// When to look for what others have appended.
    fn next_poll(&self) -> Option<Instant> {
        match self.played {
            PlayedAt::Here => None,
            _ if self.ended => None,
            PlayedAt::Elsewhere { again } => Some(again.unwrap_or_else(Instant::now)),
        }
    }

    /// What is at hand from a seq on, if the ring reaches back to it.
    fn recent(&self, from: Seq) -> Option<Vec<Arc<Record>>> {
        let oldest = self.ring.front()?.seq;
        let skipped = usize::try_from(from.0.checked_sub(oldest.0)?).ok()?;
        let records: Vec<_> = self.ring.iter().skip(skipped).cloned().collect();
        (!records.is_empty()).then_some(records)
    }

    /// Takes records in, of which so many stay at hand whatever their size.
    fn take(&mut self, records: &[Arc<Record>], stay: usize) {
        let Some(last) = records.last() else { return };
        if last.seq < self.next {
            return;
        }
        let joins = self.ring.back().zip(records.first()).is_some_and(|(a, b)| a.seq.next() == b.seq);
        if !joins {
            self.forget();
        }
        self.next = last.seq.next();
        for record in records {
            self.ring_bytes += bytes(record);
            self.ring.push_back(record.clone());
        }
        while (self.ring_bytes > RING_BYTES || self.ring.len() > RING_RECORDS) && self.ring.len() > stay {
            if let Some(oldest) = self.ring.pop_front() {
                self.ring_bytes -= bytes(&oldest);
            }
        }
    }

    fn forget(&mut self) {
        self.ring = VecDeque::new();
        self.ring_bytes = 0;
    }
}

fn bytes(record: &Record) -> usize {
    RECORD_BYTES + record.kind.len() + record.body.get().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn records(seqs: std::ops::Range<u64>) -> Vec<Arc<Record>> {
        let text = |seq| format!(r#"{{"seq":{seq},"at":0,"kind":"asked","v":1,"body":""}}"#);
        seqs.map(|seq| Arc::new(serde_json::from_str(&text(seq)).unwrap())).collect()
    }

    /// An older claim of this node hears late that its append was stored, when a newer one has gone on.
    #[test]
    fn what_is_heard_of_late_takes_nothing_back() {
        for followed in [false, true] {
            let mut known = LogTail::nothing(false);
            known.play_here(Seq(1));
            known.push(&records(3..9), followed, true);
            known.push(&records(1..3), followed, false);
            assert_eq!(known.next(), Seq(9));
            assert!(!matches!(known.step(Seq(3)), NextStep::Over), "six records are still to be seen");
        }
    }
}
