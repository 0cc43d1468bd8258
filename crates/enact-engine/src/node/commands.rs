//! Commands to runs that are there, and their removal.

use std::sync::Arc;

use enact_drama::{Record, RunId, Seq, open_ask::OpenAsk};

use tokio::sync::OwnedMutexGuard;

use super::{Error, Inner, Node, read_run::KnownRun};
use crate::{
    log::{self, CommandId},
    store::Wake,
};

impl Node {
    /// Posts a command of its production to a run. One that rests wakes up, and is played here if there is
    /// room.
    pub async fn command(&self, run: RunId, command: &str) -> Result<CommandId, Error> {
        let first = self.first_record(run).await?;
        let production = self.inner.productions.of(&first)?;
        let command = production.check_command(&first, command).map_err(Box::new)?;
        let mut checking = None;
        if production.depends_on_log(&command) {
            checking = Some(self.inner.checking_lock(run).lock_owned().await);
            let at = self.inner.clock.now_ms();
            production.check_command_now(&*self.inner.store, run, &command, at).await?;
        }
        self.inner.clone().post(run, command.into(), checking, None).await
    }

    /// What people have been asked in a run and not answered.
    pub async fn open_asks(&self, run: RunId) -> Result<Vec<OpenAsk>, Error> {
        let records = self.inner.store.read(run, Seq(0)).await?;
        let first = records.first().ok_or(Error::NoBeginning(run))?;
        Ok(self.inner.productions.of(first)?.open_asks(&records)?)
    }

    /// Ends a run with everything so far.
    pub async fn cancel(&self, run: RunId) -> Result<CommandId, Error> {
        let first = self.first_record(run).await?;
        let command = self.inner.productions.of(&first)?.cancel();
        self.inner.clone().post(run, command.into(), None, None).await
    }

    /// Removes a run and everything that belongs to it, what was said aloud included. One that is being
    /// played is [busy](crate::log::Error::Busy).
    pub async fn delete(&self, run: RunId) -> Result<(), Error> {
        // A run that no production of this process knows may be removed all the same; it leaves what only its
        // own knows of.
        let folder = match self.first_record(run).await {
            Ok(first) => {
                let production = self.inner.productions.of(&first).ok();
                let header = production.and_then(|production| production.header(&first).ok().flatten());
                header.and_then(|header| header.artifact_folder)
            }
            Err(Error::NoBeginning(_)) => None,
            Err(error) => return Err(error),
        };
        self.inner.store.delete(run).await?;
        let Some((artifacts, folder)) = self.inner.project.artifacts().zip(folder) else { return Ok(()) };
        // The run is gone all the same, and the caller can do nothing about a file.
        if let Err(error) = artifacts.remove_everywhere(&folder).await {
            tracing::warn!(%run, %error, "could not remove the files of a deleted run");
        }
        Ok(())
    }

    async fn first_record(&self, run: RunId) -> Result<Record, Error> {
        let first = self.inner.store.read_some(run, Seq(0), 1).await?;
        first.into_iter().next().ok_or(Error::NoBeginning(run))
    }
}

impl Inner {
    pub(super) fn checking_lock(&self, run: RunId) -> Arc<tokio::sync::Mutex<()>> {
        let share = run.0.as_u128() % super::CHECKING_LOCKS as u128;
        self.checking[share as usize].clone()
    }

    /// `checking` is given up once the command is stored. In a task of its own: a caller who gives up half-way
    /// must not leave a run that is claimed and played by no task.
    pub(super) async fn post(
        self: Arc<Self>,
        run: RunId,
        command: Arc<str>,
        checking: Option<OwnedMutexGuard<()>>,
        known: Option<KnownRun>,
    ) -> Result<CommandId, Error> {
        if self.is_ending(run) {
            return Err(log::Error::Full(run).into());
        }
        let posting = tokio::spawn(async move {
            let place = self.reserve().filter(|_| !*self.stopping.borrow());
            let wake = if place.is_some() { Wake::Claim } else { Wake::Queue };
            let posted = self.store.post(run, command, wake).await?;
            match posted.claim {
                Some(claim) => self.start_playing(claim, known),
                None => self.inbox.notify_one(),
            }
            drop(place);
            drop(checking);
            Ok::<CommandId, log::Error>(posted.id)
        });
        match posting.await {
            Ok(posted) => Ok(posted?),
            Err(error) => Err(log::Error::Storage(error.to_string()).into()),
        }
    }
}
