//! `/v1/sessions/{id}/messages`: what is said in a session, and what comes of it.

use axum::{Json as JsonResponse, extract::State, response::Response};
use enact_drama::{
    Production, Seq,
    episode::{Episode, EpisodeCommand, EpisodeEvent},
    production::Report,
};
use enact_engine::{log::RunSummary, node};
use serde::Deserialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::{
    EpisodeState, NOT_AN_EPISODE, SESSION_COMPLETE,
    sessions::{facts_of, is_episode, report},
};
use crate::{
    client_events::{self, EventsUntil, FollowRequest, StreamQuery},
    error::ApiError,
    extract::{Json, Run},
    openapi::SentEvent,
    routes::ApiState,
    visibility::Viewer,
};

/// The last event of what a message brings about.
const DONE: &str = "done";

/// What a user says: words, or a choice.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, expecting = "an object with a text or a choiceId")]
pub(super) struct NewMessage {
    /// Your own name for it: sent again with the same id, it is taken once and told again.
    #[schema(example = "m-1", max_length = 128)]
    pub(super) id: Option<String>,
    #[schema(example = "Is this seat taken?", max_length = 4_000)]
    pub(super) text: Option<String>,
    /// An option of the last `choice_prompt`; its label becomes the message.
    #[schema(example = "stay")]
    pub(super) choice_id: Option<String>,
}

/// List the messages of a session
///
/// In order, each answer with its `metadata`: `structured` and `director`.
#[utoipa::path(
    get, path = "/v1/sessions/{id}/messages", operation_id = "listMessages", tag = "episodes",
    params(("id" = String, Path, format = "uuid", description = "The session.")),
    responses((status = 200, description = "The messages.", body = Object)),
)]
pub(super) async fn list(
    State(api): State<ApiState>,
    Run(run): Run,
) -> Result<JsonResponse<Value>, ApiError> {
    let facts = facts_of(&api, &run).await?;
    Ok(JsonResponse(json!({ "messages": report(&run, &facts)?.metadata()["messages"] })))
}

/// Say something
///
/// The answer is a stream of server-sent events, each with its name as `event` and as `type` in its data:
///
/// | event | data |
/// | --- | --- |
/// | `chunk` | `content`: a piece of the answer as people see it; provisional, without an `id` |
/// | `message_complete` | `content`, `structured`, `director` (`turn_count`, `turns_remaining`, `beat`, `completion_eligible`) |
/// | `beat` | `index`, `of`; only where the author shows it |
/// | `choice_prompt` | `id`, `prompt`, `choices` |
/// | `suggestion` | `next_suggestion` |
/// | `episode_complete` | `trigger`, `evaluation`, `share_id`, `next_suggestion` |
/// | `error` | `error` (`type`, `message`): no answer came, the message counts as not sent |
/// | `done` | the last: `content` (the answer once more, if there was one), `session_id`, `director` |
///
/// Before this one is answered another message is refused with `SESSION_BUSY`. A message that is sent again
/// with the same `id` is told again, from its beginning: while its answer is under way, that joins its stream.
/// Of an answer that failed an `error` tells, and then `done`; it counts no turn, and may be sent again.
#[utoipa::path(
    post, path = "/v1/sessions/{id}/messages", operation_id = "sendMessage", tag = "episodes",
    request_body = NewMessage,
    params(("id" = String, Path, format = "uuid", description = "The session.")),
    responses((status = 200, description = "What happens, as it happens.", body = SentEvent,
               content_type = "text/event-stream",
               example = "id: 12\nevent: done\ndata: {\"type\":\"done\"}\n\n")),
)]
pub(super) async fn send(
    State(state): State<EpisodeState>,
    viewer: Viewer,
    Run(run): Run,
    Json(message): Json<NewMessage>,
) -> Result<Response, ApiError> {
    Ok(say(&state, &viewer, &run, message).await?.answer(&state.api))
}

/// Has a user say something, and listens to what comes of it.
pub(super) async fn say(
    state: &EpisodeState,
    viewer: &Viewer,
    run: &RunSummary,
    message: NewMessage,
) -> Result<EventsUntil<Episode>, ApiError> {
    let api = &state.api;
    is_episode(run)?;
    let held = api.node().hold::<Episode>(run.run).await?;
    let (facts, episode) = (&held.facts, &held.state);
    let id = message.id.unwrap_or_else(|| node::new_run().to_string());
    // The last of them: one whose answer failed may have been sent again.
    let before = facts.iter().rev().find_map(|fact| match &fact.event {
        EpisodeEvent::MessageReceived { id: taken, .. } if *taken == id => Some(fact.seq),
        _ => None,
    });
    if let Some(seq) = before.filter(|_| episode.has_message(&id)) {
        return EventsUntil::listen(api, run, facts, seq, DONE);
    }
    if episode.ended().is_some() || episode.is_complete() {
        return Err(over(run, facts));
    }
    state.guests.check_message(viewer, facts)?;
    let command = EpisodeCommand::Message { id, text: message.text, choice_id: message.choice_id };
    let from = facts.last().map_or(Seq(0), |fact| fact.seq.next());
    // Before the command: models stream for those who listen by then.
    let events = EventsUntil::listen(api, run, facts, from, DONE)?;
    api.node().command_held(held, command).await.map_err(ApiError::invalid_request)?;
    Ok(events)
}

/// Follow a session
///
/// The same events as those that answer messages, from any of them on. A client that comes back with
/// `Last-Event-ID` (or `from`) misses nothing and sees nothing twice. The stream ends with the session.
#[utoipa::path(
    get, path = "/v1/sessions/{id}/events", operation_id = "followSession", tag = "episodes",
    params(("id" = String, Path, format = "uuid", description = "The session."), StreamQuery,
           ("Last-Event-ID" = Option<u64>, Header, description = "The `id` of the last event that was seen.")),
    responses((status = 200, description = "The events.", body = SentEvent, content_type = "text/event-stream",
               example = "id: 12\nevent: done\ndata: {\"type\":\"done\"}\n\n")),
)]
pub(super) async fn follow(request: FollowRequest) -> Result<Response, ApiError> {
    client_events::follow::<Episode>(request, NOT_AN_EPISODE).await
}

/// The session is over; what could come next is said with it.
fn over(run: &RunSummary, facts: &[enact_drama::Fact<EpisodeEvent>]) -> ApiError {
    let next = facts.iter().rev().find_map(|fact| match &fact.event {
        EpisodeEvent::Evaluated { suggestion, .. } => suggestion.as_ref(),
        _ => None,
    });
    let next = next.map_or(Value::Null, |suggestion| suggestion.told());
    ApiError::new(SESSION_COMPLETE, format!("session {} is over", run.run))
        .with("next_suggestion", next)
        .hint(format!("POST /v1/sessions/{}/resume goes on with the same character", run.run))
}
