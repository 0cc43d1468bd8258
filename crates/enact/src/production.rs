//! What a production gives to the command line.

use std::{
    fmt::Debug,
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Arc,
};

use async_trait::async_trait;
use clap::ArgMatches;
use enact_drama::{Problem, Purpose, RunId};
use enact_engine::{Productions, log::RunSummary};
use enact_models::Improvisation;
use enact_server::productions::ServerProduction;

use crate::{
    CliContext, ServedProject,
    commands::fork::{self, Forking},
};

/// A production as the command line knows it: its commands, how a run of it is played on in a terminal, and
/// its part of the server.
///
/// A process carries out one command, on its main thread: the futures need not be `Send`
/// (`#[async_trait(?Send)]`). [`terminal::play`](crate::terminal::play) and
/// [`terminal::resume`](crate::terminal::resume) do most of what a new one needs.
#[async_trait(?Send)]
pub trait CliProduction: Debug + Send + Sync {
    /// [`Production::NAME`](enact_drama::Production::NAME).
    fn name(&self) -> &'static str;

    /// Registers it: `productions.with::<P>()`.
    fn register(&self, productions: Productions) -> Productions;

    /// Its routes, for a server of this project. What it cannot do without is checked here, before anything
    /// listens.
    async fn server(&self, project: &Arc<ServedProject>) -> Result<Arc<dyn ServerProduction>, Problem>;

    /// What the built-in improviser answers in it, unless the improviser knows it already.
    fn improvisation(&self) -> Option<Improvisation> {
        None
    }

    /// What a model does that is asked for this purpose, after "which": `judges`.
    fn task(&self, purpose: &Purpose) -> Option<&'static str> {
        let _ = purpose;
        None
    }

    /// The command that plays a run: `run`, `chorus`.
    fn command(&self) -> clap::Command;

    /// Other commands of its own, by name.
    fn tools(&self) -> Vec<clap::Command> {
        Vec::new()
    }

    /// Its files in and below a folder, for `enact check`.
    fn files_to_check(&self, folder: &Path) -> Vec<PathBuf> {
        let _ = folder;
        Vec::new()
    }

    /// Checks one of its own files: notes if it is fine; `None` if the file is not one of this production.
    fn check_file(&self, file: &Path) -> Option<Result<Vec<String>, Problem>> {
        let _ = file;
        None
    }

    /// What one of its commands needs before it is carried out.
    fn invocation(&self, command: &str, matches: &ArgMatches) -> Invocation {
        let _ = command;
        // A command need not have such a flag.
        let json = matches.try_get_one::<bool>("json").ok().flatten().is_some_and(|json| *json);
        Invocation { json, home: Some(PathBuf::from(".")) }
    }

    /// Carries out [`command`](CliProduction::command).
    async fn run(&self, matches: &ArgMatches, context: &CliContext<'_>) -> anyhow::Result<ExitCode>;

    /// Carries out one of its [`tools`](CliProduction::tools).
    async fn run_tool(
        &self,
        tool: &str,
        matches: &ArgMatches,
        context: &CliContext<'_>,
    ) -> anyhow::Result<ExitCode> {
        let _ = (matches, context);
        anyhow::bail!("'{tool}' is listed and cannot be carried out")
    }

    /// The command for a person who has no run yet: `enact run SCENE`.
    fn play_hint(&self) -> String {
        format!("enact {}", self.command().get_name())
    }

    /// What plays a run on, before its id: `enact run --resume`.
    fn resume_hint(&self) -> String {
        format!("enact {} --resume", self.command().get_name())
    }

    /// Plays a run on in the terminal.
    async fn resume(&self, run: RunId, context: &CliContext<'_>) -> anyhow::Result<ExitCode>;

    /// Carries out `enact fork` for a run of this production: by default each fork is made and
    /// [played on](CliProduction::resume), one after the other.
    async fn fork(
        &self,
        run: &RunSummary,
        wanted: &Forking,
        context: &CliContext<'_>,
    ) -> anyhow::Result<ExitCode> {
        fork::refuse_comparison(self.name(), wanted)?;
        let mut code = ExitCode::SUCCESS;
        for round in 0..wanted.runs {
            let fork = fork::make_fork(run.run, wanted, round, context).await?;
            let played = self.resume(fork, context).await?;
            if played != ExitCode::SUCCESS {
                code = played;
            }
        }
        Ok(code)
    }
}

/// What is read of a command before it is carried out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invocation {
    /// Whether it prints JSON, and so its errors too.
    pub json: bool,
    /// Where its configuration is looked for, which says where traces are sent. Nothing for commands that
    /// play nothing.
    pub home: Option<PathBuf>,
}
