//! Playing all runs of all contenders.

use std::{path::Path, sync::Arc};

use enact_drama::{
    Fact, Happened, RunId, Seq,
    scene::{EndReason, SceneEvent},
    show::Story,
};
use enact_engine::{Log, perform::known_facts};
use enact_store::SqliteLog;
use tokio::{
    sync::{mpsc, watch},
    task::JoinSet,
};

use super::progress::{self, Beats};
use crate::prepare::Prepared;

/// What has been played of a comparison.
#[derive(Debug, Default)]
pub(crate) struct Played {
    /// The runs of each contender that were played to an end, in the order in which they were wanted.
    pub(crate) stories: Vec<Vec<Story>>,
    /// Somebody wanted it to end early.
    pub(crate) cancelled: bool,
    /// Why it ended early, if something went wrong.
    pub(crate) error: Option<anyhow::Error>,
}

/// One run that is to be played.
struct Turn {
    contender: usize,
    round: usize,
    name: String,
}

/// Plays rounds: one run of each contender, then the next of each. So an hour in which a provider is slow is slow for
/// everyone, and a contender that cannot play at all is found out in the first round.
///
/// `prepare` readies a run of a contender in a round; `cancel` becomes true when no more is wanted.
pub(crate) async fn play(
    contenders: &[String],
    rounds: usize,
    jobs: usize,
    log: &Arc<SqliteLog>,
    data_dir: &Path,
    mut cancel: watch::Receiver<bool>,
    mut prepare: impl AsyncFnMut(usize, usize) -> anyhow::Result<Prepared>,
) -> Played {
    let bar = progress::bar(rounds * contenders.len());
    let mut waiting = (0..rounds).flat_map(|round| {
        contenders.iter().enumerate().map(move |(contender, name)| Turn {
            contender,
            round,
            name: name.clone(),
        })
    });
    let mut playing = JoinSet::new();
    let mut done: Vec<(usize, usize, Story)> = Vec::new();
    let mut played = Played::default();
    loop {
        let wanted = !*cancel.borrow_and_update() && played.error.is_none();
        if wanted
            && playing.len() < jobs
            && let Some(turn) = waiting.next()
        {
            match prepare(turn.contender, turn.round).await {
                Ok(prepared) => {
                    let watcher = Beats { bar: bar.clone(), contender: turn.name.clone() };
                    let (log, data_dir) = (log.clone(), data_dir.to_owned());
                    let cancel = cancel.clone();
                    playing.spawn(async move {
                        let story = one(prepared, log, &data_dir, watcher, cancel).await;
                        (turn.contender, turn.round, story)
                    });
                }
                Err(error) => played.error = Some(error),
            }
            continue;
        }
        let Some(finished) = playing.join_next().await else { break };
        bar.inc(1);
        match finished {
            Ok((contender, round, Ok(story))) => done.push((contender, round, story)),
            Ok((_, _, Err(error))) => played.error = played.error.or(Some(error)),
            Err(panicked) => played.error = Some(panicked.into()),
        }
    }
    bar.finish_and_clear();
    done.sort_by_key(|(contender, round, _)| (*contender, *round));
    played.cancelled = *cancel.borrow();
    played.stories = contenders.iter().map(|_| Vec::new()).collect();
    for (contender, _, story) in done {
        // A run that was stopped in the middle says nothing about who played it.
        if story.ended != Some(EndReason::Cancelled) {
            played.stories[contender].push(story);
        }
    }
    played
}

async fn one(
    Prepared { stage, setup, .. }: Prepared,
    log: Arc<SqliteLog>,
    data_dir: &Path,
    mut watcher: Beats,
    cancel: watch::Receiver<bool>,
) -> anyhow::Result<Story> {
    let run = setup.run;
    let mut requests = cancelling(cancel);
    stage.log(log.clone()).write_to(data_dir).play(setup, &mut watcher, &mut requests).await?;
    story(&*log, run).await
}

/// Asks a run to end once nothing more is wanted.
fn cancelling(mut cancel: watch::Receiver<bool>) -> mpsc::Receiver<Happened> {
    let (request, requests) = mpsc::channel(1);
    tokio::spawn(async move {
        // Whoever could have cancelled is gone when the comparison is over, and the run with it.
        if cancel.wait_for(|cancelled| *cancelled).await.is_ok() {
            let _ = request.send(Happened::Cancelled).await;
        }
    });
    requests
}

async fn story(log: &dyn Log, run: RunId) -> anyhow::Result<Story> {
    let records = log.read(run, Seq(0)).await?;
    let facts: Vec<Fact<SceneEvent>> = known_facts(&records);
    Story::of(&facts).ok_or_else(|| anyhow::anyhow!("run {run} has no beginning"))
}
