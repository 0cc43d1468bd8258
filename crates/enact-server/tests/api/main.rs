//! The API over real HTTP.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod beginning;
mod broken;
mod costs;
mod described;
mod events;
mod forms;
mod fuzz;
mod reading;
mod server;
mod steering;
mod stream;
mod watching;
