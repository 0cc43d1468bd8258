//! A store that lives as long as its process: for tests, benchmarks and embedding.

mod stored_run;

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Arc, Mutex, MutexGuard},
    time::Duration,
};

use async_trait::async_trait;
use enact_drama::{
    Record, RunId, Seq,
    row::{PAUSED, Row, RowChange},
};
use tokio::{sync::broadcast, time::Instant};

use crate::{
    log::{Batch, Checkpoint, Claim, CommandId, Error, Log, NewRun, RunSummary, Status},
    store::{
        Conversation, ConversationHead, Enqueued, Extract, INBOX_CAPACITY, INBOX_PAGE, IdempotencyKey,
        Listing, Notification, Posted, PostedCommand, RowQuery, Store, StoredRow, Submission, Wake,
    },
};

use self::stored_run::StoredRun;

/// How many notifications wait for a slow receiver, which then polls.
const NOTIFICATION_BUFFER: usize = 1024;

/// The logs of all runs, in memory.
#[derive(Debug)]
pub struct MemoryStore {
    state: Mutex<MemoryState>,
    notifications: broadcast::Sender<Notification>,
}

#[derive(Debug, Default)]
struct MemoryState {
    runs: BTreeMap<RunId, StoredRun>,
    keys_used: HashMap<(String, String), (String, RunId)>,
    inbox: BTreeMap<CommandId, PostedCommand>,
    last_command: u64,
    /// By run, kind and key.
    rows: BTreeMap<(RunId, String, String), Row>,
    extracts: BTreeMap<(String, RunId), String>,
    counters: BTreeMap<(RunId, String), i64>,
    conversations: BTreeMap<Conversation, ConversationHead>,
}

impl Default for MemoryStore {
    fn default() -> MemoryStore {
        MemoryStore { state: Mutex::default(), notifications: broadcast::Sender::new(NOTIFICATION_BUFFER) }
    }
}

impl MemoryStore {
    fn lock(&self) -> Result<MutexGuard<'_, MemoryState>, Error> {
        self.state.lock().map_err(|_| Error::Storage("a writer panicked".to_owned()))
    }

    fn with<T>(&self, run: RunId, f: impl FnOnce(&mut StoredRun) -> Result<T, Error>) -> Result<T, Error> {
        f(self.lock()?.runs.get_mut(&run).ok_or(Error::NotFound(run))?)
    }

    fn notify(&self, notification: Notification) {
        // There may be no receivers.
        let _ = self.notifications.send(notification);
    }
}

impl MemoryState {
    fn enqueue(&mut self, submission: Submission) -> Result<Enqueued, Error> {
        let Submission { run, records, rows, idempotency_key, next } = submission;
        let id = run.run;
        if let Some(before) =
            idempotency_key.as_ref().and_then(|idempotency_key| self.find_submitted(idempotency_key))
        {
            return Ok(before);
        }
        let talk = next.as_ref().and_then(|next| self.conversations.get(&next.of).copied());
        let has_ended = |run| self.runs.get(&run).is_some_and(|stored| stored.ended.is_some());
        if let (Some(next), Some(talk)) = (&next, talk)
            && !(next.follows(talk) && (next.begins_anew() || has_ended(talk.run)))
        {
            return Ok(Enqueued::Busy(talk.run));
        }
        if self.runs.contains_key(&id) || !is_gapless(&records) {
            return Err(Error::Conflict(id));
        }
        if let Some(IdempotencyKey { from, key, digest }) = idempotency_key {
            self.keys_used.insert((from, key), (digest, id));
        }
        let records = records.into_iter().map(Arc::new).collect();
        self.runs
            .insert(id, StoredRun { claimed: false, queued: true, epoch: 0, records, ..StoredRun::new(run) });
        self.change_rows(id, rows);
        if let Some(next) = next {
            let left = next.leaves(id, talk);
            self.conversations.insert(next.of, left);
        }
        Ok(Enqueued::New)
    }

    /// Whether the inbox of a run holds commands that this batch does not know of.
    fn has_unread(&self, run: RunId, batch: &Batch) -> bool {
        self.inbox
            .values()
            .any(|posted| posted.run == run && Some(posted.id) > batch.seen && Some(posted.id) != batch.taken)
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
        let paused = self.rows.contains_key(&(run, PAUSED.to_owned(), String::new()));
        if let Some(stored) = self.runs.get_mut(&run) {
            stored.paused = paused;
        }
    }

    fn find_submitted(&self, idempotency_key: &IdempotencyKey) -> Option<Enqueued> {
        let (used_for, before) =
            self.keys_used.get(&(idempotency_key.from.clone(), idempotency_key.key.clone()))?;
        Some(if *used_for == idempotency_key.digest {
            Enqueued::AlreadyQueued(*before)
        } else {
            Enqueued::KeyReused
        })
    }
}

#[async_trait]
impl Log for MemoryStore {
    async fn create(&self, about: NewRun) -> Result<Claim, Error> {
        let run = about.run;
        let mut state = self.lock()?;
        if state.runs.contains_key(&run) {
            return Err(Error::Conflict(run));
        }
        state.runs.insert(run, StoredRun::new(about));
        Ok(Claim { run, epoch: 1 })
    }

    async fn claim(&self, run: RunId) -> Result<Claim, Error> {
        self.with(run, |stored| if stored.claimed { Err(Error::Busy(run)) } else { Ok(stored.claim()) })
    }

    async fn release(&self, claim: Claim) -> Result<(), Error> {
        let waits = self.with(claim.run, |stored| {
            let held = stored.is_held(&claim);
            stored.claimed &= !held;
            Ok(held && stored.waits())
        })?;
        if waits {
            self.notify(Notification::RunQueued);
        }
        Ok(())
    }

    async fn rest(&self, claim: Claim, seen: Option<CommandId>) -> Result<bool, Error> {
        let mut state = self.lock()?;
        let newest =
            state.inbox.values().rev().find(|posted| posted.run == claim.run).map(|posted| posted.id);
        let stored = state.runs.get_mut(&claim.run).ok_or(Error::NotFound(claim.run))?;
        if !stored.is_held(&claim) {
            return Err(Error::Conflict(claim.run));
        }
        if newest > seen {
            return Ok(false);
        }
        (stored.claimed, stored.queued, stored.resting) = (false, false, true);
        Ok(true)
    }

    async fn append(&self, claim: &Claim, batch: Batch) -> Result<(), Error> {
        let run = claim.run;
        let mut state = self.lock()?;
        let stored = state.runs.get_mut(&run).ok_or(Error::NotFound(run))?;
        let expected = stored.records.len() as u64;
        let in_order = batch.records.iter().zip(expected..).all(|(record, seq)| record.seq.0 == seq);
        if !stored.is_held(claim) || !in_order {
            return Err(Error::Conflict(run));
        }
        if batch.needs_all_read() && state.has_unread(run, &batch) {
            return Err(Error::Unread(run));
        }
        let stored = state.runs.get_mut(&run).ok_or(Error::NotFound(run))?;
        let grown = !batch.records.is_empty();
        stored.records.extend(batch.records);
        if let Some(checkpoint) = batch.checkpoint {
            stored.checkpoint = Some(checkpoint);
        }
        state.change_rows(run, batch.rows);
        if let Some(taken) = batch.taken {
            state.inbox.retain(|id, posted| *id != taken || posted.run != run);
        }
        if let Some(reason) = batch.ended {
            state.inbox.retain(|_, posted| posted.run != run);
            if let Some(stored) = state.runs.get_mut(&run) {
                stored.ended = Some(reason);
            }
        }
        drop(state);
        if grown {
            self.notify(Notification::LogGrew(run));
        }
        Ok(())
    }

    async fn read(&self, run: RunId, from: Seq) -> Result<Vec<Record>, Error> {
        self.with(run, |stored| Ok(stored.records(from, usize::MAX)))
    }

    async fn checkpoint(&self, run: RunId) -> Result<Option<Checkpoint>, Error> {
        self.with(run, |stored| Ok(stored.checkpoint.clone()))
    }

    async fn runs(&self) -> Result<Vec<RunSummary>, Error> {
        self.list(&Listing { most: usize::MAX, ..Listing::default() }).await
    }
}

#[async_trait]
impl Store for MemoryStore {
    async fn enqueue(&self, submission: Submission) -> Result<Enqueued, Error> {
        let enqueued = self.lock()?.enqueue(submission)?;
        if enqueued == Enqueued::New {
            self.notify(Notification::RunQueued);
        }
        Ok(enqueued)
    }

    async fn conversation(&self, of: &Conversation) -> Result<Option<ConversationHead>, Error> {
        Ok(self.lock()?.conversations.get(of).copied())
    }

    async fn clear(&self, of: &Conversation) -> Result<Option<ConversationHead>, Error> {
        let mut state = self.lock()?;
        let Some(talk) = state.conversations.get_mut(of) else { return Ok(None) };
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
        let mut state = self.lock()?;
        if state.runs.contains_key(&id) || !is_gapless(&records) {
            return Err(Error::Conflict(id));
        }
        let records = records.into_iter().map(Arc::new).collect();
        state.runs.insert(id, StoredRun { claimed: false, epoch: 0, records, ended, ..StoredRun::new(run) });
        state.change_rows(id, rows);
        Ok(())
    }

    async fn find_submitted(&self, idempotency_key: &IdempotencyKey) -> Result<Option<Enqueued>, Error> {
        Ok(self.lock()?.find_submitted(idempotency_key))
    }

    async fn waiting(&self, at_most: usize) -> Result<usize, Error> {
        let state = self.lock()?;
        let waiting = state.runs.values().filter(|stored| stored.status() == Status::Waiting);
        Ok(waiting.take(at_most).count())
    }

    async fn claim_waiting(&self, most: usize) -> Result<Vec<Claim>, Error> {
        let mut state = self.lock()?;
        let waiting = state.runs.values_mut().filter(|stored| stored.waits());
        Ok(waiting.take(most).map(StoredRun::claim).collect())
    }

    async fn requeue(&self, claim: Claim, problem: &str, pause: Duration) -> Result<(), Error> {
        self.with(claim.run, |stored| {
            if stored.is_held(&claim) {
                stored.claimed = false;
                stored.problem = Some(problem.to_owned());
                stored.not_before = Some(Instant::now() + pause);
            }
            Ok(())
        })
    }

    async fn post(&self, run: RunId, command: Arc<str>, wake: Wake) -> Result<Posted, Error> {
        let mut state = self.lock()?;
        match state.runs.get(&run).ok_or(Error::NotFound(run))?.status() {
            Status::Finished => return Err(Error::Ended(run)),
            Status::Interrupted => return Err(Error::Idle(run)),
            Status::Waiting | Status::Playing | Status::Resting | Status::Paused => {}
        }
        if state.inbox.values().filter(|posted| posted.run == run).count() >= INBOX_CAPACITY {
            return Err(Error::Full(run));
        }
        state.last_command += 1;
        let id = CommandId(state.last_command);
        state.inbox.insert(id, PostedCommand { id, run, command });
        let stored = state.runs.get_mut(&run).filter(|stored| stored.status() == Status::Resting);
        let woken = stored.map(|stored| {
            (stored.resting, stored.queued) = (false, true);
            (wake == Wake::Claim).then(|| stored.claim())
        });
        drop(state);
        match woken {
            None => self.notify(Notification::CommandPosted(run)),
            Some(None) => self.notify(Notification::RunQueued),
            Some(Some(_)) => {}
        }
        Ok(Posted { id, claim: woken.flatten() })
    }

    async fn inboxes(&self) -> Result<Vec<PostedCommand>, Error> {
        let state = self.lock()?;
        let mut read: HashMap<RunId, usize> = HashMap::new();
        let mine = state.inbox.values().filter(|posted| {
            let before = read.entry(posted.run).or_default();
            *before += 1;
            let is_played =
                state.runs.get(&posted.run).is_some_and(|stored| stored.status() == Status::Playing);
            is_played && *before <= INBOX_PAGE
        });
        Ok(mine.cloned().collect())
    }

    async fn inbox(&self, run: RunId) -> Result<Vec<PostedCommand>, Error> {
        let state = self.lock()?;
        let commands = state.inbox.values().filter(|posted| posted.run == run);
        Ok(commands.take(INBOX_PAGE).cloned().collect())
    }

    async fn find(&self, run: RunId) -> Result<RunSummary, Error> {
        self.with(run, |stored| Ok(stored.summary()))
    }

    async fn list(&self, wanted: &Listing) -> Result<Vec<RunSummary>, Error> {
        let state = self.lock()?;
        let begun =
            state.runs.values().rev().filter(|stored| !stored.records.is_empty()).map(StoredRun::summary);
        Ok(begun.filter(|run| wanted.wants(run)).take(wanted.most).collect())
    }

    async fn read_some(&self, run: RunId, from: Seq, most: usize) -> Result<Vec<Record>, Error> {
        self.with(run, |stored| Ok(stored.records(from, most)))
    }

    async fn delete(&self, run: RunId) -> Result<(), Error> {
        let mut state = self.lock()?;
        match state.runs.get(&run) {
            None => return Err(Error::NotFound(run)),
            Some(stored) if stored.claimed && stored.ended.is_none() => return Err(Error::Busy(run)),
            Some(_) => {}
        }
        state.runs.remove(&run);
        state.inbox.retain(|_, posted| posted.run != run);
        state.rows.retain(|(of, ..), _| *of != run);
        state.extracts.retain(|(_, of), _| *of != run);
        state.counters.retain(|(of, _), _| *of != run);
        state.keys_used.retain(|_, (_, made)| *made != run);
        state.conversations.retain(|_, talk| talk.run != run);
        Ok(())
    }

    async fn keep_extract(&self, run: RunId, kind: &str, body: &str) -> Result<(), Error> {
        let mut state = self.lock()?;
        if !state.runs.contains_key(&run) {
            return Err(Error::NotFound(run));
        }
        state.extracts.insert((kind.to_owned(), run), body.to_owned());
        Ok(())
    }

    async fn extracts(&self, kind: &str, started: std::ops::Range<i64>) -> Result<Vec<Extract>, Error> {
        let state = self.lock()?;
        let of_kind = state.extracts.iter().rev().filter(|((of, _), _)| of == kind);
        let extracts = of_kind.filter_map(|((_, run), body)| {
            let started_at = state.runs.get(run)?.about.at;
            let wanted = started.contains(&started_at);
            wanted.then(|| Extract { run: *run, started_at, body: body.clone() })
        });
        Ok(extracts.collect())
    }

    async fn without_extract(&self, kind: &str, most: usize) -> Result<Vec<RunId>, Error> {
        let state = self.lock()?;
        let finished = state.runs.iter().filter(|(_, stored)| stored.ended.is_some()).map(|(run, _)| *run);
        let without = finished.filter(|run| !state.extracts.contains_key(&(kind.to_owned(), *run)));
        Ok(without.take(most).collect())
    }

    async fn add_to_counter(&self, run: RunId, name: &str, by: i64) -> Result<i64, Error> {
        let mut state = self.lock()?;
        if !state.runs.contains_key(&run) {
            return Err(Error::NotFound(run));
        }
        let counter = state.counters.entry((run, name.to_owned())).or_default();
        *counter += by;
        Ok(*counter)
    }

    async fn counters(&self, run: RunId) -> Result<BTreeMap<String, i64>, Error> {
        let state = self.lock()?;
        let of_run = state.counters.iter().filter(|((of, _), _)| *of == run);
        Ok(of_run.map(|((_, name), value)| (name.clone(), *value)).collect())
    }

    async fn rows(&self, wanted: &RowQuery) -> Result<Vec<StoredRow>, Error> {
        let state = self.lock()?;
        let stored = state.rows.iter().filter_map(|((run, ..), row)| {
            let account = state.runs.get(run)?.about.account.clone();
            Some(StoredRow { run: *run, account, row: row.clone() })
        });
        let mut rows: Vec<StoredRow> = stored.filter(|row| wanted.wants(row)).collect();
        rows.sort_by_key(|row| (std::cmp::Reverse(row.row.sort), row.row.key.clone(), row.run));
        rows.truncate(wanted.most);
        Ok(rows)
    }

    async fn replace_rows(&self, run: RunId, length: Seq, rows: Vec<Row>) -> Result<bool, Error> {
        let mut state = self.lock()?;
        let stored = state.runs.get_mut(&run).ok_or(Error::NotFound(run))?;
        if stored.records.len() as u64 != length.0 {
            return Ok(false);
        }
        stored.checkpoint = None;
        state.rows.retain(|(of, ..), _| *of != run);
        state.change_rows(run, rows.into_iter().map(RowChange::Put).collect());
        Ok(true)
    }

    async fn ready(&self) -> Result<(), Error> {
        Ok(())
    }

    fn name(&self) -> &'static str {
        "memory"
    }

    fn notifications(&self) -> broadcast::Receiver<Notification> {
        self.notifications.subscribe()
    }
}

fn is_gapless(records: &[Record]) -> bool {
    records.iter().zip(0..).all(|(record, seq)| record.seq.0 == seq)
}
