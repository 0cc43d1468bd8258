//! Every store: the contract of all, and what only one of them promises.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod contract;
#[cfg(feature = "postgres-tests")]
mod database;
#[cfg(target_os = "linux")]
mod playing_memory;
#[cfg(feature = "postgres-tests")]
mod postgres;
#[cfg(target_os = "linux")]
mod sqlite;
