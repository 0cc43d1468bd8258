//! Runs over HTTP.

pub mod access;
pub mod limits;
pub mod serve;

pub use limits::Limits;
