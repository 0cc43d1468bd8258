//! One file for each command that is about runs of any production.

pub(crate) mod backup;
pub(crate) mod completions;
pub(crate) mod export;
pub(crate) mod fork;
pub(crate) mod import;
pub(crate) mod models;
pub(crate) mod reindex;
pub(crate) mod replay;
pub(crate) mod runs;
pub(crate) mod serve;

use std::fmt::Display;

use enact_drama::{Problem, Record, RunId, Seq};
use enact_engine::AnyReport;

use crate::{CliContext, find_run::find_run};

/// A run folded for people, as far as this version knows its log.
async fn report(context: &CliContext<'_>, run: &str) -> anyhow::Result<Box<dyn AnyReport>> {
    let (run, records) = records(context, run).await?;
    context.productions.readable_report(&records).map_err(|error| cannot_be_shown(run, &error).into())
}

/// The records of a run as they are: a log is kept even where this version does not understand all of it.
async fn records(context: &CliContext<'_>, run: &str) -> anyhow::Result<(RunId, Vec<Record>)> {
    let log = context.location.open_existing().await?.store();
    let run = find_run(&*log, run).await?.run;
    Ok((run, log.read(run, Seq(0)).await?))
}

fn cannot_be_shown(run: RunId, reason: &dyn Display) -> Problem {
    Problem::config(format!("run {run} cannot be shown: {reason}"))
        .hint("`enact export --format jsonl` gives its log as it is, for an enact that knows it")
}
