//! Where logs live: in SQLite, embedded, or in Postgres, shared by many nodes.
//!
//! Stores keep [`Record`](enact_drama::Record)s for the engine's [`Log`](enact_engine::Log) and
//! [`Store`](enact_engine::Store) ports and give them back byte for byte. They never look into a record: what
//! a fact means is the business of `enact-drama`.
//!
//! Read in this order: [`sqlite`] (the store and what it promises), then within it `writer` (the one task
//! that writes, with jobs from `batch_receiver`), `append_batch` (the appends of many runs as one
//! transaction), `wal` (copying the write-ahead log), `process_lock` (how a dead process is told from a
//! living one), `claims` (which process plays which run, and runs that rest), `open` (files, connections,
//! migrations) and `file_id` (whether a file is still the same). `store` has the port's functions, and `events`
//! (records and checkpoints), `queue`, `conversations`, `inbox`, `listing`, `rows` (rows that follow from logs),
//! `extracts`, `counters`, `delete` and `backup` are one thing each. [`postgres`] has the same parts, with
//! `resting` apart from `claims`, with `lease` for `process_lock`, `claim_tracker` (claims whose answers were lost), `notify`
//! (how nodes wake each other), `pool` and `reconnect` (connections with timeouts that come back).

/// A future that its maker has boxed: the body of an `async fn` would be compiled again, with the whole
/// driver below it, in the crate that awaits it.
type BoxFuture<'a, T> = std::pin::Pin<Box<dyn Future<Output = T> + Send + 'a>>;

mod batch;
mod batch_receiver;
mod migrations;
#[cfg(feature = "postgres")]
pub mod postgres;
pub mod sqlite;

#[cfg(feature = "postgres")]
pub use postgres::PostgresStore;
pub use sqlite::{Durability, Error, SqliteStore};
