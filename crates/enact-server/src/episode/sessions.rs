//! `/v1/sessions`: a user's sessions with characters, and the messages of each.

use std::sync::Arc;

use axum::{
    Json as JsonResponse,
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use enact_drama::{
    Fact, Production, Record, RunId, Seq,
    episode::{
        Episode, EpisodeCommand, EpisodeEvent, EpisodeSetup,
        report::{EpisodeReport, scene_card},
    },
    production::{Report, fold},
    record::read_facts,
};
use enact_engine::{
    Clock,
    clock::SystemClock,
    log::RunSummary,
    node::{self, Submitter},
    store::RowQuery,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::{EpisodeState, NO_RESULT, NOT_AN_EPISODE, carry_over, guests::ClientAddress};
use crate::{
    access::Guest,
    commands::{self, CommandResult},
    error::{ApiError, ErrorCode},
    extract::{Query, Run, read_body},
    routes::ApiState,
    run_request::{MadeRun, RunRequest},
    visibility::Viewer,
};

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
    /// For a guest who has none yet: the id to send with every request from now on, as `X-Anonymous-Id`.
    /// It is not told again.
    #[serde(skip_serializing_if = "Option::is_none")]
    anonymous_id: Option<String>,
    /// The session that it goes on with.
    #[serde(skip_serializing_if = "Option::is_none")]
    continues: Option<String>,
    /// How many messages a guest may send in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    messages_remaining: Option<u32>,
}

impl SessionBegun {
    fn of(setup: &EpisodeSetup, state: &EpisodeState, viewer: &Viewer) -> SessionBegun {
        SessionBegun {
            session_id: setup.run.to_string(),
            run_id: setup.run.to_string(),
            scene_card: scene_card(setup),
            opening_message: setup.template.opening_line.clone(),
            starter_prompts: setup.template.starter_prompts.clone(),
            anonymous_id: viewer.guest().and_then(Guest::issued).map(str::to_owned),
            continues: None,
            messages_remaining: viewer.guest().map(|_| state.guests.messages()),
        }
    }
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
/// What can be played here: `slug`, `title`, `character`, `character_name` (on stage), `series`, `situation`,
/// `completion_mode`.
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
    viewer: Viewer,
    client: ClientAddress,
    request: RunRequest,
) -> Result<Response, ApiError> {
    let made = request.once(async {
        let NewSession { episode } = read_body(&request.body)?;
        state.guests.check_begin(&viewer, client)?;
        request.enter_queue().await?;
        submit(&state, &request, &episode).await
    });
    begun(&state, &viewer, made.await?).await
}

/// Begins a session of an episode with what was remembered of its user.
pub(super) async fn submit(
    state: &EpisodeState,
    request: &RunRequest,
    episode: &str,
) -> Result<MadeRun, ApiError> {
    let mut setup = state.preparer.begin(episode).await?;
    let account = request.submitter().account;
    carry_over(state.api.node().store(), &account, &mut setup, SystemClock.now_ms()).await?;
    let first = EpisodeEvent::EpisodeBegan { setup: setup.into() };
    Ok(request.submit::<Episode>(first, None).await?)
}

/// The response to a request that began a session.
async fn begun(state: &EpisodeState, viewer: &Viewer, made: MadeRun) -> Result<Response, ApiError> {
    let setup = setup_of(&state.api, made.run).await?;
    let body = JsonResponse(SessionBegun::of(&setup, state, viewer));
    Ok(made.label((StatusCode::CREATED, body).into_response()))
}

/// How a session began.
pub(super) async fn setup_of(api: &ApiState, run: RunId) -> Result<Arc<EpisodeSetup>, ApiError> {
    let records = api.node().store().read_some(run, Seq(0), 1).await?;
    let setup = records.first().and_then(|record| match record.fact::<EpisodeEvent>().ok()?.event {
        EpisodeEvent::EpisodeBegan { setup } => Some(setup),
        _ => None,
    });
    setup.ok_or_else(|| ApiError::new(NOT_AN_EPISODE, format!("run {run} does not begin like an episode")))
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
    let episode = folded(&run, &facts)?;
    let mut told = report(&run, &facts)?.metadata();
    if let Some(told) = told.as_object_mut() {
        told.remove("messages");
        told.insert("sessionId".to_owned(), json!(run.run));
        told.insert("session_state".to_owned(), json!(episode.session_state()));
        told.insert("scene_card".to_owned(), scene_card(episode.setup()));
    }
    Ok(JsonResponse(told))
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
    Ok(JsonResponse(evaluation(&api, &run).await?))
}

/// The evaluation of a session that is complete.
pub(super) async fn evaluation(api: &ApiState, run: &RunSummary) -> Result<Value, ApiError> {
    let facts = facts_of(api, run).await?;
    match report(run, &facts)?.metadata().get_mut("evaluation").map(Value::take) {
        Some(evaluation) if !evaluation.is_null() => Ok(evaluation),
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

/// Go on with a session
///
/// One that is not over is told again (200): it goes on with the next message. One that is over goes on as a
/// new, open session with the same character, who remembers it (201); `continues` names the old one.
#[utoipa::path(
    post, path = "/v1/sessions/{id}/resume", operation_id = "resumeSession", tag = "episodes",
    params(("id" = String, Path, format = "uuid", description = "The session.")),
    responses((status = 200, description = "It goes on.", body = SessionBegun),
              (status = 201, description = "A new one goes on.", body = SessionBegun)),
)]
pub(super) async fn resume(
    State(state): State<EpisodeState>,
    viewer: Viewer,
    client: ClientAddress,
    Run(run): Run,
) -> Result<Response, ApiError> {
    let api = &state.api;
    let facts = facts_of(api, &run).await?;
    let episode = folded(&run, &facts)?;
    if episode.ended().is_none() && !episode.is_complete() {
        return Ok(JsonResponse(SessionBegun::of(episode.setup(), &state, &viewer)).into_response());
    }
    state.guests.check_begin(&viewer, client)?;
    api.queue_limit.admit(&**api.node().store()).await?;
    let came_to = facts.iter().rev().find_map(|fact| match &fact.event {
        EpisodeEvent::Evaluated { evaluation, .. } => {
            evaluation.text("summary").or_else(|| evaluation.text("current_theory"))
        }
        _ => None,
    });
    let mut setup = episode.going_on(node::new_run(), new_share_id(), came_to);
    // What came before is known; what is remembered of it is looked up.
    let so_far = std::mem::take(&mut setup.so_far);
    carry_over(api.node().store(), &run.account, &mut setup, SystemClock.now_ms()).await?;
    setup.so_far = so_far;
    let body =
        SessionBegun { continues: Some(run.run.to_string()), ..SessionBegun::of(&setup, &state, &viewer) };
    let first = EpisodeEvent::EpisodeBegan { setup: setup.into() };
    let first = Record::of(&Fact { seq: Seq(0), at: SystemClock.now_ms(), event: first });
    // It stays with those who own the old one, also where an administrator asks.
    let by = Submitter { account: run.account.clone(), idempotency_key: None, next: None };
    let submitted = api.node().submit(first, by).await?;
    Ok(MadeRun::from(submitted).label((StatusCode::CREATED, JsonResponse(body)).into_response()))
}

/// A name that cannot be guessed: 244 random bits. The ids of runs begin with the time.
pub fn new_share_id() -> String {
    format!("{}{}", Uuid::new_v4().simple(), Uuid::new_v4().simple())
}

/// Remove a session
///
/// Its log, its messages, its result wherever it is shared, and what the character remembers of it are gone
/// for good. While a message is being answered it is refused with `RUN_PLAYING`.
#[utoipa::path(
    delete, path = "/v1/sessions/{id}", operation_id = "deleteSession", tag = "episodes",
    params(("id" = String, Path, format = "uuid", description = "The session.")),
    responses((status = 204, description = "It is gone.")),
)]
pub(super) async fn delete(State(state): State<EpisodeState>, Run(run): Run) -> Result<StatusCode, ApiError> {
    is_episode(&run)?;
    state.api.node().delete(run.run).await?;
    #[cfg(feature = "share-images")]
    state.pictures.forget(run.run);
    Ok(StatusCode::NO_CONTENT)
}

/// The log of a session.
pub(super) async fn facts_of(api: &ApiState, run: &RunSummary) -> Result<Vec<Fact<EpisodeEvent>>, ApiError> {
    is_episode(run)?;
    Ok(read_facts(&api.node().store().read(run.run, Seq(0)).await?)?)
}

pub(super) fn is_episode(run: &RunSummary) -> Result<(), ApiError> {
    match run.production == Episode::NAME {
        true => Ok(()),
        false => Err(ApiError::new(NOT_AN_EPISODE, format!("run {} is not an episode", run.run))),
    }
}

pub(super) fn folded(run: &RunSummary, facts: &[Fact<EpisodeEvent>]) -> Result<Episode, ApiError> {
    fold(facts).ok_or_else(|| no_beginning(run))
}

pub(super) fn report(run: &RunSummary, facts: &[Fact<EpisodeEvent>]) -> Result<EpisodeReport, ApiError> {
    EpisodeReport::of(facts).ok_or_else(|| no_beginning(run))
}

fn no_beginning(run: &RunSummary) -> ApiError {
    ApiError::new(ErrorCode::RunUnreadable, format!("run {} does not begin like an episode", run.run))
}
