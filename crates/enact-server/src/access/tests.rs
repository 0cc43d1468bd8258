//! The door in front of the routes that are really there.

use std::sync::Arc;

use async_trait::async_trait;
use axum::{
    Router,
    body::Body,
    extract::Request,
    http::{Method, StatusCode, header},
    routing::get,
};
use enact_drama::{
    Name, Problem,
    scene::{SceneConfig, Setup},
};
use enact_engine::{
    Node,
    log::MemoryLog,
    node::{self, Project},
};
use tower::ServiceExt;
use uuid::Uuid;

use super::{Access, Scope, Token, door::OPEN, guard};
use crate::{
    metrics::Metrics,
    routes::{self, Route},
};

/// Has nobody to play.
#[derive(Debug)]
struct Nobody;

#[async_trait]
impl Project for Nobody {
    async fn cast(&self, _: SceneConfig, _: Vec<(Name, String)>) -> Result<Setup, Problem> {
        Err(Problem::config("there is nobody"))
    }

    async fn models(&self, _: &[enact_drama::production::Player]) -> Result<enact_engine::Models, Problem> {
        Err(Problem::config("there is nobody"))
    }
}

fn secret(scope: Scope) -> String {
    format!("{scope}-0123456789abcdef")
}

async fn status(router: &Router, route: &Route, shown: Option<Scope>) -> u16 {
    let path = route.path.replace("{id}", &Uuid::nil().to_string());
    let mut request =
        Request::builder().method(route.method.clone()).uri(path).header(header::HOST, "localhost");
    if let Some(scope) = shown {
        request = request.header(header::AUTHORIZATION, format!("Bearer {}", secret(scope)));
    }
    let response = router.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
    response.status().as_u16()
}

#[tokio::test]
async fn every_route_wants_what_it_says() {
    let access = [Scope::Read, Scope::Run, Scope::Admin]
        .into_iter()
        .try_fold(Access::default(), |access, scope| {
            access.token(Token::new(scope.as_str(), &secret(scope), scope)?)
        })
        .unwrap();
    let node = Node::start(Arc::new(MemoryLog::default()), Arc::new(Nobody), node::Limits::default());
    let router = routes::guarded(node, routes::Options::default(), access);
    for route in routes::all() {
        let what = format!("{} {}", route.method, route.path);
        let stranger = status(&router, &route, None).await;
        let Some(needed) = route.scope else {
            assert_eq!(stranger, 200, "{what}");
            continue;
        };
        assert_eq!(stranger, 401, "{what} without a token");
        for held in [Scope::Read, Scope::Run, Scope::Admin] {
            let status = status(&router, &route, Some(held)).await;
            assert_ne!(status, 401, "{what} with {held}");
            assert_eq!(status == 403, held < needed, "{what} with {held}: {status}");
        }
        assert!(route.method == Method::GET || needed > Scope::Read, "{what} changes something");
    }
}

#[tokio::test]
async fn a_panic_is_counted_as_what_it_is_answered_with() {
    let metrics = Metrics::default();
    let broken = Router::new().route("/broken", get(async || -> StatusCode { panic!("on purpose") }));
    let router = guard(broken, Access::default().counting(metrics.clone()));
    let request = Request::get("/broken").header(header::HOST, "localhost").body(Body::empty()).unwrap();
    assert_eq!(router.oneshot(request).await.unwrap().status(), 500);
    let line = r#"enact_http_requests_total{method="GET",route="/broken",status="500"} 1"#;
    assert!(metrics.text(0).contains(line), "{}", metrics.text(0));
}

#[test]
fn the_door_leaves_open_what_the_routes_leave_open() {
    let open: Vec<&str> =
        routes::all().iter().filter(|route| route.scope.is_none()).map(|route| route.path).collect();
    assert_eq!(open, OPEN);
}
