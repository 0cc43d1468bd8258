//! `enact fork`: a run again from one of its beats on, otherwise. Its production says what is made of that.

use std::{path::PathBuf, process::ExitCode};

use enact_drama::{Problem, RunId, production::ForkPoint};
use enact_engine::Stage;

use crate::{
    CliContext,
    args::values::{fork_point, jobs, runs},
    find_run::find_run,
};

/// What `enact fork` is asked for.
#[derive(Debug, Clone, clap::Args)]
pub struct Forking {
    /// The run: its id, the start of it, a scene's name for its newest run, or 'latest'
    pub run: String,

    /// The last beat that stays as it was; the opening is beat 0. With a line, such as 3.2, only the lines of
    /// that beat up to it stay, and what had not been answered by then is asked again
    #[arg(long, visible_alias = "at", value_name = "NUMBER", value_parser = fork_point, allow_negative_numbers = true)]
    pub beat: ForkPoint,

    /// How many branches are played
    #[arg(long, value_name = "NUMBER", default_value = "1", value_parser = runs, allow_negative_numbers = true)]
    pub runs: usize,

    /// How many of them are played at once; more take less time, but may slow each other down
    #[arg(long, value_name = "NUMBER", default_value = "1", value_parser = jobs, allow_negative_numbers = true)]
    pub jobs: usize,

    /// The seed of the first branch; the next has the next. That of the run gives its lines again (built-in
    /// models only) [default: another for each]
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    pub seed: Option<u64>,

    /// Also write a page with plots
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,

    /// Print the comparison as JSON, every branch included
    #[arg(long)]
    pub json: bool,
}

pub(crate) async fn fork(wanted: &Forking, context: &CliContext<'_>) -> anyhow::Result<ExitCode> {
    let found = find_run(&*context.location.open_existing().await?.store(), &wanted.run).await?;
    context.registry.named(&found.production)?.fork(&found, wanted, context).await
}

/// Makes a fork of a run, with everything both share. Nothing of it is played yet.
pub(crate) async fn make_fork(
    run: RunId,
    wanted: &Forking,
    round: usize,
    context: &CliContext<'_>,
) -> anyhow::Result<RunId> {
    let kept = context.location.open().await?;
    let seed = wanted.seed.map(|seed| seed.wrapping_add(round as u64));
    let stage = Stage::empty().store(kept.store());
    let forked = stage.fork(&context.productions, run, wanted.beat, seed).await;
    drop(stage);
    kept.close().await;
    Ok(forked?)
}

/// Refuses what needs a comparison, where a production has none.
pub(crate) fn refuse_comparison(production: &str, wanted: &Forking) -> Result<(), Problem> {
    let flag = match wanted {
        Forking { html: Some(_), .. } => "--html",
        Forking { json: true, .. } => "--json",
        Forking { jobs: 2.., .. } => "--jobs",
        _ => return Ok(()),
    };
    Err(Problem::config(format!("{flag}: forks of a {production} are not compared"))
        .hint("without it each fork is played in turn, and shown as it comes"))
}
