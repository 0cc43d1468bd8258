//! `enact serve`: this project, over HTTP.

use std::{io::Write, net::SocketAddr, path::Path, process::ExitCode, sync::Arc};

use enact_drama::Problem;
use enact_engine::{Node, casting, node};
use enact_server::{
    access::{Access, Scope, Token, guard},
    routes,
    serve::serve as accept,
};
use tokio::{net::TcpListener, sync::watch};

use crate::{
    args::Serve,
    config::{self, Config},
    models::key,
    output::stdout,
    project::Project,
    store::Location,
};

/// Only this machine, until somebody says otherwise.
const DEFAULT_BIND: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 8000);

/// The token that allows everything, for those who need only one.
const ADMIN_TOKEN: &str = "ENACT_TOKEN";

/// What shells expect of a program that a signal ended.
const ENDED_BY_SIGNAL: i32 = 130;

pub(crate) async fn serve(args: Serve, config: Option<&Path>, location: &Location) -> anyhow::Result<ExitCode> {
    let config = Config::load(config, Path::new("."))?;
    let said = config.serving()?;
    let access = access(&args, said)?;
    let address = args.bind.or(said.bind).unwrap_or(DEFAULT_BIND);
    access.check_bind(address)?;
    let standard = node::Limits::default();
    let limits = node::Limits { runs: args.max_runs.or(said.max_runs).unwrap_or(standard.runs) };
    let listener = TcpListener::bind(address).await.map_err(|error| cannot_listen(address, &error))?;
    let kept = location.open().await?;

    let cast_dir = args.cast_dir.or_else(|| casting::find_cast_dir(Path::new(".")));
    let node = Node::start(kept.store(), Arc::new(Project::new(config, cast_dir)), limits);
    let stop = signals()?;
    writeln!(stdout(), "enact serves on http://{} (store: {location})", listener.local_addr()?)?;

    let router = guard(routes::router(node.clone()), access.clone());
    let stopping = stopped(stop.clone());
    let serving = tokio::spawn(accept(listener, router, access.limits().clone(), stopping));
    stopped(stop).await;
    tracing::info!("stopping: what is being written is written, and runs wait to be played on");
    // Those who follow a run are told when it has come to rest, which lets their connections end.
    node.stop().await;
    let _ = serving.await;
    drop(node);
    kept.close().await;
    Ok(ExitCode::SUCCESS)
}

fn access(args: &Serve, said: &config::Serve) -> Result<Access, Problem> {
    let environment = |name: &str| std::env::var(name).ok();
    let mut access = Access::default();
    if let Some(secret) = environment(ADMIN_TOKEN).filter(|secret| !secret.trim().is_empty()) {
        access = access.token(Token::new("admin", secret.trim(), Scope::Admin)?)?;
    }
    for token in &said.tokens {
        let missing = || {
            Problem::config(format!("tokens.{}: {} is not set", token.name, token.variable))
                .hint(format!("put the token into the environment variable {}", token.variable))
        };
        let secret = environment(&token.variable).filter(|secret| !secret.trim().is_empty());
        let secret = secret.ok_or_else(missing)?;
        access = access.token(Token::new(&token.name, secret.trim(), scope(token))?)?;
    }
    Ok(access)
}
