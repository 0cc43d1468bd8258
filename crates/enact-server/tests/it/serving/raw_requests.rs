//! Bytes that clients should not send, and ways in which requests are smuggled past proxies.

use enact_server::Limits;
use proptest::prelude::*;

use super::server::{Answer, Server};

/// Requests whose length two readers could see differently: refused, or else nothing after them on the
/// connection is read.
#[tokio::test]
async fn nothing_is_smuggled_behind_a_request() {
    let server = Server::start(Limits::default()).await;
    let inner = "GET /smuggled HTTP/1.1\r\nhost: localhost\r\n\r\n";
    for (what, headers, body) in [
        ("two lengths", "content-length: 5\r\ncontent-length: 6\r\n", "12345"),
        ("a length and chunks", "content-length: 4\r\ntransfer-encoding: chunked\r\n", "0\r\n\r\n"),
        ("chunks and a length", "transfer-encoding: chunked\r\ncontent-length: 4\r\n", "0\r\n\r\n"),
        ("chunks, but not last", "transfer-encoding: chunked, identity\r\n", "0\r\n\r\n"),
        ("something like chunks", "transfer-encoding: xchunked\r\n", "0\r\n\r\n"),
        ("a space before the colon", "transfer-encoding : chunked\r\n", "0\r\n\r\n"),
        ("a folded header", "transfer-encoding:\r\n chunked\r\n", "0\r\n\r\n"),
        ("a chunk without a size", "transfer-encoding: chunked\r\n", "\r\n\r\n"),
        ("a chunk of an odd size", "transfer-encoding: chunked\r\n", "0x5\r\nhello\r\n0\r\n\r\n"),
        ("a chunk of a huge size", "transfer-encoding: chunked\r\n", "ffffffffffffffffff\r\n"),
        ("a chunk that ends late", "transfer-encoding: chunked\r\n", "5\r\nhelloX\r\n0\r\n\r\n"),
        ("a name with a line break", "x\ny: z\r\n", ""),
    ] {
        let text =
            server.raw(format!("POST /echo HTTP/1.1\r\nhost: localhost\r\n{headers}\r\n{body}{inner}")).await;
        assert_eq!(text.matches("HTTP/1.1 ").count(), 1, "{what}: {text}");
        let allowed: &[u16] = if what.contains("and") { &[200, 400] } else { &[400] };
        assert!(allowed.contains(&Answer::read(&text).status), "{what}: {text}");
    }
}

#[tokio::test]
async fn what_is_not_http_is_refused() {
    let server = Server::start(Limits::default()).await;
    for bytes in [
        &b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"[..],
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"hello\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET  /look  HTTP/1.1\r\nhost: localhost\r\n\r\n",
        b"GET /look HTTP/9.9\r\nhost: localhost\r\n\r\n",
        b"GET /look\0 HTTP/1.1\r\nhost: localhost\r\n\r\n",
        b"GET /look HTTP/1.1\r\nhost: localhost\r\nx: \0\r\n\r\n",
        b"\0\0\0\0\r\n\r\n",
    ] {
        let text = server.raw(bytes).await;
        assert!(text.is_empty() || text.starts_with("HTTP/1.1 400"), "{bytes:?}: {text}");
    }
    assert_eq!(server.get("/look").await.status, 200);
}

#[tokio::test]
async fn odd_targets_and_methods_are_answered_like_others() {
    let server = Server::start(Limits::default()).await;
    for (line, expected) in [
        ("OPTIONS *", &[404, 405][..]),
        ("CONNECT localhost:80", &[400, 404, 405]),
        ("TRACE /look", &[405]),
        ("BREW /look", &[405]),
        ("GET //look", &[404]),
        ("GET /look/../gone", &[404]),
        ("GET /%6cook", &[404]),
        ("GET /look%00", &[404]),
        ("GET /look?%ff", &[200]),
        ("GET /runs/%ff%fe", &[200, 400]),
        ("HEAD /look", &[200]),
        ("GET http://localhost/look", &[200]),
    ] {
        let answer = server.ask(line, &[], "").await;
        assert!(expected.contains(&answer.status), "{line}: {answer:?}");
    }
}

#[tokio::test]
async fn requests_may_be_sent_without_waiting_for_answers() {
    let server = Server::start(Limits::default()).await;
    let one = "POST /echo HTTP/1.1\r\nhost: localhost\r\ncontent-length: 3\r\n\r\n";
    let last = "POST /echo HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-length: 3\r\n\r\n";
    let text = server.raw(format!("{one}1st{one}2nd{last}3rd")).await;
    let bodies: Vec<&str> =
        text.split("HTTP/1.1 200 OK\r\n").skip(1).map(|answer| &answer[answer.len() - 3..]).collect();
    assert_eq!(bodies, ["1st", "2nd", "3rd"]);
}

#[tokio::test]
async fn a_client_that_leaves_in_the_middle_leaves_nothing_behind() {
    let server = Server::start(Limits { connections: 1, requests: 1, ..Limits::default() }).await;
    for begun in [
        "GET /lo",
        "POST /echo HTTP/1.1\r\nhost: localhost\r\ncontent-length: 10\r\n\r\nhalf",
        "GET /events HTTP/1.1\r\nhost: localhost\r\n\r\n",
        "GET /hang HTTP/1.1\r\nhost: localhost\r\n\r\n",
        "GET /endless HTTP/1.1\r\nhost: localhost\r\n\r\n",
    ] {
        let mut client = server.connect().await;
        client.send(begun).await;
        drop(client);
        // There is one place: it must have been given back.
        assert_eq!(server.get("/look").await.status, 200, "{begun}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn whatever_is_sent_the_server_goes_on(noise in proptest::collection::vec(any::<u8>(), 0..300), valid in any::<bool>()) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let limits = Limits { head_timeout: std::time::Duration::from_millis(50), ..Limits::default() };
            let server = Server::start(limits).await;
            let begin = if valid { &b"GET /look HTTP/1.1\r\nhost: localhost\r\n"[..] } else { b"" };
            let text = server.raw([begin, &noise, b"\r\n\r\n"].concat()).await;
            prop_assert!(!text.contains("HTTP/1.1 5"), "{}", text);
            prop_assert_eq!(server.get("/look").await.status, 200);
            Ok(())
        })?;
    }
}
