//! A store that lives as long as its process: for tests, benchmarks and embedding.

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Arc, Mutex, MutexGuard},
    time::Duration,
};

use async_trait::async_trait;
use enact_drama::{
    Record, RunId, Seq,
    row::{Row, RowChange},
};
use tokio::{sync::broadcast, time::Instant};

use crate::{
    log::{Batch, Checkpoint, Claim, CommandId, Error, Log, NewRun, RunSummary, Status},
    store::{
        Conversation, Enqueued, Extract, INBOX_CAPACITY, INBOX_PAGE, Listing, News, Order, Posted,
        PostedCommand, RowQuery, Store, StoredRow, Submission, Talk, Wake,
    },
};

/// How many notifications wait for a slow receiver, which then polls.
const NEWS: usize = 1024;

/// The logs of all runs, in memory.
#[derive(Debug)]
pub struct MemoryLog {
    kept: Mutex<Shelf>,
    news: broadcast::Sender<News>,
}

#[derive(Debug, Default)]
struct Shelf {
    runs: BTreeMap<RunId, Kept>,
    orders: HashMap<(String, String), (String, RunId)>,
    inbox: BTreeMap<CommandId, PostedCommand>,
    last_command: u64,
    /// By run, kind and key.
    rows: BTreeMap<(RunId, String, String), Row>,
    extracts: BTreeMap<(String, RunId), String>,
    conversations: BTreeMap<Conversation, Talk>,
}

#[derive(Debug)]
struct Kept {
    about: NewRun,
    epoch: u64,
    claimed: bool,
    queued: bool,
    resting: bool,
    checkpoint: Option<Checkpoint>,
    problem: Option<String>,
    not_before: Option<Instant>,
    ended: Option<String>,
    records: Vec<Arc<Record>>,
}

impl Default for MemoryLog {
    fn default() -> MemoryLog {
        MemoryLog { kept: Mutex::default(), news: broadcast::Sender::new(NEWS) }
    }
}

impl MemoryLog {
    fn shelf(&self) -> Result<MutexGuard<'_, Shelf>, Error> {
        self.kept.lock().map_err(|_| Error::Storage("a writer panicked".to_owned()))
    }

    fn with<T>(&self, run: RunId, f: impl FnOnce(&mut Kept) -> Result<T, Error>) -> Result<T, Error> {
        f(self.shelf()?.runs.get_mut(&run).ok_or(Error::NotFound(run))?)
    }

    fn tell(&self, news: News) {
        // There may be no receivers.
        let _ = self.news.send(news);
    }
}

impl Shelf {
    fn enqueue(&mut self, submission: Submission) -> Result<Enqueued, Error> {
        let Submission { run, records, rows, order, next } = submission;
        let id = run.run;
        if let Some(before) = order.as_ref().and_then(|order| self.ordered(order)) {
            return Ok(before);
        }
        let talk = next.as_ref().and_then(|next| self.conversations.get(&next.of).copied());
        let has_ended = |run| self.runs.get(&run).is_some_and(|kept| kept.ended.is_some());
        if let (Some(next), Some(talk)) = (&next, talk)
            && !(next.follows(talk) && has_ended(talk.run))
        {
            return Ok(Enqueued::Busy(talk.run));
        }
        if self.runs.contains_key(&id) || !is_gapless(&records) {
            return Err(Error::Conflict(id));
        }
        if let Some(Order { from, key, digest }) = order {
            self.orders.insert((from, key), (digest, id));
        }
        let records = records.into_iter().map(Arc::new).collect();
        self.runs.insert(id, Kept { claimed: false, queued: true, epoch: 0, records, ..Kept::new(run) });
        self.change_rows(id, rows);
        if let Some(next) = next {
            let left = next.leaves(id, talk);
            self.conversations.insert(next.of, left);
        }
        Ok(Enqueued::New)
    }

    fn change_rows(&mut self, run: RunId, changes: Vec<RowChange>) {
        for change in changes {
            match change {
                RowChange::Put(row) => {
                    self.rows.insert((run, row.kind.clone(), row.key.clone()), row);
                }
                RowChange::Delete { kind, key } => {
                    self.rows.remove(&(run, kind, key));
                }
            }
        }
    }

    fn ordered(&self, order: &Order) -> Option<Enqueued> {
        let (used_for, before) = self.orders.get(&(order.from.clone(), order.key.clone()))?;
        Some(if *used_for == order.digest { Enqueued::Before(*before) } else { Enqueued::Reused })
    }
}

impl Kept {
    fn new(about: NewRun) -> Kept {
        Kept {
            about,
            epoch: 1,
            claimed: true,
            queued: false,
            resting: false,
            checkpoint: None,
            problem: None,
            not_before: None,
            ended: None,
            records: Vec::new(),
        }
    }

    fn claim(&mut self) -> Claim {
        self.claimed = true;
        // A resting run is in no queue, and would be lost when it is given up.
        self.queued |= self.resting;
        self.resting = false;
        self.epoch += 1;
        (self.problem, self.not_before) = (None, None);
        Claim { run: self.about.run, epoch: self.epoch }
    }

    /// Whether this claim is the newest and was not given up.
    fn is_held(&self, claim: &Claim) -> bool {
        self.claimed && self.epoch == claim.epoch
    }

    fn waits(&self) -> bool {
        let due = self.not_before.is_none_or(|at| at <= Instant::now());
        self.queued && !self.claimed && self.ended.is_none() && due
    }

    fn status(&self) -> Status {
        match &self.ended {
            Some(_) => Status::Finished,
            None if self.claimed => Status::Playing,
            None if self.resting => Status::Resting,
            None if self.queued => Status::Waiting,
            None => Status::Interrupted,
        }
    }

    fn summary(&self) -> RunSummary {
        RunSummary {
            run: self.about.run,
            production: self.about.production.to_owned(),
            name: self.about.name.clone(),
            started_at: self.about.at,
            status: self.status(),
            reason: self.ended.clone(),
            events: self.records.len() as u64,
            parent: self.about.parent,
            account: self.about.account.clone(),
            problem: self.problem.clone(),
        }
    }

    fn records(&self, from: Seq, most: usize) -> Vec<Record> {
        let from = usize::try_from(from.0).unwrap_or(usize::MAX);
        let records = self.records.get(from..).unwrap_or_default();
        records.iter().take(most).map(|record| Record::clone(record)).collect()
    }
}

#[async_trait]
impl Log for MemoryLog {
    async fn create(&self, about: NewRun) -> Result<Claim, Error> {
        let run = about.run;
        let mut shelf = self.shelf()?;
        if shelf.runs.contains_key(&run) {
            return Err(Error::Conflict(run));
        }
        shelf.runs.insert(run, Kept::new(about));
        Ok(Claim { run, epoch: 1 })
    }

    async fn claim(&self, run: RunId) -> Result<Claim, Error> {
        self.with(run, |kept| if kept.claimed { Err(Error::Busy(run)) } else { Ok(kept.claim()) })
    }

    async fn release(&self, claim: Claim) -> Result<(), Error> {
        let waits = self.with(claim.run, |kept| {
            let held = kept.is_held(&claim);
            kept.claimed &= !held;
            Ok(held && kept.waits())
        })?;
        if waits {
            self.tell(News::Waiting);
        }
        Ok(())
    }

    async fn rest(&self, claim: Claim, seen: Option<CommandId>) -> Result<bool, Error> {
        let mut shelf = self.shelf()?;
        let newest =
            shelf.inbox.values().rev().find(|posted| posted.run == claim.run).map(|posted| posted.id);
        let kept = shelf.runs.get_mut(&claim.run).ok_or(Error::NotFound(claim.run))?;
        if !kept.is_held(&claim) {
            return Err(Error::Conflict(claim.run));
        }
        if newest > seen {
            return Ok(false);
        }
        (kept.claimed, kept.queued, kept.resting) = (false, false, true);
        Ok(true)
    }

    async fn append(&self, claim: &Claim, batch: Batch) -> Result<(), Error> {
        let run = claim.run;
        let mut shelf = self.shelf()?;
        let kept = shelf.runs.get_mut(&run).ok_or(Error::NotFound(run))?;
        let expected = kept.records.len() as u64;
        let in_order = batch.records.iter().zip(expected..).all(|(record, seq)| record.seq.0 == seq);
        if !kept.is_held(claim) || !in_order {
            return Err(Error::Conflict(run));
        }
        let grown = !batch.records.is_empty();
        kept.records.extend(batch.records);
        if let Some(checkpoint) = batch.checkpoint {
            kept.checkpoint = Some(checkpoint);
        }
        shelf.change_rows(run, batch.rows);
        if let Some(taken) = batch.taken {
            shelf.inbox.retain(|id, posted| *id != taken || posted.run != run);
        }
        if let Some(reason) = batch.ended {
            shelf.inbox.retain(|_, posted| posted.run != run);
            if let Some(kept) = shelf.runs.get_mut(&run) {
                kept.ended = Some(reason);
            }
        }
        drop(shelf);
        if grown {
            self.tell(News::Grown(run));
        }
        Ok(())
    }

    async fn read(&self, run: RunId, from: Seq) -> Result<Vec<Record>, Error> {
        self.with(run, |kept| Ok(kept.records(from, usize::MAX)))
    }

    async fn checkpoint(&self, run: RunId) -> Result<Option<Checkpoint>, Error> {
        self.with(run, |kept| Ok(kept.checkpoint.clone()))
    }

    async fn runs(&self) -> Result<Vec<RunSummary>, Error> {
        self.list(&Listing { most: usize::MAX, ..Listing::default() }).await
    }
}

#[async_trait]
impl Store for MemoryLog {
    async fn enqueue(&self, submission: Submission) -> Result<Enqueued, Error> {
        let enqueued = self.shelf()?.enqueue(submission)?;
        if enqueued == Enqueued::New {
            self.tell(News::Waiting);
        }
        Ok(enqueued)
    }

    async fn conversation(&self, of: &Conversation) -> Result<Option<Talk>, Error> {
        Ok(self.shelf()?.conversations.get(of).copied())
    }

    async fn clear(&self, of: &Conversation) -> Result<Option<Talk>, Error> {
        let mut shelf = self.shelf()?;
        let Some(talk) = shelf.conversations.get_mut(of) else { return Ok(None) };
        let before = *talk;
        talk.cleared = true;
        Ok(Some(before))
    }

    async fn import(
        &self,
        run: NewRun,
        records: Vec<Record>,
        rows: Vec<RowChange>,
        ended: Option<String>,
    ) -> Result<(), Error> {
        let id = run.run;
        let mut shelf = self.shelf()?;
        if shelf.runs.contains_key(&id) || !is_gapless(&records) {
            return Err(Error::Conflict(id));
        }
        let records = records.into_iter().map(Arc::new).collect();
        shelf.runs.insert(id, Kept { claimed: false, epoch: 0, records, ended, ..Kept::new(run) });
        shelf.change_rows(id, rows);
        Ok(())
    }

    async fn ordered(&self, order: &Order) -> Result<Option<Enqueued>, Error> {
        Ok(self.shelf()?.ordered(order))
    }

    async fn waiting(&self, at_most: usize) -> Result<usize, Error> {
        let shelf = self.shelf()?;
        let waiting = shelf.runs.values().filter(|kept| kept.status() == Status::Waiting);
        Ok(waiting.take(at_most).count())
    }

    async fn claim_waiting(&self, most: usize) -> Result<Vec<Claim>, Error> {
        let mut shelf = self.shelf()?;
        let waiting = shelf.runs.values_mut().filter(|kept| kept.waits());
        Ok(waiting.take(most).map(Kept::claim).collect())
    }

    async fn put_back(&self, claim: Claim, problem: &str, pause: Duration) -> Result<(), Error> {
        self.with(claim.run, |kept| {
            if kept.is_held(&claim) {
                kept.claimed = false;
                kept.problem = Some(problem.to_owned());
                kept.not_before = Some(Instant::now() + pause);
            }
            Ok(())
        })
    }

    async fn post(&self, run: RunId, command: Arc<str>, wake: Wake) -> Result<Posted, Error> {
        let mut shelf = self.shelf()?;
        match shelf.runs.get(&run).ok_or(Error::NotFound(run))?.status() {
            Status::Finished => return Err(Error::Ended(run)),
            Status::Interrupted => return Err(Error::Idle(run)),
            Status::Waiting | Status::Playing | Status::Resting => {}
        }
        if shelf.inbox.values().filter(|posted| posted.run == run).count() >= INBOX_CAPACITY {
            return Err(Error::Full(run));
        }
        shelf.last_command += 1;
        let id = CommandId(shelf.last_command);
        shelf.inbox.insert(id, PostedCommand { id, run, command });
        let kept = shelf.runs.get_mut(&run).filter(|kept| kept.status() == Status::Resting);
        let woken = kept.map(|kept| {
            (kept.resting, kept.queued) = (false, true);
            (wake == Wake::Claim).then(|| kept.claim())
        });
        drop(shelf);
        match woken {
            None => self.tell(News::Command(run)),
            Some(None) => self.tell(News::Waiting),
            Some(Some(_)) => {}
        }
        Ok(Posted { id, claim: woken.flatten() })
    }

    async fn inboxes(&self) -> Result<Vec<PostedCommand>, Error> {
        let shelf = self.shelf()?;
        let mut read: HashMap<RunId, usize> = HashMap::new();
        let mine = shelf.inbox.values().filter(|posted| {
            let before = read.entry(posted.run).or_default();
            *before += 1;
            let is_played = shelf.runs.get(&posted.run).is_some_and(|kept| kept.status() == Status::Playing);
            is_played && *before <= INBOX_PAGE
        });
        Ok(mine.cloned().collect())
    }

    async fn inbox(&self, run: RunId) -> Result<Vec<PostedCommand>, Error> {
        let shelf = self.shelf()?;
        let commands = shelf.inbox.values().filter(|posted| posted.run == run);
        Ok(commands.take(INBOX_PAGE).cloned().collect())
    }

    async fn find(&self, run: RunId) -> Result<RunSummary, Error> {
        self.with(run, |kept| Ok(kept.summary()))
    }

    async fn list(&self, wanted: &Listing) -> Result<Vec<RunSummary>, Error> {
        let shelf = self.shelf()?;
        let begun = shelf.runs.values().rev().filter(|kept| !kept.records.is_empty()).map(Kept::summary);
        Ok(begun.filter(|run| wanted.wants(run)).take(wanted.most).collect())
    }

    async fn read_some(&self, run: RunId, from: Seq, most: usize) -> Result<Vec<Record>, Error> {
        self.with(run, |kept| Ok(kept.records(from, most)))
    }

    async fn delete(&self, run: RunId) -> Result<(), Error> {
        let mut shelf = self.shelf()?;
        match shelf.runs.get(&run) {
            None => return Err(Error::NotFound(run)),
            Some(kept) if kept.claimed && kept.ended.is_none() => return Err(Error::Busy(run)),
            Some(_) => {}
        }
        shelf.runs.remove(&run);
        shelf.inbox.retain(|_, posted| posted.run != run);
        shelf.rows.retain(|(of, ..), _| *of != run);
        shelf.extracts.retain(|(_, of), _| *of != run);
        shelf.orders.retain(|_, (_, made)| *made != run);
        shelf.conversations.retain(|_, talk| talk.run != run);
        Ok(())
    }

    async fn keep_extract(&self, run: RunId, kind: &str, body: &str) -> Result<(), Error> {
        let mut shelf = self.shelf()?;
        if !shelf.runs.contains_key(&run) {
            return Err(Error::NotFound(run));
        }
        shelf.extracts.insert((kind.to_owned(), run), body.to_owned());
        Ok(())
    }

    async fn extracts(&self, kind: &str, started: std::ops::Range<i64>) -> Result<Vec<Extract>, Error> {
        let shelf = self.shelf()?;
        let of_kind = shelf.extracts.iter().rev().filter(|((of, _), _)| of == kind);
        let extracts = of_kind.filter_map(|((_, run), body)| {
            let started_at = shelf.runs.get(run)?.about.at;
            let wanted = started.contains(&started_at);
            wanted.then(|| Extract { run: *run, started_at, body: body.clone() })
        });
        Ok(extracts.collect())
    }

    async fn without_extract(&self, kind: &str, most: usize) -> Result<Vec<RunId>, Error> {
        let shelf = self.shelf()?;
        let finished = shelf.runs.iter().filter(|(_, kept)| kept.ended.is_some()).map(|(run, _)| *run);
        let without = finished.filter(|run| !shelf.extracts.contains_key(&(kind.to_owned(), *run)));
        Ok(without.take(most).collect())
    }

    async fn rows(&self, wanted: &RowQuery) -> Result<Vec<StoredRow>, Error> {
        let shelf = self.shelf()?;
        let stored = shelf.rows.iter().filter_map(|((run, ..), row)| {
            let account = shelf.runs.get(run)?.about.account.clone();
            Some(StoredRow { run: *run, account, row: row.clone() })
        });
        let mut rows: Vec<StoredRow> = stored.filter(|row| wanted.wants(row)).collect();
        rows.sort_by_key(|row| (std::cmp::Reverse(row.row.sort), row.row.key.clone(), row.run));
        rows.truncate(wanted.most);
        Ok(rows)
    }

    async fn replace_rows(&self, run: RunId, length: Seq, rows: Vec<Row>) -> Result<bool, Error> {
        let mut shelf = self.shelf()?;
        let kept = shelf.runs.get_mut(&run).ok_or(Error::NotFound(run))?;
        if kept.records.len() as u64 != length.0 {
            return Ok(false);
        }
        kept.checkpoint = None;
        shelf.rows.retain(|(of, ..), _| *of != run);
        shelf.change_rows(run, rows.into_iter().map(RowChange::Put).collect());
        Ok(true)
    }

    async fn ready(&self) -> Result<(), Error> {
        Ok(())
    }

    fn name(&self) -> &'static str {
        "memory"
    }

    fn news(&self) -> broadcast::Receiver<News> {
        self.news.subscribe()
    }
}

fn is_gapless(records: &[Record]) -> bool {
    records.iter().zip(0..).all(|(record, seq)| record.seq.0 == seq)
}
