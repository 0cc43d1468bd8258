//! The API for those who write clients: an OpenAPI document, made from the handlers themselves.

use std::{fmt::Write, sync::Arc};

use axum::{
    extract::State,
    http::header::CONTENT_TYPE,
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use serde::Serialize;
use utoipa::{
    OpenApi, ToSchema,
    openapi::{
        Content, ObjectBuilder, OneOfBuilder, Ref, RefOr, ResponseBuilder, Schema, Type,
        path::Operation,
        security::{Http, HttpAuthScheme, SecurityRequirement, SecurityScheme},
    },
};

use crate::{
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
    components(schemas(Error)),
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
pub(crate) struct Error {
    error: ErrorBody,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ErrorBody {
    /// One of those in the table at the beginning of this document. They stay as they are.
    #[schema(example = "RUN_NOT_FOUND")]
    code: String,
    /// What is wrong, for people.
    #[schema(example = "there is no run '7'")]
    message: String,
    /// The same for programs, as far as there is more to say; `hint` says what to do about it.
    #[schema(value_type = Object)]
    context: serde_json::Value,
}

/// What its production knows of a run: one of the shapes that they have. The document names them once all
/// productions are known.
#[derive(Debug, ToSchema)]
pub(crate) struct RunMetadata {}

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
pub fn openapi(api: &ApiState, productions: &[Arc<dyn ServerProduction>]) -> utoipa::openapi::OpenApi {
    describe(&routes::all(api, productions), productions)
}

/// The same for routes that are there already.
pub(crate) fn describe(
    routes: &[Route],
    productions: &[Arc<dyn ServerProduction>],
) -> utoipa::openapi::OpenApi {
    let mut document = CommonDocument::openapi();
    let own = productions.iter().map(|production| production.document());
    for part in own.chain(routes.iter().filter_map(Route::description).cloned()) {
        check_names(&document, &part);
        document.merge(part);
    }
    name_metadata(&mut document, productions);
    name_codes(&mut document, productions);
    name_scheme(&mut document);
    let error = ResponseBuilder::new()
        .description("It cannot be done; `code` says why.")
        .content("application/json", Content::new(Some(Ref::from_schema_name("Error"))))
        .build();
    for route in routes {
        let Some(operation) = operation(&mut document, route) else { continue };
        operation.responses.responses.insert("default".to_owned(), RefOr::T(error.clone()));
        operation.security =
            route.scope().map(|scope| vec![SecurityRequirement::new(TOKEN, [scope.as_str()])]);
    }
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

pub(crate) fn text(document: &utoipa::openapi::OpenApi) -> Bytes {
    Bytes::from(document.to_json().expect("the document is made of plain strings and numbers"))
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

/// Says that the metadata of a run is one of the shapes that its productions have; any object if one of them
/// does not say which.
fn name_metadata(document: &mut utoipa::openapi::OpenApi, productions: &[Arc<dyn ServerProduction>]) {
    const DESCRIPTION: &str = "What its production knows of a run.";
    let names: Option<Vec<&str>> =
        productions.iter().map(|production| production.metadata_schema()).collect();
    let shapes = match names {
        Some(names) => {
            let shapes = OneOfBuilder::new().description(Some(DESCRIPTION));
            let shapes = names.into_iter().map(Ref::from_schema_name).fold(shapes, OneOfBuilder::item);
            Schema::OneOf(shapes.build())
        }
        None => {
            let any = ObjectBuilder::new().schema_type(Type::Object).description(Some(DESCRIPTION));
            Schema::Object(any.build())
        }
    };
    let components = document.components.get_or_insert_default();
    components.schemas.insert("RunMetadata".to_owned(), RefOr::T(shapes));
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

/// Lists all codes of errors at the document's beginning.
fn name_codes(document: &mut utoipa::openapi::OpenApi, productions: &[Arc<dyn ServerProduction>]) {
    let mut text = document.info.description.take().unwrap_or_default();
    text.push_str(
        "\n\nWhat cannot be done is answered with `{\"error\": {\"code\", \"message\", \"context\"}}`:\n\n",
    );
    text.push_str("| status | code | meaning |\n| --- | --- | --- |\n");
    let own = productions.iter().flat_map(|production| production.codes());
    for code in ErrorCode::ALL.iter().copied().chain(own) {
        let _ = writeln!(text, "| {} | `{}` | {} |", code.status().as_u16(), code.as_str(), code.meaning());
    }
    document.info.description = Some(text);
}

#[cfg(test)]
mod tests;
