//! What happens to a request before a route sees it, in order.

use std::{
    net::{IpAddr, Ipv4Addr},
    panic::AssertUnwindSafe,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use axum::{
    Router,
    body::{Body, HttpBody},
    extract::{DefaultBodyLimit, Request, State},
    http::{Method, StatusCode, header},
    middleware::{Next, from_fn_with_state},
    response::{IntoResponse, Response},
};
use futures::FutureExt;
use governor::clock::DefaultClock;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use tokio::time::timeout;

use super::{
    Access,
    caller::Caller,
    failures::Failures,
    headers,
    peer::household,
    places::{Full, Place, Places},
    rate::{Key, Rate},
    request_id::{RequestId, X_REQUEST_ID},
    route_flags::{FlagsByRoute, RouteFlags},
    token::{self, Shown, shown},
    visit::{Admitted, Visit},
};
use crate::error::{ApiError, Code};

/// When to come back where nobody can say: requests end within milliseconds, readers stay.
const BUSY_FOR: Duration = Duration::from_secs(1);
const READERS_FULL_FOR: Duration = Duration::from_secs(10);

#[derive(Debug)]
pub(super) struct Door {
    access: Access,
    flags: FlagsByRoute,
    failures: Failures,
    rate: Rate,
    /// Those whose bodies are on their way. Apart from the requests, or slow bodies would keep out quick questions.
    uploads: Places,
    requests: Places,
    readers: Places,
    /// Whether it was said that somebody's `X-Forwarded-For` is not believed.
    told_of_proxy: AtomicBool,
}

/// The address a request is counted under: an extension of it.
#[derive(Debug, Clone, Copy)]
struct Peer(IpAddr);

impl Door {
    pub(super) fn new(flags: FlagsByRoute, access: Access) -> Arc<Door> {
        let limits = &access.limits;
        let callers = access.tokens.len().max(1);
        Arc::new(Door {
            failures: Failures::new(limits.failures_per_minute),
            rate: Rate::new(limits.rate_per_second, limits.rate_burst, DefaultClock::default()),
            uploads: Places::new(limits.requests, callers),
            requests: Places::new(limits.requests, callers),
            readers: Places::new(limits.readers, callers),
            told_of_proxy: AtomicBool::new(false),
            flags,
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
    fn expect(&self, request: &Request) -> Result<(), ApiError> {
        let longest = self.access.limits.uri_bytes;
        if request.uri().path_and_query().is_some_and(|target| target.as_str().len() > longest) {
            let message = format!("the address of a request may have {longest} bytes at most");
            return Err(ApiError::new(Code::UriTooLong, message));
        }
        let has_tokens = !self.access.tokens.is_empty();
        let host = self.access.hosts.check(request.uri(), request.headers(), has_tokens)?;
        self.access.origins.check(request.method(), &host, request.headers())
    }

    /// Once: it is in every request, or it is somebody's invention.
    fn tell_of_proxy(&self, peer: IpAddr) {
        if !self.told_of_proxy.swap(true, Ordering::Relaxed) {
            tracing::warn!(
                target: "enact::http", %peer,
                "X-Forwarded-For came from an address that is not trusted, and is not believed: if that is your proxy, \
                 name it with --trust-proxy, or all its callers count as one",
            );
        }
    }

    fn recognise(&self, request: &Request, peer: IpAddr) -> Result<Caller, ApiError> {
        if self.access.tokens.is_empty() {
            return Ok(Caller::local());
        }
        let now = Instant::now();
        let wait = self.failures.wait(peer, now);
        match (shown(&self.access.tokens, request.headers()), wait) {
            (Shown::Nothing, _) if Door::is_open(request) => Ok(Caller::anonymous()),
            (Shown::Nothing, _) => Err(token::missing()),
            (Shown::Right(caller), None) => {
                self.failures.remember(peer, caller.shared_name());
                Ok(caller)
            }
            (Shown::Right(caller), Some(_)) if self.failures.remembers(peer, caller.shared_name()) => {
                Ok(caller)
            }
            // Whether it was right is not told: then guessing would go on as fast as before.
            (Shown::Right(_) | Shown::Wrong, Some(wait)) => {
                let message = "too many wrong tokens came from this address";
                Err(ApiError::new(Code::RateLimited, message).retry_after(wait))
            }
            (Shown::Wrong, None) => {
                self.failures.count(peer, now);
                Err(token::wrong())
            }
        }
    }

    /// Whether everybody may ask this. What needs no token has no body either: strangers could hold a place by never ending it.
    fn is_open(request: &Request) -> bool {
        let only_looks =
            matches!(*request.method(), Method::GET | Method::HEAD) && request.body().is_end_stream();
        only_looks && flags(request).open
    }

    /// Answers a caller, if there is room: a place among the requests until the answer is on its way, and for those who
    /// stay one among the readers.
    async fn attend(
        &self,
        caller: &Caller,
        peer: IpAddr,
        request: Request,
        next: Next,
    ) -> Result<(Response, Place), ApiError> {
        let key = if caller.is_known() { Key::Caller(caller.shared_name()) } else { Key::Peer(peer) };
        self.count(&key)?;
        let mut request = self.read(&key, request).await?;
        let place = self.requests.take(&key).map_err(busy)?;
        let reserved = flags(&request).streams.then(|| self.listen(&key)).transpose()?;
        request.extensions_mut().insert(caller.clone());
        let response = self.answer(request, next).await;
        if !is_stream(&response) {
            return Ok((response, place));
        }
        let place = reserved.map_or_else(|| self.listen(&key), Ok)?;
        Ok((response, place))
    }

    /// A place among those who stay.
    fn listen(&self, key: &Key) -> Result<Place, ApiError> {
        self.readers.take(key).map_err(|full| {
            let message = match full {
                Full::All => "too many streams are open",
                Full::Share => "too many streams of this caller are open",
            };
            ApiError::new(Code::TooManyReaders, message).retry_after(READERS_FULL_FOR)
        })
    }

    fn count(&self, key: &Key) -> Result<(), ApiError> {
        self.rate.check(key).map_err(|wait| {
            let message = "too many requests: this server takes fewer from one caller";
            ApiError::new(Code::RateLimited, message).retry_after(wait)
        })
    }

    /// Reads the body, so that one that is too long, too slow or broken is refused here and nowhere else.
    async fn read(&self, key: &Key, request: Request) -> Result<Request, ApiError> {
        let most = self.access.limits.body_bytes;
        if request.body().is_end_stream() {
            return Ok(request);
        }
        if request.body().size_hint().lower() > most as u64 {
            return Err(too_large(most));
        }
        let _place = self.uploads.take(key).map_err(busy)?;
        let (parts, body) = request.into_parts();
        let whole = Limited::new(body, most).collect();
        match timeout(self.access.limits.request_timeout, whole).await {
            Ok(Ok(whole)) => Ok(Request::from_parts(parts, Body::from(whole.to_bytes()))),
            Ok(Err(error)) if error.is::<LengthLimitError>() => Err(too_large(most)),
            Ok(Err(_)) => {
                let message = "the body did not arrive as it was announced";
                Err(ApiError::new(Code::InvalidBody, message))
            }
            Err(_) => {
                let message = "the body took too long to arrive";
                Err(ApiError::new(Code::RequestTimeout, message))
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
                ApiError::new(Code::Internal, message).into_response()
            }
            Err(_) => {
                let message = "the answer took too long";
                ApiError::new(Code::Timeout, message).retry_after(BUSY_FOR).into_response()
            }
        }
    }
}

/// The outer part: from where it comes. Every answer passes here on its way out.
async fn receive(State(door): State<Arc<Door>>, mut request: Request, next: Next) -> Response {
    let peer = door.access.proxies.peer(request.extensions(), request.headers());
    if door.access.proxies.ignores(request.extensions(), request.headers()) {
        door.tell_of_proxy(peer);
    }
    let id = RequestId::of(request.headers());
    let flags = door.flags.of(&request);
    let visit = Visit::begin(&request, peer, id.clone(), flags.quiet, door.access.metrics.clone());
    let challenge = token::challenge(request.headers());
    let mut response = match door.expect(&request) {
        Ok(()) => {
            request.extensions_mut().insert(id.clone());
            request.extensions_mut().insert(flags);
            request.extensions_mut().insert(Peer(household(peer)));
            next.run(request).await
        }
        Err(error) => error.into_response(),
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
    let caller = match door.recognise(&request, peer) {
        Ok(caller) => caller,
        Err(error) => return door.count(&Key::Peer(peer)).err().unwrap_or(error).into_response(),
    };
    let (mut response, place) = match door.attend(&caller, peer, request, next).await {
        Ok((response, place)) => (response, Some(place)),
        Err(error) => (error.into_response(), None),
    };
    response.extensions_mut().insert(Admitted { caller, place: place.map(Arc::new) });
    response
}

fn flags(request: &Request) -> RouteFlags {
    request.extensions().get().copied().unwrap_or_default()
}

/// Whether an answer goes on as it pleases: events, and whole logs, which last as long as their reader is slow. What has a
/// length is written already.
fn is_stream(response: &Response) -> bool {
    response.body().size_hint().exact().is_none()
}

fn busy(full: Full) -> ApiError {
    let message = match full {
        Full::All => "too many requests are being answered",
        Full::Share => "too many requests of this caller are being answered",
    };
    ApiError::new(Code::Busy, message).retry_after(BUSY_FOR)
}

fn too_large(most: usize) -> ApiError {
    ApiError::new(Code::TooLarge, format!("a body may have {most} bytes at most")).with("maxBytes", most)
}
