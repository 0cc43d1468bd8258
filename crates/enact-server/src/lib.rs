//! Runs over HTTP: started, followed live, steered, branched.
//!
//! Everything here translates: requests into what a [`Node`](enact_engine::Node) can do, and what it did into JSON and
//! server-sent events. No rule of drama lives here, nothing is played here, and no file is read but the audio that runs have left.
//!
//! Read in this order: [`routes`] (every route, and what it takes to use it), [`productions`] (what a production adds), [`error`]
//! (everything that can be answered instead), `api` (what every run has: one file for each thing that can be done), [`scene`] and
//! [`chorus`] (what they have beyond that), [`input`], [`visibility`] and [`run_request`] (requests, who may see what, runs that
//! begin), `event_stream` and `sse` (events, and how they stand on the wire), [`client_events`] (a production's own), [`openapi`] (the
//! same for those who write clients); then [`access`] (who may do what, from where, and how much), [`limits`] and
//! [`serve`](mod@serve) (connections).
//!
//! **Invariant:** nothing outside `scene` knows scenes, and nothing outside `chorus` choruses: a test looks at the imports.

pub mod access;
mod accounts;
mod api;
mod aside;
pub mod chorus;
pub mod client_events;
mod discreet;
pub mod error;
mod event_stream;
pub mod input;
pub mod limits;
mod metrics;
#[cfg(test)]
mod nobody;
pub mod openapi;
pub mod productions;
mod queue;
mod reports;
pub mod routes;
pub mod run_request;
pub mod scene;
pub mod serve;
mod sse;
#[cfg(test)]
mod tests;
pub mod visibility;

pub use api::commands;
pub use chorus::Choruses;
pub use limits::Limits;
pub use productions::ServerProduction;
pub use routes::{Api, Options, Route, guarded, router};
pub use scene::Scenes;
