//! `GET /v1/runs/{id}/asks`: what people have been asked.

use axum::{Json, extract::State};
use enact_drama::{open_ask::OpenAsk, report::for_programs};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{error::ApiError, extract::Run, routes::ApiState};

/// What people have been asked in a run and not answered.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct OpenAsks {
    asks: Vec<AskView>,
}

/// A question to a person. It is answered with the command `answer`.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Ask)]
pub(crate) struct AskView {
    /// Names it in the answer.
    #[schema(example = 4)]
    ask: u64,
    /// The character that the person plays.
    #[schema(example = "alice")]
    actor: String,
    /// What that character is called on stage.
    #[schema(example = "Alice")]
    name: String,
    #[schema(example = 2)]
    beat: u32,
    /// When it was asked, in UTC.
    #[schema(format = DateTime, example = "2026-03-01T09:30:00.000Z")]
    since: String,
    /// When silence counts as the answer, in UTC; null where the run waits for as long as it takes.
    #[schema(required, format = DateTime, example = "2026-03-01T09:32:00.000Z")]
    until: Option<String>,
    /// What the character is told: the text that a model would get.
    told: String,
    /// What has happened since the character last answered, as it stands in the transcript, a line each.
    #[schema(example = json!(["Bob [TO: Alice, TONE: nervous] \"Have you got a minute?\""]))]
    lines: Vec<String>,
}

impl From<OpenAsk> for AskView {
    fn from(open: OpenAsk) -> AskView {
        AskView {
            ask: open.ask.0,
            actor: open.actor.to_string(),
            name: open.display,
            beat: open.beat,
            since: for_programs(open.since),
            until: open.until.map(for_programs),
            told: open.told,
            lines: open.lines,
        }
    }
}

/// List what people have been asked
///
/// The open asks of characters that are played by people (the model `human`), in cast order; of a run that
/// asks nobody there are none. An ask is answered with the command `answer`, and is gone as soon as that was
/// taken or its time is up. That one is open is told by the event `asked` with a `human` in it.
#[utoipa::path(
    get, path = "/v1/runs/{id}/asks", operation_id = "listAsks", tag = "steering",
    params(("id" = String, Path, format = "uuid", description = "The run.")),
    responses((status = 200, description = "The open asks.", body = OpenAsks)),
)]
pub(crate) async fn list(State(api): State<ApiState>, Run(run): Run) -> Result<Json<OpenAsks>, ApiError> {
    let open = api.node.open_asks(run.run).await?;
    Ok(Json(OpenAsks { asks: open.into_iter().map(AskView::from).collect() }))
}
