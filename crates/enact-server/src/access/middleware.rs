//! The two middlewares: what is checked of a request before its handler is called, in order.

use std::{
    collections::HashMap,
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
    extract::{DefaultBodyLimit, MatchedPath, Request, State},
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
    auth_throttle::AuthThrottle,
    caller::Caller,
    client_ip::rate_limit_prefix,
    concurrency::{ConcurrencyLimit, LimitReached, Permit},
    guest::Guest,
    headers::{RequestId, X_REQUEST_ID, add_security_headers},
    rate::{Rate, RateKey},
    request_log::{Admission, RequestLog},
    token::{self, Credential, read_credential},
};
use crate::error::{ApiError, ErrorCode};

/// An estimate of when it is worth asking again: requests end within milliseconds, streams stay open.
const BUSY_RETRY_AFTER: Duration = Duration::from_secs(1);
const STREAMS_RETRY_AFTER: Duration = Duration::from_secs(10);

/// How a route is treated before it is called: columns of the route table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RouteFlags {
    /// It may be read without a token.
    pub open: bool,
    /// It starts something and answers with a stream: the stream is reserved before the handler is called.
    pub streams: bool,
    /// Machines poll it: its requests are logged at debug level.
    pub quiet: bool,
    /// Guests may use it, where the operator lets any in.
    pub guests: bool,
}

/// The flags of all routes, by method and pattern. A path that has none, one without a route too, is closed
/// to callers without a token.
#[derive(Debug, Clone, Default)]
pub struct FlagsByRoute(HashMap<(Method, String), RouteFlags>);

impl FlagsByRoute {
    pub fn with(mut self, method: Method, path: &str, flags: RouteFlags) -> FlagsByRoute {
        self.0.insert((method, path.to_owned()), flags);
        self
    }

    fn of(&self, request: &Request) -> RouteFlags {
        let Some(path) = request.extensions().get::<MatchedPath>() else { return RouteFlags::default() };
        // Routes for GET answer HEAD as well.
        let method = if request.method() == Method::HEAD { &Method::GET } else { request.method() };
        self.0.get(&(method.clone(), path.as_str().to_owned())).copied().unwrap_or_default()
    }
}

#[derive(Debug)]
pub(super) struct AccessControl {
    access: Access,
    flags: FlagsByRoute,
    throttle: AuthThrottle,
    rate: Rate,
    /// Requests whose bodies are being read. Counted apart: slow bodies must not keep out other requests.
    uploads: ConcurrencyLimit,
    requests: ConcurrencyLimit,
    streams: ConcurrencyLimit,
    /// Whether the warning about an untrusted `X-Forwarded-For` was logged.
    warned_about_proxy: AtomicBool,
}

/// The address prefix that a request is counted under: an extension of it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ClientPrefix(pub(crate) IpAddr);

impl AccessControl {
    pub(super) fn new(flags: FlagsByRoute, access: Access) -> Arc<AccessControl> {
        let limits = &access.limits;
        let callers = access.tokens.len().max(1);
        Arc::new(AccessControl {
            throttle: AuthThrottle::new(limits.failures_per_minute),
            rate: Rate::new(limits.rate_per_second, limits.rate_burst, DefaultClock::default()),
            uploads: ConcurrencyLimit::new(limits.requests, callers),
            requests: ConcurrencyLimit::new(limits.requests, callers),
            streams: ConcurrencyLimit::new(limits.readers, callers),
            warned_about_proxy: AtomicBool::new(false),
            flags,
            access,
        })
    }

    /// The last layer is the first to see a request. CORS is between the two middlewares, so that an allowed
    /// page can read why a request was refused, and another page gets no further than the check of its
    /// origin.
    pub(super) fn wrap(self: Arc<AccessControl>, router: Router) -> Router {
        let cors = self.access.origins.cors();
        // The inner middleware reads the whole body, with a limit of its own.
        let router = router.layer(DefaultBodyLimit::disable()).layer(from_fn_with_state(self.clone(), inner));
        let router = match cors {
            Some(cors) => router.layer(cors),
            None => router,
        };
        router.layer(from_fn_with_state(self, outer))
    }

    /// Whether a request is for this server, and from a page that may call it.
    fn check_host_and_origin(&self, request: &Request) -> Result<(), ApiError> {
        let longest = self.access.limits.uri_bytes;
        if request.uri().path_and_query().is_some_and(|target| target.as_str().len() > longest) {
            let message = format!("the address of a request may have {longest} bytes at most");
            return Err(ApiError::new(ErrorCode::UriTooLong, message));
        }
        let has_tokens = !self.access.tokens.is_empty();
        let host = self.access.hosts.check(request.uri(), request.headers(), has_tokens)?;
        self.access.origins.check(request.method(), &host, request.headers())
    }

    /// Once: the header is in every request of a proxy, or a client made it up.
    fn warn_about_proxy(&self, peer: IpAddr) {
        if !self.warned_about_proxy.swap(true, Ordering::Relaxed) {
            tracing::warn!(
                target: "enact::http", %peer,
                "X-Forwarded-For came from an address that is not trusted, and is ignored: if that is your proxy, \
                 name it with --trust-proxy, or all its callers count as one",
            );
        }
    }

    fn authenticate(&self, request: &Request, prefix: IpAddr) -> Result<Caller, ApiError> {
        let for_guests = self.access.guests && flags(request).guests;
        if self.access.tokens.is_empty() {
            let guest = if for_guests { Guest::of(request.headers())? } else { None };
            return Ok(guest.map_or_else(Caller::local, Caller::guest));
        }
        let now = Instant::now();
        let wait = self.throttle.retry_after(prefix, now);
        match (read_credential(&self.access.tokens, request.headers()), wait) {
            (Credential::Missing, _) if for_guests => {
                Ok(Caller::guest(Guest::of(request.headers())?.unwrap_or_else(Guest::new)))
            }
            (Credential::Missing, _) if is_open(request) => Ok(Caller::anonymous()),
            (Credential::Missing, _) => Err(token::missing()),
            (Credential::Right(caller), None) => {
                self.throttle.remember_success(prefix, caller.shared_name());
                Ok(caller)
            }
            (Credential::Right(caller), Some(_))
                if self.throttle.succeeded_before(prefix, caller.shared_name()) =>
            {
                Ok(caller)
            }
            // The answer does not say whether the token was right, or guessing would go on as fast as before.
            (Credential::Right(_) | Credential::Wrong, Some(wait)) => {
                let message = "too many wrong tokens came from this address";
                Err(ApiError::new(ErrorCode::RateLimited, message).retry_after(wait))
            }
            (Credential::Wrong, None) => {
                self.throttle.record_failure(prefix, now);
                Err(token::wrong())
            }
        }
    }

    /// Answers a caller who is within all limits. The permit is one of the requests until the answer has
    /// begun, and one of the streams if the answer is a stream.
    async fn admit_and_run(
        &self,
        caller: &Caller,
        prefix: IpAddr,
        request: Request,
        next: Next,
    ) -> Result<(Response, Permit), ApiError> {
        // Anybody can be another guest each time, but not at another address.
        let by_name = caller.is_known() && caller.as_guest().is_none();
        let key = if by_name { RateKey::Caller(caller.shared_name()) } else { RateKey::Address(prefix) };
        self.check_rate(&key)?;
        let mut request = self.read_body(&key, request).await?;
        let permit = self.requests.acquire(&key).map_err(busy)?;
        let reserved = flags(&request).streams.then(|| self.reserve_stream(&key)).transpose()?;
        request.extensions_mut().insert(caller.clone());
        let response = self.run_handler(request, next).await;
        if !is_stream(&response) {
            return Ok((response, permit));
        }
        let permit = reserved.map_or_else(|| self.reserve_stream(&key), Ok)?;
        Ok((response, permit))
    }

    fn reserve_stream(&self, key: &RateKey) -> Result<Permit, ApiError> {
        self.streams.acquire(key).map_err(|reached| {
            let message = match reached {
                LimitReached::All => "too many streams are open",
                LimitReached::Share => "too many streams of this caller are open",
            };
            ApiError::new(ErrorCode::TooManyReaders, message).retry_after(STREAMS_RETRY_AFTER)
        })
    }

    fn check_rate(&self, key: &RateKey) -> Result<(), ApiError> {
        self.rate.check(key).map_err(|wait| {
            let message = "too many requests: this server takes fewer from one caller";
            ApiError::new(ErrorCode::RateLimited, message).retry_after(wait)
        })
    }

    /// Reads the body, so that one that is too long, too slow or broken is refused here and nowhere else.
    async fn read_body(&self, key: &RateKey, request: Request) -> Result<Request, ApiError> {
        let most = self.access.limits.body_bytes;
        if request.body().is_end_stream() {
            return Ok(request);
        }
        if request.body().size_hint().lower() > most as u64 {
            return Err(too_large(most));
        }
        let _permit = self.uploads.acquire(key).map_err(busy)?;
        let (parts, body) = request.into_parts();
        let whole = Limited::new(body, most).collect();
        match timeout(self.access.limits.request_timeout, whole).await {
            Ok(Ok(whole)) => Ok(Request::from_parts(parts, Body::from(whole.to_bytes()))),
            Ok(Err(error)) if error.is::<LengthLimitError>() => Err(too_large(most)),
            Ok(Err(_)) => {
                let message = "the body did not arrive as it was announced";
                Err(ApiError::new(ErrorCode::InvalidBody, message))
            }
            Err(_) => {
                let message = "timeout: the body took too long to arrive";
                Err(ApiError::new(ErrorCode::RequestTimeout, message))
            }
        }
    }

    /// Runs the handler. One that panics or hangs costs its answer and not the connection.
    async fn run_handler(&self, request: Request, next: Next) -> Response {
        let answer = AssertUnwindSafe(next.run(request)).catch_unwind();
        match timeout(self.access.limits.request_timeout, answer).await {
            Ok(Ok(response)) => response,
            Ok(Err(panic)) => {
                let told = panic.downcast_ref::<&str>().copied();
                let told = told.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
                let why = format!("the handler panicked: {}", told.unwrap_or("it does not say why"));
                let message = "something went wrong here; the server's log says what";
                ApiError::internal(message, why).into_response()
            }
            Err(_) => {
                let message = "timeout: the answer took too long";
                ApiError::new(ErrorCode::Timeout, message).retry_after(BUSY_RETRY_AFTER).into_response()
            }
        }
    }
}

/// The outer middleware: where a request comes from. Every answer passes here on its way out.
async fn outer(State(control): State<Arc<AccessControl>>, mut request: Request, next: Next) -> Response {
    let client_ip = control.access.proxies.client_ip(request.extensions(), request.headers());
    if control.access.proxies.has_untrusted_forwarded_for(request.extensions(), request.headers()) {
        control.warn_about_proxy(client_ip);
    }
    let id = RequestId::of(request.headers());
    let flags = control.flags.of(&request);
    let metrics = control.access.metrics.clone();
    let log = RequestLog::start(&request, client_ip, id.clone(), flags.quiet, metrics);
    let challenge = token::challenge(request.headers());
    let mut response = match control.check_host_and_origin(&request) {
        Ok(()) => {
            request.extensions_mut().insert(id.clone());
            request.extensions_mut().insert(flags);
            request.extensions_mut().insert(ClientPrefix(rate_limit_prefix(client_ip)));
            next.run(request).await
        }
        Err(error) => error.into_response(),
    };
    if response.status() == StatusCode::UNAUTHORIZED {
        response.headers_mut().insert(header::WWW_AUTHENTICATE, challenge);
    }
    add_security_headers(response.headers_mut());
    response.headers_mut().insert(X_REQUEST_ID, id.value());
    let admission = response.extensions_mut().remove();
    log.attach(response, admission)
}

/// The inner middleware: who calls, and whether they are within all limits.
async fn inner(State(control): State<Arc<AccessControl>>, request: Request, next: Next) -> Response {
    let unknown = ClientPrefix(Ipv4Addr::UNSPECIFIED.into());
    let ClientPrefix(prefix) = request.extensions().get().copied().unwrap_or(unknown);
    let caller = match control.authenticate(&request, prefix) {
        Ok(caller) => caller,
        Err(error) => {
            return control.check_rate(&RateKey::Address(prefix)).err().unwrap_or(error).into_response();
        }
    };
    let (mut response, permit) = match control.admit_and_run(&caller, prefix, request, next).await {
        Ok((response, permit)) => (response, Some(permit)),
        Err(error) => (error.into_response(), None),
    };
    response.extensions_mut().insert(Admission { caller, permit: permit.map(Arc::new) });
    response
}

fn flags(request: &Request) -> RouteFlags {
    request.extensions().get().copied().unwrap_or_default()
}

/// Whether it needs no token. Such a request has no body: anonymous callers could hold a permit by never
/// ending it.
fn is_open(request: &Request) -> bool {
    let only_reads =
        matches!(*request.method(), Method::GET | Method::HEAD) && request.body().is_end_stream();
    only_reads && flags(request).open
}

/// Whether an answer is a stream, of events or of a whole log, which lasts as long as its reader is slow. A
/// body whose length is known is in memory already.
fn is_stream(response: &Response) -> bool {
    response.body().size_hint().exact().is_none()
}

fn busy(reached: LimitReached) -> ApiError {
    let message = match reached {
        LimitReached::All => "too many requests are being answered",
        LimitReached::Share => "too many requests of this caller are being answered",
    };
    ApiError::new(ErrorCode::Busy, message).retry_after(BUSY_RETRY_AFTER)
}

fn too_large(most: usize) -> ApiError {
    ApiError::new(ErrorCode::TooLarge, format!("a body may have {most} bytes at most")).with("maxBytes", most)
}
