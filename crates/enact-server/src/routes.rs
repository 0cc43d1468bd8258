//! Every route, and what it takes to use it.

use std::sync::Arc;

use axum::{
    Router,
    handler::Handler,
    http::Method,
    routing::{MethodFilter, MethodRouter, on},
};
use enact_engine::Node;

use crate::{
    access::{self, Access, Scope, guard},
    accounts::Accounts,
    api::{agents, audio, chat, costs, events, exports, health, runs, scenes, steering},
    error::{Code, Refusal},
    metrics::Metrics,
    openapi,
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

/// What every handler has at hand.
#[derive(Debug, Clone)]
pub(crate) struct Api {
    pub(crate) node: Node,
    pub(crate) metrics: Metrics,
    pub(crate) queue: Arc<Queue>,
    pub(crate) accounts: Arc<Accounts>,
}

/// One way to use the API.
pub(crate) struct Route {
    pub(crate) method: Method,
    pub(crate) path: &'static str,
    /// Nothing where anybody may.
    pub(crate) scope: Option<Scope>,
    handler: MethodRouter<Api>,
}

impl Route {
    /// Its path in the document, which knows no parameters of several parts.
    pub(crate) fn described(&self) -> String {
        self.path.replace("{*", "{")
    }
}

/// The whole API, with a door in front of it that counts who passes and who does not.
pub fn guarded(node: Node, options: Options, access: Access) -> Router {
    let metrics = Metrics::default();
    guard(without_door(node, options, metrics.clone()), access.counting(metrics))
}

/// The whole API without its door. Whoever calls is nobody to it, and may use no more than what is open.
pub fn router(node: Node, options: Options) -> Router {
    without_door(node, options, Metrics::default())
}

fn without_door(node: Node, options: Options, metrics: Metrics) -> Router {
    let api =
        Api { node, metrics, queue: Arc::new(Queue::new(options.most_waiting)), accounts: Arc::default() };
    let router = all().into_iter().fold(Router::new(), |router, route| {
        let handler = match route.scope {
            Some(scope) => route.handler.layer(access::needs(scope)),
            None => route.handler,
        };
        router.route(route.path, handler)
    });
    router.fallback(no_such_route).method_not_allowed_fallback(method_not_allowed).with_state(api)
}

#[rustfmt::skip]
pub(crate) fn all() -> Vec<Route> {
    use Scope::{Admin, Read, Run};
    const GET: Method = Method::GET;
    const POST: Method = Method::POST;
    const DELETE: Method = Method::DELETE;
    vec![
        open (GET,           "/v1/health",                  health::health),
        open (GET,           "/v1/openapi.json",            openapi::document),
        route(GET,    Read,  "/metrics",                    health::metrics),

        route(POST,   Run,   "/v1/scenes",                  scenes::play),

        route(GET,    Read,  "/v1/agents",                  agents::list),
        route(POST,   Run,   "/v1/chat",                    chat::say),
        route(GET,    Read,  "/v1/chat/{sessionId}/events", chat::follow),
        route(POST,   Run,   "/v1/reset",                   chat::reset),
        route(GET,    Read,  "/v1/audio/{*path}",           audio::fetch),

        route(GET,    Read,  "/v1/runs",                    runs::list),
        route(GET,    Read,  "/v1/runs/{id}",               runs::show),
        route(DELETE, Admin, "/v1/runs/{id}",               runs::delete),
        route(GET,    Read,  "/v1/runs/{id}/events",        events::follow),
        route(GET,    Read,  "/v1/runs/{id}/log",           exports::log),
        route(GET,    Read,  "/v1/runs/{id}/transcript",    exports::transcript),
        route(GET,    Read,  "/v1/runs/{id}/costs",         costs::of_run),
        route(GET,    Read,  "/v1/costs",                   costs::of_all),

        route(POST,   Run,   "/v1/runs/{id}/cancel",        steering::cancel),
        route(POST,   Run,   "/v1/runs/{id}/pause",         steering::pause),
        route(POST,   Run,   "/v1/runs/{id}/resume",        steering::resume),
        route(POST,   Run,   "/v1/runs/{id}/step",          steering::step),
        route(POST,   Run,   "/v1/runs/{id}/notes",         steering::note),
        route(POST,   Run,   "/v1/runs/{id}/world-events",  steering::world_event),
        route(POST,   Run,   "/v1/runs/{id}/fork",          scenes::fork),
    ]
}

fn route<H: Handler<T, Api>, T: 'static>(
    method: Method,
    scope: Scope,
    path: &'static str,
    handler: H,
) -> Route {
    Route { scope: Some(scope), ..open(method, path, handler) }
}

/// A route that needs no scope.
fn open<H: Handler<T, Api>, T: 'static>(method: Method, path: &'static str, handler: H) -> Route {
    let filter = MethodFilter::try_from(method.clone()).expect("the methods above are all known to axum");
    Route { method, path, scope: None, handler: on(filter, handler) }
}

async fn no_such_route() -> Refusal {
    Refusal::new(Code::NoSuchRoute, "there is nothing here").hint("GET /v1/openapi.json lists all there is")
}

async fn method_not_allowed() -> Refusal {
    Refusal::new(Code::MethodNotAllowed, "this path takes other methods").hint("see the header Allow")
}
