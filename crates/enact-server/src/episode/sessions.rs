//! `/v1/sessions`: a user's sessions with characters, and the messages of each.

use axum::{
    Json as JsonResponse,
    extract::State,
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response},
};
use enact_drama::{
    Code, Fact, Production, Seq,
    episode::{
        Episode, EpisodeCommand, EpisodeEvent,
        report::{EpisodeReport, scene_card},
    },
    production::{Report, fold},
    record::read_facts,
};
use enact_engine::{Clock, clock::SystemClock, log::RunSummary, node, store::RowQuery};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::{IntoParams, ToSchema};

use super::{EpisodeState, NO_RESULT, NOT_AN_EPISODE, SESSION_BUSY, SESSION_COMPLETE, carry_over};
use crate::{
    client_events::{self, EventsUntil, StreamQuery},
    commands::{self, CommandResult},
    error::{ApiError, ErrorCode},
    extract::{Json, Query, Run, read_body},
    openapi::SentEvent,
    routes::ApiState,
    run_request::RunRequest,
    visibility::Viewer,
};

/// The last event of what a message brings about.
const DONE: &str = "done";
/// How many sessions are listed at once.
const PAGE: usize = 100;

/// A session to begin.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, expecting = "an object with an episode")]
pub(super) struct NewSession {
    /// One of those that `/v1/episodes` lists.
    #[schema(example = "flirt-test")]
    episode: String,
}

/// A session that has begun.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct SessionBegun {
    session_id: String,
    /// The same: a session is a run.
    run_id: String,
    #[schema(value_type = Object)]
    scene_card: Value,
    /// What the character says first.
    opening_message: String,
    starter_prompts: Vec<String>,
}

/// What a user says: words, or a choice.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, expecting = "an object with a text or a choiceId")]
pub(super) struct NewMessage {
    /// Your own name for it: sent again with the same id, it is taken once and told again.
    #[schema(example = "m-1", max_length = 128)]
    id: Option<String>,
    #[schema(example = "Is this seat taken?", max_length = 4_000)]
    text: Option<String>,
    /// An option of the last `choice_prompt`; its label becomes the message.
    #[schema(example = "stay")]
    choice_id: Option<String>,
}

/// Which sessions are wanted.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub(super) struct SessionQuery {
    /// Only those with this character.
    character: Option<String>,
}

/// List episodes
///
/// What can be played here: `slug`, `title`, `character`, `series`, `situation`, `completion_mode`.
#[utoipa::path(
    get, path = "/v1/episodes", operation_id = "listEpisodes", tag = "episodes",
    responses((status = 200, description = "The episodes.", body = Object)),
)]
pub(super) async fn episodes(State(state): State<EpisodeState>) -> JsonResponse<Value> {
    JsonResponse(json!({ "episodes": state.preparer.episodes().await }))
}

/// Begin a session
///
/// It belongs to the account that began it; for others it is not there.
#[utoipa::path(
    post, path = "/v1/sessions", operation_id = "beginSession", tag = "episodes", request_body = NewSession,
    params(("Idempotency-Key" = Option<String>, Header, min_length = 1, max_length = 255,
            description = "A name of your own for this request, so that it can be repeated.")),
    responses((status = 201, description = "It has begun.", body = SessionBegun)),
)]
pub(super) async fn begin(
    State(state): State<EpisodeState>,
    request: RunRequest,
) -> Result<Response, ApiError> {
    let made = request.once(async {
        let NewSession { episode } = read_body(&request.body)?;
        request.enter_queue().await?;
        let mut setup = state.preparer.begin(&episode).await?;
        let account = request.submitter().account;
        carry_over(state.api.node().store(), &account, &mut setup, SystemClock.now_ms()).await?;
        let first = EpisodeEvent::EpisodeBegan { setup: setup.into() };
        Ok(request.submit::<Episode>(first, None).await?)
    });
    let made = made.await?;
    let records = state.api.node().store().read_some(made.run, Seq(0), 1).await?;
    let setup = records.first().and_then(|record| match record.fact::<EpisodeEvent>().ok()?.event {
        EpisodeEvent::EpisodeBegan { setup } => Some(setup),
        _ => None,
    });
    let setup = setup.ok_or_else(|| ApiError::new(NOT_AN_EPISODE, "this is not how an episode begins"))?;
    let begun = SessionBegun {
        session_id: made.run.to_string(),
        run_id: made.run.to_string(),
        scene_card: scene_card(&setup),
        opening_message: setup.template.opening_line.clone(),
        starter_prompts: setup.template.starter_prompts.clone(),
    };
    Ok(made.label((StatusCode::CREATED, JsonResponse(begun)).into_response()))
}

/// List sessions
///
/// The caller's own, the newest first, at most 100.
#[utoipa::path(
    get, path = "/v1/sessions", operation_id = "listSessions", tag = "episodes", params(SessionQuery),
    responses((status = 200, description = "The sessions.", body = Object)),
)]
pub(super) async fn list(
    State(api): State<ApiState>,
    viewer: Viewer,
    Query(query): Query<SessionQuery>,
) -> Result<JsonResponse<Value>, ApiError> {
    let account = (!viewer.sees_all()).then(|| viewer.account().to_owned());
    let wanted = RowQuery { kind: "session".to_owned(), account, most: PAGE, ..RowQuery::default() };
    let rows = api.node().store().rows(&wanted).await?;
    let sessions = rows.iter().filter_map(|stored| serde_json::from_str::<Value>(&stored.row.body).ok());
    let with =
        |session: &Value| query.character.as_deref().is_none_or(|name| session["character_id"] == name);
    let sessions: Vec<Value> = sessions.filter(with).collect();
    Ok(JsonResponse(json!({ "sessions": sessions })))
}

/// Show a session
///
/// Where it stands: `turn_count`, `completion_trigger`, `director_state` with `current_beat`,
/// `beats_completed`, `user_signals`, `tension_curve` and `flags`, and the evaluation once it is complete.
#[utoipa::path(
    get, path = "/v1/sessions/{id}", operation_id = "showSession", tag = "episodes",
    params(("id" = String, Path, format = "uuid", description = "The session.")),
    responses((status = 200, description = "The session.", body = Object)),
)]
pub(super) async fn show(
    State(api): State<ApiState>,
    Run(run): Run,
) -> Result<JsonResponse<Value>, ApiError> {
    let facts = facts_of(&api, &run).await?;
    let (episode, report) = folded(&run, &facts)?;
    let mut told = report.metadata();
    let state = match episode.ended() {
        None if episode.is_complete() => "complete",
        None => "active",
        Some("completed") => "complete",
        Some(_) => "faded",
    };
    if let Some(told) = told.as_object_mut() {
        told.remove("messages");
        told.insert("sessionId".to_owned(), json!(run.run));
        told.insert("session_state".to_owned(), json!(state));
        told.insert("scene_card".to_owned(), scene_card(episode.setup()));
    }
    Ok(JsonResponse(told))
}

/// List the messages of a session
///
/// In order, each answer with its `metadata`: `structured` and `director`.
#[utoipa::path(
    get, path = "/v1/sessions/{id}/messages", operation_id = "listMessages", tag = "episodes",
    params(("id" = String, Path, format = "uuid", description = "The session.")),
    responses((status = 200, description = "The messages.", body = Object)),
)]
pub(super) async fn messages(
    State(api): State<ApiState>,
    Run(run): Run,
) -> Result<JsonResponse<Value>, ApiError> {
    let facts = facts_of(&api, &run).await?;
    let (_, report) = folded(&run, &facts)?;
    Ok(JsonResponse(json!({ "messages": report.metadata()["messages"] })))
}

/// Show what a session came to
///
/// The evaluation of a session that is complete.
#[utoipa::path(
    get, path = "/v1/sessions/{id}/result", operation_id = "showResult", tag = "episodes",
    params(("id" = String, Path, format = "uuid", description = "The session.")),
    responses((status = 200, description = "The result.", body = Object)),
)]
pub(super) async fn result(
    State(api): State<ApiState>,
    Run(run): Run,
) -> Result<JsonResponse<Value>, ApiError> {
    let facts = facts_of(&api, &run).await?;
    let (_, report) = folded(&run, &facts)?;
    match report.metadata().get_mut("evaluation").map(Value::take) {
        Some(evaluation) if !evaluation.is_null() => Ok(JsonResponse(evaluation)),
        _ => Err(ApiError::new(NO_RESULT, format!("session {} is not complete", run.run))),
    }
}

/// End a session
///
/// Its user leaves, with everything said so far.
#[utoipa::path(
    post, path = "/v1/sessions/{id}/end", operation_id = "endSession", tag = "episodes",
    params(("id" = String, Path, format = "uuid", description = "The session.")),
    responses((status = 202, description = "It will end.", body = commands::CommandAccepted)),
)]
pub(super) async fn end(State(api): State<ApiState>, Run(run): Run) -> CommandResult {
    commands::send(&api, run.run, &EpisodeCommand::End {}).await
}

/// Have a session evaluated again
///
/// Where the rules' evaluation stands in for that of a model which gave none (`stands_in_for`), the model is
/// asked once more.
#[utoipa::path(
    post, path = "/v1/sessions/{id}/evaluate", operation_id = "evaluateSession", tag = "episodes",
    params(("id" = String, Path, format = "uuid", description = "The session.")),
    responses((status = 202, description = "It will be evaluated.", body = commands::CommandAccepted)),
)]
pub(super) async fn evaluate(State(api): State<ApiState>, Run(run): Run) -> CommandResult {
    commands::send(&api, run.run, &EpisodeCommand::Evaluate {}).await
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
/// | `done` | the last |
///
/// Before this one is answered another message is refused with `SESSION_BUSY`. A message that is sent again
/// with the same `id` is told again, from its beginning.
#[utoipa::path(
    post, path = "/v1/sessions/{id}/messages", operation_id = "sendMessage", tag = "episodes",
    request_body = NewMessage,
    params(("id" = String, Path, format = "uuid", description = "The session.")),
    responses((status = 200, description = "What happens, as it happens.", body = SentEvent,
               content_type = "text/event-stream",
               example = "id: 12\nevent: done\ndata: {\"type\":\"done\"}\n\n")),
)]
pub(super) async fn send(
    State(api): State<ApiState>,
    Run(run): Run,
    Json(message): Json<NewMessage>,
) -> Result<Response, ApiError> {
    let facts = facts_of(&api, &run).await?;
    let (episode, _) = folded(&run, &facts)?;
    let id = message.id.unwrap_or_else(|| node::new_run().to_string());
    let before = facts.iter().find_map(|fact| match &fact.event {
        EpisodeEvent::MessageReceived { id: taken, .. } if *taken == id && episode.has_message(&id) => {
            Some(fact.seq)
        }
        _ => None,
    });
    if let Some(seq) = before {
        return Ok(EventsUntil::<Episode>::listen(&api, &run, seq, DONE).await?.answer(&api));
    }
    if episode.ended().is_some() || episode.is_complete() {
        return Err(over(&run, &facts));
    }
    let from = facts.last().map_or(Seq(0), |fact| fact.seq.next());
    let command = EpisodeCommand::Message { id, text: message.text, choice_id: message.choice_id };
    let command = serde_json::to_string(&command)
        .map_err(|error| ApiError::new(ErrorCode::InvalidRequest, error.to_string()))?;
    // Before the command: models stream for those who listen by then.
    let events = EventsUntil::<Episode>::listen(&api, &run, from, DONE).await?;
    api.node().command(run.run, &command).await.map_err(|error| match error {
        node::Error::Problem(problem) if problem.code == Code::AskNotOpen => {
            ApiError::with_code(SESSION_BUSY, *problem)
        }
        error => ApiError::invalid_request(error),
    })?;
    Ok(events.answer(&api))
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
pub(super) async fn follow(
    State(api): State<ApiState>,
    Run(run): Run,
    Query(query): Query<StreamQuery>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let followed = client_events::follow::<Episode>(&api, &run, &query, &headers).await;
    followed.map_err(|error| match error.code {
        ErrorCode::WrongProduction => ApiError { code: NOT_AN_EPISODE, ..error },
        _ => error,
    })
}

/// Every fact of a session.
pub(super) async fn facts_of(api: &ApiState, run: &RunSummary) -> Result<Vec<Fact<EpisodeEvent>>, ApiError> {
    if run.production != Episode::NAME {
        return Err(ApiError::new(NOT_AN_EPISODE, format!("run {} is not an episode", run.run)));
    }
    let records = api.node().store().read(run.run, Seq(0)).await?;
    Ok(read_facts(&records)?)
}

fn folded(run: &RunSummary, facts: &[Fact<EpisodeEvent>]) -> Result<(Episode, EpisodeReport), ApiError> {
    let folded = fold(facts).zip(EpisodeReport::of(facts));
    folded.ok_or_else(|| {
        ApiError::new(ErrorCode::RunUnreadable, format!("run {} does not begin like an episode", run.run))
    })
}

/// The session is over; what could come next is said with it.
fn over(run: &RunSummary, facts: &[Fact<EpisodeEvent>]) -> ApiError {
    let next = facts.iter().rev().find_map(|fact| match &fact.event {
        EpisodeEvent::Evaluated { suggestion, .. } => suggestion.as_ref(),
        _ => None,
    });
    let next = next.map_or(Value::Null, |suggestion| suggestion.told());
    ApiError::new(SESSION_COMPLETE, format!("session {} is over", run.run)).with("next_suggestion", next)
}
