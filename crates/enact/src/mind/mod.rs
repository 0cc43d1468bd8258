//! Minds on the command line: `enact mcp`, and their part of a server.

mod serving;
mod stdio;

use std::{
    net::{Ipv4Addr, SocketAddr},
    process::ExitCode,
    sync::Arc,
};

use async_trait::async_trait;
use clap::{ArgMatches, Args, FromArgMatches};
use enact_drama::{
    Problem, Production, Purpose, RunId,
    mind::{DECISION, Mind},
};
use enact_engine::Productions;
use enact_server::productions::ServerProduction;

use crate::{CliContext, CliProduction, ServedProject, args::ServeArgs, commands};

/// Minds, for the registry.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MindCommands;

/// Arguments of `enact mcp`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
struct McpArgs {
    /// Listen on this port of this machine instead, as games do that speak an earlier MCP: /sse, /mcp and the
    /// whole API
    #[arg(long, value_name = "PORT")]
    port: Option<u16>,

    /// The model that decides for minds, by its name in enact.toml; rules do otherwise
    #[arg(long, value_name = "MODEL")]
    minds: Option<String>,

    /// Where the character sheets are, instead of the nearest .claude/agents above this folder
    #[arg(long, value_name = "FOLDER")]
    cast_dir: Option<std::path::PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  enact mcp                 for a client that starts this program and speaks MCP with it
  enact mcp --port 3000     for a game that connects to http://localhost:3000/sse";

#[async_trait(?Send)]
impl CliProduction for MindCommands {
    fn name(&self) -> &'static str {
        Mind::NAME
    }

    fn register(&self, productions: Productions) -> Productions {
        productions.with::<Mind>()
    }

    async fn server(&self, project: &Arc<ServedProject>) -> Result<Arc<dyn ServerProduction>, Problem> {
        serving::server(project).await
    }

    fn task(&self, purpose: &Purpose) -> Option<&'static str> {
        (*purpose == DECISION).then_some("decides for minds")
    }

    fn command(&self) -> clap::Command {
        McpArgs::augment_args(clap::Command::new("mcp"))
            .about("Decide for the NPCs of other people's games, over MCP")
            .display_order(109)
    }

    async fn run(&self, matches: &ArgMatches, context: &CliContext<'_>) -> anyhow::Result<ExitCode> {
        let McpArgs { port, minds, cast_dir } = McpArgs::from_arg_matches(matches)?;
        match port {
            Some(port) => {
                let bind = Some(SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
                let args = ServeArgs { bind, minds, cast_dir, legacy_mcp: true, ..ServeArgs::default() };
                commands::serve::serve(args, context).await
            }
            None => stdio::serve(minds, cast_dir, context).await,
        }
    }

    fn play_hint(&self) -> String {
        "enact mcp".to_owned()
    }

    async fn resume(&self, run: RunId, _context: &CliContext<'_>) -> anyhow::Result<ExitCode> {
        let problem = Problem::config(format!("run {run} is a mind: it goes on when its game calls"));
        Err(problem.hint("enact mcp, or enact serve, answers for it").into())
    }
}
