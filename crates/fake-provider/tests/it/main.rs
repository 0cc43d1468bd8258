//! The server as its clients meet it, over real HTTP.

mod acts;
mod caching;
mod client;
mod formats;
mod manners;
mod speaking;
