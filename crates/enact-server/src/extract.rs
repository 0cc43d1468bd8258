//! Extractors: the run of a path, query parameters, JSON bodies.

use axum::{
    extract::{FromRef, FromRequest, FromRequestParts, RawPathParams, Request, rejection::BytesRejection},
    http::{HeaderMap, StatusCode, Uri, header::CONTENT_TYPE, request::Parts},
};
use bytes::Bytes;
use enact_drama::{
    RunId,
    json_fault::{self, JsonFault},
};
use enact_engine::log::RunSummary;
use serde::{
    Deserialize,
    de::{DeserializeOwned, IgnoredAny},
};
use serde_json::Value;
use uuid::Uuid;

use crate::{
    error::{ApiError, ErrorCode, PROVIDED},
    routes::ApiState,
    visibility::Viewer,
};

/// The run whose id is the parameter `session` of the path, or else its first one. One that the caller may
/// not see is not found. It is the only way for a handler to get a run.
#[derive(Debug, Clone)]
pub struct Run(pub RunSummary);

/// The parameters of a path. One that is no text names nothing.
#[derive(Debug)]
pub struct PathParams<T>(pub T);

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
        let named = path.iter().flatten().find(|(name, _)| *name == "session");
        let named = named.or_else(|| path.iter().flatten().next()).map_or("", |(_, text)| text);
        let id = Uuid::parse_str(named).map_err(|_| ApiError::run_not_found(named))?;
        let Ok(viewer) = Viewer::from_request_parts(parts, state).await;
        Ok(Run(viewer.find(RunId(id)).await?))
    }
}

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for PathParams<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<PathParams<T>, ApiError> {
        match axum::extract::Path::from_request_parts(parts, state).await {
            Ok(axum::extract::Path(params)) => Ok(PathParams(params)),
            Err(rejection) => Err(ApiError::new(ErrorCode::NoSuchRoute, rejection.body_text())),
        }
    }
}

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Query<T>, ApiError> {
        let uri = join_lists(&parts.uri);
        match axum::extract::Query::try_from_uri(&uri) {
            Ok(axum::extract::Query(query)) => Ok(Query(query)),
            Err(rejection) => Err(invalid_parameter(&uri, &rejection.body_text())),
        }
    }
}

/// Parameters that take several values, with commas between them. Clients also send such a parameter several
/// times, which is what OpenAPI has them do.
const LIST_PARAMETERS: [&str; 1] = ["status"];

/// The same address with every list in one parameter.
fn join_lists(uri: &Uri) -> Uri {
    let Some(query) = uri.query().filter(|query| !query.is_empty()) else { return uri.clone() };
    let mut joined: Vec<(&str, String)> = Vec::new();
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        match joined.iter_mut().find(|(known, _)| *known == key && LIST_PARAMETERS.contains(&key)) {
            Some((_, list)) => list.extend(["%2C", value]),
            None => joined.push((key, value.to_owned())),
        }
    }
    let joined: Vec<String> = joined.into_iter().map(|(key, value)| format!("{key}={value}")).collect();
    // Only what was in the address is put together, so that it stays one.
    format!("/?{}", joined.join("&")).parse().unwrap_or_else(|_| uri.clone())
}

/// What is wrong with a query. The text names the parameter first, and then what serde says of it.
fn invalid_parameter(uri: &Uri, text: &str) -> ApiError {
    let said = text.strip_prefix("Failed to deserialize query string: ").unwrap_or(text);
    let (name, said) = said.split_once(": ").unwrap_or(("", said));
    let fault = JsonFault::of(name, said);
    let message = match said.starts_with("must ") {
        // Our own readers of parameters leave the name to this place.
        true => format!("{name} {said}"),
        false => fault.message.replace("no field", "no parameter"),
    };
    let name = fault.path;
    let error = ApiError::new(ErrorCode::InvalidParameter, message).with("parameter", name.as_str());
    let provided = axum::extract::Query::<Vec<(String, String)>>::try_from_uri(uri).ok();
    let provided = provided.and_then(|query| query.0.into_iter().find(|(key, _)| *key == name));
    let error = match provided {
        Some((_, value)) => error.with(PROVIDED, value),
        None => error,
    };
    match fault.hint {
        Some(hint) => error.hint(hint),
        None => error,
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
        read_body(&body).map(Json)
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
        read_body(&body).map(OptionalJson)
    }
}

/// Reads a body. What is wrong with it is said in plain words: the path of the field, what was provided there,
/// and the place in the text.
///
/// A body is an object: serde would also take a list for the values of its fields.
pub fn read_body<'a, T: Deserialize<'a>>(body: &'a [u8]) -> Result<T, ApiError> {
    let read = json_fault::read(body).and_then(|value| match is_object(body) {
        true => Ok(value),
        false => Err(JsonFault::of("", "invalid type: sequence, expected a map")),
    });
    read.map_err(|fault| {
        // What is wrong behind the fault may be that it is no JSON.
        let fault = json_fault::read::<IgnoredAny>(body).err().unwrap_or(fault);
        let code = if fault.is_json { ErrorCode::InvalidRequest } else { ErrorCode::InvalidJson };
        let message = match fault.message.strip_prefix("the whole ") {
            Some(rest) => format!("the body {rest}"),
            None => fault.message.replacen("this is no JSON", "the body is no JSON", 1),
        };
        let error = ApiError::new(code, message).with("line", fault.line).with("column", fault.column);
        let error = match fault.hint {
            Some(hint) => error.hint(hint),
            None => error,
        };
        if !fault.is_json {
            return error;
        }
        let provided = serde_json::from_slice(body).ok().and_then(|whole| value_at(whole, &fault.path));
        error.with("path", fault.path).with(PROVIDED, provided.unwrap_or_default())
    })
}

/// Whether a JSON text is an object.
pub(crate) fn is_object(body: &[u8]) -> bool {
    body.trim_ascii_start().first() == Some(&b'{')
}

/// What stands at a path in a value; of a field that is missing, what it is missing from.
fn value_at(whole: Value, path: &str) -> Option<Value> {
    let mut value = whole;
    for part in path.split(['.', '[', ']']).filter(|part| !part.is_empty()) {
        value = match value {
            Value::Object(mut fields) if fields.contains_key(part) => fields.remove(part)?,
            Value::Array(mut items) => {
                let index = part.parse().ok().filter(|index| *index < items.len())?;
                items.swap_remove(index)
            }
            other => return Some(other),
        };
    }
    Some(value)
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn lists_are_put_together_and_nothing_else() {
        for (query, joined) in [
            ("/v1/runs", "/v1/runs"),
            ("/v1/runs?", "/v1/runs?"),
            ("/v1/runs?status=a", "/?status=a"),
            ("/v1/runs?status=a&x=%20&status=b,c", "/?status=a%2Cb,c&x=%20"),
            ("/v1/runs?name=a&name=b", "/?name=a&name=b"),
            ("/v1/runs?&flag&&", "/?flag="),
        ] {
            assert_eq!(join_lists(&query.parse().unwrap()).to_string(), joined);
        }
    }

    #[test]
    fn what_stands_at_a_path_is_found() {
        let whole = json!({ "slots": [{ "slotId": 1 }, { "slotId": 9 }], "a.b": 1 });
        for (path, value) in [
            ("", whole.clone()),
            ("slots[1].slotId", json!(9)),
            ("slots[0].agentId", json!({ "slotId": 1 })),
            ("slots[7]", Value::Null),
            ("nothing", whole.clone()),
        ] {
            assert_eq!(value_at(whole.clone(), path).unwrap_or_default(), value, "{path}");
        }
    }
}
