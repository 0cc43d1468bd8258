//! One request from its arrival to the last byte of its answer, as one line in the log.

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

use super::{caller::Caller, places::Place, request_id::RequestId};
use crate::metrics::Metrics;

/// What is counted when it is answered, and becomes a line when it is dropped, which is also what happens when the client leaves before there is an answer.
///
/// The route's pattern stands for the path, and no query, header or body is ever written: that is where secrets are.
#[derive(Debug)]
pub(super) struct Visit {
    started: Instant,
    metrics: Metrics,
    method: Method,
    route: Option<MatchedPath>,
    peer: IpAddr,
    id: RequestId,
    /// Whether it is asked every few seconds by machines: they would drown what people want to see.
    quiet: bool,
    caller: Option<Caller>,
    status: Option<StatusCode>,
    bytes: u64,
    /// Whether the answer was sent to its end.
    whole: bool,
}

impl Visit {
    pub(super) fn begin(
        request: &Request,
        peer: IpAddr,
        id: RequestId,
        quiet: bool,
        metrics: Metrics,
    ) -> Visit {
        Visit {
            started: Instant::now(),
            metrics,
            method: request.method().clone(),
            route: request.extensions().get().cloned(),
            peer,
            id,
            quiet,
            caller: None,
            status: None,
            bytes: 0,
            whole: false,
        }
    }

    /// Goes with the answer until it is sent, and holds its place among those at once.
    pub(super) fn follow(mut self, response: Response, admitted: Option<Admitted>) -> Response {
        self.status = Some(response.status());
        let route = self.route.as_ref().map(MatchedPath::as_str);
        self.metrics.record_response(&self.method, route, response.status(), self.started.elapsed());
        let place = admitted.map(|Admitted { caller, place }| {
            self.caller = Some(caller);
            place
        });
        response.map(|body| Body::new(Followed { body, visit: self, _place: place.flatten() }))
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        // What is not known is left out: no route took it, nobody was recognised, no answer was ready.
        let route = self.route.as_ref().map(MatchedPath::as_str);
        let caller = self.caller.as_ref().map(Caller::name);
        let status = self.status.map(|status| status.as_u16());
        let ms = u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX);
        // The level of an event must be a constant, hence the macro.
        macro_rules! line {
            ($level:ident) => {
                tracing::$level!(
                    target: "enact::http",
                    method = %self.method, route, status, ms, bytes = self.bytes, whole = self.whole, caller,
                    peer = %self.peer, request_id = self.id.as_str(), "request",
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

/// What the inner part of the door knows of a request and the outer part needs: an extension of the answer.
#[derive(Debug, Clone)]
pub(super) struct Admitted {
    pub(super) caller: Caller,
    /// Extensions must be `Clone`, a place is not: nobody clones this one.
    pub(super) place: Option<Arc<Place>>,
}

/// An answer's body with what must last as long as it.
#[derive(Debug)]
struct Followed {
    body: Body,
    visit: Visit,
    _place: Option<Arc<Place>>,
}

impl HttpBody for Followed {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(cx));
        match &frame {
            Some(Ok(frame)) => {
                self.visit.bytes += frame.data_ref().map_or(0, |data| data.len() as u64);
                self.visit.whole = self.body.is_end_stream();
            }
            Some(Err(_)) => {}
            None => self.visit.whole = true,
        }
        Poll::Ready(frame)
    }

    /// Where there is no body nobody asks for a frame.
    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for Followed {
    fn drop(&mut self) {
        self.visit.whole |= self.body.is_end_stream();
    }
}
