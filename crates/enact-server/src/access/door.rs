//! What happens to a request before a route sees it, in order.

use std::{
    net::{IpAddr, Ipv4Addr},
    panic::AssertUnwindSafe,
    sync::Arc,
    time::{Duration, Instant},
};

use axum::{
    Router,
    body::{Body, HttpBody},
    extract::{DefaultBodyLimit, Request, State},
    http::{HeaderMap, StatusCode, header},
    middleware::{Next, from_fn_with_state},
    response::{IntoResponse, Response},
};
use futures::FutureExt;
use governor::clock::DefaultClock;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};

use super::{
    Access,
    caller::Caller,
    failures::Failures,
    headers,
    peer::household,
    rate::{Key, Rate},
    request_id::{RequestId, X_REQUEST_ID},
    token::{self, Shown, shown},
    visit::{Admitted, Visit},
};
use crate::{
    error::{Code, Refusal},
    limits::places,
};

/// What may be read without a token: whether the server is alive. Orchestrators ask this and carry no secrets; the route tells
/// a caller it does not know no more than that. Every other path is closed, also one that says nowhere what it needs.
pub(super) const OPEN: [&str; 1] = ["/v1/health"];

/// When to come back where nobody can say: requests end within milliseconds, readers stay.
const BUSY_FOR: Duration = Duration::from_secs(1);
const READERS_FULL_FOR: Duration = Duration::from_secs(10);

#[derive(Debug)]
pub(super) struct Door {
    access: Access,
    failures: Failures,
    rate: Rate,
    requests: Arc<Semaphore>,
    readers: Arc<Semaphore>,
}

/// The address a request is counted under: an extension of it.
#[derive(Debug, Clone, Copy)]
struct Peer(IpAddr);

impl Door {
    pub(super) fn new(access: Access) -> Arc<Door> {
        let limits = &access.limits;
        Arc::new(Door {
            failures: Failures::new(limits.failures_per_minute),
            rate: Rate::new(limits.rate_per_second, limits.rate_burst, DefaultClock::default()),
            requests: places(limits.requests),
            readers: places(limits.readers),
            access,
        })
    }

    /// The last layer is the first to see a request. CORS stands between the two, so that a page that may call can also read
    /// why it was refused, and one that may not gets no further than its origin.
    pub(super) fn close(self: Arc<Door>, router: Router) -> Router {
        let cors = self.access.origins.cors();
        // The body is read here, whole and counted: a second limit behind it would only disagree.
        let router = router.layer(DefaultBodyLimit::disable()).layer(from_fn_with_state(self.clone(), admit));
        let router = match cors {
            Some(cors) => router.layer(cors),
            None => router,
        };
        router.layer(from_fn_with_state(self, receive))
    }

    /// Whether a request is for us, and from a page that may call.
    fn expect(&self, request: &Request) -> Result<(), Refusal> {
        let longest = self.access.limits.uri_bytes;
        if request.uri().path_and_query().is_some_and(|target| target.as_str().len() > longest) {
            let message = format!("the address of a request may have {longest} bytes at most");
            return Err(Refusal::new(Code::UriTooLong, message));
        }
        let has_tokens = !self.access.tokens.is_empty();
        let host = self.access.hosts.check(request.uri(), request.headers(), has_tokens)?;
        self.access.origins.check(request.method(), &host, request.headers())
    }

    fn recognise(&self, path: &str, headers: &HeaderMap, peer: IpAddr) -> Result<Caller, Refusal> {
        if self.access.tokens.is_empty() {
            return Ok(Caller::local());
        }
        let now = Instant::now();
        let shows_something = headers.contains_key(header::AUTHORIZATION);
        if let Some(wait) = self.failures.wait(peer, now).filter(|_| shows_something) {
            let message = "too many wrong tokens came from this address";
            return Err(Refusal::new(Code::RateLimited, message).retry_after(wait));
        }
        match shown(&self.access.tokens, headers) {
            Shown::Right(caller) => Ok(caller),
            Shown::Wrong => {
                self.failures.count(peer, now);
                Err(token::wrong())
            }
            Shown::Nothing if OPEN.contains(&path) => Ok(Caller::anonymous()),
            Shown::Nothing => Err(token::missing()),
        }
    }

    /// Answers a caller, if there is room: a place among the requests, and for those who stay one among the readers.
    async fn attend(
        &self,
        caller: &Caller,
        peer: IpAddr,
        request: Request,
        next: Next,
    ) -> Result<(Response, OwnedSemaphorePermit), Refusal> {
        let key = if caller.is_known() { Key::Caller(caller.shared_name()) } else { Key::Peer(peer) };
        self.count(&key)?;
        let place = self.requests.clone().try_acquire_owned().map_err(|_| {
            Refusal::new(Code::Busy, "too many requests are being answered").retry_after(BUSY_FOR)
        })?;
        let mut request = self.read(request).await?;
        request.extensions_mut().insert(caller.clone());
        let response = self.answer(request, next).await;
        if !is_stream_of_events(&response) {
            return Ok((response, place));
        }
        let place = self.readers.clone().try_acquire_owned().map_err(|_| {
            Refusal::new(Code::TooManyReaders, "too many event streams are open")
                .retry_after(READERS_FULL_FOR)
        })?;
        Ok((response, place))
    }

    fn count(&self, key: &Key) -> Result<(), Refusal> {
        self.rate.check(key).map_err(|wait| {
            let message = "too many requests: this server takes fewer from one caller";
            Refusal::new(Code::RateLimited, message).retry_after(wait)
        })
    }

    /// Reads the body, so that one that is too long, too slow or broken is refused here and nowhere else.
    async fn read(&self, request: Request) -> Result<Request, Refusal> {
        let most = self.access.limits.body_bytes;
        if request.body().is_end_stream() {
            return Ok(request);
        }
        if request.body().size_hint().lower() > most as u64 {
            return Err(too_large(most));
        }
        let (parts, body) = request.into_parts();
        let whole = Limited::new(body, most).collect();
        match timeout(self.access.limits.request_timeout, whole).await {
            Ok(Ok(whole)) => Ok(Request::from_parts(parts, Body::from(whole.to_bytes()))),
            Ok(Err(error)) if error.is::<LengthLimitError>() => Err(too_large(most)),
            Ok(Err(_)) => {
                let message = "the body did not arrive as it was announced";
                Err(Refusal::new(Code::InvalidBody, message))
            }
            Err(_) => {
                let message = "the body took too long to arrive";
                Err(Refusal::new(Code::RequestTimeout, message))
            }
        }
    }

    /// Lets a route answer. One that panics or hangs costs its answer and not the connection.
    async fn answer(&self, request: Request, next: Next) -> Response {
        let answer = AssertUnwindSafe(next.run(request)).catch_unwind();
        match timeout(self.access.limits.request_timeout, answer).await {
            Ok(Ok(response)) => response,
            Ok(Err(_)) => {
                let message = "something went wrong here; the server's log says what";
                Refusal::new(Code::Internal, message).into_response()
            }
            Err(_) => {
                let message = "the answer took too long";
                Refusal::new(Code::Timeout, message).retry_after(BUSY_FOR).into_response()
            }
        }
    }
}

/// The outer part: from where it comes. Every answer passes here on its way out.
async fn receive(State(door): State<Arc<Door>>, mut request: Request, next: Next) -> Response {
    let peer = door.access.proxies.peer(request.extensions(), request.headers());
    let id = RequestId::of(request.headers());
    let visit = Visit::begin(&request, peer, id.clone());
    let challenge = token::challenge(request.headers());
    let mut response = match door.expect(&request) {
        Ok(()) => {
            request.extensions_mut().insert(id.clone());
            request.extensions_mut().insert(Peer(household(peer)));
            next.run(request).await
        }
        Err(refusal) => refusal.into_response(),
    };
    if response.status() == StatusCode::UNAUTHORIZED {
        response.headers_mut().insert(header::WWW_AUTHENTICATE, challenge);
    }
    headers::say(response.headers_mut());
    response.headers_mut().insert(X_REQUEST_ID, id.value());
    let admitted = response.extensions_mut().remove();
    visit.follow(response, admitted)
}

/// The inner part: who it is, and whether there is room.
async fn admit(State(door): State<Arc<Door>>, request: Request, next: Next) -> Response {
    let Peer(peer) = request.extensions().get().copied().unwrap_or(Peer(Ipv4Addr::UNSPECIFIED.into()));
    let caller = match door.recognise(request.uri().path(), request.headers(), peer) {
        Ok(caller) => caller,
        Err(refusal) => return door.count(&Key::Peer(peer)).err().unwrap_or(refusal).into_response(),
    };
    let (mut response, place) = match door.attend(&caller, peer, request, next).await {
        Ok((response, place)) => (response, Some(place)),
        Err(refusal) => (refusal.into_response(), None),
    };
    response.extensions_mut().insert(Admitted { caller, place: place.map(Arc::new) });
    response
}

fn is_stream_of_events(response: &Response) -> bool {
    let kind = response.headers().get(header::CONTENT_TYPE);
    kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/event-stream"))
}

fn too_large(most: usize) -> Refusal {
    Refusal::new(Code::TooLarge, format!("a body may have {most} bytes at most")).with("maxBytes", most)
}
