//! One file for each command.

pub(crate) mod backup;
pub(crate) mod compare;
pub(crate) mod export;
pub(crate) mod fork;
pub(crate) mod import;
pub(crate) mod judge;
pub(crate) mod models;
pub(crate) mod parse;
pub(crate) mod replay;
pub(crate) mod run;
pub(crate) mod runs;
pub(crate) mod serve;

use enact_drama::{Fact, Problem, Seq, scene::SceneEvent, show::Story};
use enact_engine::perform::known_facts;

use crate::{find_run::find_run, store::Location};

/// A run's facts, folded for telling.
async fn story(location: &Location, run: &str) -> anyhow::Result<(Vec<Fact<SceneEvent>>, Story)> {
    let log = location.existing().await?.store();
    let run = find_run(&*log, run).await?.run;
    let records = log.read(run, Seq(0)).await?;
    let facts: Vec<Fact<SceneEvent>> = known_facts(&records);
    let story = Story::of(&facts).ok_or_else(|| Problem::config(format!("run {run} is not a scene")))?;
    Ok((facts, story))
}
