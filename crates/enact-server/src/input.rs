//! Requests as handlers want them, and what is wrong with those that are not.

use axum::{
    extract::{FromRequest, FromRequestParts, Request, rejection::BytesRejection},
    http::{HeaderMap, StatusCode, header::CONTENT_TYPE, request::Parts},
};
use bytes::Bytes;
use enact_drama::RunId;
use serde::de::DeserializeOwned;
use uuid::Uuid;

use crate::error::{Code, Refusal};

/// The run that a path names.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Run(pub(crate) RunId);

/// Query parameters. Those that nobody knows are refused: a misspelt filter would show everything.
#[derive(Debug)]
pub(crate) struct Query<T>(pub(crate) T);

/// A JSON body, as it was sent.
#[derive(Debug)]
pub(crate) struct JsonText(pub(crate) Bytes);

/// A JSON body, read.
#[derive(Debug)]
pub(crate) struct Json<T>(pub(crate) T);

/// A JSON body that may be left out, read. Who sends none need not say of what type it is.
#[derive(Debug)]
pub(crate) struct OptionalJson<T>(pub(crate) T);

impl<S: Send + Sync> FromRequestParts<S> for Run {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Run, Refusal> {
        let path = axum::extract::Path::<String>::from_request_parts(parts, state).await;
        // A path that is not even text names no run either.
        let text = path.map_or_else(|_| String::new(), |path| path.0);
        Uuid::parse_str(&text).map(|id| Run(RunId(id))).map_err(|_| Refusal::no_run(&text))
    }
}

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Query<T>, Refusal> {
        match axum::extract::Query::try_from_uri(&parts.uri) {
            Ok(axum::extract::Query(query)) => Ok(Query(query)),
            Err(rejection) => {
                let text = rejection.body_text();
                // What serde says of it is all that helps; which layer said it does not.
                let reason = text.strip_prefix("Failed to deserialize query string: ").unwrap_or(&text);
                Err(Refusal::new(Code::InvalidParameter, reason))
            }
        }
    }
}

impl<S: Send + Sync> FromRequest<S> for JsonText {
    type Rejection = Refusal;

    async fn from_request(request: Request, state: &S) -> Result<JsonText, Refusal> {
        if !says_json(request.headers()) {
            return Err(not_json());
        }
        Bytes::from_request(request, state).await.map(JsonText).map_err(unread)
    }
}

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Json<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, state: &S) -> Result<Json<T>, Refusal> {
        let JsonText(body) = JsonText::from_request(request, state).await?;
        serde_json::from_slice(&body).map(Json).map_err(|error| malformed(&error))
    }
}

impl<T: DeserializeOwned + Default, S: Send + Sync> FromRequest<S> for OptionalJson<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, state: &S) -> Result<OptionalJson<T>, Refusal> {
        let is_json = says_json(request.headers());
        let body = Bytes::from_request(request, state).await.map_err(unread)?;
        if body.is_empty() {
            return Ok(OptionalJson(T::default()));
        }
        if !is_json {
            return Err(not_json());
        }
        serde_json::from_slice(&body).map(OptionalJson).map_err(|error| malformed(&error))
    }
}

/// What is wrong with a body that could not be read as what it should be.
pub(crate) fn malformed(error: &serde_json::Error) -> Refusal {
    let code = if error.is_data() { Code::InvalidRequest } else { Code::InvalidJson };
    let text = error.to_string();
    // The place is told to programs apart.
    let message = text.split(" at line ").next().unwrap_or(&text);
    Refusal::new(code, message).with("line", error.line()).with("column", error.column())
}

/// A header that may be there once, as text.
pub(crate) fn header<'a>(headers: &'a HeaderMap, name: &str) -> Result<Option<&'a str>, Refusal> {
    let mut values = headers.get_all(name).iter();
    let Some(value) = values.next() else { return Ok(None) };
    match value.to_str() {
        Ok(text) if values.next().is_none() => Ok(Some(text)),
        Ok(_) => Err(Refusal::new(Code::InvalidParameter, format!("{name} is given twice"))),
        Err(_) => Err(Refusal::new(Code::InvalidParameter, format!("{name} has to be plain ASCII"))),
    }
}

fn says_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let essence = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    essence == "application/json" || (essence.starts_with("application/") && essence.ends_with("+json"))
}

fn not_json() -> Refusal {
    Refusal::new(Code::NotJson, "the body has to be JSON, sent with Content-Type: application/json")
}

fn unread(rejection: BytesRejection) -> Refusal {
    match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => {
            Refusal::new(Code::TooLarge, "the body is larger than this server takes")
        }
        _ => Refusal::new(Code::InvalidJson, "the body broke off"),
    }
}
