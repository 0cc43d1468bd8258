//! One file for each command that is about runs of any production.

pub(crate) mod backup;
pub(crate) mod export;
pub(crate) mod fork;
pub(crate) mod import;
pub(crate) mod models;
pub(crate) mod reindex;
pub(crate) mod replay;
pub(crate) mod runs;
pub(crate) mod serve;

use enact_drama::{Problem, Seq};
use enact_engine::AnyReport;

use crate::{CliContext, find_run::find_run};

/// A run folded for people, as far as this version knows its log.
async fn report(context: &CliContext<'_>, run: &str) -> anyhow::Result<Box<dyn AnyReport>> {
    let log = context.location.open_existing().await?.store();
    let run = find_run(&*log, run).await?.run;
    let records = log.read(run, Seq(0)).await?;
    context.productions.readable_report(&records).map_err(|error| {
        let problem = Problem::config(format!("run {run} cannot be shown: {error}"));
        problem
            .hint("`enact export --format jsonl` gives its log as it is, for an enact that knows it")
            .into()
    })
}
