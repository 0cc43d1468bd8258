//! What is written of each request, and what never is.

use std::{
    io,
    sync::{Arc, Mutex},
};

use enact_server::{
    Limits,
    access::{Access, Scope, Token},
};
use enact_testkit::run_in_own_process;
use expect_test::{Expect, expect};
use tracing_subscriber::fmt::MakeWriter;

use super::server::Server;

const SECRET: &str = "secret-0123456789abcdef";

#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl io::Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Written {
    type Writer = Written;

    fn make_writer(&'a self) -> Written {
        self.clone()
    }
}

/// All that a visit leaves. The runtime has one thread, so that whatever is written while it runs is written
/// here. The tests run in processes of their own: what a thread without a subscriber has met first is
/// switched off for every thread.
fn written(level: tracing::Level, limits: Limits, visit: impl AsyncFnOnce(&Server)) -> String {
    let written = Written::default();
    let subscriber = tracing_subscriber::fmt()
        .with_writer(written.clone())
        .with_max_level(level)
        .with_ansi(false)
        .without_time()
        .finish();
    let _guard = tracing::subscriber::set_default(subscriber);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let access = Access::default().token(Token::new("game", SECRET, Scope::Run).unwrap()).unwrap();
        let mut server = Server::guarded(access, limits).await;
        visit(&server).await;
        server.ask_to_stop();
        server.stopped().await;
    });
    let text = String::from_utf8(written.0.lock().unwrap().clone()).unwrap();
    assert!(!text.contains(SECRET) && !text.contains("hidden"), "{text}");
    text
}

/// The lines of its requests, without what differs from time to time.
fn lines(level: tracing::Level, visit: impl AsyncFnOnce(&Server)) -> String {
    let text = written(level, Limits::default(), visit);
    let requests = text.lines().filter(|line| line.contains("enact::http: request"));
    requests
        .map(|line| {
            let (before, after) = line.split_once(" ms=").unwrap();
            format!("{} {}\n", before.trim(), after.split_once(' ').unwrap().1)
        })
        .collect()
}

fn check(level: tracing::Level, line: &str, headers: &[&str], body: &str, expected: Expect) {
    let headers = [&["x-request-id: abc"], headers].concat();
    let lines = lines(level, async |server: &Server| {
        server.ask(line, &headers, body).await;
    });
    expected.assert_eq(&lines);
}

#[test]
fn a_client_that_leaves_early_leaves_a_line() {
    if run_in_own_process("serving::log::a_client_that_leaves_early_leaves_a_line") {
        return;
    }
    let head = |path| {
        format!(
            "GET {path} HTTP/1.1\r\nhost: localhost\r\nx-request-id: abc\r\nauthorization: Bearer {SECRET}\r\n\r\n"
        )
    };
    let before_the_answer = lines(tracing::Level::INFO, async |server: &Server| {
        let mut client = server.connect().await;
        client.send(head("/held")).await;
        server.arrived.notified().await;
    });
    expect![[r#"
        INFO enact::http: request method=GET route="/held" bytes=0 whole=false peer=127.0.0.1 request_id="abc"
    "#]]
    .assert_eq(&before_the_answer);
    let within_it = lines(tracing::Level::INFO, async |server: &Server| {
        let mut client = server.connect().await;
        client.send(head("/events")).await;
        client.until("data: first\n\n").await;
    });
    expect![[r#"
        INFO enact::http: request method=GET route="/events" status=200 bytes=13 whole=false caller="game" peer=127.0.0.1 request_id="abc"
    "#]].assert_eq(&within_it);
}

#[test]
fn one_line_for_each_request_by_its_route() {
    if run_in_own_process("serving::log::one_line_for_each_request_by_its_route") {
        return;
    }
    let token = format!("authorization: Bearer {SECRET}");
    check(
        tracing::Level::INFO,
        "GET /runs/0190-hidden?key=hidden",
        &[&token],
        "",
        expect![[r#"
            INFO enact::http: request method=GET route="/runs/{id}" status=200 bytes=3 whole=true caller="game" peer=127.0.0.1 request_id="abc"
        "#]],
    );
    check(
        tracing::Level::INFO,
        "POST /echo",
        &[&token],
        "hidden",
        expect![[r#"
            INFO enact::http: request method=POST route="/echo" status=200 bytes=6 whole=true caller="game" peer=127.0.0.1 request_id="abc"
        "#]],
    );
    check(
        tracing::Level::INFO,
        "DELETE /gone",
        &[&token],
        "",
        expect![[r#"
            INFO enact::http: request method=DELETE route="/gone" status=403 bytes=127 whole=true caller="game" peer=127.0.0.1 request_id="abc"
        "#]],
    );
}

#[test]
fn strangers_and_faults_are_written_too() {
    if run_in_own_process("serving::log::strangers_and_faults_are_written_too") {
        return;
    }
    check(
        tracing::Level::INFO,
        "GET /no/hidden",
        &["authorization: Bearer hidden-hidden-hidden"],
        "",
        expect![[r#"
            INFO enact::http: request method=GET status=401 bytes=109 whole=true peer=127.0.0.1 request_id="abc"
        "#]],
    );
    let token = format!("authorization: Bearer {SECRET}");
    check(
        tracing::Level::INFO,
        "GET /panic",
        &[&token],
        "",
        expect![[r#"
            WARN enact::http: request method=GET route="/panic" status=500 bytes=124 whole=true caller="game" peer=127.0.0.1 request_id="abc" error="the handler panicked: on purpose"
        "#]],
    );
}

/// An operator who is told a request id finds the reason beside it, and nowhere else.
#[test]
fn a_fault_is_one_warning_that_says_why() {
    if run_in_own_process("serving::log::a_fault_is_one_warning_that_says_why") {
        return;
    }
    let token = format!("authorization: Bearer {SECRET}");
    let text = written(tracing::Level::WARN, Limits::default(), async |server: &Server| {
        server.ask("GET /panic", &["x-request-id: abc", &token], "").await;
    });
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(text.contains("request_id=\"abc\" error=\"the handler panicked: on purpose\""), "{text}");
}

#[test]
fn what_machines_ask_is_not_written_unless_wanted() {
    if run_in_own_process("serving::log::what_machines_ask_is_not_written_unless_wanted") {
        return;
    }
    check(tracing::Level::INFO, "GET /v1/health", &[], "", expect![""]);
    check(
        tracing::Level::DEBUG,
        "GET /v1/health",
        &[],
        "",
        expect![[r#"
            DEBUG enact::http: request method=GET route="/v1/health" status=200 bytes=15 whole=true caller="anonymous" peer=127.0.0.1 request_id="abc"
        "#]],
    );
}

#[test]
fn an_untrusted_proxy_is_warned_about_once() {
    if run_in_own_process("serving::log::an_untrusted_proxy_is_warned_about_once") {
        return;
    }
    let text = written(tracing::Level::WARN, Limits::default(), async |server: &Server| {
        for _ in 0..3 {
            server.ask("GET /v1/health", &["x-forwarded-for: 192.0.2.1"], "").await;
        }
    });
    expect![[r#"
        WARN enact::http: X-Forwarded-For came from an address that is not trusted, and is ignored: if that is your proxy, name it with --trust-proxy, or all its callers count as one peer=127.0.0.1
    "#]]
    .assert_eq(&format!("{}\n", text.trim()));
}

#[test]
fn a_crowd_from_one_address_is_noticed_once() {
    if run_in_own_process("serving::log::a_crowd_from_one_address_is_noticed_once") {
        return;
    }
    let limits = Limits { connections_per_peer: 1, ..Limits::default() };
    let text = written(tracing::Level::WARN, limits, async |server: &Server| {
        let mut first = server.connect().await;
        first.send("GET /v1/health HTTP/1.1\r\nhost: localhost\r\n\r\n").await;
        first.until("anonymous false").await;
        for _ in 0..3 {
            assert_eq!(server.raw("").await, "", "there is one connection already");
        }
    });
    expect![[r#"
        WARN enact::http: too many connections from one address: further ones are closed; if it is a proxy, name it with --trust-proxy peer=127.0.0.1
    "#]].assert_eq(&format!("{}\n", text.trim()));
}
