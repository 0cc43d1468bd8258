//! What the middleware has to know of a route before the route is called.

use std::collections::HashMap;

use axum::{
    extract::{MatchedPath, Request},
    http::Method,
};

/// How the middleware treats a route: columns of the route table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RouteFlags {
    /// It may be read without a token.
    pub open: bool,
    /// It starts something and answers with a stream: the stream is reserved before the handler is called.
    pub streams: bool,
    /// Machines poll it: its requests are logged at debug level.
    pub quiet: bool,
}

/// The flags of all routes, by method and pattern. Whatever has none, paths without a route among them, is closed to callers
/// without a token.
#[derive(Debug, Clone, Default)]
pub struct FlagsByRoute(HashMap<(Method, String), RouteFlags>);

impl FlagsByRoute {
    pub fn with(mut self, method: Method, path: &str, flags: RouteFlags) -> FlagsByRoute {
        self.0.insert((method, path.to_owned()), flags);
        self
    }

    pub(super) fn of(&self, request: &Request) -> RouteFlags {
        let Some(path) = request.extensions().get::<MatchedPath>() else { return RouteFlags::default() };
        // Routes for GET answer HEAD as well.
        let method = if request.method() == Method::HEAD { &Method::GET } else { request.method() };
        self.0.get(&(method.clone(), path.as_str().to_owned())).copied().unwrap_or_default()
    }
}
