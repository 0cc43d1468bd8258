//! The route table: the routes that every run has are listed here, those of one production in its own module
//! ([`scene`](crate::scene), [`chorus`](crate::chorus), [`episode`](crate::episode), [`field`](crate::field),
//! [`mind`](crate::mind)), each with all that is known of it before it is called.
//! The access checks, the log of requests and the OpenAPI document are made from this table.

use std::{
    fmt::Debug,
    sync::{Arc, OnceLock, Weak},
};

use axum::{
    Extension, Router,
    handler::Handler,
    http::Method,
    middleware::from_fn_with_state,
    routing::{MethodFilter, MethodRouter, on},
};
use bytes::Bytes;
use enact_engine::Node;
use enact_page::PageFiles;
use utoipa::openapi::OpenApi;

use crate::{
    access::{Access, FlagsByRoute, RouteFlags, Scope, guard, require_scope},
    api::{asks, audio, commands, costs, events, exports, forks, health, recordings, results, runs},
    cost_index::CostIndex,
    error::{ApiError, ErrorCode, report_store_failure},
    metrics::Metrics,
    openapi, page,
    productions::ServerProduction,
    run_request::QueueLimit,
    store_probe::StoreProbe,
};

/// How many runs may wait: some hours of work for one node, and a list that a database still counts in no
/// time.
const MAX_WAITING: usize = 10_000;

/// What the operator decides.
#[derive(Debug, Clone)]
pub struct ServerOptions {
    /// How many runs may wait to be played before new ones are turned away.
    pub most_waiting: usize,
    /// The web page.
    pub page: PageFiles,
}

impl Default for ServerOptions {
    fn default() -> ServerOptions {
        ServerOptions { most_waiting: MAX_WAITING, page: PageFiles::embedded() }
    }
}

/// The state of every handler. The state of a production's handlers holds one, and says so with
/// `FromRef`.
#[derive(Debug, Clone)]
pub struct ApiState {
    pub(crate) node: Node,
    pub(crate) metrics: Metrics,
    pub(crate) queue_limit: Arc<QueueLimit>,
    pub(crate) cost_index: Arc<CostIndex>,
    pub(crate) store_probe: StoreProbe,
    /// The OpenAPI document as text, once all routes are known.
    pub(crate) document: Arc<OnceLock<Bytes>>,
    /// The whole API behind its access checks, for handlers that call other routes. Weak, since its handlers
    /// hold this state, and with it the node and the store: a cycle would keep the store open for ever.
    pub(crate) router: Arc<OnceLock<Weak<Router>>>,
}

impl ApiState {
    pub fn new(node: Node, options: ServerOptions) -> ApiState {
        ApiState {
            node,
            metrics: Metrics::default(),
            queue_limit: Arc::new(QueueLimit::new(options.most_waiting)),
            cost_index: Arc::default(),
            store_probe: StoreProbe::default(),
            document: Arc::default(),
            router: Arc::default(),
        }
    }

    pub fn node(&self) -> &Node {
        &self.node
    }
}

/// A row of the route table.
pub struct Route {
    method: Method,
    path: &'static str,
    scope: Scope,
    flags: RouteFlags,
    handler: MethodRouter,
    description: Option<OpenApi>,
}

/// A [`Route`] with the description that its handler's `#[utoipa::path]` gives of it:
/// `route!(POST "/v1/chat", Run, chat::post_chat, state)`.
///
/// Its columns are the method and path, the scope that a caller has to hold, the handler, and the handler's
/// state.
#[macro_export]
macro_rules! route {
    ($method:ident $path:literal, $scope:ident, $($handler:ident)::+, $state:expr) => {{
        #[derive(utoipa::OpenApi)]
        #[openapi(paths($($handler)::+))]
        struct Described;
        let (method, scope) = (axum::http::Method::$method, $crate::access::Scope::$scope);
        $crate::Route::new(method, scope, $path, $($handler)::+, $state)
            .described(<Described as utoipa::OpenApi>::openapi())
    }};
}

impl Route {
    /// A route for callers who hold a scope. Its handler is given this state. The OpenAPI document leaves it
    /// out until it is [described](Route::described).
    ///
    /// # Panics
    /// If HTTP has no such method.
    pub fn new<H, T, S>(method: Method, scope: Scope, path: &'static str, handler: H, state: &S) -> Route
    where
        H: Handler<T, S>,
        T: 'static,
        S: Clone + Send + Sync + 'static,
    {
        let filter = MethodFilter::try_from(method.clone()).expect("a method that HTTP knows");
        let handler = on(filter, handler).with_state(state.clone());
        Route { method, path, scope, flags: RouteFlags::default(), handler, description: None }
    }

    /// What the OpenAPI document says of it, and the schemas it refers to.
    ///
    /// # Panics
    /// If the description is of another method or path: that is a mistake in the table, which any test of it
    /// finds.
    pub fn described(mut self, mut description: OpenApi) -> Route {
        let described = openapi::operation(&mut description, &self).is_some();
        assert!(described, "the handler of {self:?} is described as something else");
        self.description = Some(description);
        self
    }

    /// Says more in the document than the handler's types do.
    pub(crate) fn amend(mut self, amend: impl FnOnce(&mut OpenApi)) -> Route {
        self.description.as_mut().map(amend);
        self
    }

    /// It needs no token: everyone may read what it answers.
    pub fn open(mut self) -> Route {
        self.flags.open = true;
        self
    }

    /// It starts something and answers with a stream of what comes of it. A caller who is over the limit of
    /// streams must not have started it, so that the stream is reserved before the handler is called.
    pub fn streams(mut self) -> Route {
        self.flags.streams = true;
        self
    }

    /// Callers without a token may use it as well, each for what is their own, where the operator
    /// [lets guests in](Access::admit_guests).
    pub fn guests(mut self) -> Route {
        self.flags.guests = true;
        self
    }

    /// Machines poll it every few seconds: the log of requests has it at debug level only.
    pub fn quiet(mut self) -> Route {
        self.flags.quiet = true;
        self
    }

    pub fn method(&self) -> &Method {
        &self.method
    }

    pub fn path(&self) -> &'static str {
        self.path
    }

    /// What a caller has to hold; `None` if the route is open.
    pub fn scope(&self) -> Option<Scope> {
        (!self.flags.open).then_some(self.scope)
    }

    pub(crate) fn description(&self) -> Option<&OpenApi> {
        self.description.as_ref()
    }

    /// Its path in the document, which knows no wildcard parameters.
    pub(crate) fn described_path(&self) -> String {
        self.path.replace("{*", "{")
    }
}

impl Debug for Route {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.method, self.path)
    }
}

/// The whole API behind the access checks, which count every request, refused ones too.
pub fn guarded(
    node: Node,
    productions: &[Arc<dyn ServerProduction>],
    options: ServerOptions,
    access: Access,
) -> Router {
    let page = options.page.clone();
    let api = ApiState::new(node, options);
    let metrics = api.metrics.clone();
    let routes = with_page(all(&api, productions), &page);
    let flags = routes.iter().fold(FlagsByRoute::default(), |flags, route| {
        flags.with(route.method.clone(), route.path, route.flags)
    });
    let router = guard(unguarded(&api, productions, routes), flags, access.counting(metrics));
    let called_by_handlers = Arc::new(router.clone());
    api.router.get_or_init(|| Arc::downgrade(&called_by_handlers));
    // It lives as long as the router that is served, and while a request is answered.
    router.layer(Extension(called_by_handlers))
}

/// The whole API without the access checks. Every caller is anonymous, and may use no more than what is open.
pub fn router(node: Node, productions: &[Arc<dyn ServerProduction>], options: ServerOptions) -> Router {
    let page = options.page.clone();
    let api = ApiState::new(node, options);
    let routes = with_page(all(&api, productions), &page);
    unguarded(&api, productions, routes)
}

/// The page stands beside the API: the document describes the API alone.
fn with_page(api: Vec<Route>, page: &PageFiles) -> Vec<Route> {
    api.into_iter().chain(page::routes(page)).collect()
}

fn unguarded(api: &ApiState, productions: &[Arc<dyn ServerProduction>], routes: Vec<Route>) -> Router {
    // It never changes while the server runs, and is not small.
    api.document.get_or_init(|| openapi::text(&openapi::describe(&routes, productions)));
    let router = routes.into_iter().fold(Router::new(), |router, route| {
        let handler = match route.scope() {
            Some(scope) => require_scope(route.handler, scope),
            None => route.handler,
        };
        router.route(route.path, handler)
    });
    let router = router.fallback(no_such_route).method_not_allowed_fallback(method_not_allowed);
    router.layer(from_fn_with_state(api.node.clone(), report_store_failure))
}

/// The routes that every run has, and those of each production.
pub(crate) fn all(api: &ApiState, productions: &[Arc<dyn ServerProduction>]) -> Vec<Route> {
    let own = productions.iter().flat_map(|production| production.routes(api));
    common(api).into_iter().chain(own).collect()
}

#[rustfmt::skip]
fn common(api: &ApiState) -> Vec<Route> {
    vec![
        route!(GET    "/v1/health",               Read,  health::health,      api).open().quiet(),
        route!(GET    "/v1/openapi.json",         Read,  openapi::document,   api).open(),
        route!(GET    "/metrics",                 Read,  health::metrics,     api).quiet(),

        route!(GET    "/v1/audio/{*path}",        Read,  audio::fetch,        api),

        route!(GET    "/v1/runs",                 Read,  runs::list,          api),
        route!(GET    "/v1/runs/{id}",            Read,  runs::show,          api),
        route!(DELETE "/v1/runs/{id}",            Admin, runs::delete,        api),
        route!(GET    "/v1/runs/{id}/events",     Read,  events::follow,      api),
        route!(GET    "/v1/runs/{id}/log",        Read,  exports::log,        api),
        route!(GET    "/v1/runs/{id}/transcript", Read,  exports::transcript, api),
        route!(GET    "/v1/runs/{id}/recording",  Read,  recordings::recording, api),
        route!(GET    "/v1/runs/{id}/result",     Read,  results::result,     api),
        route!(GET    "/v1/runs/{id}/costs",      Read,  costs::of_run,       api),
        route!(GET    "/v1/costs",                Read,  costs::of_all,       api),

        route!(GET    "/v1/runs/{id}/asks",       Read,  asks::list,          api),
        route!(POST   "/v1/runs/{id}/commands",   Run,   commands::post,      api),
        route!(POST   "/v1/runs/{id}/cancel",     Run,   commands::cancel,    api),
        route!(POST   "/v1/runs/{id}/fork",       Run,   forks::fork,         api),
    ]
}

async fn no_such_route() -> ApiError {
    ApiError::new(ErrorCode::NoSuchRoute, "there is nothing here")
        .hint("GET /v1/openapi.json lists all there is")
}

async fn method_not_allowed() -> ApiError {
    ApiError::new(ErrorCode::MethodNotAllowed, "this path takes other methods").hint("see the header Allow")
}
