//! What a server takes at most, and why so much. Operators may set each of these.

use std::{sync::Arc, time::Duration};

use tokio::sync::Semaphore;

/// A scene with twelve long sheets has about 200 KiB.
const BODY_BYTES: usize = 1024 * 1024;
/// The longest query of the API, with every filter set, has a few hundred bytes.
const URI_BYTES: usize = 8 * 1024;
/// What browsers and proxies add to a request stays well under it, and nginx allows as much.
const HEAD_BYTES: usize = 32 * 1024;
/// A head is one packet or two: a client that takes longer holds a connection on purpose. It is also the
/// timeout of idle connections, for which clients expect no less.
const HEAD_TIMEOUT: Duration = Duration::from_secs(30);
/// The slowest answers are whole logs, and those begin at once: what takes so long hangs.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);
/// A reader who takes nothing for so long is gone, or stopped in a debugger; it can come back and go on where
/// it was.
const STALL_TIMEOUT: Duration = Duration::from_secs(120);
/// About 110 MiB when all are open and quiet, 14 KiB each. Further ones wait in the listener's queue.
const CONNECTIONS: usize = 8_192;
/// Half of all, so that one address never has all of them; enough for a proxy in front of all clients.
const CONNECTIONS_PER_PEER: usize = CONNECTIONS / 2;
/// Answers take milliseconds: so many at once is a queue that no longer gets shorter.
const REQUESTS: usize = 512;
/// Twice the runs a node plays at once, and half of the connections, so that readers never keep
/// commands out.
const READERS: usize = CONNECTIONS / 2;
/// Far above what people or a game do: it stops loops that run away.
const RATE_PER_SECOND: u32 = 500;
/// All readers of a node come back at once when it has started again, and may look at their run first.
const RATE_BURST: u32 = 2 * 4_096;
/// People mistype a token a few times; more are guesses.
const FAILURES_PER_MINUTE: u32 = 10;
/// Answers that have begun get so long when the server stops. Orchestrators kill after 30 seconds, mostly,
/// and runs must come to rest too.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(10);

/// All limits of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// A request's body; more is 413.
    pub body_bytes: usize,
    /// A request's target; more is 414.
    pub uri_bytes: usize,
    /// A request's first line and headers; more is 431.
    pub head_bytes: usize,
    /// How long a head may take, and how long a connection may ask nothing.
    pub head_timeout: Duration,
    /// How long a body may take to arrive (408), and then an answer to begin (503).
    pub request_timeout: Duration,
    /// How long a client may take nothing of an answer that waits for it.
    pub stall_timeout: Duration,
    /// Connections at once.
    pub connections: usize,
    /// Connections at once from one address; further ones are closed.
    pub connections_per_peer: usize,
    /// Requests being answered at once, readers of events apart; more is 503.
    pub requests: usize,
    /// Readers of events at once; more is 429.
    pub readers: usize,
    /// Requests of one caller, over time; more is 429.
    pub rate_per_second: u32,
    /// Requests of one caller in one go, before the rate counts.
    pub rate_burst: u32,
    /// Wrong tokens from one address; more is 429.
    pub failures_per_minute: u32,
    /// How long what has begun may take to finish when the server stops.
    pub grace: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            body_bytes: BODY_BYTES,
            uri_bytes: URI_BYTES,
            head_bytes: HEAD_BYTES,
            head_timeout: HEAD_TIMEOUT,
            request_timeout: REQUEST_TIMEOUT,
            stall_timeout: STALL_TIMEOUT,
            connections: CONNECTIONS,
            connections_per_peer: CONNECTIONS_PER_PEER,
            requests: REQUESTS,
            readers: READERS,
            rate_per_second: RATE_PER_SECOND,
            rate_burst: RATE_BURST,
            failures_per_minute: FAILURES_PER_MINUTE,
            grace: SHUTDOWN_TIMEOUT,
        }
    }
}

/// A semaphore with so many permits. Zero cannot be meant, and counts as one.
pub(crate) fn semaphore(number: usize) -> Arc<Semaphore> {
    Arc::new(Semaphore::new(number.clamp(1, Semaphore::MAX_PERMITS)))
}
