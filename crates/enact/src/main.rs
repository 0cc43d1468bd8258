//! `enact`: plays scenes between characters, and choruses of six voices. Arguments in, the parts put together, words and exit codes out.

mod afterword;
mod args;
mod chorus;
mod commands;
mod compare;
mod config;
mod failure;
mod find_run;
mod letters;
mod live;
mod models;
mod output;
mod prepare;
mod project;
mod recording;
mod store;
mod telemetry;
mod voices;

use std::{path::Path, process::ExitCode, time::Duration};

use args::{Args, Command};
use clap::Parser;
use config::Config;
use store::Location;
use tracing::level_filters::LevelFilter;

/// Removing a temporary folder and closing a connection take no longer.
const TIDYING_UP: Duration = Duration::from_millis(500);

fn main() -> ExitCode {
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(mistake) => return failure::refuse(&mistake),
    };
    let json = args.command.wants_json();
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return failure::report(&anyhow::Error::new(error).context("could not start"), json),
    };
    let played = runtime.block_on(async {
        telemetry::start(collector(&args), logged(&args.command));
        let location = &Location::new(args.data_dir, args.database)?;
        let config = args.config.as_deref();
        match args.command {
            Command::Run(run) => commands::run::run(*run, config, location).await,
            Command::Chorus(chorus) => commands::chorus::chorus(*chorus, config, location).await,
            Command::Models(models) => commands::models::models(&models, config).await,
            Command::Parse => commands::parse::parse(),
            Command::Judge(judge) => commands::judge::judge(&judge),
            Command::Runs(runs) => commands::runs::runs(&runs, location).await,
            Command::Replay(replay) => commands::replay::replay(&replay, location).await,
            Command::Export(export) => commands::export::export(&export, config, location).await,
            Command::Import(import) => commands::import::import(&import, location).await,
            Command::Backup(backup) => commands::backup::backup(&backup, location).await,
            Command::Compare(compare) => commands::compare::compare(compare, config, location).await,
            Command::Serve(serve) => commands::serve::serve(serve, config, location).await,
            Command::Fork(fork) => commands::fork::fork(&fork, config, location).await,
        }
    });
    let code = played.unwrap_or_else(|error| failure::report(&error, json));
    telemetry::stop();
    // Calls that were cut off tidy up behind them; but a model that blocks its thread must not keep a finished program
    // alive.
    runtime.shutdown_timeout(TIDYING_UP);
    code
}

/// How much is printed on standard error unasked: a server's operator reads along, a scene's audience does not.
fn logged(command: &Command) -> LevelFilter {
    match command {
        Command::Serve(_) => LevelFilter::INFO,
        _ => LevelFilter::OFF,
    }
}

/// Where the configuration wants traces sent, or why it does not get its way. One that cannot be read is complained about
/// by the command that needs it.
fn collector(args: &Args) -> Result<Option<String>, String> {
    let home = match &args.command {
        Command::Run(run) => run.home(),
        Command::Compare(compare) => compare.home(),
        Command::Chorus(_) | Command::Fork(_) | Command::Serve(_) => Path::new("."),
        _ => return Ok(None),
    };
    match Config::load(args.config.as_deref(), home) {
        Ok(config) => config.collector().map(|address| address.map(str::to_owned)),
        Err(_) => Ok(None),
    }
}
