//! `enact serve`: this project, over HTTP.

use std::{
    io::Write,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    path::Path,
    process::ExitCode,
    sync::Arc,
    time::Duration,
};

use enact_drama::Problem;
use enact_engine::{Node, node};
use enact_page::PageFiles;
use enact_server::{
    Limits, ServingOptions,
    access::{Access, Scope, Token},
    routes, serve,
};
use tokio::net::TcpListener;

use crate::{
    CliContext, ServedProject,
    args::ServeArgs,
    audio_places,
    config::{self, Config},
    screen::stdout,
    signals::{stop_requested, stop_signals},
};

/// Only this machine, unless the operator says otherwise.
const DEFAULT_BIND: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 8000);

/// The burst, in seconds of the configured rate.
const BURST_SECONDS: u32 = 10;

/// File descriptors for everything but connections: the database, models, logs, sheets.
const RESERVED_FILES: usize = 256;
/// A server with fewer connections is useless, whatever is left for the rest.
const FEWEST_CONNECTIONS: usize = 64;

/// Holds a token that allows everything, for operators who need only one.
const ADMIN_TOKEN: &str = "ENACT_TOKEN";

pub(crate) async fn serve(args: ServeArgs, context: &CliContext<'_>) -> anyhow::Result<ExitCode> {
    let (registry, location) = (context.registry, context.location);
    let config = context.config_here()?;
    let configured = config.serving()?;
    let open_files = open_files();
    let limits = limits(&args, configured, open_files);
    let access = access(&args, &config, &limits)?;
    let address = args.bind.or(configured.bind).unwrap_or(DEFAULT_BIND);
    access.check_bind(address)?;
    if args.legacy_mcp && !address.ip().is_loopback() {
        return Err(Problem::config(format!(
            "--legacy-mcp is for this machine alone, and not for {address}"
        ))
        .hint("leave --bind out, or name 127.0.0.1")
        .into());
    }
    let legacy_mcp = args.legacy_mcp;
    let (plays, mut options) = node_limits(&args, configured);
    if let Some(folder) = &args.page_dir {
        options.page = page_in(folder)?;
    }
    let keep_audio = args.keep_audio.or(configured.keep_audio);
    let artifacts = audio_places::artifacts(args.artifacts, &config, location).await?.keep_audio(keep_audio);
    let lease = configured.lease;
    log_connection_limit(configured, &limits, open_files);
    let offered = ServingOptions {
        guest_messages: args.guests,
        games: args.games,
        public_url: args.public_url,
        mind_model: args.minds,
        legacy_mcp: args.legacy_mcp,
    };
    let project = ServedProject::new(config, registry.clone(), artifacts).with_cast_dir(args.cast_dir);
    let project = Arc::new(project.with_options(offered).with_editing(args.edit));
    let productions = registry.server(&project).await?;
    let listener = TcpListener::bind(address).await.map_err(|error| cannot_listen(address, &error))?;
    let mut listeners = vec![listener];
    if legacy_mcp {
        // `localhost` may be either of the two.
        listeners.extend(other_loopback(listeners[0].local_addr()?).await);
    }
    let kept = location.open_with_lease(lease).await?;

    let stopping = stop_signals()?;
    let node = Node::start(kept.store(), project, context.productions.clone(), plays);
    let router = routes::guarded(node.clone(), &productions, options, access);
    writeln!(stdout(), "enact serves on http://{} (store: {location})", listeners[0].local_addr()?)?;
    let serving: Vec<_> = listeners
        .into_iter()
        .map(|listener| {
            let (router, limits) = (router.clone(), limits.clone());
            tokio::spawn(serve::serve(listener, router, limits, stop_requested(stopping.clone())))
        })
        .collect();
    drop(router);
    stop_requested(stopping).await;
    tracing::info!("stopping: runs are released, and go on at the next start or on another node");
    // Followers hold their connections until the node tells them that nothing more comes.
    node.stop().await;
    let mut cut_off = 0;
    for serving in serving {
        cut_off += serving.await?.cut_off;
    }
    if cut_off > 0 {
        tracing::warn!(connections = cut_off, "some connections had to be cut off");
    }
    drop(node);
    kept.close().await;
    Ok(ExitCode::SUCCESS)
}

/// The same port at the other address of this machine, if it has one.
async fn other_loopback(address: SocketAddr) -> Option<TcpListener> {
    let other: IpAddr = match address.ip() {
        IpAddr::V4(_) => Ipv6Addr::LOCALHOST.into(),
        IpAddr::V6(_) => Ipv4Addr::LOCALHOST.into(),
    };
    let listener = TcpListener::bind((other, address.port())).await;
    if let Err(error) = &listener {
        tracing::warn!(%other, %error, "cannot listen on the other address of this machine");
    }
    listener.ok()
}

/// Who may call: flags, file and environment together.
fn access(args: &ServeArgs, config: &Config, limits: &Limits) -> Result<Access, Problem> {
    let configured = config.serving()?;
    let secret = |variable: &str| {
        let secret = std::env::var(variable).ok()?.trim().to_owned();
        (!secret.is_empty()).then_some(secret)
    };
    let mut access = Access::default().limits(limits.clone());
    if args.guests.is_some() {
        access = access.admit_guests();
    }
    if let Some(secret) = secret(ADMIN_TOKEN) {
        let token = Token::new("admin", &secret, Scope::Admin);
        access = token.and_then(|token| access.token(token)).map_err(|problem| problem.about(ADMIN_TOKEN))?;
    }
    for token in &configured.tokens {
        let at = |problem| config.written_at(&["tokens", &token.name], problem);
        let missing = || {
            at(Problem::config(format!("tokens.{}: {} is not set", token.name, token.variable))
                .hint(format!("put the token into the environment variable {}", token.variable)))
        };
        let secret = secret(&token.variable).ok_or_else(missing)?;
        let made = Token::new(&token.name, &secret, token.scope);
        access = made
            .and_then(|token| access.token(token))
            .map_err(|problem| at(problem.about(&token.variable)))?;
    }
    for origin in configured.allow_origin.iter().chain(&args.allow_origin) {
        access = access.allow_origin(origin).map_err(|problem| problem.about("--allow-origin"))?;
    }
    for host in configured.allow_host.iter().chain(&args.allow_host) {
        access = access.allow_host(host).map_err(|problem| problem.about("--allow-host"))?;
    }
    for proxy in configured.trust_proxy.iter().chain(&args.trust_proxy) {
        access = access.trust_proxy(proxy).map_err(|problem| problem.about("--trust-proxy"))?;
    }
    Ok(access)
}

fn limits(args: &ServeArgs, configured: &config::ServeConfig, open_files: Option<usize>) -> Limits {
    let standard = Limits::default();
    let connections =
        connections_within(configured.max_connections.unwrap_or(standard.connections), open_files);
    // All who come through a proxy have its address.
    let behind_proxy = !(configured.trust_proxy.is_empty() && args.trust_proxy.is_empty());
    Limits {
        body_bytes: configured.max_body_bytes.unwrap_or(standard.body_bytes),
        connections,
        connections_per_peer: if behind_proxy { connections } else { (connections / 2).max(1) },
        readers: configured.max_readers.unwrap_or(standard.readers),
        rate_per_second: configured.requests_per_second.unwrap_or(standard.rate_per_second),
        // A low rate gets a small burst: the default one, which lets all readers come back at once, would
        // exceed it by far.
        rate_burst: configured
            .requests_per_second
            .map_or(standard.rate_burst, |rate| rate.saturating_mul(BURST_SECONDS)),
        ..standard
    }
}

/// Logs that fewer can connect than were wanted: as a warning where the configuration asked for more.
fn log_connection_limit(configured: &config::ServeConfig, limits: &Limits, open_files: Option<usize>) {
    let (Some(open_files), connections) = (open_files, limits.connections) else { return };
    match configured.max_connections {
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
fn node_limits(
    args: &ServeArgs,
    configured: &config::ServeConfig,
) -> (node::NodeLimits, routes::ServerOptions) {
    let (mut plays, mut queue) = (node::NodeLimits::default(), routes::ServerOptions::default());
    plays.runs = args.max_runs.or(configured.max_runs).unwrap_or(plays.runs);
    plays.pace = Duration::from_secs_f64(args.pace);
    queue.most_waiting = configured.max_waiting.unwrap_or(queue.most_waiting);
    (plays, queue)
}

/// The page as it stands in a folder, for those who work on it.
fn page_in(folder: &Path) -> Result<PageFiles, Problem> {
    if folder.join(enact_page::SHELL).is_file() {
        return Ok(PageFiles::in_folder(folder.to_owned()));
    }
    let message = format!("--page-dir: there is no {} in '{}'", enact_page::SHELL, folder.display());
    Err(Problem::config(message).hint("name the folder of the page: crates/enact-page/files"))
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

/// How many files this process may open, where the system says so: Linux does.
fn open_files() -> Option<usize> {
    soft_limit(&std::fs::read_to_string("/proc/self/limits").ok()?)
}

/// As many connections as there are descriptors for, but no more than wanted.
fn connections_within(wanted: usize, open_files: Option<usize>) -> usize {
    match open_files {
        Some(open_files) => wanted.min(open_files.saturating_sub(RESERVED_FILES).max(FEWEST_CONNECTIONS)),
        None => wanted,
    }
}

/// Nothing for `unlimited`.
fn soft_limit(limits: &str) -> Option<usize> {
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        serve: ServeArgs,
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
            let mut configured = config::ServeConfig::default();
            configured.max_connections = most;
            let limits = limits(&args, &configured, open_files);
            assert_eq!((limits.connections, limits.connections_per_peer), expected, "{flags:?} {most:?}");
        }
    }

    #[test]
    fn the_soft_limit_is_the_first_number() {
        let table = "Limit                     Soft Limit           Hard Limit           Units     \n\
                     Max processes             63304                63304                processes \n\
                     Max open files            1024                 524288               files     \n";
        assert_eq!(soft_limit(table), Some(1024));
        assert_eq!(soft_limit(&table.replace("1024", "unlimited")), None);
        assert_eq!(soft_limit(""), None);
    }

    #[test]
    fn connections_leave_room_for_the_rest() {
        for (wanted, open_files, fitting_in) in [
            (8_192, None, 8_192),
            (8_192, Some(1_048_576), 8_192),
            (8_192, Some(1_024), 768),
            (100, Some(1_024), 100),
            (8_192, Some(300), 64),
            (8_192, Some(20), 64),
            (10, Some(20), 10),
        ] {
            assert_eq!(connections_within(wanted, open_files), fitting_in, "{wanted} {open_files:?}");
        }
    }
}
