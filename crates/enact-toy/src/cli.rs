//! The command of an echo: `enact-toy echo VALLEY`.

use std::{process::ExitCode, sync::Arc};

use async_trait::async_trait;
use clap::{ArgMatches, Args, FromArgMatches};
use enact::{CliContext, CliProduction, ServedProject, terminal};
use enact_drama::{Name, Problem, Production, RunId};
use enact_engine::{Productions, node::new_run};
use enact_models::Improvisation;
use enact_server::ServerProduction;
use uuid::Uuid;

use crate::{Echo, EchoEvent, server::Echoes};

/// Echoes on the command line.
#[derive(Debug)]
pub struct EchoCommands;

#[derive(Debug, Args)]
struct EchoArgs {
    /// Which valley
    valley: Option<String>,
    /// Go on with a run
    #[arg(long, conflicts_with = "valley")]
    resume: Option<Uuid>,
    #[command(flatten)]
    terminal: terminal::PlayOptions,
}

#[async_trait(?Send)]
impl CliProduction for EchoCommands {
    fn name(&self) -> &'static str {
        Echo::NAME
    }

    fn register(&self, productions: Productions) -> Productions {
        productions.with::<Echo>()
    }

    async fn server(&self, _: &Arc<ServedProject>) -> Result<Arc<dyn ServerProduction>, Problem> {
        Ok(Arc::new(Echoes))
    }

    fn improvisation(&self) -> Option<Improvisation> {
        // An echo gives back what it hears.
        Some(|request| match request.purpose.as_str() {
            "answer" => request.thread.last().map(|message| (message.text.to_string(), 5)),
            _ => None,
        })
    }

    fn command(&self) -> clap::Command {
        EchoArgs::augment_args(clap::Command::new("echo").about("Call into a valley"))
    }

    async fn run(&self, matches: &ArgMatches, context: &CliContext<'_>) -> anyhow::Result<ExitCode> {
        let EchoArgs { valley, resume, terminal } = EchoArgs::from_arg_matches(matches)?;
        if let Some(run) = resume {
            return terminal::resume::<Echo>(context, RunId(run), &terminal).await;
        }
        let valley = Name::new(valley.unwrap_or_else(|| "valley".to_owned()))?;
        let models = [context.model(None, "echoes").await?].into();
        let first = EchoEvent::EchoBegan { run: new_run(), valley, models };
        terminal::play::<Echo>(context, first, &terminal).await
    }

    async fn resume(&self, run: RunId, context: &CliContext<'_>) -> anyhow::Result<ExitCode> {
        terminal::resume::<Echo>(context, run, &terminal::PlayOptions::default()).await
    }
}
