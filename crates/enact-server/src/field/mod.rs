//! Fields over HTTP: begun, drawn, followed. They are steered by the commands that every run takes.

mod cursor;
mod documented;
mod live;

use std::{fmt::Debug, sync::Arc};

use self::{
    cursor::{FieldCursor, FieldStreamQuery},
    live::{FieldReader, LiveFields, SharedField},
};
use async_trait::async_trait;
use axum::{
    Json as JsonResponse,
    extract::{FromRef, State},
    http::{HeaderMap, StatusCode},
    response::Response,
};
use bytes::Bytes;
use enact_drama::{
    Problem, Production, Seq,
    field::{
        FieldCommand, FieldEvent, FieldRun, FieldSetup,
        report::{entity, event_id, snapshot},
    },
    production::fold,
    record::read_facts,
};
use enact_engine::{
    Store,
    log::{self, RunSummary},
    newest_checkpoint,
};
use serde::Deserialize;
use serde_json::{Value, json};
use utoipa::{OpenApi, ToSchema};

use crate::{
    error::{ApiError, ErrorCode, OwnCode},
    event_stream::{speed, stream_after},
    extract::{PathParams, Query, Run, read_body},
    kept_memories::brought_along,
    openapi::SentEvent,
    productions::ServerProduction,
    route,
    routes::{ApiState, Route},
    run_request::{RunAccepted, RunRequest},
};

const NOT_A_FIELD: ErrorCode = ErrorCode::Own(&OwnCode {
    name: "NOT_A_FIELD",
    status: StatusCode::CONFLICT,
    meaning: "The run is something else than a field: `/v1/runs/{id}/events` tells it.",
});

const NO_SUCH_ENTITY: ErrorCode = ErrorCode::Own(&OwnCode {
    name: "NO_SUCH_ENTITY",
    status: StatusCode::NOT_FOUND,
    meaning: "Nobody and nothing in the field has this name or id.",
});

/// Prepares fields: the operator's project.
#[async_trait]
pub trait PrepareField: Debug + Send + Sync {
    /// What can be played, for clients.
    async fn fields(&self) -> Vec<Value>;

    /// Prepares a run. Nothing is written yet, and no model is asked.
    async fn begin(&self, field: &str, wish: FieldWish) -> Result<FieldSetup, Problem>;
}

/// What a client may choose.
#[derive(Debug, Clone, Default)]
pub struct FieldWish {
    pub minutes: Option<u32>,
    pub speed: Option<u32>,
    pub seed: Option<u64>,
    /// Who is watched from the beginning.
    pub watch: Option<String>,
}

/// The routes of fields, for [`guarded`](crate::guarded).
#[derive(Debug, Clone)]
pub struct FieldRoutes {
    preparer: Arc<dyn PrepareField>,
}

impl FieldRoutes {
    pub fn new(preparer: Arc<dyn PrepareField>) -> FieldRoutes {
        FieldRoutes { preparer }
    }
}

/// The state of its handlers.
#[derive(Debug, Clone)]
struct FieldState {
    api: ApiState,
    preparer: Arc<dyn PrepareField>,
    live: LiveFields,
}

impl FromRef<FieldState> for ApiState {
    fn from_ref(state: &FieldState) -> ApiState {
        state.api.clone()
    }
}

impl ServerProduction for FieldRoutes {
    fn name(&self) -> &'static str {
        FieldRun::NAME
    }

    #[rustfmt::skip]
    fn routes(&self, api: &ApiState) -> Vec<Route> {
        let (api_state, preparer) = (api.clone(), self.preparer.clone());
        let state = &FieldState { api: api_state, preparer, live: LiveFields::default() };
        vec![
            route!(GET  "/v1/fields",             Read, list, state),
            route!(POST "/v1/fields",             Run,  begin, state),
            route!(GET  "/v1/fields/{id}",        Read, show, api),
            route!(GET  "/v1/fields/{id}/events", Read, follow, state),
            route!(GET  "/v1/fields/{id}/entities/{entity}", Read, show_entity, api),
        ]
    }

    fn document(&self) -> utoipa::openapi::OpenApi {
        FieldDocument::openapi()
    }

    fn metadata_schema(&self) -> Option<&'static str> {
        Some("FieldMetadata")
    }

    fn transcript_schema(&self) -> Option<&'static str> {
        Some("FieldTranscript")
    }

    fn command_schema(&self) -> Option<&'static str> {
        Some("FieldCommand")
    }

    fn codes(&self) -> Vec<ErrorCode> {
        vec![NOT_A_FIELD, NO_SUCH_ENTITY]
    }
}

#[derive(OpenApi)]
#[openapi(
    components(schemas(FieldCommand, documented::FieldMetadata, documented::FieldTranscript)),
    tags((name = "fields", description = "People on a map who walk up to each other.")),
)]
struct FieldDocument;

/// A field to begin.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, expecting = "an object with a field")]
struct NewField {
    /// One of those that `/v1/fields` lists.
    #[schema(example = "tavern")]
    field: String,
    /// How long it is played, in minutes of the field.
    #[schema(minimum = 1, maximum = 1440, example = 10)]
    minutes: Option<u32>,
    /// How many seconds of the field pass in one; 0 for as fast as possible.
    #[schema(maximum = 60, example = 5)]
    speed: Option<u32>,
    /// The same seed gives the same field, where built-in models play.
    seed: Option<u64>,
    /// Who is watched from the beginning, by the name on stage: where the operator has named a model (`--minds`), it
    /// decides for those nearby. The command `watch` says so later.
    #[schema(example = "Mara")]
    watch: Option<String>,
}

/// Fills in what the people of a field that remembers bring along from earlier fields and scenes of the account.
pub async fn carry_into_field(
    store: &Arc<dyn Store>,
    account: &str,
    setup: &mut FieldSetup,
) -> Result<(), log::Error> {
    if setup.plan().is_ok_and(|plan| plan.remember) {
        let cast = setup.cast.iter().map(|role| role.name.clone()).collect();
        setup.remembered = brought_along(store, account, cast).await?;
    }
    Ok(())
}

/// List fields
///
/// What can be played here: `name`, `title`, `people`, `minutes`.
#[utoipa::path(
    get, path = "/v1/fields", operation_id = "listFields", tag = "fields",
    responses((status = 200, description = "The fields.", body = Object)),
)]
async fn list(State(state): State<FieldState>) -> JsonResponse<Value> {
    JsonResponse(json!({ "fields": state.preparer.fields().await }))
}

/// Begin a field
///
/// It is steered with `POST /v1/runs/{id}/commands`: `pause`, `resume`, `step`, `speed`, `world_event`, `place`,
/// `remove`, `watch`, `drive`, `act`, `cancel`.
#[utoipa::path(
    post, path = "/v1/fields", operation_id = "beginField", tag = "fields", request_body = NewField,
    params(("Idempotency-Key" = Option<String>, Header, min_length = 1, max_length = 255,
            description = "A name of your own for this request, so that it can be repeated.")),
    responses((status = 202, description = "It will be played.", body = RunAccepted)),
)]
async fn begin(State(state): State<FieldState>, request: RunRequest) -> Result<Response, ApiError> {
    let made = request.once(async {
        let NewField { field, minutes, speed, seed, watch } = read_body(&request.body)?;
        if minutes.is_some_and(|minutes| !(1..=1440).contains(&minutes)) {
            return Err(Problem::config("minutes must be a whole number from 1 to 1440").into());
        }
        if speed.is_some_and(|speed| speed > 60) {
            return Err(Problem::config("speed must be a whole number from 0 to 60").into());
        }
        request.enter_queue().await?;
        let mut setup = state.preparer.begin(&field, FieldWish { minutes, speed, seed, watch }).await?;
        carry_into_field(state.api.node().store(), &request.submitter().account, &mut setup).await?;
        let first = FieldEvent::FieldBegan { setup: setup.into() };
        Ok(request.submit::<FieldRun>(first, None).await?)
    });
    Ok(made.await?.accepted())
}

/// Show a field
///
/// How it stands: `map` (rows of walls and floor), `tick`, `entities` with their cells, states and needs,
/// `interactions`, `bids`, `kinds` (the names of what `kind` counts), `speed`, `paused`, `ended`, `minds` (whether a model
/// decides for those near somebody `watched`). `lastEventId` is the last event that it covers: `/v1/fields/{id}/events`
/// with it as `Last-Event-ID` goes on from there.
#[utoipa::path(
    get, path = "/v1/fields/{id}", operation_id = "showField", tag = "fields",
    params(("id" = String, Path, format = "uuid", description = "The run.")),
    responses((status = 200, description = "The field.", body = Object)),
)]
async fn show(State(api): State<ApiState>, Run(run): Run) -> Result<JsonResponse<Value>, ApiError> {
    standing(&api, &run, snapshot).await.map(JsonResponse)
}

/// Show somebody in a field
///
/// Somebody or something on the map, by its name or its id (`entity_7`): all that `/v1/fields/{id}` tells, and
/// `memory` (what is planned, what was seen and could not be had), the whole `interaction`, and what was `heard`
/// in it.
#[utoipa::path(
    get, path = "/v1/fields/{id}/entities/{entity}", operation_id = "showFieldEntity", tag = "fields",
    params(("id" = String, Path, format = "uuid", description = "The run."),
           ("entity" = String, Path, description = "A name, or an id like `entity_7`.")),
    responses((status = 200, description = "The entity.", body = Object)),
)]
async fn show_entity(
    State(api): State<ApiState>,
    Run(run): Run,
    PathParams(path): PathParams<EntityPath>,
) -> Result<JsonResponse<Value>, ApiError> {
    let name = path.entity.clone();
    let told = standing(&api, &run, move |field| entity(field, &name).unwrap_or_default()).await?;
    if told["id"].is_null() {
        let message = format!("nobody and nothing in this field is called '{}'", path.entity.escape_debug());
        return Err(ApiError::new(NO_SUCH_ENTITY, message));
    }
    Ok(JsonResponse(told))
}

#[derive(Deserialize)]
struct EntityPath {
    entity: String,
}

/// What is told of a field as it stands, with the id of the last event that it covers.
async fn standing(
    api: &ApiState,
    run: &RunSummary,
    told: impl FnOnce(&FieldRun) -> Value + Send + 'static,
) -> Result<Value, ApiError> {
    check_production(run)?;
    let store = api.node().store();
    let first = store.read_some(run.run, Seq(0), 1).await?;
    let checkpoint = match first.first() {
        Some(first) => newest_checkpoint::<FieldRun>(&**store, run.run, first).await?,
        None => None,
    };
    let covered = checkpoint.as_ref().map_or(Seq(0), |(_, next)| *next);
    let facts = read_facts::<FieldEvent>(&store.read(run.run, covered).await?)?;
    // Folding simulates, which is no work for the thread that serves requests.
    let folded = tokio::task::spawn_blocking(move || {
        let last = facts.last().map_or(covered.0.saturating_sub(1), |fact| fact.seq.0);
        let field = match checkpoint {
            Some((mut field, _)) => {
                facts.iter().for_each(|fact| field.apply(fact));
                field
            }
            None => fold(&facts)?,
        };
        let mut told = told(&field);
        told["lastEventId"] = json!(event_id(&field, Seq(last)));
        Some(told)
    });
    folded.await.unwrap_or_default().ok_or_else(|| {
        ApiError::new(ErrorCode::RunUnreadable, format!("run {} does not begin like a field", run.run))
    })
}

/// Follow a field
///
/// It begins with a `snapshot` of how the field stands now and goes on with what changes. Ids are ticks: `120` is the
/// `delta` by which the field came to tick 120, `120.2` the second event after it. With one of them as `Last-Event-ID` the
/// stream goes on after that event; `from=0` tells everything from the beginning.
///
/// | event | data |
/// | --- | --- |
/// | `snapshot` | the field, as `GET /v1/fields/{id}` shows it |
/// | `delta` | `tick`, `entities`: those that have changed, or are `gone`, with `name`, `glyph` and `type` the first time and `needs` where they have changed; `bids`: those that are open |
/// | `bid_settled`, `answer_ignored` | what became of a bid, or of an answer to one |
/// | `interaction_started`, `participant_joined`, `participant_left`, `interaction_ended` | what people do together |
/// | `line`, `line_cut` | what is said, and what was not heard of it |
/// | `world_event`, `placed`, `removed`, `watched`, `driven`, `speed`, `paused`, `continued` | what was done from outside |
/// | `decision_wanted` | `tick`, `entity`, `request`, `observation`: a character that is driven from outside is to do something; the command `act` says what |
/// | `error` | a command that was accepted could not be carried out any more |
/// | `mind_differed`, `stuck` | for people looking for a fault |
/// | `done` | the last |
#[utoipa::path(
    get, path = "/v1/fields/{id}/events", operation_id = "followField", tag = "fields",
    params(("id" = String, Path, format = "uuid", description = "The run."), FieldStreamQuery,
           ("Last-Event-ID" = Option<String>, Header, example = "120.2",
            description = "The `id` of the last event that was seen.")),
    responses((status = 200, description = "The events.", body = SentEvent, content_type = "text/event-stream",
               example = "id: 40\nevent: delta\ndata: {\"tick\":40,\"entities\":[]}\n\n")),
)]
async fn follow(
    State(state): State<FieldState>,
    Run(run): Run,
    headers: HeaderMap,
    Query(query): Query<FieldStreamQuery>,
) -> Result<Response, ApiError> {
    let FieldState { api, live, .. } = &state;
    check_production(&run)?;
    let (cursor, speed) =
        (FieldCursor::read(&headers, &query)?, query.speed.as_deref().map(speed).transpose()?);
    let store = &**api.node().store();
    let wanted = cursor.find(store, &run).await?;
    let shared = live
        .get(run.run)
        .filter(|field| speed.is_none() && wanted.is_none_or(|wanted| field.lock().kept_from <= wanted));
    let field = match shared {
        Some(field) => field,
        None => {
            let field = SharedField::open(store, run.run, wanted).await?;
            // One that is told of the past is no company for those who want the present.
            if speed.is_none() && wanted.is_none_or(|wanted| wanted.0 == run.events) {
                live.add(run.run, &field);
            }
            field
        }
    };
    let (next, first) = {
        let field = field.lock();
        (field.next, if wanted.is_none() { field.standing() } else { Bytes::new() })
    };
    let from = wanted.unwrap_or(next);
    let follower = api.node().follow_found(&run, from.min(next));
    let follower = match speed {
        Some(speed) => follower.at(speed),
        None => follower,
    };
    let reader = FieldReader { field, from, is_behind: false };
    Ok(stream_after(api, run.run, first, follower, reader))
}

fn check_production(run: &RunSummary) -> Result<(), ApiError> {
    match run.production == FieldRun::NAME {
        true => Ok(()),
        false => Err(ApiError::new(NOT_A_FIELD, format!("run {} is not a field", run.run))),
    }
}
