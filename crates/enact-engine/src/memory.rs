//! A store that lives as long as its process: for tests, benchmarks and embedding.

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Arc, Mutex, MutexGuard},
    time::Duration,
};

use async_trait::async_trait;
use enact_drama::{Record, RunId, Seq, Steering};
use tokio::{sync::broadcast, time::Instant};

use crate::{
    log::{Batch, Claim, Error, LetterId, Log, NewRun, RunSummary, Status},
    store::{
        Conversation, Enqueued, Extract, LETTERS_AT_ONCE, Letter, Listing, MOST_LETTERS, News, Next, Order,
        Store, Talk,
    },
};

/// How much news may wait for somebody slow, who then looks for themselves.
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
    letters: BTreeMap<LetterId, (RunId, Steering)>,
    last_letter: u64,
    extracts: BTreeMap<(String, RunId), String>,
    conversations: BTreeMap<Conversation, Talk>,
}

#[derive(Debug)]
struct Kept {
    about: NewRun,
    epoch: u64,
    claimed: bool,
    queued: bool,
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
        // Nobody may be listening.
        let _ = self.news.send(news);
    }
}

impl Shelf {
    fn enqueue(
        &mut self,
        run: NewRun,
        records: Vec<Record>,
        order: Option<Order>,
    ) -> Result<Enqueued, Error> {
        let id = run.run;
        if let Some(before) = order.as_ref().and_then(|order| self.ordered(order)) {
            return Ok(before);
        }
        if self.runs.contains_key(&id) || !is_gapless(&records) {
            return Err(Error::Conflict(id));
        }
        if let Some(Order { from, key, digest }) = order {
            self.orders.insert((from, key), (digest, id));
        }
        let records = records.into_iter().map(Arc::new).collect();
        self.runs.insert(id, Kept { claimed: false, queued: true, epoch: 0, records, ..Kept::new(run) });
        Ok(Enqueued::New)
    }

    fn converse(
        &mut self,
        next: Next,
        run: NewRun,
        records: Vec<Record>,
        order: Option<Order>,
    ) -> Result<Enqueued, Error> {
        if let Some(before) = order.as_ref().and_then(|order| self.ordered(order)) {
            return Ok(before);
        }
        let talk = self.conversations.get(&next.of).copied();
        let has_ended = |run| self.runs.get(&run).is_some_and(|kept| kept.ended.is_some());
        if let Some(talk) = talk
            && !(next.follows(talk) && has_ended(talk.run))
        {
            return Ok(Enqueued::Busy(talk.run));
        }
        let left = next.leaves(run.run, talk);
        let enqueued = self.enqueue(run, records, order)?;
        self.conversations.insert(next.of, left);
        Ok(enqueued)
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
            problem: None,
            not_before: None,
            ended: None,
            records: Vec::new(),
        }
    }

    fn claim(&mut self) -> Claim {
        self.claimed = true;
        self.epoch += 1;
        self.problem = None;
        Claim { run: self.about.run, epoch: self.epoch }
    }

    fn waits(&self) -> bool {
        let due = self.not_before.is_none_or(|at| at <= Instant::now());
        self.queued && !self.claimed && self.ended.is_none() && due
    }

    fn status(&self) -> Status {
        match (&self.ended, self.claimed, self.queued) {
            (Some(_), ..) => Status::Finished,
            (None, true, _) => Status::Playing,
            (None, false, true) => Status::Waiting,
            (None, false, false) => Status::Interrupted,
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
            if kept.epoch == claim.epoch {
                kept.claimed = false;
            }
            Ok(kept.waits())
        })?;
        if waits {
            self.tell(News::Waiting);
        }
        Ok(())
    }

    async fn append(&self, claim: &Claim, batch: Batch) -> Result<(), Error> {
        let run = claim.run;
        let mut shelf = self.shelf()?;
        let kept = shelf.runs.get_mut(&run).ok_or(Error::NotFound(run))?;
        let expected = kept.records.len() as u64;
        let in_order = batch.records.iter().zip(expected..).all(|(record, seq)| record.seq.0 == seq);
        if !kept.claimed || kept.epoch != claim.epoch || !in_order {
            return Err(Error::Conflict(run));
        }
        let grown = !batch.records.is_empty();
        kept.records.extend(batch.records);
        if let Some(taken) = batch.taken {
            shelf.letters.retain(|letter, (to, _)| *letter != taken || *to != run);
        }
        if let Some(reason) = batch.ended {
            shelf.letters.retain(|_, (to, _)| *to != run);
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

    async fn runs(&self) -> Result<Vec<RunSummary>, Error> {
        self.list(&Listing { most: usize::MAX, ..Listing::default() }).await
    }
}

#[async_trait]
impl Store for MemoryLog {
    async fn enqueue(
        &self,
        run: NewRun,
        records: Vec<Record>,
        order: Option<Order>,
    ) -> Result<Enqueued, Error> {
        let enqueued = self.shelf()?.enqueue(run, records, order)?;
        if enqueued == Enqueued::New {
            self.tell(News::Waiting);
        }
        Ok(enqueued)
    }

    async fn converse(
        &self,
        next: Next,
        run: NewRun,
        records: Vec<Record>,
        order: Option<Order>,
    ) -> Result<Enqueued, Error> {
        let enqueued = self.shelf()?.converse(next, run, records, order)?;
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

    async fn import(&self, run: NewRun, records: Vec<Record>, ended: Option<String>) -> Result<(), Error> {
        let id = run.run;
        let mut shelf = self.shelf()?;
        if shelf.runs.contains_key(&id) || !is_gapless(&records) {
            return Err(Error::Conflict(id));
        }
        let records = records.into_iter().map(Arc::new).collect();
        shelf.runs.insert(id, Kept { claimed: false, epoch: 0, records, ended, ..Kept::new(run) });
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
            if kept.epoch == claim.epoch {
                kept.claimed = false;
                kept.problem = Some(problem.to_owned());
                kept.not_before = Some(Instant::now() + pause);
            }
            Ok(())
        })
    }

    async fn post(&self, run: RunId, wanted: Steering) -> Result<LetterId, Error> {
        let mut shelf = self.shelf()?;
        match shelf.runs.get(&run).ok_or(Error::NotFound(run))?.status() {
            Status::Finished => return Err(Error::Ended(run)),
            Status::Interrupted => return Err(Error::Idle(run)),
            Status::Waiting | Status::Playing => {}
        }
        if shelf.letters.values().filter(|(to, _)| *to == run).count() >= MOST_LETTERS {
            return Err(Error::Full(run));
        }
        shelf.last_letter += 1;
        let id = LetterId(shelf.last_letter);
        shelf.letters.insert(id, (run, wanted));
        drop(shelf);
        self.tell(News::Letter(run));
        Ok(id)
    }

    async fn letters(&self) -> Result<Vec<Letter>, Error> {
        let shelf = self.shelf()?;
        let mut read: HashMap<RunId, usize> = HashMap::new();
        let mine = shelf.letters.iter().filter(|(_, (run, _))| {
            let before = read.entry(*run).or_default();
            *before += 1;
            let is_played = shelf.runs.get(run).is_some_and(|kept| kept.status() == Status::Playing);
            is_played && *before <= LETTERS_AT_ONCE
        });
        Ok(mine.map(|(id, (run, wanted))| Letter { id: *id, run: *run, wanted: wanted.clone() }).collect())
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
        shelf.letters.retain(|_, (to, _)| *to != run);
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
