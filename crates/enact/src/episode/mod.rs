//! Episodes on the command line: what only they have.
//!
//! `files` finds episodes, series and sheets in a story project; `prepare` makes a session of them; `play`
//! plays it in a terminal, with what the user types; `serving` is the part of a server.

mod args;
mod files;
mod play;
mod prepare;
mod serving;

use std::{process::ExitCode, sync::Arc};

use async_trait::async_trait;
use clap::{ArgMatches, Args as _, FromArgMatches};
use enact_drama::{Problem, Production, Purpose, RunId, episode::Episode};
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
        productions.with::<Episode>()
    }

    async fn server(&self, project: &Arc<ServedProject>) -> Result<Arc<dyn ServerProduction>, Problem> {
        serving::server(project)
    }

    fn task(&self, purpose: &Purpose) -> Option<&'static str> {
        (purpose.as_str() == "evaluation").then_some("evaluates")
    }

    fn command(&self) -> clap::Command {
        args::PlayArgs::augment_args(clap::Command::new("play"))
            .about("Play an episode: talk with a character, while a director whom you never see keeps track")
            .display_order(105)
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
