//! What a caller may do, and the layer that asks for it at a route.

use std::{
    fmt,
    future::{Ready, ready},
    str::FromStr,
    task::{Context, Poll},
};

use axum::{
    extract::Request,
    response::{IntoResponse, Response},
};
use enact_drama::{Problem, did_you_mean};
use futures::future::{Either, MapOk, TryFutureExt};
use tower::{Layer, Service};

use super::{caller::Caller, token};
use crate::error::{ApiError, Code};

/// What a token is good for. Each scope holds the ones before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// Looks: runs, transcripts, events, costs, metrics.
    Read,
    /// Spends and steers: starts, forks, pauses, cancels runs.
    Run,
    /// Does what cannot be undone: deletes runs.
    Admin,
}

impl Scope {
    const ALL: [Scope; 3] = [Scope::Read, Scope::Run, Scope::Admin];

    pub fn as_str(self) -> &'static str {
        match self {
            Scope::Read => "read",
            Scope::Run => "run",
            Scope::Admin => "admin",
        }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Scope {
    type Err = Problem;

    fn from_str(text: &str) -> Result<Scope, Problem> {
        let names = Scope::ALL.map(Scope::as_str);
        Scope::ALL.into_iter().find(|scope| scope.as_str() == text).ok_or_else(|| {
            let problem = Problem::config(format!("unknown scope '{text}': there are read, run and admin"));
            match did_you_mean(text, names) {
                Some(meant) => problem.hint(format!("did you mean '{meant}'?")),
                None => problem,
            }
        })
    }
}

/// A layer for a route: whoever calls it must hold this scope.
///
/// Who calls is found out once, by [`guard`](super::guard). Without a guard around it, a route is closed to all.
pub fn needs(scope: Scope) -> Needs {
    Needs(scope)
}

/// See [`needs`].
#[derive(Debug, Clone, Copy)]
pub struct Needs(Scope);

impl<S> Layer<S> for Needs {
    type Service = Needing<S>;

    fn layer(&self, inner: S) -> Needing<S> {
        Needing { inner, scope: self.0 }
    }
}

/// A route with the scope it needs.
#[derive(Debug, Clone)]
pub struct Needing<S> {
    inner: S,
    scope: Scope,
}

impl<S> Service<Request> for Needing<S>
where
    S: Service<Request>,
    S::Response: IntoResponse,
{
    type Response = Response;
    type Error = S::Error;
    type Future = Either<MapOk<S::Future, fn(S::Response) -> Response>, Ready<Result<Response, S::Error>>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        match check(request.extensions().get(), self.scope) {
            Ok(()) => Either::Left(self.inner.call(request).map_ok(IntoResponse::into_response)),
            Err(error) => Either::Right(ready(Ok(error.into_response()))),
        }
    }
}

fn check(caller: Option<&Caller>, scope: Scope) -> Result<(), ApiError> {
    match caller {
        Some(caller) if caller.may(scope) => Ok(()),
        Some(caller) if caller.is_known() => {
            let message = format!("the token '{}' lacks the scope '{scope}'", caller.name());
            Err(ApiError::new(Code::Forbidden, message).with("scope", scope.as_str()))
        }
        _ => Err(token::missing()),
    }
}
