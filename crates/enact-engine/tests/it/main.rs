//! The engine, with scripted models, paused time and injected faults.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod architecture;
mod branching;
mod chorus;
#[cfg(target_os = "linux")]
mod following_memory;
mod node;
mod performing;
mod recorder;
mod recording;
mod registry;
mod resting;
mod submitting;
mod telemetry;
