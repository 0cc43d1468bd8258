//! One file for each command.

pub(crate) mod compare;
pub(crate) mod export;
pub(crate) mod fork;
pub(crate) mod judge;
pub(crate) mod models;
pub(crate) mod parse;
pub(crate) mod replay;
pub(crate) mod run;
pub(crate) mod runs;

use std::{path::Path, sync::Arc};

use enact_drama::{Fact, Problem, Seq, scene::SceneEvent, show::Story};
use enact_engine::{Log, perform::known_facts};
use enact_store::SqliteLog;

use crate::find_run::find_run;

/// Opens the runs kept in a folder, for reading; nothing if nothing was ever played there.
async fn kept(data_dir: &Path) -> anyhow::Result<Option<Arc<dyn Log>>> {
    match SqliteLog::open_existing(data_dir).await {
        Ok(log) => Ok(Some(Arc::new(log))),
        Err(enact_store::Error::Missing(_)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Like [`kept`], for those who want a run.
pub(crate) async fn open_existing(data_dir: &Path) -> anyhow::Result<Arc<dyn Log>> {
    let nothing = || {
        Problem::config(format!("there are no runs in '{}'", data_dir.display()))
            .hint("`enact run` plays one; --data-dir looks elsewhere")
    };
    Ok(kept(data_dir).await?.ok_or_else(nothing)?)
}

/// A run's facts, folded for telling.
async fn story(data_dir: &Path, run: &str) -> anyhow::Result<(Vec<Fact<SceneEvent>>, Story)> {
    let log = open_existing(data_dir).await?;
    let run = find_run(&*log, run).await?.run;
    let records = log.read(run, Seq(0)).await?;
    let facts: Vec<Fact<SceneEvent>> = known_facts(&records);
    let story = Story::of(&facts).ok_or_else(|| Problem::config(format!("run {run} is not a scene")))?;
    Ok((facts, story))
}
