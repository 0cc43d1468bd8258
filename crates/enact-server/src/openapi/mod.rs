//! The API for those who write clients: an OpenAPI document, made from the handlers themselves.
//!
//! `shapes` then mends what the schemas derived from Rust types do not say well to programs that generate
//! clients, and `by_production` describes what differs between productions.

mod by_production;
mod shapes;

use std::{collections::BTreeMap, fmt::Write, sync::Arc};

use axum::{
    extract::State,
    http::header::CONTENT_TYPE,
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use enact_engine::log::Status;
use serde::Serialize;
use serde_json::Value;
use utoipa::{
    OpenApi, ToSchema,
    openapi::{
        Content, Ref, RefOr, ResponseBuilder,
        path::Operation,
        security::{Http, HttpAuthScheme, SecurityRequirement, SecurityScheme},
    },
};

use crate::{
    api::exports::TranscriptFormat,
    error::ErrorCode,
    productions::ServerProduction,
    routes::{self, ApiState, Route},
};

/// How tokens are called in the document.
const TOKEN: &str = "token";

#[derive(OpenApi)]
#[openapi(
    info(
        title = "enact",
        description = "Runs of productions: scenes between characters, choruses of agents, and whatever else this server plays. Started, followed live, steered and branched.",
        license(name = "MIT OR Apache-2.0"),
    ),
    components(schemas(Error, Status, TranscriptFormat, SentEvent, LogEvent)),
    tags(
        (name = "runs", description = "Performances: begin them, follow them, read them."),
        (name = "steering", description = "Commands to a run. The process that plays it takes them up within a moment."),
        (name = "costs", description = "What it took."),
        (name = "server", description = "Whether the server is well."),
    ),
)]
struct CommonDocument;

/// Something that cannot be done.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ErrorResponse)]
pub(crate) struct Error {
    /// Always false: a result that is good says `true` here.
    #[schema(example = false)]
    success: bool,
    error: ErrorBody,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ErrorBody {
    /// One of those in the table at the beginning of this document. They stay as they are.
    #[schema(value_type = ErrorCodeName, example = "RUN_NOT_FOUND")]
    code: String,
    /// What is wrong, for people.
    #[schema(example = "there is no run '7'")]
    message: String,
    /// The same for programs, as far as there is more to say.
    #[schema(value_type = ErrorContext)]
    context: Value,
}

/// What else is known of what is wrong. Some codes have more to say than this.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ErrorContext {
    /// What to do about it.
    #[schema(example = "did you mean 'prompt'?")]
    hint: Option<String>,
    /// What was sent and is at fault, shortened.
    provided: Option<Value>,
    /// The field of the body that is at fault.
    #[schema(example = "slots[0].slotId")]
    path: Option<String>,
    /// The query parameter or header that is at fault.
    #[schema(example = "limit")]
    parameter: Option<String>,
    /// Where in the body, counted from 1.
    line: Option<usize>,
    column: Option<usize>,
    #[serde(flatten)]
    more: BTreeMap<String, Value>,
}

/// What its production knows of a run: one of the shapes that they have. `by_production` names them.
#[derive(Debug, ToSchema)]
pub(crate) struct RunMetadata {}

/// A run as one document: one of the shapes that productions have. `by_production` names them.
#[derive(Debug, ToSchema)]
pub(crate) struct RunTranscript {}

/// A command to a run: one of those that its production takes. `by_production` names them.
#[derive(Debug, ToSchema)]
pub(crate) struct RunCommand {}

/// Why something cannot be done. `by_production` lists the codes.
#[derive(Debug, ToSchema)]
#[schema(as = ErrorCode, value_type = String)]
pub(crate) struct ErrorCodeName(#[expect(dead_code, reason = "it only describes")] String);

/// What is played. `by_production` lists the names.
#[derive(Debug, ToSchema)]
#[schema(value_type = String)]
pub(crate) struct ProductionName(#[expect(dead_code, reason = "it only describes")] String);

/// An event of a run's log: the `data` of an event of `/v1/runs/{id}/events`, and a line of
/// `/v1/runs/{id}/log`.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "describes `enact_drama::Record`")]
pub(crate) struct LogEvent {
    /// Its place in the log: 0, 1, 2, … without gaps.
    #[schema(example = 12)]
    seq: u64,
    /// UTC milliseconds.
    #[schema(example = 1_794_752_665_006_i64)]
    at: i64,
    /// What kind of event it is; each production has its own.
    #[schema(example = "line_added")]
    kind: String,
    /// The version of its body.
    #[schema(example = 1)]
    v: u32,
    #[schema(value_type = Object)]
    body: Value,
}

/// One server-sent event. The body is a stream of them.
#[derive(Debug, ToSchema)]
#[schema(as = ServerSentEvent)]
#[expect(dead_code, reason = "describes what `sse` writes")]
pub struct SentEvent {
    /// What to give as `Last-Event-ID`. Events that are not in the log have none.
    #[schema(example = "12")]
    id: Option<String>,
    /// What kind of event it is.
    #[schema(example = "turn.start")]
    event: String,
    /// JSON.
    data: String,
}

/// The whole document of a server with these productions.
pub fn openapi(api: &ApiState, productions: &[Arc<dyn ServerProduction>]) -> Value {
    describe(&routes::all(api, productions), productions)
}

/// The same for routes that are there already.
pub(crate) fn describe(routes: &[Route], productions: &[Arc<dyn ServerProduction>]) -> Value {
    let mut document = CommonDocument::openapi();
    let own = productions.iter().map(|production| production.document());
    for part in own.chain(routes.iter().filter_map(Route::description).cloned()) {
        check_names(&document, &part);
        document.merge(part);
    }
    name_codes(&mut document, productions);
    name_scheme(&mut document);
    let error = ResponseBuilder::new()
        .description("It cannot be done; `code` says why.")
        .content("application/json", Content::new(Some(Ref::from_schema_name("ErrorResponse"))))
        .build();
    for route in routes {
        let Some(operation) = operation(&mut document, route) else { continue };
        operation.responses.responses.insert("default".to_owned(), RefOr::T(error.clone()));
        // An open route says so: without a list of its own it would need what the whole document needs.
        let needed = route.scope().map(|scope| SecurityRequirement::new(TOKEN, [scope.as_str()]));
        operation.security = Some(needed.into_iter().collect());
    }
    let mut document =
        serde_json::to_value(document).expect("the document is made of plain strings and numbers");
    by_production::describe(&mut document, productions);
    shapes::mend(&mut document);
    document
}

/// What a document says of a route.
pub(crate) fn operation<'a>(
    document: &'a mut utoipa::openapi::OpenApi,
    route: &Route,
) -> Option<&'a mut Operation> {
    let item = document.paths.paths.get_mut(&route.described_path())?;
    match route.method().as_str() {
        "GET" => item.get.as_mut(),
        "POST" => item.post.as_mut(),
        "PUT" => item.put.as_mut(),
        "PATCH" => item.patch.as_mut(),
        "DELETE" => item.delete.as_mut(),
        _ => None,
    }
}

pub(crate) fn text(document: &Value) -> Bytes {
    Bytes::from(document.to_string())
}

/// This document
#[utoipa::path(
    get, path = "/v1/openapi.json", operation_id = "getOpenapi", tag = "server",
    responses((status = 200, description = "OpenAPI.", body = Object)),
)]
pub(crate) async fn document(State(api): State<ApiState>) -> Response {
    let text = api.document.get().cloned().unwrap_or_default();
    ([(CONTENT_TYPE, "application/json")], text).into_response()
}

/// Of two schemas with the same name merging keeps one, and clients of the other would be told something
/// else.
///
/// # Panics
/// If they differ: that is a mistake in a production, which the first test that asks for the document finds.
fn check_names(document: &utoipa::openapi::OpenApi, own: &utoipa::openapi::OpenApi) {
    let (Some(known), Some(own)) = (&document.components, &own.components) else { return };
    for (name, schema) in &own.schemas {
        let clash = known.schemas.get(name).is_some_and(|known| known != schema);
        assert!(!clash, "there is another schema '{name}' already");
    }
}

/// Says what a token is.
fn name_scheme(document: &mut utoipa::openapi::OpenApi) {
    let mut token = Http::new(HttpAuthScheme::Bearer);
    token.description = Some(
        "A token of the server's operator, with the scope `read`, `run` or `admin`; each holds those before it. \
         A server on this machine alone may need none."
            .to_owned(),
    );
    let components = document.components.get_or_insert_default();
    components.security_schemes.insert(TOKEN.to_owned(), RefOr::T(SecurityScheme::Http(token)));
}

/// All codes of errors: those that every server has, then those of its productions.
fn codes(productions: &[Arc<dyn ServerProduction>]) -> impl Iterator<Item = ErrorCode> {
    let own = productions.iter().flat_map(|production| production.codes());
    ErrorCode::ALL.iter().copied().chain(own)
}

/// Lists all codes of errors at the document's beginning.
fn name_codes(document: &mut utoipa::openapi::OpenApi, productions: &[Arc<dyn ServerProduction>]) {
    let mut text = document.info.description.take().unwrap_or_default();
    text.push_str(
        "\n\nWhat cannot be done is answered with \
         `{\"success\": false, \"error\": {\"code\", \"message\", \"context\"}}`:\n\n",
    );
    text.push_str("| status | code | meaning |\n| --- | --- | --- |\n");
    for code in codes(productions) {
        let _ = writeln!(text, "| {} | `{}` | {} |", code.status().as_u16(), code.as_str(), code.meaning());
    }
    document.info.description = Some(text);
}

#[cfg(test)]
mod tests;
