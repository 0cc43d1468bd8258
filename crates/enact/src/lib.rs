//! The command line: it reads arguments, puts the parts together, and prints results and exit codes.
//!
//! It is a library so that a program with other productions can have the same commands: [`run()`] takes a
//! [`Registry`], and the binary's is [`productions()`]. What is here never decides what happens in a run;
//! that is for the rules.
//!
//! Read in this order: `args` (what can be asked for), [`CliProduction`] (what a production adds to it) and
//! [`CliContext`] (what it gets); `commands` (one file for each command that is about any run); `scene` and
//! its siblings (what only one production has); [`terminal`] (how any other is played). Beside them: `config`
//! (enact.toml), `models` and `voices` (made from names), `store` (where runs are kept), [`ServedProject`]
//! (what a server plays with), `telemetry`.
//!
//! **Invariant:** nothing but `scene`, `chorus`, `episode`, `field`, `mind` and [`productions()`] knows a production by
//! name; a test looks at the imports.

mod args;
mod audio_places;
mod chorus;
mod commands;
mod config;
mod demos;
mod episode;
mod errors;
mod field;
mod find_files;
mod find_run;
mod help;
mod local_servers;
mod mind;
mod models;
mod production;
mod project;
mod reader;
mod recording;
mod registry;
mod scene;
mod screen;
mod signals;
mod stdin_lines;
mod store;
mod telemetry;
mod templates;
pub mod terminal;
mod voices;

use std::{process::ExitCode, time::Duration};

use args::{CommonArgs, CommonCommand, Requested};
use clap::FromArgMatches;
use config::Config;
use store::Location;
use tracing::level_filters::LevelFilter;

pub use crate::{
    commands::fork::Forking,
    production::{CliProduction, Invocation},
    project::ServedProject,
    registry::{CliContext, Registry},
};

/// Timeout for what is still running at the end: removing a temporary folder, closing a connection.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_millis(500);

/// Scenes, choruses, episodes, fields and minds.
pub fn productions() -> Registry {
    Registry::default()
        .with(scene::SceneCommands)
        .with(chorus::ChorusCommands)
        .with(episode::EpisodeCommands)
        .with(field::FieldCommands)
        .with(mind::MindCommands)
}

/// Does what the arguments of this process say, with these productions, and gives the code to exit with.
pub fn run(registry: Registry) -> ExitCode {
    let matches = match args::command(&registry).try_get_matches() {
        Ok(matches) => matches,
        Err(mistake) => return errors::print_usage_error(&mistake),
    };
    let read = CommonArgs::from_arg_matches(&matches)
        .and_then(|common| Ok((common, Requested::read(&registry, &matches)?)));
    let (common, requested) = match read {
        Ok(read) => read,
        Err(mistake) => return errors::print_usage_error(&mistake),
    };
    let invocation = requested.invocation();
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            return errors::print(&anyhow::Error::new(error).context("could not start"), invocation.json);
        }
    };
    let done = runtime.block_on(async {
        telemetry::start(collector(&common, &invocation), logged(&requested));
        carry_out(requested, common, &registry).await
    });
    let code = done.unwrap_or_else(|error| errors::print(&error, invocation.json));
    telemetry::stop();
    // Calls that were cut off tidy up behind them; but a model that blocks its thread must not keep a
    // finished program alive.
    runtime.shutdown_timeout(SHUTDOWN_TIMEOUT);
    code
}

async fn carry_out(
    requested: Requested<'_>,
    common: CommonArgs,
    registry: &Registry,
) -> anyhow::Result<ExitCode> {
    let location = Location::new(common.data_dir, common.database)?.played_by(registry.players());
    let context = &CliContext::new(registry, common.config.as_deref(), &location);
    let command = match requested {
        Requested::Play { production, matches } => return production.run(matches, context).await,
        Requested::Tool { production, tool, matches } => {
            return production.run_tool(tool, matches, context).await;
        }
        Requested::Common(command) => *command,
    };
    match command {
        CommonCommand::Models(models) => commands::models::models(&models, context).await,
        CommonCommand::Runs(runs) => commands::runs::runs(&runs, context).await,
        CommonCommand::Replay(replay) => commands::replay::replay(&replay, context).await,
        CommonCommand::Export(export) => commands::export::export(&export, context).await,
        CommonCommand::Import(import) => commands::import::import(&import, context).await,
        CommonCommand::Backup(backup) => commands::backup::backup(&backup, context.location).await,
        CommonCommand::Reindex => commands::reindex::reindex(context).await,
        CommonCommand::Fork(fork) => commands::fork::fork(&fork, context).await,
        CommonCommand::Completions(completions) => commands::completions::completions(&completions, context),
        CommonCommand::Man(man) => commands::completions::man(&man, context),
        CommonCommand::Serve(serve) => commands::serve::serve(serve, context).await,
    }
}

/// The log level on standard error unless the environment sets one: a server's operator wants to read along,
/// the audience of a scene does not.
fn logged(requested: &Requested<'_>) -> LevelFilter {
    if requested.serves() { LevelFilter::INFO } else { LevelFilter::OFF }
}

/// The collector that the configuration names, or why traces are not sent there. A configuration that cannot
/// be read is reported by the command that needs it.
fn collector(common: &CommonArgs, invocation: &Invocation) -> Result<Option<String>, String> {
    let Some(home) = &invocation.home else { return Ok(None) };
    match Config::load(common.config.as_deref(), home) {
        Ok(config) => config.collector().map(|address| address.map(str::to_owned)),
        Err(_) => Ok(None),
    }
}
