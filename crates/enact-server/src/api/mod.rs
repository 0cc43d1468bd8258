//! What every run has over HTTP, whatever its production is: one file for each kind of it.

pub(crate) mod audio;
pub mod commands;
pub(crate) mod costs;
pub(crate) mod events;
pub(crate) mod exports;
pub(crate) mod forks;
pub(crate) mod health;
pub(crate) mod runs;
