//! Runs over HTTP: started, followed live, steered, branched.
//!
//! This crate translates: requests into calls of a [`Node`](enact_engine::Node), and what came of them into
//! JSON and server-sent events. It has no rules of drama and plays nothing. The only files it touches are the
//! audio of runs, sheets and scenes that are edited (`scene/editing`), and a page that is served from disk.
//!
//! Read in this order:
//!
//! * [`routes`]: the route table, and [`productions`], what a production adds to it, as the operator's
//!   [`ServingOptions`] say;
//! * handlers: `api` for every run, [`scene`] (`POST /v1/scenes`), [`chorus`] (`POST /v1/chat`),
//!   [`episode`] (`POST /v1/sessions`), [`field`] (`POST /v1/fields`) and [`mind`] (`POST /v1/minds`) for what
//!   only they have;
//! * what handlers use: [`extract`] and [`run_request`] (requests, the queue limit), [`visibility`] (who may
//!   see which run), `event_stream`, [`client_events`] and `sse` (streams), `reports`, `offline_file` and
//!   `cost_index` (folded logs), [`error`], `redact`;
//! * [`openapi`]: the document that describes all of it, and `page`, the web page beside it;
//! * [`access`], [`limits`] and [`serve`](mod@serve): who may call, how much at once, and connections.
//!
//! **Invariant:** nothing outside `scene` knows scenes, nothing outside `chorus` choruses, nothing outside
//! `episode` episodes, nothing outside `field` fields, and nothing outside `mind` minds: a test looks at the
//! imports.

pub mod access;
mod api;
pub mod chorus;
pub mod client_events;
mod cost_index;
pub mod episode;
pub mod error;
mod event_stream;
pub mod extract;
pub mod field;
pub mod kept_memories;
pub mod limits;
mod metrics;
pub mod mind;
mod offline_file;
pub mod openapi;
mod page;
pub mod productions;
mod redact;
mod reports;
pub mod routes;
pub mod run_request;
pub mod scene;
pub mod serve;
mod sse;
mod store_probe;
#[cfg(test)]
mod tests;
pub mod visibility;

pub use api::commands;
pub use chorus::ChorusRoutes;
pub use episode::EpisodeRoutes;
pub use field::FieldRoutes;
pub use limits::Limits;
pub use mind::MindRoutes;
pub use offline_file::offline_file;
pub use productions::ServerProduction;
pub use productions::ServingOptions;
pub use routes::{ApiState, Route, ServerOptions, guarded, router};
pub use scene::SceneRoutes;
