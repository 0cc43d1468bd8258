//! Where facts are kept.

use std::{collections::HashMap, fmt::Debug, sync::Mutex};

use async_trait::async_trait;
use enact_drama::{Record, RunId, Seq};
use serde::{Deserialize, Serialize};

/// The append-only logs of all runs.
///
/// Implementers promise:
/// * **Atomic:** the records of one append are stored together or not at all, and are durable against the death of
///   the process when `append` returns.
/// * **Fenced:** an append succeeds only at the expected seq and only for the newest claim on the run; otherwise it
///   is a [`Error::Conflict`], and whoever gets one no longer owns the run and must stop.
/// * **Gapless:** the seqs of a run are 0, 1, 2, …
#[async_trait]
pub trait Log: Debug + Send + Sync {
    /// Makes a run known and claims it.
    async fn create(&self, run: NewRun) -> Result<Claim, Error>;

    /// Claims a run that nobody plays: one whose owner released it or died.
    async fn claim(&self, run: RunId) -> Result<Claim, Error>;

    /// Gives a run up, so that anybody may claim it.
    async fn release(&self, claim: Claim) -> Result<(), Error>;

    /// Appends records, the first of which has the seq `records[0].seq`.
    /// `ended` is given with the records that end the run.
    async fn append(&self, claim: &Claim, records: Vec<Record>, ended: Option<&str>) -> Result<(), Error>;

    /// The records of a run from a seq on, in order.
    async fn read(&self, run: RunId, from: Seq) -> Result<Vec<Record>, Error>;

    /// All runs that have begun, newest first. One that was created and has no record yet, because its process died
    /// in between, has nothing to show or to resume.
    async fn runs(&self) -> Result<Vec<RunSummary>, Error>;
}

/// The right to append to a run, until somebody else claims it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Claim {
    pub run: RunId,
    /// Grows with every claim: appends with an old one are refused.
    pub epoch: u64,
}

#[derive(Debug, Clone)]
pub struct NewRun {
    pub run: RunId,
    /// `scene`, for now.
    pub production: &'static str,
    pub name: String,
    /// UTC milliseconds.
    pub at: i64,
}

/// A run as lists show it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RunSummary {
    pub run: RunId,
    pub production: String,
    pub name: String,
    pub started_at: i64,
    pub status: Status,
    /// The end reason of a finished run.
    pub reason: Option<String>,
    /// How many records its log holds.
    pub events: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Somebody is playing it now.
    Playing,
    /// Nobody plays it and it has not ended: it can be resumed.
    Interrupted,
    Finished,
}

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("no run {0} in this data folder")]
    NotFound(RunId),
    /// Another process plays it right now.
    #[error("run {0} is being played by another process")]
    Busy(RunId),
    /// Somebody else appended or claimed: the caller no longer owns the run.
    #[error("run {0} was taken over by another process")]
    Conflict(RunId),
    #[error("the log could not be reached: {0}")]
    Storage(String),
}

/// A log that lives as long as its process: for tests, benchmarks and embedding.
#[derive(Debug, Default)]
pub struct MemoryLog {
    runs: Mutex<HashMap<RunId, Kept>>,
}

#[derive(Debug)]
struct Kept {
    about: NewRun,
    epoch: u64,
    claimed: bool,
    ended: Option<String>,
    records: Vec<Record>,
}

impl MemoryLog {
    fn with<T>(&self, run: RunId, f: impl FnOnce(&mut Kept) -> Result<T, Error>) -> Result<T, Error> {
        let mut runs = self.runs.lock().map_err(|_| Error::Storage("a writer panicked".to_owned()))?;
        f(runs.get_mut(&run).ok_or(Error::NotFound(run))?)
    }
}

#[async_trait]
impl Log for MemoryLog {
    async fn create(&self, about: NewRun) -> Result<Claim, Error> {
        let run = about.run;
        let mut runs = self.runs.lock().map_err(|_| Error::Storage("a writer panicked".to_owned()))?;
        if runs.contains_key(&run) {
            return Err(Error::Conflict(run));
        }
        runs.insert(run, Kept { about, epoch: 1, claimed: true, ended: None, records: Vec::new() });
        Ok(Claim { run, epoch: 1 })
    }

    async fn claim(&self, run: RunId) -> Result<Claim, Error> {
        self.with(run, |kept| {
            if kept.claimed {
                return Err(Error::Busy(run));
            }
            kept.claimed = true;
            kept.epoch += 1;
            Ok(Claim { run, epoch: kept.epoch })
        })
    }

    async fn release(&self, claim: Claim) -> Result<(), Error> {
        self.with(claim.run, |kept| {
            if kept.epoch == claim.epoch {
                kept.claimed = false;
            }
            Ok(())
        })
    }

    async fn append(&self, claim: &Claim, records: Vec<Record>, ended: Option<&str>) -> Result<(), Error> {
        self.with(claim.run, |kept| {
            let expected = kept.records.len() as u64;
            let in_order = records.iter().zip(expected..).all(|(record, seq)| record.seq.0 == seq);
            if !kept.claimed || kept.epoch != claim.epoch || !in_order {
                return Err(Error::Conflict(claim.run));
            }
            kept.records.extend(records);
            if let Some(reason) = ended {
                kept.ended = Some(reason.to_owned());
            }
            Ok(())
        })
    }

    async fn read(&self, run: RunId, from: Seq) -> Result<Vec<Record>, Error> {
        self.with(run, |kept| Ok(kept.records.get(from.0 as usize..).unwrap_or_default().to_vec()))
    }

    async fn runs(&self) -> Result<Vec<RunSummary>, Error> {
        let runs = self.runs.lock().map_err(|_| Error::Storage("a writer panicked".to_owned()))?;
        let mut list: Vec<RunSummary> = runs
            .values()
            .filter(|kept| !kept.records.is_empty())
            .map(|kept| RunSummary {
                run: kept.about.run,
                production: kept.about.production.to_owned(),
                name: kept.about.name.clone(),
                started_at: kept.about.at,
                status: match (&kept.ended, kept.claimed) {
                    (Some(_), _) => Status::Finished,
                    (None, true) => Status::Playing,
                    (None, false) => Status::Interrupted,
                },
                reason: kept.ended.clone(),
                events: kept.records.len() as u64,
            })
            .collect();
        list.sort_by_key(|summary| std::cmp::Reverse(summary.run));
        Ok(list)
    }
}
