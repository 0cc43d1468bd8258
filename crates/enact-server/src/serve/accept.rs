//! Accepts connections, no more at once than the limit.

use std::{
    fmt, io,
    net::SocketAddr,
    sync::Arc,
    time::{Duration, Instant},
};

use tokio::{
    net::{TcpListener, TcpStream},
    sync::{OwnedSemaphorePermit, Semaphore},
    time::sleep,
};

use crate::limits::semaphore;

/// Back-off when the process has no file descriptor left. Trying again at once would take a whole core, and the connection
/// that waits is not lost.
const EMFILE_BACKOFF: Duration = Duration::from_millis(100);
/// How often a warning is repeated while its reason lasts.
const WARN_INTERVAL: Duration = Duration::from_secs(10);

pub(super) struct Accepted {
    pub(super) socket: TcpStream,
    pub(super) peer: SocketAddr,
    /// Held while it is open.
    pub(super) permit: OwnedSemaphorePermit,
}

#[derive(Debug)]
pub(super) struct Acceptor {
    listener: TcpListener,
    permits: Arc<Semaphore>,
    warned_at: Option<Instant>,
}

impl Acceptor {
    pub(super) fn new(listener: TcpListener, most: usize) -> Acceptor {
        Acceptor { listener, permits: semaphore(most), warned_at: None }
    }

    /// The next connection. At the limit it stays in the queue of the kernel until another one ends.
    pub(super) async fn next(&mut self) -> Accepted {
        let permit = match self.permits.clone().try_acquire_owned() {
            Ok(permit) => permit,
            Err(_) => {
                self.warn_rarely("too many connections: further ones wait in the queue of the listener");
                self.permits.clone().acquire_owned().await.expect("this semaphore is never closed")
            }
        };
        loop {
            match self.listener.accept().await {
                Ok((socket, peer)) => return Accepted { socket, peer, permit },
                Err(error) if ended_before_accept(&error) => {}
                Err(error) => {
                    self.warn_rarely(format_args!("cannot accept connections for now: {error}"));
                    sleep(EMFILE_BACKOFF).await;
                }
            }
        }
    }

    fn warn_rarely(&mut self, what: impl fmt::Display) {
        if self.warned_at.is_none_or(|at| at.elapsed() >= WARN_INTERVAL) {
            self.warned_at = Some(Instant::now());
            tracing::warn!(target: "enact::http", "{what}");
        }
    }
}

/// Errors of a connection that ended before it was accepted say nothing of the next.
fn ended_before_accept(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}
