//! `enact mcp` on standard input and output: a client starts this program and speaks MCP with it.

use std::{path::PathBuf, process::ExitCode, sync::Arc};

use enact_engine::{Node, node::NodeLimits};
use enact_server::{ServingOptions, access::Access, mind::serve_stdio, routes};

use super::serving::preparer;
use crate::{CliContext, ServedProject, audio_places};

/// Answers until the client leaves.
pub(super) async fn serve(
    minds: Option<String>,
    cast_dir: Option<PathBuf>,
    context: &CliContext<'_>,
) -> anyhow::Result<ExitCode> {
    let (registry, location) = (context.registry, context.location);
    let config = context.config_here()?;
    let artifacts = audio_places::artifacts(None, &config, location).await?;
    let options = ServingOptions { mind_model: minds, ..ServingOptions::default() };
    let project = ServedProject::new(config, registry.clone(), artifacts).with_cast_dir(cast_dir);
    let project = Arc::new(project.with_options(options));
    let productions = registry.server(&project).await?;
    let kept = location.open().await?;
    let node = Node::start(kept.store(), project.clone(), context.productions.clone(), NodeLimits::default());
    // Never listened on: the tools about scenes call it in-process, as the operator.
    let router =
        routes::guarded(node.clone(), &productions, routes::ServerOptions::default(), Access::default());
    let served = serve_stdio(node.clone(), preparer(&project), router).await;
    node.stop().await;
    drop(node);
    kept.close().await;
    served?;
    Ok(ExitCode::SUCCESS)
}
