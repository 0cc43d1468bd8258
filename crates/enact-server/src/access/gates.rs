//! What the door has to know of a route before the route is called.

use std::collections::HashSet;

use axum::{
    extract::{MatchedPath, Request},
    http::Method,
};

/// The routes that the door treats in a way of their own, by their patterns. Every other path is closed to those who show no
/// token, also one that no route has.
#[derive(Debug, Clone, Default)]
pub struct Gates {
    open: HashSet<String>,
    streams: HashSet<(Method, String)>,
    quiet: HashSet<String>,
}

impl Gates {
    /// What may be read without a token.
    pub fn open(mut self, path: &str) -> Gates {
        self.open.insert(path.to_owned());
        self
    }

    /// What begins something and answers with a stream of what comes of it: a place for the reader is reserved first.
    pub fn streams(mut self, method: Method, path: &str) -> Gates {
        self.streams.insert((method, path.to_owned()));
        self
    }

    /// What machines ask every few seconds.
    pub fn quiet(mut self, path: &str) -> Gates {
        self.quiet.insert(path.to_owned());
        self
    }

    pub(super) fn is_open(&self, request: &Request) -> bool {
        pattern(request).is_some_and(|path| self.open.contains(path))
    }

    pub(super) fn is_stream(&self, request: &Request) -> bool {
        let route = |path: &str| (request.method().clone(), path.to_owned());
        pattern(request).is_some_and(|path| self.streams.contains(&route(path)))
    }

    pub(super) fn is_quiet(&self, request: &Request) -> bool {
        pattern(request).is_some_and(|path| self.quiet.contains(path))
    }
}

/// The route that a request is for, as it was registered.
fn pattern(request: &Request) -> Option<&str> {
    request.extensions().get::<MatchedPath>().map(MatchedPath::as_str)
}
