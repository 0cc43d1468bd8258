//! The door in front of the routes that are really there.

use axum::{
    Router,
    body::Body,
    extract::Request,
    http::{Method, StatusCode, header},
    routing::get,
};
use enact_engine::failures::Failures;
use tower::ServiceExt;
use uuid::Uuid;

use super::{Access, FlagsByRoute, Scope, Token, guard};
use crate::{
    metrics::Metrics,
    routes::{self, Route},
    tests::server,
};

fn secret(scope: Scope) -> String {
    format!("{scope}-0123456789abcdef")
}

async fn status(router: &Router, route: &Route, shown: Option<Scope>) -> u16 {
    let path = route.path().replace("{id}", &Uuid::nil().to_string());
    let mut request =
        Request::builder().method(route.method().clone()).uri(path).header(header::HOST, "localhost");
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
    let productions = server::productions();
    let router = routes::guarded(server::node(), &productions, routes::ServerOptions::default(), access);
    for route in routes::all(&server::api(), &productions) {
        let what = format!("{route:?}");
        let stranger = status(&router, &route, None).await;
        let Some(needed) = route.scope() else {
            assert_eq!(stranger, 200, "{what}");
            continue;
        };
        assert_eq!(stranger, 401, "{what} without a token");
        for held in [Scope::Read, Scope::Run, Scope::Admin] {
            let status = status(&router, &route, Some(held)).await;
            assert_ne!(status, 401, "{what} with {held}");
            assert_eq!(status == 403, held < needed, "{what} with {held}: {status}");
        }
        assert!(*route.method() == Method::GET || needed > Scope::Read, "{what} changes something");
    }
}

#[tokio::test]
async fn a_panic_is_counted_as_what_it_is_answered_with() {
    let metrics = Metrics::default();
    let broken = Router::new().route("/broken", get(async || -> StatusCode { panic!("on purpose") }));
    let router = guard(broken, FlagsByRoute::default(), Access::default().counting(metrics.clone()));
    let request = Request::get("/broken").header(header::HOST, "localhost").body(Body::empty()).unwrap();
    assert_eq!(router.oneshot(request).await.unwrap().status(), 500);
    let line = r#"enact_http_requests_total{method="GET",route="/broken",status="500"} 1"#;
    let text = metrics.text(0, &Failures::default());
    assert!(text.contains(line), "{text}");
}

#[tokio::test]
async fn only_these_are_open() {
    let routes = routes::all(&server::api(), &server::productions());
    let open: Vec<&str> = routes.iter().filter(|route| route.scope().is_none()).map(Route::path).collect();
    assert_eq!(open, ["/v1/health", "/v1/openapi.json"]);
}
