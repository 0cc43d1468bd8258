//! Episodes over HTTP: sessions, messages, and what comes of them.

mod carried;
mod documented;
mod games;
mod guests;
mod insight;
mod messages;
mod sessions;
mod share;

use std::{fmt::Debug, sync::Arc};

use async_trait::async_trait;
use axum::{extract::FromRef, http::StatusCode};
use enact_drama::{
    Problem, Production,
    episode::{Episode, EpisodeCommand, EpisodeSetup},
};
use serde_json::Value;
use utoipa::OpenApi;

pub use self::{carried::carry_over, sessions::new_share_id};
use self::{guests::GuestLimits, share::PublicUrl};
use crate::{
    ServingOptions,
    error::{ErrorCode, OwnCode},
    productions::ServerProduction,
    route,
    routes::{ApiState, Route},
};

const NOT_AN_EPISODE: ErrorCode = ErrorCode::Own(&OwnCode {
    name: "NOT_AN_EPISODE",
    status: StatusCode::CONFLICT,
    meaning: "The run is something else than an episode: `/v1/runs/{id}/events` tells it.",
});

const SESSION_COMPLETE: ErrorCode = ErrorCode::Own(&OwnCode {
    name: "SESSION_COMPLETE",
    status: StatusCode::CONFLICT,
    meaning: "The session is over. `next_suggestion` says what could come next.",
});

const NO_RESULT: ErrorCode = ErrorCode::Own(&OwnCode {
    name: "NO_RESULT",
    status: StatusCode::NOT_FOUND,
    meaning: "There is no such result, or not yet.",
});

const GUEST_LIMIT: ErrorCode = ErrorCode::Own(&OwnCode {
    name: "GUEST_LIMIT",
    status: StatusCode::FORBIDDEN,
    meaning: "A guest has sent as many messages in the session as guests may: `messages_sent`, `limit`.",
});

const NO_GAME: ErrorCode = ErrorCode::Own(&OwnCode {
    name: "NO_GAME",
    status: StatusCode::NOT_FOUND,
    meaning: "There is no series and no episode of this name.",
});

const NO_ANSWER: ErrorCode = ErrorCode::Own(&OwnCode {
    name: "NO_ANSWER",
    status: StatusCode::BAD_GATEWAY,
    meaning: "The model gave no answer. The message counts as not sent.",
});

/// Prepares sessions: the operator's project.
#[async_trait]
pub trait PrepareEpisode: Debug + Send + Sync {
    /// What can be played, for clients.
    async fn episodes(&self) -> Vec<Value>;

    /// The episode to begin with: the first of the first of these series that is there, or an episode of that
    /// name.
    async fn entry_episode(&self, names: &[String]) -> Option<String>;

    /// Prepares a session. Nothing is written yet, and no model is asked.
    async fn begin(&self, episode: &str) -> Result<EpisodeSetup, Problem>;
}

/// Enough for any bounded episode.
pub const DEFAULT_GUEST_MESSAGES: u32 = 20;

/// The routes of episodes, for [`guarded`](crate::guarded).
#[derive(Debug, Clone)]
pub struct EpisodeRoutes {
    preparer: Arc<dyn PrepareEpisode>,
    guests: GuestLimits,
    games: bool,
    public_url: PublicUrl,
}

impl EpisodeRoutes {
    pub fn new(preparer: Arc<dyn PrepareEpisode>) -> EpisodeRoutes {
        let guests = GuestLimits::new(DEFAULT_GUEST_MESSAGES);
        EpisodeRoutes { preparer, guests, games: false, public_url: PublicUrl::default() }
    }

    pub fn with(self, options: &ServingOptions) -> Result<EpisodeRoutes, Problem> {
        let public_url = options.public_url.as_deref().map(PublicUrl::read).transpose();
        Ok(EpisodeRoutes {
            guests: GuestLimits::new(options.guest_messages.unwrap_or(DEFAULT_GUEST_MESSAGES)),
            games: options.games,
            public_url: public_url.map_err(|problem| problem.about("--public-url"))?.unwrap_or_default(),
            ..self
        })
    }
}

/// The state of its handlers.
#[derive(Debug, Clone)]
struct EpisodeState {
    api: ApiState,
    preparer: Arc<dyn PrepareEpisode>,
    guests: GuestLimits,
    public_url: PublicUrl,
    #[cfg(feature = "share-images")]
    pictures: share::Pictures,
}

impl FromRef<EpisodeState> for ApiState {
    fn from_ref(state: &EpisodeState) -> ApiState {
        state.api.clone()
    }
}

impl ServerProduction for EpisodeRoutes {
    fn name(&self) -> &'static str {
        Episode::NAME
    }

    #[rustfmt::skip]
    fn routes(&self, api: &ApiState) -> Vec<Route> {
        let state = &EpisodeState {
            api: api.clone(),
            preparer: self.preparer.clone(),
            guests: self.guests.clone(),
            public_url: self.public_url.clone(),
            #[cfg(feature = "share-images")]
            pictures: share::Pictures::default(),
        };
        let mut routes = vec![
            route!(GET    "/v1/episodes",               Read, sessions::episodes, state).guests(),
            route!(POST   "/v1/sessions",               Run,  sessions::begin, state).guests(),
            route!(GET    "/v1/sessions",               Read, sessions::list, api).guests(),
            route!(GET    "/v1/sessions/{id}",          Read, sessions::show, api).guests(),
            route!(DELETE "/v1/sessions/{id}",          Run,  sessions::delete, state).guests(),
            route!(GET    "/v1/sessions/{id}/messages", Read, messages::list, api).guests(),
            route!(POST   "/v1/sessions/{id}/messages", Run,  messages::send, state).streams().guests(),
            route!(GET    "/v1/sessions/{id}/events",   Read, messages::follow, api).guests(),
            route!(GET    "/v1/sessions/{id}/result",   Read, sessions::result, api).guests(),
            route!(GET    "/v1/sessions/{id}/insight",  Read, insight::insight, api),
            route!(POST   "/v1/sessions/{id}/evaluate", Run,  sessions::evaluate, api),
            route!(POST   "/v1/sessions/{id}/end",      Run,  sessions::end, api).guests(),
            route!(POST   "/v1/sessions/{id}/resume",   Run,  sessions::resume, state).guests(),
            route!(POST   "/v1/sessions/{id}/share",    Run,  share::restore, state).guests(),
            route!(DELETE "/v1/sessions/{id}/share",    Run,  share::revoke, state).guests(),
            route!(GET    "/v1/share/{id}",             Read, share::result, api).open(),
            route!(GET    "/r/{id}",                    Read, share::page::page, state).open(),
            route!(GET    "/r/page.css",                Read, share::page::style, state).open(),
        ];
        #[cfg(feature = "share-images")]
        routes.push(route!(GET "/r/{id}/card.png",      Read, share::picture::picture, state).open());
        if self.games {
            routes.extend([
                route!(POST "/games/{slug}/start",                    Run,  games::start, state).guests(),
                route!(POST "/games/{slug}/{session}/message",        Run,  games::message, state).guests(),
                route!(POST "/games/{slug}/{session}/message/stream", Run,  games::stream, state).streams().guests(),
                route!(GET  "/games/{slug}/{session}/result",         Read, games::result, state).guests(),
                route!(GET  "/games/r/{share}",                       Read, games::shared, state).open(),
                route!(POST "/games/r/{share}/view",                  Read, games::view, state).guests(),
            ]);
        }
        routes
    }

    fn document(&self) -> utoipa::openapi::OpenApi {
        EpisodeDocument::openapi()
    }

    fn metadata_schema(&self) -> Option<&'static str> {
        Some("EpisodeMetadata")
    }

    fn transcript_schema(&self) -> Option<&'static str> {
        Some("EpisodeTranscript")
    }

    fn command_schema(&self) -> Option<&'static str> {
        Some("EpisodeCommand")
    }

    fn codes(&self) -> Vec<ErrorCode> {
        vec![NOT_AN_EPISODE, SESSION_COMPLETE, NO_RESULT, GUEST_LIMIT, NO_GAME, NO_ANSWER]
    }
}

#[derive(OpenApi)]
#[openapi(
    components(schemas(EpisodeCommand, documented::EpisodeMetadata, documented::EpisodeTranscript)),
    tags((name = "episodes", description = "A user talks with a character; a director keeps track."),
         (name = "games", description = "Bounded episodes, as an earlier product's clients call them.")),
)]
struct EpisodeDocument;
