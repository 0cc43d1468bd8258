//! What the tests of several crates share. A crate has it in `[dev-dependencies]` only; nothing that is
//! shipped depends on it.
//!
//! * [`waiting`]: waiting for what comes about in its own time, with one timeout for all
//! * [`FaultyStore`]: a store in memory whose faults are switched on and off, or decided call by call
//! * [`Gate`]: what tasks wait at until it is opened
//! * [`test_chorus`]: agents with scripted answers and a voice that hums, for choruses
//! * [`listen_for`]: waiting for a line of the log, where nothing else tells how far something is
//! * [`run_in_own_process`]: for tests that need a process to themselves
//! * [`memory_kib`]: what a process holds in memory
//! * [`run_on_small_disk`]: for tests that fill a disk

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod faulty_store;
mod gate;
mod log_line;
mod own_process;
mod process_memory;
mod small_disk;
mod store_faults;
pub mod test_chorus;
pub mod waiting;

pub use faulty_store::FaultyStore;
pub use gate::Gate;
pub use log_line::{LogLine, LogLines, listen_for, log_lines};
pub use own_process::{run_in_own_process, run_in_own_process_through};
pub use process_memory::memory_kib;
pub use small_disk::{SmallDisk, run_on_small_disk};
pub use store_faults::{StoreCall, StoreFault, StoreFaults};
#[cfg(feature = "paused-time")]
pub use waiting::pass;
pub use waiting::{PATIENCE, in_time, until, until_some};
