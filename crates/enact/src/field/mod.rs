//! Fields on the command line: what only they have.
//!
//! `prepare` makes a run of a field file, and `check` says what is wrong with one; `play` plays it in a
//! terminal; `serving` is the part of a server.

mod args;
mod check;
mod play;
mod prepare;
mod serving;

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Arc,
};

use async_trait::async_trait;
use clap::{ArgMatches, Args as _, FromArgMatches};
use enact_drama::{Problem, Production, Purpose, RunId, field::FieldRun};
use enact_engine::Productions;
use enact_server::productions::ServerProduction;

use crate::{CliContext, CliProduction, ServedProject};

/// Fields, for the registry.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FieldCommands;

#[async_trait(?Send)]
impl CliProduction for FieldCommands {
    fn name(&self) -> &'static str {
        FieldRun::NAME
    }

    fn register(&self, productions: Productions) -> Productions {
        productions.with::<FieldRun>()
    }

    async fn server(&self, project: &Arc<ServedProject>) -> Result<Arc<dyn ServerProduction>, Problem> {
        serving::server(project)
    }

    fn task(&self, purpose: &Purpose) -> Option<&'static str> {
        (purpose.as_str() == "decision").then_some("decides for people")
    }

    fn command(&self) -> clap::Command {
        args::FieldArgs::augment_args(clap::Command::new("field"))
            .about("Play a field: people on a map who walk up to each other, talk, eat and sit")
            .display_order(108)
    }

    fn files_to_check(&self, folder: &Path) -> Vec<PathBuf> {
        check::files_in(folder)
    }

    fn check_file(&self, file: &Path) -> Option<Result<Vec<String>, Problem>> {
        check::check_file(file)
    }

    async fn run(&self, matches: &ArgMatches, context: &CliContext<'_>) -> anyhow::Result<ExitCode> {
        play::play(args::FieldArgs::from_arg_matches(matches)?, context).await
    }

    fn play_hint(&self) -> String {
        "enact field FILE".to_owned()
    }

    async fn resume(&self, run: RunId, context: &CliContext<'_>) -> anyhow::Result<ExitCode> {
        play::play(args::FieldArgs::resuming(run), context).await
    }
}
