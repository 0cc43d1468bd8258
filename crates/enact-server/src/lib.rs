//! Runs over HTTP: started, followed live, steered, branched.
//!
//! Everything here translates: requests into what a [`Node`](enact_engine::Node) can do, and what it did into JSON and
//! server-sent events. No rule of drama lives here, nothing is played here, and no file is read but the audio that runs have left.
//!
//! Read in this order: [`routes`] (every route, and what it takes to use it), [`error`] (everything that can be answered
//! instead), `api` (one file for each thing that can be done), `following` and `sse` (events, and how they stand on the wire), [`openapi`] (the
//! same for those who write clients); then [`access`] (who may do what, from where, and how much), [`limits`] and
//! [`serve`](mod@serve) (connections).

pub mod access;
mod accounts;
mod api;
mod aside;
mod discreet;
pub mod error;
mod following;
mod input;
pub mod limits;
mod metrics;
pub mod openapi;
mod orders;
mod queue;
pub mod routes;
pub mod serve;
mod sse;
mod stories;

pub use limits::Limits;
pub use routes::{Options, guarded, router};
