//! What a production adds to the server.

use std::fmt::Debug;

use utoipa::openapi::OpenApi;

use crate::{
    error::ErrorCode,
    routes::{ApiState, Route},
};

/// A production's side of the API: one value for each, handed to [`guarded`](crate::guarded).
///
/// Every run has the common routes whatever its production is: lists, events, log, transcript, costs,
/// commands, cancelling, forks, removal. A production adds what only it has, at least a way to begin a run.
pub trait ServerProduction: Debug + Send + Sync {
    /// The name of the production, as its runs have it.
    fn name(&self) -> &'static str;

    /// Its own routes, on top of those that every run has. No two routes of a server share a method and a
    /// path.
    fn routes(&self, api: &ApiState) -> Vec<Route>;

    /// What the OpenAPI document says beside the routes, which describe themselves: tags, and the schema of
    /// its metadata. The names of schemas are its own, unless they mean the same everywhere.
    fn document(&self) -> OpenApi {
        OpenApi::default()
    }

    /// The schema in its document that describes the metadata of its runs. Where one production has none, the
    /// document says no more of the metadata of any run than that it is an object.
    fn metadata_schema(&self) -> Option<&'static str> {
        None
    }

    /// The schema in its document that describes its transcripts in the format `json`. Where one production
    /// has none, the document says no more of any transcript than that it is an object.
    fn transcript_schema(&self) -> Option<&'static str> {
        None
    }

    /// The schema in its document that describes the commands to its runs. Where one production has none, the
    /// document says no more of any command than that it is an object.
    fn command_schema(&self) -> Option<&'static str> {
        None
    }

    /// The codes of errors that only its routes answer with.
    fn codes(&self) -> Vec<ErrorCode> {
        Vec::new()
    }
}

/// What `enact serve` is told about the routes of single productions. Each production reads its own part.
#[derive(Debug, Clone, Default)]
pub struct ServingOptions {
    /// How many messages a guest may send in a session.
    pub guest_messages: Option<u32>,
    /// Whether there are the routes below `/games`.
    pub games: bool,
    /// Where the server is reached from outside: `https://play.example.org`.
    pub public_url: Option<String>,
    /// The model that decides for minds; rules, if nothing.
    pub mind_model: Option<String>,
    /// Whether there are the routes that older games call: `/sse`, `/health`, `/logs`.
    pub legacy_mcp: bool,
}
