//! What people want of runs that are there: something posted to whoever plays them, or that they are gone.

use enact_drama::{Problem, Record, RunId, Seq, Steering, chorus, production::Kind, scene::SceneEvent};

use super::{Error, Node};
use crate::log::LetterId;

impl Node {
    /// Posts what is wanted of a run to whoever plays it.
    pub async fn steer(&self, run: RunId, wanted: Steering) -> Result<LetterId, Error> {
        let first = self.inner.store.read_some(run, Seq(0), 1).await?;
        let wanted = match first.first() {
            Some(first) => fits(first, wanted)?,
            None => wanted,
        };
        let letter = self.inner.store.post(run, wanted).await?;
        self.inner.letters.notify_one();
        Ok(letter)
    }

    /// Removes a run and everything that belongs to it, what was said aloud included. One that is being played is
    /// [busy](crate::log::Error::Busy).
    pub async fn delete(&self, run: RunId) -> Result<(), Error> {
        self.inner.store.delete(run).await?;
        let Some(artefacts) = self.inner.project.artefacts() else { return Ok(()) };
        let removed = tokio::task::spawn_blocking(move || artefacts.remove_all(&chorus::folder_of(run)));
        // The run is gone all the same, and whoever asked can do nothing about a file.
        match removed.await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => {
                tracing::warn!(%run, %error, "what a deleted run has said aloud is still there")
            }
            Err(error) => {
                tracing::warn!(%run, %error, "what a deleted run has said aloud may still be there")
            }
        }
        Ok(())
    }
}

/// Whether a run that begins with this record can take it at all.
fn fits(first: &Record, wanted: Steering) -> Result<Steering, Error> {
    match Kind::of(first) {
        Some(Kind::Chorus) if wanted != Steering::Cancel => {
            let problem = Problem::config("a chorus can only be cancelled");
            Err(Box::new(problem.hint("notes, events, pauses and steps are for scenes")).into())
        }
        Some(Kind::Chorus) => Ok(wanted),
        // What is nothing that this version knows is no scene either, and says why.
        Some(Kind::Scene) | None => match first.fact::<SceneEvent>()?.event {
            SceneEvent::Began { setup } => {
                Ok(wanted.check(setup.cast.iter().map(|role| &role.name)).map_err(Box::new)?)
            }
            _ => Ok(wanted),
        },
    }
}
