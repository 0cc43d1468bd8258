//! Requests that make a run. Repeated with the same `Idempotency-Key`, a request makes no second run; when
//! the queue is full, it makes none.

use std::time::{Duration, Instant};

use axum::{
    Json,
    extract::{FromRef, FromRequest, FromRequestParts, Request},
    http::{HeaderMap, HeaderValue, StatusCode, header::LOCATION},
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use enact_drama::{Fact, Production, Record, RunId, Seq};
use enact_engine::{
    Clock, Store,
    clock::SystemClock,
    node::{self, Submitted, Submitter},
    store::{IdempotencyKey, NextRun},
};
use serde::Serialize;
use sha2::{Digest, Sha256};
use tokio::sync::Mutex;
use utoipa::ToSchema;

use crate::{
    access::Caller,
    error::{ApiError, ErrorCode},
    extract::{RawJson, header},
    routes::ApiState,
    visibility::Viewer,
};

const IDEMPOTENCY_KEY: &str = "idempotency-key";
const IDEMPOTENT_REPLAYED: &str = "idempotent-replayed";
/// A UUID and then some. Keys are kept as long as their runs.
const LONGEST_KEY: usize = 255;

/// How long a count of waiting runs is used before the store is asked again.
const COUNT_TTL: Duration = Duration::from_secs(1);

/// When it is worth asking again: runs take seconds to minutes.
const QUEUE_RETRY_AFTER: Duration = Duration::from_secs(5);

/// A request that makes a run, with JSON as its body. The run belongs to the account of the caller.
#[derive(Debug)]
pub struct RunRequest {
    /// The body as it was sent.
    pub body: Bytes,
    api: ApiState,
    by: Submitter,
}

/// The run that a request made, now or when it was sent before.
#[derive(Debug)]
pub struct MadeRun {
    pub run: RunId,
    /// The same request had made it before.
    pub replayed: bool,
    /// Its first record, if it was made now: then the store need not be asked for it.
    pub(crate) first: Option<Record>,
}

/// A run that waits to be played.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RunAccepted {
    run_id: RunId,
}

impl RunRequest {
    /// Makes a run, unless the same request has made one before: that run is the answer then, however full
    /// the queue is by now and whatever became of sheets and models.
    ///
    /// The store looks the `Idempotency-Key` up in the transaction that makes the run. It is asked for the
    /// key alone only where no run could be made.
    pub async fn once(
        &self,
        make: impl Future<Output = Result<MadeRun, ApiError>>,
    ) -> Result<MadeRun, ApiError> {
        let error = match make.await {
            Ok(made) => {
                if made.replayed {
                    self.api.queue_limit.give_back().await;
                }
                return Ok(made);
            }
            Err(error) => error,
        };
        let Some(idempotency_key) = &self.by.idempotency_key else { return Err(error) };
        self.api.node.find_submitted(idempotency_key).await?.map(MadeRun::from).ok_or(error)
    }

    /// Whether one more run may wait. Ask before anything is prepared for it.
    pub async fn enter_queue(&self) -> Result<(), ApiError> {
        self.api.queue_limit.admit(&**self.api.node.store()).await
    }

    /// Puts a run into the queue that begins with this event. It may be the next run of a conversation.
    pub async fn submit<P: Production>(
        &self,
        first: P::Event,
        next: Option<NextRun>,
    ) -> Result<MadeRun, node::Error> {
        let first = Record::of(&Fact { seq: Seq(0), at: SystemClock.now_ms(), event: first });
        let by = Submitter { next, ..self.by.clone() };
        let submitted = self.api.node.submit(first.clone(), by).await?;
        Ok(MadeRun { first: (!submitted.repeated).then_some(first), ..MadeRun::from(submitted) })
    }

    /// The caller's account, and the key of the request.
    pub(crate) fn submitter(&self) -> Submitter {
        self.by.clone()
    }
}

impl From<Submitted> for MadeRun {
    fn from(submitted: Submitted) -> MadeRun {
        MadeRun { run: submitted.run, replayed: submitted.repeated, first: None }
    }
}

impl MadeRun {
    /// The answer to a request that made a run.
    pub fn accepted(&self) -> Response {
        let body = Json(RunAccepted { run_id: self.run });
        self.label((StatusCode::ACCEPTED, body).into_response())
    }

    /// Says in an answer where the run is, and whether the answer repeats an earlier one.
    pub(crate) fn label(&self, mut response: Response) -> Response {
        let headers = response.headers_mut();
        if let Ok(location) = HeaderValue::from_str(&format!("/v1/runs/{}", self.run)) {
            headers.insert(LOCATION, location);
        }
        if self.replayed {
            headers.insert(IDEMPOTENT_REPLAYED, HeaderValue::from_static("true"));
        }
        response
    }
}

impl<S: Send + Sync> FromRequest<S> for RunRequest
where
    ApiState: FromRef<S>,
{
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<RunRequest, ApiError> {
        let (mut parts, body) = request.into_parts();
        let Ok(viewer) = Viewer::from_request_parts(&mut parts, state).await;
        let (path, headers) = (parts.uri.path().to_owned(), parts.headers.clone());
        let RawJson(body) = RawJson::from_request(Request::from_parts(parts, body), state).await?;
        let idempotency_key = idempotency_key(&path, viewer.caller(), &headers, &body)?;
        let by = Submitter { account: viewer.account().to_owned(), idempotency_key, next: None };
        Ok(RunRequest { body, api: ApiState::from_ref(state), by })
    }
}

/// The idempotency key of a request, if it has one. The digest of path and body tells a repetition from
/// another request.
fn idempotency_key(
    path: &str,
    caller: Option<&Caller>,
    headers: &HeaderMap,
    body: &[u8],
) -> Result<Option<IdempotencyKey>, ApiError> {
    let Some(key) = header(headers, IDEMPOTENCY_KEY)? else { return Ok(None) };
    if key.is_empty() || key.len() > LONGEST_KEY {
        let message = format!("Idempotency-Key must have 1 to {LONGEST_KEY} characters");
        return Err(ApiError::parameter("Idempotency-Key", key, message));
    }
    let digest = Sha256::new().chain_update(path).chain_update([0]).chain_update(body).finalize();
    let digest = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    // Guests share a name, and must not meet each other's keys.
    let name = |caller: &Caller| match caller.as_guest() {
        Some(guest) => guest.account().to_owned(),
        None => caller.name().to_owned(),
    };
    let from = caller.map_or_else(String::new, name);
    Ok(Some(IdempotencyKey { from, key: key.to_owned(), digest }))
}

/// Refuses new runs when too many wait. Other nodes fill the same queue, so the bound is not exact.
#[derive(Debug)]
pub(crate) struct QueueLimit {
    most: usize,
    /// Locked while the store counts, so that concurrent requests share one count.
    counted: Mutex<Option<WaitingCount>>,
}

#[derive(Debug, Clone, Copy)]
struct WaitingCount {
    at: Instant,
    waiting: usize,
}

impl QueueLimit {
    pub(crate) fn new(most: usize) -> QueueLimit {
        QueueLimit { most, counted: Mutex::new(None) }
    }

    /// Admits one more run, or refuses it with `QUEUE_FULL`.
    pub(crate) async fn admit(&self, store: &dyn Store) -> Result<(), ApiError> {
        let mut counted = self.counted.lock().await;
        let known = counted.take().filter(|counted| counted.at.elapsed() < COUNT_TTL);
        let now = match known {
            Some(known) => counted.insert(known),
            None => {
                let waiting = store.waiting(self.most).await?;
                counted.insert(WaitingCount { at: Instant::now(), waiting })
            }
        };
        if now.waiting >= self.most {
            let message = format!("the queue is full: {} runs wait to be played", now.waiting);
            return Err(ApiError::new(ErrorCode::QueueFull, message).retry_after(QUEUE_RETRY_AFTER));
        }
        now.waiting += 1;
        Ok(())
    }

    /// For a run that was admitted and turned out to be there already.
    pub(crate) async fn give_back(&self) {
        if let Some(counted) = &mut *self.counted.lock().await {
            counted.waiting = counted.waiting.saturating_sub(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_key_names_one_request_to_one_path() {
        let headers: HeaderMap =
            [(IDEMPOTENCY_KEY.parse().unwrap(), "k".parse().unwrap())].into_iter().collect();
        let digest = |path: &str, body: &str| {
            idempotency_key(path, None, &headers, body.as_bytes()).unwrap().unwrap().digest
        };
        assert_eq!(digest("/a", "x"), digest("/a", "x"));
        assert_ne!(digest("/a", "x"), digest("/a", "y"));
        assert_ne!(digest("/a", "x"), digest("/b", "x"));
        assert_eq!(digest("/a", "x").len(), 64);
    }

    #[tokio::test]
    async fn a_place_in_the_queue_can_be_given_back() {
        let (limit, store) = (QueueLimit::new(1), enact_engine::log::MemoryStore::default());
        for _ in 0..2 {
            limit.admit(&store).await.unwrap();
            let refused = limit.admit(&store).await.unwrap_err();
            assert_eq!(refused.code, ErrorCode::QueueFull);
            limit.give_back().await;
        }
    }
}
