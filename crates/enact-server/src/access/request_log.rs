//! The log of requests: one line each, when the last byte of the answer was sent.

use std::{
    net::IpAddr,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
    time::Instant,
};

use axum::{
    body::{Body, Bytes, HttpBody},
    extract::{MatchedPath, Request},
    http::{Method, StatusCode},
    response::Response,
};
use hyper::body::{Frame, SizeHint};

use super::{caller::Caller, concurrency::Permit, headers::RequestId};
use crate::{error::ServerFault, metrics::Metrics};

/// The entry of one request. Metrics are counted when the answer starts, and the line is written on drop, so
/// that requests whose client leaves early are logged too.
///
/// It has the route's pattern and no path, query, header or body: that is where secrets are.
#[derive(Debug)]
pub(super) struct RequestLog {
    started: Instant,
    metrics: Metrics,
    method: Method,
    route: Option<MatchedPath>,
    client_ip: IpAddr,
    id: RequestId,
    /// Machines poll it: it is logged at debug level.
    quiet: bool,
    caller: Option<Caller>,
    status: Option<StatusCode>,
    bytes: u64,
    /// Whether the answer was sent to its end.
    whole: bool,
    /// What of the server is at fault, if it is.
    fault: Option<ServerFault>,
}

impl RequestLog {
    pub(super) fn start(
        request: &Request,
        client_ip: IpAddr,
        id: RequestId,
        quiet: bool,
        metrics: Metrics,
    ) -> RequestLog {
        RequestLog {
            started: Instant::now(),
            metrics,
            method: request.method().clone(),
            route: request.extensions().get().cloned(),
            client_ip,
            id,
            quiet,
            caller: None,
            status: None,
            bytes: 0,
            whole: false,
            fault: None,
        }
    }

    /// Attaches the entry to the answer, with the permit that is held until it is sent.
    pub(super) fn attach(mut self, response: Response, admission: Option<Admission>) -> Response {
        self.status = Some(response.status());
        self.fault = response.extensions().get().cloned();
        let route = self.route.as_ref().map(MatchedPath::as_str);
        self.metrics.record_response(&self.method, route, response.status(), self.started.elapsed());
        let permit = admission.map(|Admission { caller, permit }| {
            self.caller = Some(caller);
            permit
        });
        response.map(|body| Body::new(LoggedBody { body, log: self, _permit: permit.flatten() }))
    }
}

impl Drop for RequestLog {
    fn drop(&mut self) {
        // What is unknown is left out: no route matched, the caller was refused, the client left before an
        // answer.
        let route = self.route.as_ref().map(MatchedPath::as_str);
        let caller = self.caller.as_ref().map(Caller::name);
        let status = self.status.map(|status| status.as_u16());
        let error = self.fault.as_ref().map(ServerFault::as_str);
        let ms = u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX);
        // The level of an event must be a constant, hence the macro.
        macro_rules! line {
            ($level:ident) => {
                tracing::$level!(
                    target: "enact::http",
                    method = %self.method, route, status, ms, bytes = self.bytes, whole = self.whole, caller,
                    peer = %self.client_ip, request_id = self.id.as_str(), error, "request",
                )
            };
        }
        if self.status.is_some_and(|status| status.is_server_error()) {
            line!(warn);
        } else if self.quiet {
            line!(debug);
        } else {
            line!(info);
        }
    }
}

/// What the inner middleware tells the outer one of a request: an extension of the answer.
#[derive(Debug, Clone)]
pub(super) struct Admission {
    pub(super) caller: Caller,
    /// Shared only because extensions must be `Clone`.
    pub(super) permit: Option<Arc<Permit>>,
}

/// An answer's body with what must last as long as it.
#[derive(Debug)]
struct LoggedBody {
    body: Body,
    log: RequestLog,
    _permit: Option<Arc<Permit>>,
}

impl HttpBody for LoggedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(cx));
        match &frame {
            Some(Ok(frame)) => {
                self.log.bytes += frame.data_ref().map_or(0, |data| data.len() as u64);
                self.log.whole = self.body.is_end_stream();
            }
            Some(Err(_)) => {}
            None => self.log.whole = true,
        }
        Poll::Ready(frame)
    }

    /// An empty body is never polled for a frame.
    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for LoggedBody {
    fn drop(&mut self) {
        self.log.whole |= self.body.is_end_stream();
    }
}
