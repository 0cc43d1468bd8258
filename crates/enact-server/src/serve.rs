//! The serving loop: accepts connections until it is told to stop, then lets them finish.

mod accept;
mod client_socket;
mod linger;
mod write_timeout;

use std::{
    future::Future,
    net::{IpAddr, SocketAddr},
    pin::pin,
    sync::Arc,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use axum::{Router, body::Body, extract::ConnectInfo};
use hyper::{Request, body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::{OwnedSemaphorePermit, watch},
    task::JoinSet,
    time::timeout,
};
use tower::Service;

use self::{
    accept::{Accepted, Acceptor},
    client_socket::ClientSocket,
    linger::UnreadBody,
};
use crate::{
    access::{CountByKey, KeyPermit, rate_limit_prefix},
    limits::Limits,
};

/// What hyper holds of a connection at most in each direction; it begins with 8 KiB. Events and requests are
/// smaller, and larger answers only take more steps. A thousand readers who take nothing hold 32 MiB.
const BUFFER_BYTES: usize = 32 * 1024;

/// How serving ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stopped {
    /// Connections that did not finish in time.
    pub cut_off: usize,
}

/// Serves until `shutdown`; then accepts no connection, lets answers that have begun finish, and cuts off
/// what has not after [`Limits::grace`]. Streams of events end only when their routes end them: tell those
/// first.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    limits: Limits,
    shutdown: impl Future<Output = ()>,
) -> Stopped {
    let mut shutdown = pin!(shutdown);
    let (stop, stopping) = watch::channel(false);
    let mut acceptor = Acceptor::new(listener, limits.connections);
    let per_address = CountByKey::default();
    let http = Arc::new(http(&limits));
    let mut open = JoinSet::new();
    let mut warned = false;
    loop {
        let Accepted { socket, peer, permit } = tokio::select! {
            biased;
            () = &mut shutdown => break,
            // Whatever has ended gives its memory back before the next one takes some.
            Some(ended) = open.join_next() => {
                if let Err(error) = ended {
                    tracing::error!(target: "enact::http", %error, "the task of a connection panicked");
                }
                continue;
            }
            accepted = acceptor.next() => accepted,
        };
        let of_address = per_address.acquire(rate_limit_prefix(peer.ip()), limits.connections_per_peer);
        let Some(of_address) = of_address else {
            warn_per_address_limit(peer, &mut warned);
            continue;
        };
        let connection = Connection {
            router: router.clone(),
            http: http.clone(),
            peer,
            stall_timeout: limits.stall_timeout,
            stopping: stopping.clone(),
            _permit: permit,
            _of_address: of_address,
        };
        open.spawn(connection.serve(socket));
    }
    drop(acceptor);
    stop.send_replace(true);
    let finished = async { while open.join_next().await.is_some() {} };
    let in_time = timeout(limits.grace, finished).await.is_ok();
    let cut_off = if in_time { 0 } else { open.len() };
    open.shutdown().await;
    Stopped { cut_off }
}

/// Warns once: further lines would say the same.
fn warn_per_address_limit(peer: SocketAddr, warned: &mut bool) {
    let peer = peer.ip();
    if std::mem::replace(warned, true) {
        tracing::debug!(target: "enact::http", %peer, "too many connections from one address");
    } else {
        tracing::warn!(
            target: "enact::http", %peer,
            "too many connections from one address: further ones are closed; if it is a proxy, name it with --trust-proxy",
        );
    }
}

fn http(limits: &Limits) -> http1::Builder {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        // hyper panics where the clock stands before 1970.
        .auto_date_header(SystemTime::now() >= UNIX_EPOCH)
        .header_read_timeout(limits.head_timeout)
        .max_header_size(limits.head_bytes)
        .max_buf_size(BUFFER_BYTES.max(limits.head_bytes))
        // A reader who hangs up is noticed at once, and not with the next event. Clients that close their
        // half before the answer are taken for gone: none that people use does.
        .half_close(false);
    http
}

struct Connection {
    router: Router,
    http: Arc<http1::Builder>,
    peer: SocketAddr,
    stall_timeout: Duration,
    stopping: watch::Receiver<bool>,
    _permit: OwnedSemaphorePermit,
    _of_address: KeyPermit<IpAddr>,
}

impl Connection {
    async fn serve(mut self, socket: TcpStream) {
        // Events are small and must leave when they are written. A socket that is gone fails at its first
        // read as well.
        let _ = socket.set_nodelay(true);
        let peer = ConnectInfo(self.peer);
        let unread = UnreadBody::default();
        let service = service_fn(|mut request: Request<Incoming>| {
            request.extensions_mut().insert(peer);
            self.router.clone().call(request.map(|body| Body::new(unread.watch(body))))
        });
        let io = TokioIo::new(ClientSocket::new(socket, self.stall_timeout, unread.clone()));
        let mut connection = pin!(self.http.serve_connection(io, service));
        let ended = tokio::select! {
            ended = connection.as_mut() => ended,
            () = stopped(&mut self.stopping) => {
                connection.as_mut().graceful_shutdown();
                connection.await
            }
        };
        if let Err(error) = ended {
            // Clients that leave, stall or speak no HTTP: theirs to notice.
            tracing::debug!(target: "enact::http", peer = %self.peer.ip(), %error, "a connection ended early");
        }
    }
}

/// Returns when the server stops, or is gone.
async fn stopped(stopping: &mut watch::Receiver<bool>) {
    let _ = stopping.wait_for(|stopping| *stopping).await;
}
