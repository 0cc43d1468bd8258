//! `enact serve`: this project, over HTTP.

mod descriptors;

use std::{
    io::Write,
    net::{IpAddr, Ipv4Addr, SocketAddr},
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Arc,
    time::Duration,
};

use enact_drama::Problem;
use enact_engine::{Artifacts, Node, node};
use enact_server::{
    Limits,
    access::{Access, Scope, Token},
    routes, serve,
};
use tokio::{net::TcpListener, sync::watch};

use crate::{
    Context, Project,
    args::Serve,
    config::{self, Config},
    exit_codes::INTERRUPTED,
    output::stdout,
    store::{Location, check_artifacts},
};

/// Only this machine, until somebody says otherwise.
const DEFAULT_BIND: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 8000);

/// For how many seconds' worth of requests a caller may come in one go, where the rate is the operator's.
const BURST_SECONDS: u32 = 10;

/// Holds the token that allows everything, for those who need only one.
const ADMIN_TOKEN: &str = "ENACT_TOKEN";

pub(crate) async fn serve(args: Serve, context: &Context<'_>) -> anyhow::Result<ExitCode> {
    let (registry, location) = (context.registry, context.location);
    let config = context.load_config(Path::new("."))?;
    let said = config.serving()?;
    let open_files = descriptors::open_files();
    let limits = limits(&args, said, open_files);
    let access = access(&args, said, &limits).map_err(|problem| in_file(&config, problem))?;
    let address = args.bind.or(said.bind).unwrap_or(DEFAULT_BIND);
    access.check_bind(address)?;
    let (plays, queue) = played(&args, said);
    let artifacts = artifacts(args.artifacts, &config, location)?;
    let lease = said.lease;
    tell_of_descriptors(said, &limits, open_files);
    let project = Arc::new(Project::new(config, registry.clone(), artifacts).with_cast_dir(args.cast_dir));
    let productions = registry.server(&project).await?;
    let listener = TcpListener::bind(address).await.map_err(|error| cannot_listen(address, &error))?;
    let kept = location.open_for(lease).await?;

    let stopping = signals()?;
    let node = Node::start(kept.store(), project, context.productions.clone(), plays);
    let router = routes::guarded(node.clone(), &productions, queue, access);
    writeln!(stdout(), "enact serves on http://{} (store: {location})", listener.local_addr()?)?;
    let serving = tokio::spawn(serve::serve(listener, router, limits, asked(stopping.clone())));
    asked(stopping).await;
    tracing::info!("stopping: runs come to rest, and can be played on");
    // Those who follow a run hold their connections until the node tells them that nothing more comes.
    node.stop().await;
    let stopped = serving.await?;
    if stopped.cut_off > 0 {
        tracing::warn!(connections = stopped.cut_off, "some connections had to be cut off");
    }
    drop(node);
    kept.close().await;
    Ok(ExitCode::SUCCESS)
}

/// Who may call, as flags, file and environment say together.
fn access(args: &Serve, said: &config::Serve, limits: &Limits) -> Result<Access, Problem> {
    let secret = |variable: &str| {
        let secret = std::env::var(variable).ok()?.trim().to_owned();
        (!secret.is_empty()).then_some(secret)
    };
    let mut access = Access::default().limits(limits.clone());
    if let Some(secret) = secret(ADMIN_TOKEN) {
        let token = Token::new("admin", &secret, Scope::Admin);
        access =
            token.and_then(|token| access.token(token)).map_err(|problem| about(ADMIN_TOKEN, problem))?;
    }
    for token in &said.tokens {
        let missing = || {
            Problem::config(format!("tokens.{}: {} is not set", token.name, token.variable))
                .at(token.place.line, token.place.column)
                .hint(format!("put the token into the environment variable {}", token.variable))
        };
        let secret = secret(&token.variable).ok_or_else(missing)?;
        let made = Token::new(&token.name, &secret, token.scope);
        access = made.and_then(|token| access.token(token)).map_err(|problem| {
            let problem = about(&token.variable, problem);
            problem.at(token.place.line, token.place.column)
        })?;
    }
    for origin in said.allow_origin.iter().chain(&args.allow_origin) {
        access = access.allow_origin(origin).map_err(|problem| about("--allow-origin", problem))?;
    }
    for host in said.allow_host.iter().chain(&args.allow_host) {
        access = access.allow_host(host).map_err(|problem| about("--allow-host", problem))?;
    }
    for proxy in said.trust_proxy.iter().chain(&args.trust_proxy) {
        access = access.trust_proxy(proxy).map_err(|problem| about("--trust-proxy", problem))?;
    }
    Ok(access)
}

fn limits(args: &Serve, said: &config::Serve, open_files: Option<usize>) -> Limits {
    let standard = Limits::default();
    let connections = descriptors::fitting(said.max_connections.unwrap_or(standard.connections), open_files);
    // All who come through a proxy have its address.
    let behind_proxy = !(said.trust_proxy.is_empty() && args.trust_proxy.is_empty());
    Limits {
        body_bytes: said.max_body_bytes.unwrap_or(standard.body_bytes),
        connections,
        connections_per_peer: if behind_proxy { connections } else { (connections / 2).max(1) },
        readers: said.max_readers.unwrap_or(standard.readers),
        rate_per_second: said.requests_per_second.unwrap_or(standard.rate_per_second),
        // Whoever wants few wants them soon: the burst that lets all readers come back at once is far more than a low rate.
        rate_burst: said
            .requests_per_second
            .map_or(standard.rate_burst, |rate| rate.saturating_mul(BURST_SECONDS)),
        ..standard
    }
}

/// Says that fewer can connect than were wanted: aloud where somebody has asked for them.
fn tell_of_descriptors(said: &config::Serve, limits: &Limits, open_files: Option<usize>) {
    let (Some(open_files), connections) = (open_files, limits.connections) else { return };
    match said.max_connections {
        Some(wanted) if connections < wanted => tracing::warn!(
            connections,
            open_files,
            "fewer connections at once than max_connections says: this process may open no more files (ulimit -n raises that)",
        ),
        None if connections < Limits::default().connections => tracing::info!(
            connections,
            open_files,
            "fewer connections at once than usual: this process may open no more files (ulimit -n raises that)",
        ),
        _ => {}
    }
}

/// How much is played at once, and how much may wait.
fn played(args: &Serve, said: &config::Serve) -> (node::Limits, routes::Options) {
    let (mut plays, mut queue) = (node::Limits::default(), routes::Options::default());
    plays.runs = args.max_runs.or(said.max_runs).unwrap_or(plays.runs);
    plays.pace = Duration::from_secs_f64(args.pace);
    queue.most_waiting = said.max_waiting.unwrap_or(queue.most_waiting);
    (plays, queue)
}

/// Where audio is kept: as the flag says, or the file, or else in the data folder. A path in the file is meant from where it is.
///
/// A folder that somebody names has to be one that can be written to: they mean to hear something.
fn artifacts(named: Option<PathBuf>, config: &Config, location: &Location) -> Result<Artifacts, Problem> {
    let home = config.file.as_deref().and_then(Path::parent).unwrap_or(Path::new(""));
    let written = config.serve.artifacts.as_ref().map(|folder| home.join(folder));
    match named.or(written) {
        Some(folder) => {
            let artifacts = Artifacts::in_folder(folder);
            check_artifacts(&artifacts)?;
            Ok(artifacts)
        }
        None => {
            let artifacts = location.artifacts();
            if location.is_shared() {
                tracing::warn!(
                    folder = %artifacts.root().display(),
                    "audio is kept on this machine alone: nodes that share a database need --artifacts, a folder they share too",
                );
            }
            Ok(artifacts)
        }
    }
}

fn cannot_listen(address: SocketAddr, error: &std::io::Error) -> Problem {
    let hint = match error.kind() {
        std::io::ErrorKind::AddrInUse => {
            "another program listens there: stop it, or choose another port with --bind"
        }
        std::io::ErrorKind::PermissionDenied => {
            "ports below 1024 need rights: choose another one with --bind"
        }
        _ => "choose an address of this machine with --bind",
    };
    Problem::config(format!("cannot listen on {address}: {error}")).hint(hint)
}

fn about(what: &str, problem: Problem) -> Problem {
    Problem { message: format!("{what}: {}", problem.message), ..problem }
}

/// A complaint that knows its line is about the configuration.
fn in_file(config: &Config, problem: Problem) -> Problem {
    match (&config.file, problem.place) {
        (Some(file), Some(_)) => problem.in_file(file.display()),
        _ => problem,
    }
}

/// The first signal asks the server to stop in order, the second one ends the program.
fn signals() -> std::io::Result<watch::Receiver<bool>> {
    let (asked, stopping) = watch::channel(false);
    let mut wanted = signal()?;
    tokio::spawn(async move {
        wanted.recv().await;
        asked.send_replace(true);
        wanted.recv().await;
        std::process::exit(i32::from(INTERRUPTED));
    });
    Ok(stopping)
}

async fn asked(mut stopping: watch::Receiver<bool>) {
    // Whoever could have asked is gone only with the whole program.
    let _ = stopping.wait_for(|stopping| *stopping).await;
}

/// Ctrl-C, and what orchestrators send.
struct Signal {
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
}

#[cfg(unix)]
fn signal() -> std::io::Result<Signal> {
    use tokio::signal::unix::{SignalKind, signal};
    Ok(Signal { terminate: signal(SignalKind::terminate())?, interrupt: signal(SignalKind::interrupt())? })
}

#[cfg(not(unix))]
fn signal() -> std::io::Result<Signal> {
    Ok(Signal {})
}

impl Signal {
    #[cfg(unix)]
    async fn recv(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }

    #[cfg(not(unix))]
    async fn recv(&mut self) {
        // Without signals there is nothing to wait for.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending().await
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        serve: Serve,
    }

    #[test]
    fn one_address_gets_half_of_the_connections_unless_it_is_a_proxy() {
        for (flags, most, open_files, expected) in [
            (&[][..], None, None, (8_192, 4_096)),
            (&[], Some(10), None, (10, 5)),
            (&[], Some(1), None, (1, 1)),
            (&[], None, Some(1_024), (768, 384)),
            (&["--trust-proxy", "10.0.0.1"], Some(10), None, (10, 10)),
        ] {
            let args = Line::parse_from(std::iter::once("enact").chain(flags.iter().copied())).serve;
            let mut said = config::Serve::default();
            said.max_connections = most;
            let limits = limits(&args, &said, open_files);
            assert_eq!((limits.connections, limits.connections_per_peer), expected, "{flags:?} {most:?}");
        }
    }
}
