//! What both servers are: a thread with a listener, gone when its handle is dropped, and a count of what it serves.

use std::{
    io,
    net::{Ipv4Addr, SocketAddr, TcpListener},
    ops::Deref,
    sync::Arc,
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use axum::Router;
use futures_timer::Delay;
use hyper::server::conn::http1;
use hyper_util::{rt::TokioIo, service::TowerToHyperService};
use tokio::{
    runtime,
    sync::{oneshot, watch},
};

/// A server that runs. Dropping it closes its port and every connection before `drop` returns.
#[derive(Debug)]
pub struct Running {
    address: SocketAddr,
    traffic: Arc<Traffic>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Running {
    /// # Panics
    ///
    /// If the machine has no port left on the loopback address.
    pub(crate) fn start(name: &str, traffic: Arc<Traffic>, router: Router) -> Self {
        let listener = listen().expect("a free port on the loopback address");
        let address = listener.local_addr().expect("a listener that is bound has an address");
        let (stop, stopped) = oneshot::channel();
        let thread = thread::Builder::new()
            .name(name.to_owned())
            .spawn(move || serve(listener, router, stopped))
            .expect("a thread for the server");
        Self { address, traffic, stop: Some(stop), thread: Some(thread) }
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Deref for Running {
    type Target = Traffic;

    fn deref(&self) -> &Traffic {
        &self.traffic
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // A thread that panicked has said so, and there is nothing left to stop.
            let _ = thread.join();
        }
    }
}

fn listen() -> io::Result<TcpListener> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    listener.set_nonblocking(true)?;
    Ok(listener)
}

/// Runs until told to stop. One thread is enough for thousands of answers a second, and leaves the other processors to
/// what is being measured.
fn serve(listener: TcpListener, router: Router, stopped: oneshot::Receiver<()>) {
    let runtime =
        runtime::Builder::new_current_thread().enable_all().build().expect("a runtime for the server");
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::from_std(listener).expect("a listener that does not block");
        tokio::select! {
            () = accept(&listener, &router) => {}
            _ = stopped => {}
        }
    });
    // Dropping the runtime here drops every connection with it.
}

async fn accept(listener: &tokio::net::TcpListener, router: &Router) {
    loop {
        let Ok((socket, _)) = listener.accept().await else {
            // Out of descriptors, most likely: those in use must end before the next can be had.
            tokio::time::sleep(Duration::from_millis(10)).await;
            continue;
        };
        // Streamed pieces are small and must leave when they are written.
        let _ = socket.set_nodelay(true);
        let service = TowerToHyperService::new(router.clone());
        // What goes wrong on a connection is the client's to notice: mostly we broke it on purpose.
        tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(socket), service));
    }
}

/// Waits until a moment, to within a fraction of a millisecond. The runtime's own timers count whole milliseconds and
/// are one or two late, which is more than what the benchmarks allow everything between the client and us.
pub(crate) async fn wait_until(due: Instant) {
    let left = due.saturating_duration_since(Instant::now());
    if !left.is_zero() {
        Delay::new(left).await;
    }
}

/// How many requests have come, and how many are being answered.
#[derive(Debug, Default)]
pub struct Traffic(pub(crate) watch::Sender<Counts>);

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) arrivals: u64,
    pub(crate) in_flight: usize,
    pub(crate) most: usize,
    pub(crate) dropped: usize,
}

impl Traffic {
    /// How many requests have arrived.
    pub fn arrivals(&self) -> u64 {
        self.counts().arrivals
    }

    /// How many are being answered now.
    pub fn in_flight(&self) -> usize {
        self.counts().in_flight
    }

    /// The most that were being answered at one time; those that were refused for that do not count.
    pub fn most_at_once(&self) -> usize {
        self.counts().most
    }

    /// How many clients went away before their answer had ended.
    pub fn dropped(&self) -> usize {
        self.counts().dropped
    }

    /// Waits until so many requests have arrived, counted from the start. There is no time limit: tests have their own.
    pub async fn wait_for_arrivals(&self, count: u64) {
        self.wait_for(|counts| counts.arrivals >= count).await;
    }

    /// Waits until so many requests are being answered at one moment.
    pub async fn wait_for_in_flight(&self, count: usize) {
        self.wait_for(|counts| counts.in_flight >= count).await;
    }

    /// Waits until nothing is being answered: the outcome of every request so far is known then.
    pub async fn wait_until_idle(&self) {
        self.wait_for(|counts| counts.in_flight == 0).await;
    }

    async fn wait_for(&self, mut reached: impl FnMut(&Counts) -> bool) {
        // The sender lives here, so the channel cannot close while a test waits.
        let _ = self.0.subscribe().wait_for(|counts| reached(counts)).await;
    }

    pub(crate) fn counts(&self) -> Counts {
        *self.0.borrow()
    }

    /// One more has come and is being answered.
    pub(crate) fn arrive(&self) {
        self.0.send_modify(|counts| {
            counts.arrivals += 1;
            counts.in_flight += 1;
            counts.most = counts.most.max(counts.in_flight);
        });
    }

    /// One more is being answered, if no more than so many are.
    pub(crate) fn enter(&self, at_once: Option<usize>) -> bool {
        self.0.send_if_modified(|counts| {
            let is_free = at_once.is_none_or(|at_once| counts.in_flight < at_once);
            counts.in_flight += usize::from(is_free);
            counts.most = counts.most.max(counts.in_flight);
            is_free
        })
    }

    /// One less is being answered.
    pub(crate) fn leave(&self, dropped: bool) {
        self.0.send_modify(|counts| {
            counts.in_flight -= 1;
            counts.dropped += usize::from(dropped);
        });
    }
}

#[cfg(test)]
mod tests {
    use futures::future::join_all;

    use super::*;

    #[tokio::test]
    async fn no_wait_ends_early() {
        let begin = Instant::now();
        let sleep = async |millis| {
            let wait = Duration::from_millis(millis);
            wait_until(begin + wait).await;
            assert!(begin.elapsed() >= wait);
        };
        join_all([30, 10, 20, 10, 0].map(sleep)).await;
    }
}
