//! One run, from the queue to its end.

use std::{panic::AssertUnwindSafe, sync::Arc, time::Duration};

use enact_drama::{
    Fact, Record, Seq,
    scene::{Scene, SceneEvent},
};
use futures::FutureExt;
use tokio::sync::mpsc;

use super::{Inner, feed::Feed};
use crate::{
    log::{self, Claim},
    perform::{self, Performance, Wanted, Watcher},
    stage::{models_in, perform_scene},
};

/// How long a run waits that could not be played for a reason of its own: somebody has to do something about it.
const UNTIL_TRIED_AGAIN: Duration = Duration::from_secs(30);
/// How long before the store is tried again.
const UNTIL_STORE_IS_BACK: Duration = Duration::from_secs(1);

/// Why a run could not be played on.
#[derive(Debug, thiserror::Error)]
enum Stuck {
    #[error(transparent)]
    Log(#[from] log::Error),
    #[error("{0}")]
    ItsOwn(String),
}

impl From<perform::Error> for Stuck {
    fn from(error: perform::Error) -> Stuck {
        match error {
            perform::Error::Log(error) => Stuck::Log(error),
            other => Stuck::ItsOwn(other.to_string()),
        }
    }
}

/// Plays a run that was claimed, and gives it up whatever happens.
pub(super) async fn play(inner: &Inner, claim: Claim, mut requests: mpsc::Receiver<Wanted>) {
    let run = claim.run;
    let feed = inner.feeds.of(run);
    feed.play_here(true);
    let played = AssertUnwindSafe(perform(inner, claim, &feed, &mut requests)).catch_unwind().await;
    feed.play_here(false);
    let stuck = match played {
        Ok(Ok(())) => None,
        Ok(Err(Stuck::Log(log::Error::Conflict(_)))) => {
            tracing::warn!(%run, "another node has taken this run over");
            return;
        }
        Ok(Err(stuck)) => Some(stuck),
        Err(_) => Some(Stuck::ItsOwn("playing it panicked".to_owned())),
    };
    if let Some(stuck) = &stuck {
        tracing::error!(%run, error = %stuck, "a run could not be played on");
    }
    // As long as it is claimed nobody else can play it: this is tried until it succeeds.
    while let Err(error) = give_up(inner, claim, stuck.as_ref()).await {
        tracing::error!(%run, %error, "a run could not be given up");
        tokio::time::sleep(UNTIL_STORE_IS_BACK).await;
    }
}

async fn give_up(inner: &Inner, claim: Claim, stuck: Option<&Stuck>) -> Result<(), log::Error> {
    match stuck {
        None => inner.store.release(claim).await,
        Some(stuck @ Stuck::Log(_)) => {
            inner.store.put_back(claim, &stuck.to_string(), UNTIL_STORE_IS_BACK).await
        }
        Some(stuck) => inner.store.put_back(claim, &stuck.to_string(), UNTIL_TRIED_AGAIN).await,
    }
}

async fn perform(
    inner: &Inner,
    claim: Claim,
    feed: &Arc<Feed>,
    requests: &mut mpsc::Receiver<Wanted>,
) -> Result<(), Stuck> {
    let records = inner.store.read(claim.run, Seq(0)).await?;
    let first = records.first().map(Record::fact::<SceneEvent>).transpose();
    let Some(Fact { event: SceneEvent::Began { setup }, .. }) = first.map_err(perform::Error::from)? else {
        return Err(perform::Error::NoBeginning.into());
    };
    let models = inner.project.models(&setup).await.map_err(|problem| Stuck::ItsOwn(problem.to_string()))?;
    if let Some(missing) = models_in(&setup).find(|name| !models.contains_key(*name)) {
        return Err(Stuck::ItsOwn(format!("it is played by the model '{missing}', which this node lacks")));
    }
    drop(setup);
    let mut watcher = Fed(feed.clone());
    let mut performance =
        Performance::<Scene>::resume(claim, &records, &*inner.store, &*inner.clock, &mut watcher).await?;
    drop(records);
    performance.audience = Some(feed.clone());
    perform_scene(performance, &models, requests).await?;
    Ok(())
}

/// Passes what is stored on to those who follow.
struct Fed(Arc<Feed>);

impl Watcher<SceneEvent> for Fed {
    fn saw(&mut self, facts: &[Fact<SceneEvent>]) -> Duration {
        if facts.iter().any(|fact| matches!(fact.event, SceneEvent::Ended { .. })) {
            self.0.end();
        }
        Duration::ZERO
    }

    fn stored(&mut self, records: &[Arc<Record>]) {
        self.0.grow(records);
    }
}
