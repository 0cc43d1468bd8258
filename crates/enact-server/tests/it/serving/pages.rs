//! What browsers are told, and whose pages may call.

use enact_server::{Limits, access::Access};
use expect_test::expect;

use super::server::Server;

const GAME: &str = "https://game.example.com";

async fn server() -> Server {
    let access = Access::default().allow_origin(GAME).unwrap().allow_host("enact.example.com").unwrap();
    Server::guarded(access, Limits::default()).await
}

#[tokio::test]
async fn every_answer_says_what_it_is_not() {
    let server = server().await;
    for line in ["GET /look", "GET /nothing", "POST /look", "GET /panic", "OPTIONS /look"] {
        let answer = server.ask(line, &["x-request-id: here"], "").await;
        let mut headers: Vec<&str> = answer.head.lines().skip(1).collect();
        headers.retain(|header| {
            !["date", "content-length", "content-type", "vary", "allow", "access-control"]
                .iter()
                .any(|name| header.starts_with(name))
        });
        headers.sort_unstable();
        expect![[r#"
            cache-control: no-store
            connection: close
            content-security-policy: default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'
            cross-origin-opener-policy: same-origin
            cross-origin-resource-policy: same-origin
            referrer-policy: no-referrer
            x-content-type-options: nosniff
            x-frame-options: DENY
            x-request-id: here"#]]
        .assert_eq(&headers.join("\n"));
    }
}

#[tokio::test]
async fn a_foreign_name_for_this_machine_is_not_answered() {
    let server = server().await;
    for (host, status, code) in [
        ("host: localhost:8000", 200, ""),
        ("host: enact.example.com", 200, ""),
        ("host: rebound.evil.example", 421, "HOST_NOT_ALLOWED"),
        ("host: a b", 400, "INVALID_HOST"),
        ("x-forwarded-host: localhost", 400, "INVALID_HOST"),
    ] {
        let answer = server.ask("GET /look", &[host], "").await;
        assert_eq!(answer.status, status, "{host}");
        if status != 200 {
            assert_eq!(answer.code(), code);
        }
    }
    let full = server.ask("GET http://evil.example/look", &["host: localhost"], "").await;
    assert_eq!(full.status, 421);
    let old = server.raw("GET /look HTTP/1.0\r\n\r\n").await;
    assert!(old.starts_with("HTTP/1.0 400"), "{old}");
}

#[tokio::test]
async fn another_site_s_page_cannot_even_start_something() {
    let server = server().await;
    for (origin, status) in [
        ("origin: http://localhost", 200),
        ("origin: https://game.example.com", 200),
        ("origin: https://evil.example", 403),
        ("origin: null", 403),
        ("origin: http://localhost:3000", 403),
        ("sec-fetch-site: cross-site", 403),
        ("sec-fetch-site: same-origin", 200),
    ] {
        // What a form of any page can send without being asked whether it may.
        let answer = server.ask("POST /play", &[origin, "content-type: text/plain"], "{}").await;
        assert_eq!(answer.status, status, "{origin}");
        if status == 403 {
            assert_eq!(answer.code(), "ORIGIN_NOT_ALLOWED");
            assert_eq!(answer.header("access-control-allow-origin"), None);
        }
    }
}

#[tokio::test]
async fn an_allowed_page_may_ask_and_read() {
    let server = server().await;
    let origin = format!("origin: {GAME}");
    let preflight = server
        .ask(
            "OPTIONS /play",
            &[
                &origin,
                "access-control-request-method: POST",
                "access-control-request-headers: authorization",
            ],
            "",
        )
        .await;
    assert_eq!(preflight.status, 200);
    let mut said: Vec<&str> =
        preflight.head.lines().filter(|line| line.starts_with("access-control")).collect();
    said.sort_unstable();
    expect![[r#"
        access-control-allow-headers: authorization,content-type,range,if-range,idempotency-key,last-event-id,x-anonymous-id,x-request-id
        access-control-allow-methods: GET,HEAD,POST,DELETE
        access-control-allow-origin: https://game.example.com
        access-control-max-age: 600"#]]
    .assert_eq(&said.join("\n"));

    for path in ["/look", "/nothing", "/panic"] {
        let answer = server.ask(&format!("GET {path}"), &[&origin], "").await;
        assert_eq!(answer.header("access-control-allow-origin"), Some(GAME), "{path}");
        assert_eq!(answer.header("access-control-allow-credentials"), None);
        let exposed = answer.header("access-control-expose-headers").unwrap();
        let wanted = "location,retry-after,accept-ranges,content-length,content-range,idempotent-replayed,x-request-id";
        assert_eq!(exposed, wanted);
    }
    let foreign = ["origin: https://evil.example", "access-control-request-method: POST"];
    let refused = server.ask("OPTIONS /play", &foreign, "").await;
    assert_eq!((refused.status, refused.header("access-control-allow-origin")), (403, None));
}

#[tokio::test]
async fn requests_have_ids() {
    let server = server().await;
    let answer = server.ask("GET /runs/7", &["x-request-id: abc-1"], "").await;
    assert_eq!((answer.body.as_str(), answer.header("x-request-id")), ("abc-1", Some("abc-1")));
    let answer = server.ask("GET /runs/7", &["x-request-id: a b\tc"], "").await;
    assert_eq!(answer.header("x-request-id"), Some(answer.body.as_str()));
    assert_eq!(answer.body.len(), 32);
}
