//! Playing all runs of all contenders.

use std::{path::Path, sync::Arc};

use enact_drama::{
    RunId,
    scene::report::{Story, metadata},
    scene::{EndReason, Scene, Setup},
};
use enact_engine::{Stage, Store, run_loop::Signal};
use tokio::{
    sync::{mpsc, watch},
    task::JoinSet,
};

use super::{
    super::{afterword, prepare::Prepared},
    progress::{self, Beats},
};
use crate::exit_codes::INTERRUPTED;

/// A run that can be played, on a stage of its own.
#[derive(Debug)]
pub(crate) enum Ready {
    Begins {
        stage: Stage,
        setup: Box<Setup>,
    },
    /// It has a log already.
    GoesOn {
        stage: Stage,
        run: RunId,
    },
}

impl From<Prepared> for Ready {
    fn from(Prepared { stage, setup, .. }: Prepared) -> Ready {
        Ready::Begins { stage, setup: Box::new(setup) }
    }
}

/// What has been played of a comparison.
#[derive(Debug)]
pub(crate) struct Played {
    /// The runs of each contender that were played to an end, in the order in which they were wanted.
    pub(crate) stories: Vec<Vec<Story>>,
    /// Somebody wanted it to end early.
    pub(crate) cancelled: bool,
    /// Why it ended early, if something went wrong.
    pub(crate) error: Option<anyhow::Error>,
}

/// All that is to be played: one run of each contender, then the next of each.
///
/// So an hour in which a provider is slow is slow for everyone, and a contender that cannot play at all is found out in
/// the first round.
#[derive(Debug)]
pub(crate) struct Rounds<'a> {
    pub(crate) contenders: &'a [String],
    /// How often each of them plays.
    pub(crate) runs: usize,
    /// How many runs are played at once.
    pub(crate) jobs: usize,
    pub(crate) log: Arc<dyn Store>,
    pub(crate) data_dir: &'a Path,
}

impl Rounds<'_> {
    /// Plays until everything is played, something goes wrong, or `cancel` becomes true. `prepare` readies the run of
    /// a contender, by its place, in a round.
    pub(crate) async fn play(
        &self,
        mut cancel: watch::Receiver<bool>,
        mut prepare: impl AsyncFnMut(usize, usize) -> anyhow::Result<Ready>,
    ) -> Played {
        let bar = progress::bar(self.runs * self.contenders.len());
        let places = 0..self.contenders.len();
        let mut waiting = (0..self.runs).flat_map(|round| places.clone().map(move |place| (place, round)));
        let mut playing = JoinSet::new();
        let mut done: Vec<(usize, usize, Story)> = Vec::new();
        let mut error = None;
        loop {
            let wanted = !*cancel.borrow_and_update() && error.is_none();
            if wanted
                && playing.len() < self.jobs
                && let Some((place, round)) = waiting.next()
            {
                match prepare(place, round).await {
                    Ok(ready) => {
                        let observer = Beats { bar: bar.clone(), contender: self.contenders[place].clone() };
                        let (log, data_dir) = (self.log.clone(), self.data_dir.to_owned());
                        let cancel = cancel.clone();
                        playing.spawn(async move {
                            (place, round, one(ready, log, &data_dir, observer, cancel).await)
                        });
                    }
                    Err(unready) => error = Some(unready),
                }
                continue;
            }
            // Whatever is under way when something goes wrong is played to its end: it has been paid for.
            let Some(finished) = playing.join_next().await else { break };
            bar.inc(1);
            match finished {
                Ok((place, round, Ok(story))) => done.push((place, round, story)),
                Ok((_, _, Err(failed))) => error = error.or(Some(failed)),
                Err(panicked) => error = error.or(Some(panicked.into())),
            }
        }
        bar.finish_and_clear();
        Played { stories: self.sorted(done), cancelled: *cancel.borrow(), error }
    }

    /// The runs of each contender in the order of rounds, whichever was over first. A run that was stopped in the
    /// middle says nothing about who played it.
    fn sorted(&self, mut done: Vec<(usize, usize, Story)>) -> Vec<Vec<Story>> {
        done.sort_by_key(|(_, round, _)| *round);
        let mut stories: Vec<Vec<Story>> = self.contenders.iter().map(|_| Vec::new()).collect();
        for (place, _, story) in done {
            if story.ended != Some(EndReason::Cancelled) {
                stories[place].push(story);
            }
        }
        stories
    }
}

/// The first Ctrl-C ends the runs that are being played and shows what is there, the second one ends the program.
pub(crate) fn ctrl_c() -> watch::Receiver<bool> {
    let (cancel, cancelled) = watch::channel(false);
    tokio::spawn(async move {
        if tokio::signal::ctrl_c().await.is_ok() {
            let _ = cancel.send(true);
            if tokio::signal::ctrl_c().await.is_ok() {
                std::process::exit(i32::from(INTERRUPTED));
            }
        }
    });
    cancelled
}

/// What went wrong last, where every run failed.
pub(crate) fn nobody_played<'a>(stories: impl IntoIterator<Item = &'a Story>) -> Option<String> {
    let failed = |story: &&Story| story.ended == Some(EndReason::Failed);
    let stories: Vec<&Story> = stories.into_iter().collect();
    stories.last().filter(|_| stories.iter().all(failed)).and_then(|last| afterword::cause(&metadata(last)))
}

async fn one(
    ready: Ready,
    log: Arc<dyn Store>,
    data_dir: &Path,
    mut observer: Beats,
    cancel: watch::Receiver<bool>,
) -> anyhow::Result<Story> {
    let mut requests = cancelling(cancel);
    let at_home = |stage: Stage| stage.store(log).write_to(data_dir);
    let (stage, run) = match ready {
        Ready::Begins { stage, setup } => {
            let (stage, run) = (at_home(stage), setup.run);
            stage.play::<Scene>(Scene::beginning(*setup), &mut observer, &mut requests).await?;
            (stage, run)
        }
        Ready::GoesOn { stage, run } => {
            let stage = at_home(stage);
            stage.resume::<Scene>(run, &mut observer, &mut requests).await?;
            (stage, run)
        }
    };
    Ok(stage.finish_scene(run).await?.0)
}

/// Asks a run to end once nothing more is wanted.
fn cancelling(mut cancel: watch::Receiver<bool>) -> mpsc::Receiver<Signal> {
    let (request, requests) = mpsc::channel(1);
    tokio::spawn(async move {
        // Whoever could have cancelled is gone when the comparison is over, and the run with it.
        if cancel.wait_for(|cancelled| *cancelled).await.is_ok() {
            let _ = request.send(Signal::Cancel).await;
        }
    });
    requests
}
