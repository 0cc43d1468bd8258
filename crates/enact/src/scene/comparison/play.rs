//! Playing all runs of all entrants.

use std::{path::Path, sync::Arc, time::Duration};

use enact_drama::{
    Fact, RunId,
    scene::report::{SceneReport, metadata},
    scene::{Scene, SceneEnd, SceneEvent, SceneSetup},
};
use enact_engine::{
    Stage, Store,
    run_loop::{Observer, Signal},
};
use indicatif::ProgressBar;
use tokio::{
    sync::{mpsc, watch},
    task::JoinSet,
};

use super::super::{prepare::PreparedScene, summary};
use crate::{screen::progress_bar, signals::on_ctrl_c};

/// A run that can be played, on a stage of its own.
#[derive(Debug)]
pub(crate) enum Ready {
    New {
        stage: Stage,
        setup: Box<SceneSetup>,
    },
    /// It has a log already.
    Resumed {
        stage: Stage,
        run: RunId,
    },
}

impl From<PreparedScene> for Ready {
    fn from(PreparedScene { stage, setup, .. }: PreparedScene) -> Ready {
        Ready::New { stage, setup: Box::new(setup) }
    }
}

/// What has been played of a comparison.
#[derive(Debug)]
pub(crate) struct PlayedRounds {
    /// The runs of each entrant that were played to an end, in the order in which they were wanted.
    pub(crate) stories: Vec<Vec<SceneReport>>,
    /// Whether it was ended early by Ctrl-C.
    pub(crate) cancelled: bool,
    /// Why it ended early, if something went wrong.
    pub(crate) error: Option<anyhow::Error>,
}

/// All that is to be played: one run of each entrant, then the next of each.
///
/// So an hour in which a provider is slow is slow for everyone, and an entrant that cannot play at all is
/// found out in the first round.
#[derive(Debug)]
pub(crate) struct Rounds<'a> {
    pub(crate) entrants: &'a [String],
    /// How often each of them plays.
    pub(crate) runs: usize,
    /// How many runs are played at once.
    pub(crate) jobs: usize,
    pub(crate) log: Arc<dyn Store>,
    pub(crate) data_dir: &'a Path,
}

impl Rounds<'_> {
    /// Plays until everything is played, something goes wrong, or `cancel` becomes true. `prepare` readies
    /// the run of an entrant, by its place, in a round.
    pub(crate) async fn play(
        &self,
        mut cancel: watch::Receiver<bool>,
        mut prepare: impl AsyncFnMut(usize, usize) -> anyhow::Result<Ready>,
    ) -> PlayedRounds {
        let bar = progress_bar(self.runs * self.entrants.len(), "run {pos} of {len} {msg:.dim}");
        let places = 0..self.entrants.len();
        let mut waiting = (0..self.runs).flat_map(|round| places.clone().map(move |place| (place, round)));
        let mut playing = JoinSet::new();
        let mut done: Vec<(usize, usize, SceneReport)> = Vec::new();
        let mut error = None;
        loop {
            let wanted = !*cancel.borrow_and_update() && error.is_none();
            if wanted
                && playing.len() < self.jobs
                && let Some((place, round)) = waiting.next()
            {
                match prepare(place, round).await {
                    Ok(ready) => {
                        let observer =
                            BeatProgress { bar: bar.clone(), entrant: self.entrants[place].clone() };
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
        PlayedRounds { stories: self.sorted(done), cancelled: *cancel.borrow(), error }
    }

    /// The runs of each entrant in the order of rounds, whichever was over first. A run that was stopped in
    /// the middle says nothing about who played it.
    fn sorted(&self, mut done: Vec<(usize, usize, SceneReport)>) -> Vec<Vec<SceneReport>> {
        done.sort_by_key(|(_, round, _)| *round);
        let mut stories: Vec<Vec<SceneReport>> = self.entrants.iter().map(|_| Vec::new()).collect();
        for (place, _, story) in done {
            if story.ended != Some(SceneEnd::Cancelled) {
                stories[place].push(story);
            }
        }
        stories
    }
}

/// The first Ctrl-C ends the runs that are being played and shows what is there, the second one ends the
/// program.
pub(crate) fn ctrl_c() -> watch::Receiver<bool> {
    let (cancel, cancelled) = watch::channel(false);
    on_ctrl_c(async move {
        let _ = cancel.send(true);
    });
    cancelled
}

impl PlayedRounds {
    /// What went wrong last, where every run failed.
    pub(super) fn why_all_failed(&self) -> Option<String> {
        let failed = |story: &SceneReport| story.ended == Some(SceneEnd::Failed);
        let mut stories = self.stories.iter().flatten();
        let last = stories.clone().last().filter(|_| stories.all(failed))?;
        summary::cause(&metadata(last))
    }
}

async fn one(
    ready: Ready,
    log: Arc<dyn Store>,
    data_dir: &Path,
    mut observer: BeatProgress,
    cancel: watch::Receiver<bool>,
) -> anyhow::Result<SceneReport> {
    let mut requests = cancelling(cancel);
    let at_home = |stage: Stage| stage.store(log).write_to(data_dir);
    let (stage, run) = match ready {
        Ready::New { stage, setup } => {
            let (stage, run) = (at_home(stage), setup.run);
            stage.play::<Scene>(Scene::beginning(*setup), &mut observer, &mut requests).await?;
            (stage, run)
        }
        Ready::Resumed { stage, run } => {
            let stage = at_home(stage);
            stage.resume::<Scene>(run, &mut observer, &mut requests).await?;
            (stage, run)
        }
    };
    Ok(stage.finish_scene(run).await?.0)
}

/// Tells the progress bar about one run.
struct BeatProgress {
    bar: ProgressBar,
    entrant: String,
}

impl Observer<SceneEvent> for BeatProgress {
    fn on_facts(&mut self, facts: &[Fact<SceneEvent>]) -> Duration {
        let opened = facts.iter().rev().find_map(|fact| match fact.event {
            SceneEvent::BeatOpened { beat, .. } => Some(beat),
            _ => None,
        });
        if let Some(beat) = opened {
            self.bar.set_message(format!("· {} · beat {}", self.entrant, beat + 1));
        }
        Duration::ZERO
    }
}

/// Asks a run to end once nothing more is wanted.
fn cancelling(mut cancel: watch::Receiver<bool>) -> mpsc::Receiver<Signal> {
    let (request, requests) = mpsc::channel(1);
    tokio::spawn(async move {
        // The sender is gone when the comparison is over, and the run with it.
        if cancel.wait_for(|cancelled| *cancelled).await.is_ok() {
            let _ = request.send(Signal::Cancel).await;
        }
    });
    requests
}
