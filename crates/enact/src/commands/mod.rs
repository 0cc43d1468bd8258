//! One file for each command.

pub(crate) mod backup;
pub(crate) mod chorus;
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

use enact_drama::{
    Fact, Problem, Seq,
    production::Kind,
    scene::SceneEvent,
    show::{Story, Told},
};
use enact_engine::perform::known_facts;

use crate::{
    find_run::{check_is, find_run},
    store::Location,
};

/// The facts of a scene, folded for telling.
async fn story(location: &Location, run: &str) -> anyhow::Result<(Vec<Fact<SceneEvent>>, Story)> {
    let log = location.existing().await?.store();
    let found = find_run(&*log, run).await?;
    check_is(&found, Kind::Scene)?;
    let facts: Vec<Fact<SceneEvent>> = known_facts(&log.read(found.run, Seq(0)).await?);
    let story =
        Story::of(&facts).ok_or_else(|| Problem::config(format!("run {} has no beginning", found.run)))?;
    Ok((facts, story))
}

/// A run of whatever kind, folded for telling.
async fn told(location: &Location, run: &str) -> anyhow::Result<Told> {
    let log = location.existing().await?.store();
    let run = find_run(&*log, run).await?.run;
    let records = log.read(run, Seq(0)).await?;
    let told = Told::as_far_as_known(&records);
    told.ok_or_else(|| {
        let problem = Problem::config(format!("run {run} is nothing that this version of enact can show"));
        problem.hint("a newer one wrote it; `enact export --format jsonl` gives its log as it is").into()
    })
}
