//! Requests that make a run. A caller who names theirs with an `Idempotency-Key` gets the same run for it, however often they
//! ask.

use axum::{
    Json,
    extract::{FromRef, FromRequest, FromRequestParts, Request},
    http::{HeaderMap, HeaderValue, StatusCode, header::LOCATION},
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use enact_drama::{Fact, Production, Record, RunId, Seq};
use enact_engine::{
    Clock,
    clock::SystemClock,
    node::{self, Placed, Submitter},
    store::{IdempotencyKey, NextTurn},
};
use serde::Serialize;
use sha2::{Digest, Sha256};
use utoipa::ToSchema;

use crate::{
    access::Caller,
    error::{Code, Refusal},
    input::{JsonText, header},
    routes::Api,
    visibility::Viewer,
};

const IDEMPOTENCY_KEY: &str = "idempotency-key";
const IDEMPOTENT_REPLAYED: &str = "idempotent-replayed";
/// A UUID and then some. Keys are kept as long as their runs.
const LONGEST_KEY: usize = 255;

/// A request that makes a run, with JSON as its body. The run belongs to the account of the caller.
#[derive(Debug)]
pub struct Submission {
    /// The body as it was sent.
    pub body: Bytes,
    api: Api,
    by: Submitter,
}

/// A run that waits to be played.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = RunBegun)]
pub struct Begun {
    #[schema(value_type = String, format = "uuid", example = "0199f2a4-6a3e-7cc1-8a55-0f4c9b1d2e3f")]
    run_id: RunId,
}

impl Submission {
    /// The run that the same request made before. It is the answer however many runs wait by now, and whatever became of the
    /// sheets and models.
    pub async fn made_before(&self) -> Result<Option<Placed>, Refusal> {
        match &self.by.order {
            Some(order) => Ok(self.api.node.find_submitted(order).await?),
            None => Ok(None),
        }
    }

    /// Whether one more run may wait. Ask before anything is got ready for it.
    pub async fn enter_queue(&self) -> Result<(), Refusal> {
        self.api.queue.enter(&**self.api.node.store()).await
    }

    /// Puts a run into the queue that begins with this event.
    pub async fn submit<P: Production>(self, first: P::Event) -> Result<Placed, node::Error> {
        let first = Fact { seq: Seq(0), at: SystemClock.now_ms(), event: first };
        self.api.node.submit(Record::of(&first), self.by).await
    }

    /// The same for the next run of a conversation.
    pub async fn submit_next<P: Production>(
        &self,
        first: P::Event,
        next: NextTurn,
    ) -> Result<Placed, node::Error> {
        let first = Fact { seq: Seq(0), at: SystemClock.now_ms(), event: first };
        self.api.node.submit(Record::of(&first), Submitter { next: Some(next), ..self.by.clone() }).await
    }

    /// The caller's account, and how the request is named.
    pub(crate) fn into_submitter(self) -> Submitter {
        self.by
    }
}

/// The answer to a request that made a run.
pub fn begun(placed: Placed) -> Response {
    let run_id = placed.run;
    let location = [(LOCATION, format!("/v1/runs/{run_id}"))];
    let mut response = (StatusCode::ACCEPTED, location, Json(Begun { run_id })).into_response();
    say_repeated(&mut response, placed);
    response
}

/// Says of an answer whether it repeats an earlier one.
pub(crate) fn say_repeated(response: &mut Response, placed: Placed) {
    if placed.before {
        response.headers_mut().insert(IDEMPOTENT_REPLAYED, HeaderValue::from_static("true"));
    }
}

impl<S: Send + Sync> FromRequest<S> for Submission
where
    Api: FromRef<S>,
{
    type Rejection = Refusal;

    async fn from_request(request: Request, state: &S) -> Result<Submission, Refusal> {
        let (mut parts, body) = request.into_parts();
        let Ok(viewer) = Viewer::from_request_parts(&mut parts, state).await;
        let (path, headers) = (parts.uri.path().to_owned(), parts.headers.clone());
        let JsonText(body) = JsonText::from_request(Request::from_parts(parts, body), state).await?;
        let order = order(&path, viewer.caller(), &headers, &body)?;
        let by = Submitter { account: viewer.account().to_owned(), order, next: None };
        Ok(Submission { body, api: Api::from_ref(state), by })
    }
}

/// The name a caller gave a request, if they did. What was asked for tells a repetition from another request.
fn order(
    path: &str,
    caller: Option<&Caller>,
    headers: &HeaderMap,
    body: &[u8],
) -> Result<Option<IdempotencyKey>, Refusal> {
    let Some(key) = header(headers, IDEMPOTENCY_KEY)? else { return Ok(None) };
    if key.is_empty() || key.len() > LONGEST_KEY {
        let message = format!("Idempotency-Key must have 1 to {LONGEST_KEY} characters");
        return Err(Refusal::new(Code::InvalidParameter, message));
    }
    let digest = Sha256::new().chain_update(path).chain_update([0]).chain_update(body).finalize();
    let digest = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    let from = caller.map_or_else(String::new, |caller| caller.name().to_owned());
    Ok(Some(IdempotencyKey { from, key: key.to_owned(), digest }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_key_names_one_request_to_one_path() {
        let headers: HeaderMap =
            [(IDEMPOTENCY_KEY.parse().unwrap(), "k".parse().unwrap())].into_iter().collect();
        let digest =
            |path: &str, body: &str| order(path, None, &headers, body.as_bytes()).unwrap().unwrap().digest;
        assert_eq!(digest("/a", "x"), digest("/a", "x"));
        assert_ne!(digest("/a", "x"), digest("/a", "y"));
        assert_ne!(digest("/a", "x"), digest("/b", "x"));
        assert_eq!(digest("/a", "x").len(), 64);
    }
}
