//! The door and the serving loop, over real sockets: what gets in, what does not, and how it ends.

mod crowds;
mod limits;
mod log;
mod pages;
mod rawness;
pub(crate) mod server;
mod stopping;
mod tokens;
