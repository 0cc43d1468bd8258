//! The door and the serving loop, over real sockets: what gets in, what does not, and how it ends.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod crowds;
mod limits;
mod log;
mod pages;
mod rawness;
mod server;
mod stopping;
mod tokens;
