//! Handlers of the routes that every run has, whatever its production: one file for each thing that can be
//! done.

pub(crate) mod asks;
pub(crate) mod audio;
pub mod commands;
pub(crate) mod costs;
pub(crate) mod events;
pub(crate) mod exports;
pub(crate) mod forks;
pub(crate) mod health;
pub(crate) mod recordings;
pub(crate) mod results;
pub(crate) mod runs;
