//! Connections as they come, no faster than there is room for them.

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

use crate::limits::places;

/// How long to wait when the machine has no descriptor left: until another connection ends. Trying again at once would
/// take a whole core, and the connection that waits is not lost.
const OUT_OF_DESCRIPTORS: Duration = Duration::from_millis(100);
/// Once is enough to be noticed, and a crowd that stays would fill the log with the same line.
const COMPLAIN_EVERY: Duration = Duration::from_secs(10);

pub(super) struct Arrival {
    pub(super) socket: TcpStream,
    pub(super) peer: SocketAddr,
    /// Its place among those who are connected.
    pub(super) place: OwnedSemaphorePermit,
}

#[derive(Debug)]
pub(super) struct Arrivals {
    listener: TcpListener,
    room: Arc<Semaphore>,
    complained_at: Option<Instant>,
}

impl Arrivals {
    pub(super) fn new(listener: TcpListener, most: usize) -> Arrivals {
        Arrivals { listener, room: places(most), complained_at: None }
    }

    /// The next connection, once there is room for it. Until then it waits where the kernel keeps it.
    pub(super) async fn next(&mut self) -> Arrival {
        let place = match self.room.clone().try_acquire_owned() {
            Ok(place) => place,
            Err(_) => {
                self.complain("as many connections as there may be: others wait");
                self.room.clone().acquire_owned().await.expect("nobody closes this semaphore")
            }
        };
        loop {
            match self.listener.accept().await {
                Ok((socket, peer)) => return Arrival { socket, peer, place },
                Err(error) if was_gone_already(&error) => {}
                Err(error) => {
                    self.complain(format_args!("cannot accept connections for now: {error}"));
                    sleep(OUT_OF_DESCRIPTORS).await;
                }
            }
        }
    }

    fn complain(&mut self, what: impl fmt::Display) {
        if self.complained_at.is_none_or(|at| at.elapsed() >= COMPLAIN_EVERY) {
            self.complained_at = Some(Instant::now());
            tracing::warn!(target: "enact::http", "{what}");
        }
    }
}

/// Errors of a connection that ended before it was accepted say nothing of the next.
fn was_gone_already(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}
