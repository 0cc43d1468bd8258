//! Episodes on the command line: what only they have.
//!
//! `files` finds episodes, series and sheets in a story project, and `check` says what is wrong with them;
//! `prepare` makes a session of them; `play` plays it in a terminal (`shown`, and `live` while an answer is coming), with what the user types, or with what a
//! character says in the user's place (`other_player`); `rehearse` has made-up players play it many times;
//! `serving` is the part of a server; `insight` and `memory` show what came of it.

mod args;
mod check;
mod files;
mod insight;
mod live;
mod memory;
mod other_player;
mod play;
mod prepare;
mod rehearse;
mod serving;
mod shown;

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Arc,
};

use async_trait::async_trait;
use clap::{ArgMatches, Args as _, FromArgMatches};
use enact_drama::{
    Problem, Production, Purpose, RunId,
    episode::{Episode, Notebook},
};
use enact_engine::Productions;
use enact_server::productions::ServerProduction;

use crate::{CliContext, CliProduction, ServedProject};

/// Episodes, for the registry.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EpisodeCommands;

#[async_trait(?Send)]
impl CliProduction for EpisodeCommands {
    fn name(&self) -> &'static str {
        Episode::NAME
    }

    fn register(&self, productions: Productions) -> Productions {
        productions.with::<Episode>().with::<Notebook>()
    }

    async fn server(&self, project: &Arc<ServedProject>) -> Result<Arc<dyn ServerProduction>, Problem> {
        serving::server(project)
    }

    fn task(&self, purpose: &Purpose) -> Option<&'static str> {
        match purpose.as_str() {
            "evaluation" => Some("evaluates"),
            "reading" => Some("reads along"),
            _ => None,
        }
    }

    fn command(&self) -> clap::Command {
        args::PlayArgs::augment_args(clap::Command::new("play"))
            .about("Play an episode: talk with a character, while a director whom you never see keeps track")
            .display_order(105)
    }

    fn tools(&self) -> Vec<clap::Command> {
        vec![
            args::InsightArgs::augment_args(clap::Command::new("insight"))
                .about("Say why the answers of a session came out as they did, or how tense a run was")
                .display_order(106),
            args::MemoryArgs::augment_args(clap::Command::new("memory"))
                .about("Show what a character remembers, and have it forget or correct some of it")
                .display_order(106),
            args::RehearseArgs::augment_args(clap::Command::new("rehearse"))
                .about("Have ten made-up players play an episode many times, and say what they never reach")
                .display_order(107),
        ]
    }

    fn files_to_check(&self, folder: &Path) -> Vec<PathBuf> {
        check::files_in(folder)
    }

    fn check_file(&self, file: &Path) -> Option<Result<Vec<String>, Problem>> {
        check::check_file(file)
    }

    async fn run_tool(
        &self,
        tool: &str,
        matches: &ArgMatches,
        context: &CliContext<'_>,
    ) -> anyhow::Result<ExitCode> {
        match tool {
            "insight" => insight::show(&args::InsightArgs::from_arg_matches(matches)?, context).await,
            "memory" => memory::show(&args::MemoryArgs::from_arg_matches(matches)?, context).await,
            _ => rehearse::rehearse(&args::RehearseArgs::from_arg_matches(matches)?),
        }
    }

    async fn run(&self, matches: &ArgMatches, context: &CliContext<'_>) -> anyhow::Result<ExitCode> {
        play::play(args::PlayArgs::from_arg_matches(matches)?, context).await
    }

    fn play_hint(&self) -> String {
        "enact play EPISODE".to_owned()
    }

    async fn resume(&self, run: RunId, context: &CliContext<'_>) -> anyhow::Result<ExitCode> {
        play::play(args::PlayArgs::resuming(run), context).await
    }
}
