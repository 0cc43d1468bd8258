//! Every route, and what it takes to use it.

use std::{
    fmt::Debug,
    sync::{Arc, OnceLock},
};

use axum::{
    Router,
    handler::Handler,
    http::Method,
    routing::{MethodFilter, MethodRouter, on},
};
use bytes::Bytes;
use enact_engine::Node;

use crate::{
    access::{self, Access, Gates, Scope, guard},
    accounts::Accounts,
    api::{audio, commands, costs, events, exports, forks, health, runs},
    error::{Code, Refusal},
    metrics::Metrics,
    openapi,
    productions::ServerProduction,
    queue::Queue,
};

/// How many runs may wait: some hours of work for one node, and a list that a database still counts in no time.
const MOST_WAITING: usize = 10_000;

/// What the operator decides.
#[derive(Debug, Clone)]
pub struct Options {
    /// How many runs may wait to be played before new ones are turned away.
    pub most_waiting: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options { most_waiting: MOST_WAITING }
    }
}

/// What every handler has at hand. The state of a production's handlers holds one, and says so with `FromRef`.
#[derive(Debug, Clone)]
pub struct Api {
    pub(crate) node: Node,
    pub(crate) metrics: Metrics,
    pub(crate) queue: Arc<Queue>,
    pub(crate) accounts: Arc<Accounts>,
    /// The OpenAPI document as text, once all routes are known.
    pub(crate) document: Arc<OnceLock<Bytes>>,
}

impl Api {
    pub fn new(node: Node, options: Options) -> Api {
        Api {
            node,
            metrics: Metrics::default(),
            queue: Arc::new(Queue::new(options.most_waiting)),
            accounts: Arc::default(),
            document: Arc::default(),
        }
    }

    pub fn node(&self) -> &Node {
        &self.node
    }
}

/// One way to use the API.
pub struct Route {
    method: Method,
    path: &'static str,
    /// Nothing where everybody may.
    scope: Option<Scope>,
    streams: bool,
    quiet: bool,
    handler: MethodRouter,
}

impl Route {
    /// A route for callers who hold a scope. Its handler is given this state.
    ///
    /// # Panics
    /// If the method is none that HTTP knows.
    pub fn new<H, T, S>(method: Method, scope: Scope, path: &'static str, handler: H, state: &S) -> Route
    where
        H: Handler<T, S>,
        T: 'static,
        S: Clone + Send + Sync + 'static,
    {
        let filter = MethodFilter::try_from(method.clone()).expect("a method that HTTP knows");
        let handler = on(filter, handler).with_state(state.clone());
        Route { method, path, scope: Some(scope), streams: false, quiet: false, handler }
    }

    /// It needs no token. What it answers is for everybody.
    pub fn open(mut self) -> Route {
        self.scope = None;
        self
    }

    /// It begins something and answers with a stream of what comes of it. A caller who finds no place to listen must not have
    /// begun it: the place is reserved before the route is called.
    pub fn streams(mut self) -> Route {
        self.streams = true;
        self
    }

    /// Machines ask it every few seconds: the log of requests leaves it out, or it would hide what people want to see.
    pub fn quiet(mut self) -> Route {
        self.quiet = true;
        self
    }

    pub fn method(&self) -> &Method {
        &self.method
    }

    pub fn path(&self) -> &'static str {
        self.path
    }

    /// What a caller has to hold; nothing where everybody may.
    pub fn scope(&self) -> Option<Scope> {
        self.scope
    }

    /// Its path in the document, which knows no parameters of several parts.
    pub(crate) fn described(&self) -> String {
        self.path.replace("{*", "{")
    }
}

impl Debug for Route {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.method, self.path)
    }
}

/// The whole API, with a door in front of it that counts who passes and who does not.
pub fn guarded(
    node: Node,
    productions: &[Arc<dyn ServerProduction>],
    options: Options,
    access: Access,
) -> Router {
    let api = Api::new(node, options);
    let metrics = api.metrics.clone();
    let routes = all(&api, productions);
    let gates = gates(&routes);
    guard(without_door(&api, productions, routes), gates, access.counting(metrics))
}

/// The whole API without its door. Whoever calls is nobody to it, and may use no more than what is open.
pub fn router(node: Node, productions: &[Arc<dyn ServerProduction>], options: Options) -> Router {
    let api = Api::new(node, options);
    let routes = all(&api, productions);
    without_door(&api, productions, routes)
}

fn without_door(api: &Api, productions: &[Arc<dyn ServerProduction>], routes: Vec<Route>) -> Router {
    // It never changes while the server runs, and is not small.
    api.document.get_or_init(|| openapi::text(&openapi::describe(&routes, productions)));
    let router = routes.into_iter().fold(Router::new(), |router, route| {
        let handler = match route.scope {
            Some(scope) => route.handler.layer(access::needs(scope)),
            None => route.handler,
        };
        router.route(route.path, handler)
    });
    router.fallback(no_such_route).method_not_allowed_fallback(method_not_allowed)
}

/// What the door has to know of routes before one of them is called.
fn gates(routes: &[Route]) -> Gates {
    routes.iter().fold(Gates::default(), |mut gates, route| {
        if route.scope.is_none() {
            gates = gates.open(route.path);
        }
        if route.streams {
            gates = gates.streams(route.method.clone(), route.path);
        }
        if route.quiet {
            gates = gates.quiet(route.path);
        }
        gates
    })
}

/// The routes that every run has, and those of each production.
pub(crate) fn all(api: &Api, productions: &[Arc<dyn ServerProduction>]) -> Vec<Route> {
    let own = productions.iter().flat_map(|production| production.routes(api));
    common(api).into_iter().chain(own).collect()
}

#[rustfmt::skip]
fn common(api: &Api) -> Vec<Route> {
    use Scope::{Admin, Read, Run};
    const GET: Method = Method::GET;
    const POST: Method = Method::POST;
    const DELETE: Method = Method::DELETE;
    vec![
        Route::new(GET,    Read,  "/v1/health",               health::health,      api).open().quiet(),
        Route::new(GET,    Read,  "/v1/openapi.json",         openapi::document,   api).open(),
        Route::new(GET,    Read,  "/metrics",                 health::metrics,     api).quiet(),

        Route::new(GET,    Read,  "/v1/audio/{*path}",        audio::fetch,        api),

        Route::new(GET,    Read,  "/v1/runs",                 runs::list,          api),
        Route::new(GET,    Read,  "/v1/runs/{id}",            runs::show,          api),
        Route::new(DELETE, Admin, "/v1/runs/{id}",            runs::delete,        api),
        Route::new(GET,    Read,  "/v1/runs/{id}/events",     events::follow,      api),
        Route::new(GET,    Read,  "/v1/runs/{id}/log",        exports::log,        api),
        Route::new(GET,    Read,  "/v1/runs/{id}/transcript", exports::transcript, api),
        Route::new(GET,    Read,  "/v1/runs/{id}/costs",      costs::of_run,       api),
        Route::new(GET,    Read,  "/v1/costs",                costs::of_all,       api),

        Route::new(POST,   Run,   "/v1/runs/{id}/commands",   commands::post,      api),
        Route::new(POST,   Run,   "/v1/runs/{id}/cancel",     commands::cancel,    api),
        Route::new(POST,   Run,   "/v1/runs/{id}/fork",       forks::fork,         api),
    ]
}

async fn no_such_route() -> Refusal {
    Refusal::new(Code::NoSuchRoute, "there is nothing here").hint("GET /v1/openapi.json lists all there is")
}

async fn method_not_allowed() -> Refusal {
    Refusal::new(Code::MethodNotAllowed, "this path takes other methods").hint("see the header Allow")
}
