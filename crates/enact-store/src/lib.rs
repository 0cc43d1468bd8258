//! Where logs live: in SQLite, embedded, or in Postgres, shared by many nodes.
//!
//! Stores keep [`Record`](enact_drama::Record)s for the engine's [`Log`](enact_engine::Log) and
//! [`Store`](enact_engine::Store) ports and give them back byte for byte. They never look into a record: what a fact means
//! is the business of `enact-drama`.
//!
//! Read in this order: [`sqlite`] (the log and what it promises), then within it `writer` (how the appends of all
//! runs become one transaction; `waiting` gathers them, for both databases), `group` (that transaction), `owner` (who
//! plays, and how a dead process is told from a living one), `claims` (which runs they play) and `open` (files,
//! connections, migrations); `queue`, `conversations`, `inbox`, `resting`, `listing`, `derived` (rows that follow from
//! logs), `checkpoints`, `extracts`, `removal` and `backup` are one thing each that is done beside appends. [`postgres`] has the same parts, with `lease` for `owner`, `held` (claims
//! whose answer was lost), `news` (how nodes wake each other), `pool` and `wire` (connections that answer in time and
//! come back).

mod batch;
mod migrations;
pub mod postgres;
pub mod sqlite;
mod waiting;

pub use postgres::PostgresLog;
pub use sqlite::{Durability, Error, SqliteLog};
