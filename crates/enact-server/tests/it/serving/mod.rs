//! The door and the serving loop, over real sockets: what gets in, what does not, and how it ends.

mod limits;
mod log;
mod pages;
mod per_address_limit;
mod raw_requests;
pub(crate) mod server;
mod stopping;
mod tokens;
