//! The server over real HTTP: what it answers, and how it treats connections.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod api;
mod serving;
#[cfg(unix)]
mod serving_descriptors;
mod serving_memory;
#[cfg(target_os = "linux")]
mod stalled_readers;
