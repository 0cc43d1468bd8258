//! Extractors: the run of a path, query parameters, JSON bodies.

use axum::{
    extract::{FromRef, FromRequest, FromRequestParts, RawPathParams, Request, rejection::BytesRejection},
    http::{HeaderMap, StatusCode, header::CONTENT_TYPE, request::Parts},
};
use bytes::Bytes;
use enact_drama::RunId;
use enact_engine::log::RunSummary;
use serde::de::DeserializeOwned;
use uuid::Uuid;

use crate::{
    error::{ApiError, ErrorCode},
    routes::ApiState,
    visibility::Viewer,
};

/// The run whose id is the first parameter of the path. One that the caller may not see is not found. It is
/// the only way for a handler to get a run.
#[derive(Debug, Clone)]
pub struct Run(pub RunSummary);

/// Query parameters. Unknown ones are refused: a misspelt filter would show everything.
#[derive(Debug)]
pub struct Query<T>(pub T);

/// A JSON body, as it was sent.
#[derive(Debug)]
pub struct RawJson(pub Bytes);

/// A JSON body, parsed.
#[derive(Debug)]
pub struct Json<T>(pub T);

/// A JSON body that may be left out, parsed. Without a body no `Content-Type` is needed.
#[derive(Debug)]
pub struct OptionalJson<T>(pub T);

impl<S: Send + Sync> FromRequestParts<S> for Run
where
    ApiState: FromRef<S>,
{
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Run, ApiError> {
        let path = RawPathParams::from_request_parts(parts, state).await;
        // A path that is not even text names no run either.
        let first = path.iter().flatten().next().map_or("", |(_, text)| text);
        let id = Uuid::parse_str(first).map_err(|_| ApiError::run_not_found(first))?;
        let Ok(viewer) = Viewer::from_request_parts(parts, state).await;
        Ok(Run(viewer.find(RunId(id)).await?))
    }
}

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Query<T>, ApiError> {
        match axum::extract::Query::try_from_uri(&parts.uri) {
            Ok(axum::extract::Query(query)) => Ok(Query(query)),
            Err(rejection) => {
                let text = rejection.body_text();
                // What serde says of it is all that helps; which layer said it does not.
                let reason = text.strip_prefix("Failed to deserialize query string: ").unwrap_or(&text);
                Err(ApiError::new(ErrorCode::InvalidParameter, reason))
            }
        }
    }
}

impl<S: Send + Sync> FromRequest<S> for RawJson {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<RawJson, ApiError> {
        if !is_json(request.headers()) {
            return Err(not_json());
        }
        Bytes::from_request(request, state).await.map(RawJson).map_err(body_error)
    }
}

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Json<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Json<T>, ApiError> {
        let RawJson(body) = RawJson::from_request(request, state).await?;
        serde_json::from_slice(&body).map(Json).map_err(|error| malformed(&error))
    }
}

impl<T: DeserializeOwned + Default, S: Send + Sync> FromRequest<S> for OptionalJson<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<OptionalJson<T>, ApiError> {
        let has_json = is_json(request.headers());
        let body = Bytes::from_request(request, state).await.map_err(body_error)?;
        if body.is_empty() {
            return Ok(OptionalJson(T::default()));
        }
        if !has_json {
            return Err(not_json());
        }
        serde_json::from_slice(&body).map(OptionalJson).map_err(|error| malformed(&error))
    }
}

/// What is wrong with a body that could not be read as what it should be.
pub fn malformed(error: &serde_json::Error) -> ApiError {
    let code = if error.is_data() { ErrorCode::InvalidRequest } else { ErrorCode::InvalidJson };
    let text = error.to_string();
    // The place is told to programs apart.
    let message = text.split(" at line ").next().unwrap_or(&text);
    ApiError::new(code, message).with("line", error.line()).with("column", error.column())
}

/// A header that may be there once, as text.
pub(crate) fn header<'a>(headers: &'a HeaderMap, name: &str) -> Result<Option<&'a str>, ApiError> {
    let mut values = headers.get_all(name).iter();
    let Some(value) = values.next() else { return Ok(None) };
    match value.to_str() {
        Ok(text) if values.next().is_none() => Ok(Some(text)),
        Ok(_) => Err(ApiError::new(ErrorCode::InvalidParameter, format!("{name} is given twice"))),
        Err(_) => Err(ApiError::new(ErrorCode::InvalidParameter, format!("{name} has to be plain ASCII"))),
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let essence = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    essence == "application/json" || (essence.starts_with("application/") && essence.ends_with("+json"))
}

fn not_json() -> ApiError {
    ApiError::new(ErrorCode::NotJson, "the body has to be JSON, sent with Content-Type: application/json")
}

fn body_error(rejection: BytesRejection) -> ApiError {
    match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => {
            ApiError::new(ErrorCode::TooLarge, "the body is larger than this server takes")
        }
        _ => ApiError::new(ErrorCode::InvalidJson, "the body broke off"),
    }
}
