//! The API for those who write clients: an OpenAPI document, made from the handlers themselves.

pub(crate) mod scene;
pub(crate) mod shown;

use std::{fmt::Write, sync::LazyLock};

use axum::{
    http::header::CONTENT_TYPE,
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use serde::Serialize;
use utoipa::{
    Modify, OpenApi, ToSchema,
    openapi::{
        Content, Ref, RefOr, ResponseBuilder,
        security::{Http, HttpAuthScheme, SecurityRequirement, SecurityScheme},
    },
};

use crate::{
    api::{agents, audio, chat, costs, events, exports, health, runs, scenes, steering},
    error::Code,
    routes,
};

/// How tokens are called in the document.
const TOKEN: &str = "token";

#[derive(OpenApi)]
#[openapi(
    info(
        title = "enact",
        description = "Scenes between characters: started, followed live, steered and branched. And choruses of agents, who answer, comment and reply aloud.",
        license(name = "MIT OR Apache-2.0"),
    ),
    paths(
        health::health, document, health::metrics, scenes::play, agents::list, chat::say, chat::follow, chat::reset,
        audio::fetch, runs::list, runs::show, runs::delete,
        events::follow, exports::log, exports::transcript, costs::of_run, costs::of_all, steering::cancel,
        steering::pause, steering::resume, steering::step, steering::note, steering::world_event, scenes::fork,
    ),
    components(schemas(Error)),
    tags(
        (name = "runs", description = "Performances: begin them, follow them, read them."),
        (name = "chorus", description = "One message, up to six agents, three turns, spoken."),
        (name = "steering", description = "What is wanted of a run while it is played. Whoever plays it takes it up within a moment."),
        (name = "costs", description = "What it took."),
        (name = "server", description = "Whether the server is well."),
    ),
    modifiers(&Access, &Errors),
)]
struct Document;

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

/// One server-sent event. The body is a stream of them.
#[derive(Debug, ToSchema)]
#[schema(as = ServerSentEvent)]
#[expect(dead_code, reason = "describes what `sse` writes")]
pub(crate) struct SentEvent {
    /// What to give as `Last-Event-ID`. Events that are not in the log have none.
    #[schema(example = "12")]
    id: Option<String>,
    /// What kind of event it is.
    #[schema(example = "turn.start")]
    event: String,
    /// JSON.
    data: String,
}

/// The whole document.
pub fn openapi() -> utoipa::openapi::OpenApi {
    Document::openapi()
}

/// This document
#[utoipa::path(
    get, path = "/v1/openapi.json", operation_id = "getOpenapi", tag = "server",
    responses((status = 200, description = "OpenAPI.", body = Object)),
)]
pub(crate) async fn document() -> Response {
    // It never changes while the server runs, and is not small.
    static TEXT: LazyLock<Bytes> = LazyLock::new(|| {
        let text = openapi().to_json().expect("the document is made of plain strings and numbers");
        Bytes::from(text)
    });
    ([(CONTENT_TYPE, "application/json")], TEXT.clone()).into_response()
}

/// Says which scope each operation needs.
struct Access;

impl Modify for Access {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        let mut token = Http::new(HttpAuthScheme::Bearer);
        token.description = Some(
            "A token of the server's operator, with the scope `read`, `run` or `admin`; each holds those before it. \
             A server on this machine alone may need none."
                .to_owned(),
        );
        let components = document.components.get_or_insert_default();
        components.security_schemes.insert(TOKEN.to_owned(), RefOr::T(SecurityScheme::Http(token)));
        for route in routes::all() {
            let Some(scope) = route.scope else { continue };
            let Some(item) = document.paths.paths.get_mut(&route.described()) else { continue };
            let operation = match route.method.as_str() {
                "GET" => item.get.as_mut(),
                "POST" => item.post.as_mut(),
                _ => item.delete.as_mut(),
            };
            if let Some(operation) = operation {
                operation.security = Some(vec![SecurityRequirement::new(TOKEN, [scope.as_str()])]);
            }
        }
    }
}

/// Gives every operation the one shape of errors, and the codes to the document's beginning.
struct Errors;

impl Modify for Errors {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        let mut text = document.info.description.take().unwrap_or_default();
        text.push_str("\n\nWhat cannot be done is answered with `{\"error\": {\"code\", \"message\", \"context\"}}`:\n\n");
        text.push_str("| status | code | meaning |\n| --- | --- | --- |\n");
        for code in Code::ALL {
            let _ =
                writeln!(text, "| {} | `{}` | {} |", code.status().as_u16(), code.as_str(), code.meaning());
        }
        document.info.description = Some(text);
        let error = ResponseBuilder::new()
            .description("It cannot be done; `code` says why.")
            .content("application/json", Content::new(Some(Ref::from_schema_name("Error"))))
            .build();
        for item in document.paths.paths.values_mut() {
            for operation in [&mut item.get, &mut item.post, &mut item.delete].into_iter().flatten() {
                operation.responses.responses.insert("default".to_owned(), RefOr::T(error.clone()));
            }
        }
    }
}

#[cfg(test)]
mod tests;
