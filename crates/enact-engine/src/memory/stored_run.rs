//! One run in memory.

use std::sync::Arc;

use enact_drama::{Record, Seq};
use tokio::time::Instant;

use crate::log::{Checkpoint, Claim, NewRun, RunSummary, Status};

#[derive(Debug)]
pub(super) struct StoredRun {
    pub(super) about: NewRun,
    pub(super) epoch: u64,
    pub(super) claimed: bool,
    pub(super) queued: bool,
    pub(super) resting: bool,
    /// Whether its rows say that a person holds it up.
    pub(super) paused: bool,
    pub(super) checkpoint: Option<Checkpoint>,
    pub(super) problem: Option<String>,
    pub(super) not_before: Option<Instant>,
    pub(super) ended: Option<String>,
    pub(super) records: Vec<Arc<Record>>,
}

impl StoredRun {
    pub(super) fn new(about: NewRun) -> StoredRun {
        StoredRun {
            about,
            epoch: 1,
            claimed: true,
            queued: false,
            resting: false,
            paused: false,
            checkpoint: None,
            problem: None,
            not_before: None,
            ended: None,
            records: Vec::new(),
        }
    }

    pub(super) fn claim(&mut self) -> Claim {
        self.claimed = true;
        // A resting run is in no queue, and would be lost when it is given up.
        self.queued |= self.resting;
        self.resting = false;
        self.epoch += 1;
        (self.problem, self.not_before) = (None, None);
        Claim { run: self.about.run, epoch: self.epoch }
    }

    /// Whether this claim is the newest and was not given up.
    pub(super) fn is_held(&self, claim: &Claim) -> bool {
        self.claimed && self.epoch == claim.epoch
    }

    pub(super) fn waits(&self) -> bool {
        let due = self.not_before.is_none_or(|at| at <= Instant::now());
        self.queued && !self.claimed && self.ended.is_none() && due
    }

    pub(super) fn status(&self) -> Status {
        match &self.ended {
            Some(_) => Status::Finished,
            None if self.claimed => Status::Playing,
            None if self.resting => Status::Resting,
            None if self.queued => Status::Waiting,
            None => Status::Interrupted,
        }
    }

    pub(super) fn summary(&self) -> RunSummary {
        RunSummary {
            run: self.about.run,
            production: self.about.production.to_owned(),
            name: self.about.name.clone(),
            started_at: self.about.at,
            status: if self.paused { self.status().held_up() } else { self.status() },
            reason: self.ended.clone(),
            events: self.records.len() as u64,
            parent: self.about.parent,
            account: self.about.account.clone(),
            problem: self.problem.clone(),
        }
    }

    pub(super) fn records(&self, from: Seq, most: usize) -> Vec<Record> {
        let from = usize::try_from(from.0).unwrap_or(usize::MAX);
        let records = self.records.get(from..).unwrap_or_default();
        records.iter().take(most).map(|record| Record::clone(record)).collect()
    }
}
