//! How much of everything.

use std::time::Duration;

use enact_server::Limits;
use enact_testkit::{in_time, pass};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::server::{Answer, Server};

const SMALL: usize = 1000;

fn small() -> Limits {
    Limits { body_bytes: SMALL, ..Limits::default() }
}

#[tokio::test]
async fn bodies_have_a_largest_size_however_they_are_sent() {
    let server = Server::start(small()).await;
    for (size, status) in [(0, 200), (1, 200), (SMALL, 200), (SMALL + 1, 413), (100 * SMALL, 413)] {
        let body = "x".repeat(size);
        let answer = server.ask("POST /echo", &[], &body).await;
        assert_eq!(answer.status, status, "{size} with a length");

        let chunks: String = body
            .as_bytes()
            .chunks(100)
            .map(|chunk| format!("{:x}\r\n{}\r\n", chunk.len(), "x".repeat(chunk.len())))
            .collect();
        let chunked = format!(
            "POST /echo HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n{chunks}0\r\n\r\n"
        );
        let answer = Answer::read(&server.raw(chunked).await);
        assert_eq!(answer.status, status, "{size} in chunks");
        match status {
            200 => assert_eq!(answer.body, body),
            _ => assert_eq!(answer.code(), "TOO_LARGE"),
        }
    }
}

/// As the clients of standard libraries do it: everything is sent before anything is read, and a write that
/// fails is the end of it.
#[test]
fn a_client_that_reads_only_after_it_has_sent_everything_sees_the_413() {
    use std::io::{Read, Write};

    let runtime = tokio::runtime::Runtime::new().unwrap();
    let server = runtime.block_on(Server::start(Limits::default()));
    for size in [Limits::default().body_bytes + 1, 5_000_000, 40_000_000] {
        let mut client = std::net::TcpStream::connect(server.address).unwrap();
        let head = format!("POST /echo HTTP/1.1\r\nhost: localhost\r\ncontent-length: {size}\r\n\r\n");
        client.write_all(head.as_bytes()).unwrap();
        client.write_all(&vec![b'x'; size]).unwrap_or_else(|error| panic!("{size}: {error}"));
        let mut answer = Vec::new();
        client.read_to_end(&mut answer).unwrap_or_else(|error| panic!("{size}: {error}"));
        let answer = Answer::read(&String::from_utf8_lossy(&answer));
        assert_eq!(answer.status, 413, "{size}: {answer:?}");
    }
}

#[tokio::test]
async fn a_body_that_is_only_announced_is_refused_before_it_is_sent() {
    let server = Server::start(small()).await;
    for length in ["1001", "99999999999999", "18446744073709551615"] {
        let head = format!(
            "POST /echo HTTP/1.1\r\nhost: localhost\r\nexpect: 100-continue\r\ncontent-length: {length}\r\n\r\n"
        );
        let answer = Answer::read(&server.raw(head).await);
        // The largest number there is means something else to hyper, which refuses it all the same.
        assert!([413, 431].contains(&answer.status), "{length}: {answer:?}");
        assert!(!answer.head.contains("100 Continue"), "{length}: {answer:?}");
    }
    for length in ["-1", "18446744073709551616", "1,1", "0x10", "+5", "5 5", ""] {
        let head = format!("POST /echo HTTP/1.1\r\nhost: localhost\r\ncontent-length: {length}\r\n\r\n12345");
        let answer = Answer::read(&server.raw(head).await);
        assert_eq!(answer.status, 400, "{length:?}: {answer:?}");
    }
}

#[tokio::test]
async fn heads_have_a_largest_size() {
    let server = Server::start(Limits { head_bytes: 16 * 1024, uri_bytes: 1000, ..Limits::default() }).await;
    let get = |path: &str, headers: String| {
        format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n{headers}\r\n")
    };
    let long = Answer::read(&server.raw(get(&format!("/look?{}", "x".repeat(1000)), String::new())).await);
    assert_eq!((long.status, long.code().as_str()), (414, "URI_TOO_LONG"));
    for (what, head, status) in [
        ("a longest address", get(&format!("/look?{}", "x".repeat(1000 - 6)), String::new()), 200),
        ("a large header", get("/look", format!("a: {}\r\n", "x".repeat(12_000))), 200),
        ("too large a header", get("/look", format!("a: {}\r\n", "x".repeat(17_000))), 431),
        ("one without an end", format!("GET /look HTTP/1.1\r\na: {}", "x".repeat(1_000_000)), 431),
        ("an address without an end", format!("GET /{}", "x".repeat(1_000_000)), 431),
        ("many headers", get("/look", "a: b\r\n".repeat(90)), 200),
        ("too many headers", get("/look", "a: b\r\n".repeat(101)), 431),
    ] {
        let answer = Answer::read(&server.raw(head).await);
        assert_eq!(answer.status, status, "{what}");
    }
}

#[tokio::test]
async fn slow_heads_and_idle_connections_are_closed() {
    let server =
        Server::start(Limits { head_timeout: Duration::from_millis(200), ..Limits::default() }).await;
    for begun in ["", "G", "GET /look HTTP/1.1\r\nhost: localhost\r\n", "GET /look HTTP/1.1\r\nhost: local"] {
        assert_eq!(server.raw(begun).await, "", "{begun:?}");
    }
    // A byte now and then does not help.
    let (mut reading, mut writing) = server.connect().await.0.into_split();
    let trickle = tokio::spawn(async move {
        while writing.write_all(b"x").await.is_ok() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    });
    let mut nothing = Vec::new();
    let _ = in_time(reading.read_to_end(&mut nothing)).await;
    assert!(nothing.is_empty());
    in_time(trickle).await.unwrap();

    // Kept alive after an answer, and then nothing.
    let mut client = server.connect().await;
    client.send("GET /look HTTP/1.1\r\nhost: localhost\r\n\r\n").await;
    assert!(client.rest().await.ends_with("local true"));
}

#[tokio::test]
async fn slow_bodies_and_slow_answers_have_their_time() {
    let server =
        Server::start(Limits { request_timeout: Duration::from_millis(200), ..Limits::default() }).await;
    let body = "POST /echo HTTP/1.1\r\nhost: localhost\r\ncontent-length: 10\r\n\r\nhalf";
    let answer = Answer::read(&server.raw(body).await);
    assert_eq!((answer.status, answer.code().as_str()), (408, "REQUEST_TIMEOUT"));
    let answer = server.get("/hang").await;
    assert_eq!((answer.status, answer.code().as_str()), (503, "TIMEOUT"));
    assert_eq!(answer.header("retry-after"), Some("1"));

    // Events go on for longer than an answer may take to begin.
    let mut client = server.connect().await;
    client.send("GET /events HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n").await;
    client.until("data: first\n\n").await;
    pass(Duration::from_millis(400)).await;
    server.release.notify_one();
    assert!(client.rest().await.contains("data: last\n\n"));
}

#[tokio::test]
async fn a_client_who_takes_nothing_is_given_up() {
    let server = Server::start(Limits {
        stall_timeout: Duration::from_millis(200),
        connections: 1,
        ..Limits::default()
    })
    .await;
    let mut stalled = server.connect().await;
    stalled.send("GET /endless HTTP/1.1\r\nhost: localhost\r\n\r\n").await;
    // There is room for one connection: the next is served when the first has been given up.
    assert_eq!(server.get("/look").await.status, 200);
}

#[tokio::test]
async fn a_caller_has_a_rate() {
    let server = Server::start(Limits { rate_per_second: 1, rate_burst: 5, ..Limits::default() }).await;
    for _ in 0..5 {
        assert_eq!(server.get("/look").await.status, 200);
    }
    // Each request takes far less than the second in which one more is earned.
    let refused = in_time(async {
        loop {
            let answer = server.get("/look").await;
            if answer.status != 200 {
                break answer;
            }
        }
    })
    .await;
    assert_eq!((refused.status, refused.code().as_str()), (429, "RATE_LIMITED"));
    assert_eq!(refused.header("retry-after"), Some("1"));
}

#[tokio::test]
async fn so_many_requests_at_once_and_no_more() {
    let server = Server::start(Limits { requests: 2, ..Limits::default() }).await;
    let mut held = Vec::new();
    for _ in 0..2 {
        let mut client = server.connect().await;
        client.send("GET /held HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n").await;
        server.arrived.notified().await;
        held.push(client);
    }
    let answer = server.get("/look").await;
    assert_eq!((answer.status, answer.code().as_str()), (503, "BUSY"));
    assert_eq!(answer.header("retry-after"), Some("1"));
    for mut client in held {
        server.release.notify_one();
        assert!(client.rest().await.ends_with("at last"));
    }
    assert_eq!(server.get("/look").await.status, 200);
}

#[tokio::test]
async fn so_many_readers_and_no_more_and_they_do_not_count_as_requests() {
    let server = Server::start(Limits { requests: 1, readers: 2, ..Limits::default() }).await;
    let follow = "GET /events HTTP/1.1\r\nhost: localhost\r\n\r\n";
    let mut readers = Vec::new();
    for _ in 0..2 {
        let mut reader = server.connect().await;
        reader.send(follow).await;
        reader.until("data: first\n\n").await;
        readers.push(reader);
    }
    let answer = server.get("/events").await;
    assert_eq!((answer.status, answer.code().as_str()), (429, "TOO_MANY_READERS"));
    assert_eq!(answer.header("retry-after"), Some("10"));
    assert_eq!(server.get("/look").await.status, 200);

    // One hangs up, which is noticed without an event having to be written.
    drop(readers.pop());
    in_time(async {
        loop {
            let mut reader = server.connect().await;
            reader.send(follow).await;
            if reader.until("\r\n\r\n").await.starts_with("HTTP/1.1 200") {
                break;
            }
        }
    })
    .await;
}

#[tokio::test]
async fn a_slow_download_is_no_request() {
    let server = Server::start(Limits { requests: 1, ..Limits::default() }).await;
    let mut slow = server.connect().await;
    slow.send("GET /endless HTTP/1.1\r\nhost: localhost\r\n\r\n").await;
    slow.until("xxx").await;
    assert_eq!(server.get("/look").await.status, 200);
}

#[tokio::test]
async fn a_route_that_panics_costs_one_answer() {
    let server = Server::start(Limits::default()).await;
    let answer = server.get("/panic").await;
    assert_eq!((answer.status, answer.code().as_str()), (500, "INTERNAL"));
    assert!(!answer.body.contains("on purpose"));
    assert_eq!(server.get("/look").await.status, 200);
}

#[tokio::test]
async fn json_has_a_depth() {
    let server = Server::start(Limits::default()).await;
    let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
    let kind = ["content-type: application/json"];
    assert_eq!(server.ask("POST /json", &kind, &nested(100)).await.status, 200);
    assert_eq!(server.ask("POST /json", &kind, &nested(400_000)).await.status, 400);
}
