//! The server as its clients meet it, over real HTTP.

mod acts;
mod client;
