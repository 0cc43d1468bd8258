//! What the tests of several crates share. A crate has it in `[dev-dependencies]` only.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod own_process;

pub use own_process::{run_in_own_process, run_in_own_process_through};
