//! Who is let in.

use enact_server::{
    Limits,
    access::{Access, Scope, Token},
};
use enact_testkit::in_time;
use expect_test::expect;

use super::server::Server;

const READER: &str = "reader-0123456789abcdef";
const PLAYER: &str = "player-0123456789abcdef";
const OWNER: &str = "owner-00123456789abcdef";

fn access() -> Access {
    [("eyes", READER, Scope::Read), ("game", PLAYER, Scope::Run), ("me", OWNER, Scope::Admin)]
        .into_iter()
        .try_fold(Access::default(), |access, (name, secret, scope)| {
            access.token(Token::new(name, secret, scope)?)
        })
        .unwrap()
}

#[tokio::test]
async fn each_scope_holds_the_ones_before_it() {
    let server = Server::guarded(access(), Limits::default()).await;
    for (secret, look, play, gone) in
        [(READER, 200, 403, 403), (PLAYER, 200, 200, 403), (OWNER, 200, 200, 200)]
    {
        let header = format!("authorization: Bearer {secret}");
        for (line, expected) in [("GET /look", look), ("POST /play", play), ("DELETE /gone", gone)] {
            let answer = server.ask(line, &[&header], "").await;
            assert_eq!(answer.status, expected, "{secret} {line}");
            assert!(!answer.head.contains(secret) && !answer.body.contains(secret));
        }
    }
    let answer = server.ask("DELETE /gone", &[&format!("authorization: bearer {PLAYER}")], "").await;
    expect![[r#"{"success":false,"error":{"code":"FORBIDDEN","message":"the token 'game' lacks the scope 'admin'","context":{"scope":"admin"}}}"#]]
        .assert_eq(&answer.body);
}

#[tokio::test]
async fn without_a_good_token_nothing_is_open_but_health() {
    let server = Server::guarded(access(), Limits { failures_per_minute: 1_000, ..Limits::default() }).await;
    let long = format!("authorization: Bearer {}", "x".repeat(10_000));
    let (almost, basic) = (&READER[..READER.len() - 1], format!("authorization: Basic {READER}"));
    let (almost, twice) =
        (format!("authorization: Bearer {almost}"), format!("authorization: Bearer {READER}"));
    for headers in [
        &[][..],
        &["authorization:"],
        &["authorization: Bearer"],
        &["authorization: Bearer "],
        &["authorization: Bearer wrong"],
        &[&basic],
        &[&almost],
        &[&long],
        &[&twice, &twice],
        &["cookie: token=reader-0123456789abcdef"],
    ] {
        for line in ["GET /look", "POST /play", "GET /forgotten", "GET /no-such-route", "OPTIONS /look"] {
            let answer = server.ask(line, headers, "").await;
            assert_eq!((answer.status, answer.code().as_str()), (401, "UNAUTHORIZED"), "{line} {headers:?}");
            assert!(answer.header("www-authenticate").unwrap().starts_with("Bearer"), "{answer:?}");
        }
    }
    let path = format!("GET /look?access_token={READER}");
    assert_eq!(server.ask(&path, &[], "").await.status, 401, "secrets in addresses end up in logs");
    assert_eq!(server.get("/v1/health").await.body, "anonymous false");
    assert_eq!(server.ask("GET /v1/health", &[&twice], "").await.body, "eyes true");
    assert_eq!(server.ask("GET /v1/health", &["authorization: Bearer wrong"], "").await.status, 401);
    let wrong = server.ask("GET /look", &[&almost], "").await;
    assert_eq!(wrong.header("www-authenticate"), Some("Bearer realm=\"enact\", error=\"invalid_token\""));
}

#[tokio::test]
async fn without_tokens_local_callers_may_do_all() {
    let server = Server::start(Limits::default()).await;
    for line in ["GET /look", "POST /play", "DELETE /gone", "GET /v1/health"] {
        assert_eq!(server.ask(line, &[], "").await.body, "local true", "{line}");
    }
    assert_eq!(server.ask("GET /look", &["authorization: Bearer whatever"], "").await.status, 200);
}

#[tokio::test]
async fn guessing_is_slowed_down() {
    let server = Server::guarded(access(), Limits { failures_per_minute: 3, ..Limits::default() }).await;
    let seen_before = format!("authorization: Bearer {READER}");
    assert_eq!(server.ask("GET /look", &[&seen_before], "").await.status, 200);
    for _ in 0..3 {
        assert_eq!(server.ask("GET /look", &["authorization: Bearer guess"], "").await.status, 401);
    }
    // One that was never right here is not even told that it is: it may be the guess that hit.
    let right = format!("authorization: Bearer {OWNER}");
    for header in ["authorization: Bearer guess", &right] {
        let answer = server.ask("GET /look", &[header], "").await;
        assert_eq!((answer.status, answer.code().as_str()), (429, "RATE_LIMITED"));
        let wait: u64 = answer.header("retry-after").unwrap().parse().unwrap();
        assert!((1..=20).contains(&wait), "{wait}");
    }
    assert_eq!(server.ask("GET /look", &[&seen_before], "").await.status, 200, "others share the address");
    assert_eq!(server.get("/v1/health").await.status, 200, "a request without a token is no guess");
}

#[tokio::test]
async fn each_token_has_a_rate_of_its_own() {
    let limits = Limits { rate_per_second: 1, rate_burst: 2, ..Limits::default() };
    let server = Server::guarded(access(), limits).await;
    let (game, me) = (format!("authorization: Bearer {PLAYER}"), format!("authorization: Bearer {OWNER}"));
    let exhausted = async { while server.ask("GET /look", &[&game], "").await.status == 200 {} };
    in_time(exhausted).await;
    assert_eq!(server.ask("GET /look", &[&me], "").await.status, 200);
    // Those without a token share their address's, however often they are told that they need one.
    let strangers = async { while server.get("/look").await.status == 401 {} };
    in_time(strangers).await;
    assert_eq!(server.ask("GET /look", &[&me], "").await.status, 200);
}

#[tokio::test]
async fn behind_a_trusted_proxy_one_guesser_does_not_shut_out_the_others() {
    let access = access().trust_proxy("127.0.0.0/8").unwrap();
    let server = Server::guarded(access, Limits { failures_per_minute: 1, ..Limits::default() }).await;
    let right = format!("authorization: Bearer {OWNER}");
    let guesser = "x-forwarded-for: 10.9.9.9, 192.0.2.66";
    assert_eq!(server.ask("GET /look", &["authorization: Bearer guess", guesser], "").await.status, 401);
    assert_eq!(server.ask("GET /look", &[&right, guesser], "").await.status, 429);
    assert_eq!(server.ask("GET /look", &[&right, "x-forwarded-for: 192.0.2.7"], "").await.status, 200);
}

#[tokio::test]
async fn strangers_can_look_at_what_is_open_and_hold_nothing() {
    let server = Server::guarded(access(), Limits { requests: 2, ..Limits::default() }).await;
    let mut strangers = Vec::new();
    for method in ["POST", "GET", "PUT"].repeat(4) {
        let mut stranger = server.connect().await;
        let half =
            format!("{method} /v1/health HTTP/1.1\r\nhost: localhost\r\ncontent-length: 10\r\n\r\nhalf");
        stranger.send(half).await;
        assert!(stranger.until("\r\n\r\n").await.starts_with("HTTP/1.1 401"), "{method}");
        strangers.push(stranger);
    }
    assert_eq!(server.get("/v1/health").await.status, 200);
    assert_eq!(server.ask("HEAD /v1/health", &[], "").await.status, 200);
    assert_eq!(server.ask("POST /v1/health", &[], "").await.status, 401);
}

#[tokio::test]
async fn one_caller_leaves_room_for_the_others() {
    let server = Server::guarded(access(), Limits { requests: 4, readers: 4, ..Limits::default() }).await;
    let (game, me) = (format!("authorization: Bearer {PLAYER}"), format!("authorization: Bearer {OWNER}"));
    let mut held = Vec::new();
    for _ in 0..2 {
        let mut client = server.connect().await;
        client.send(format!("GET /held HTTP/1.1\r\nhost: localhost\r\n{game}\r\n\r\n")).await;
        server.arrived.notified().await;
        let mut reader = server.connect().await;
        reader.send(format!("GET /endless HTTP/1.1\r\nhost: localhost\r\n{me}\r\n\r\n")).await;
        reader.until("xxx").await;
        let mut sender = server.connect().await;
        let half = format!("POST /echo HTTP/1.1\r\nhost: localhost\r\n{me}\r\ncontent-length: 9\r\n\r\nhalf");
        sender.send(half).await;
        held.extend([client, reader, sender]);
    }
    let refused = server.ask("GET /look", &[&game], "").await;
    assert_eq!((refused.status, refused.code().as_str()), (503, "BUSY"));
    assert_eq!(server.ask("GET /look", &[&me], "").await.status, 200, "streams and bodies are no requests");
    let refused = server.ask("GET /endless", &[&me], "").await;
    assert_eq!((refused.status, refused.code().as_str()), (429, "TOO_MANY_READERS"));
    let refused = async { while server.ask("POST /echo", &[&me], "whole").await.status != 503 {} };
    in_time(refused).await;
    let eyes = format!("authorization: Bearer {READER}");
    assert_eq!(server.ask("POST /echo", &[&eyes], "whole").await.body, "whole");
}

#[test]
fn bad_tokens_are_refused_at_the_start() {
    let mut said = String::new();
    for (name, secret) in [
        ("a", ""),
        ("a", "too-short"),
        ("a", "0123456789 abcdef"),
        ("a", "0123456789äbcdefg"),
        ("a", &"x".repeat(2000)),
        ("local", READER),
        ("../a", READER),
    ] {
        let problem = Token::new(name, secret, Scope::Read).unwrap_err();
        said += &format!("{problem}\n");
        assert!(secret.is_empty() || !format!("{problem:?}").contains(secret));
    }
    for token in
        [Token::new("me", "another-0123456789", Scope::Read), Token::new("other", OWNER, Scope::Read)]
    {
        said += &format!("{}\n", access().token(token.unwrap()).unwrap_err());
    }
    expect![[r#"
        the token 'a' has 0 characters: at least 16 are needed
        the token 'a' has 9 characters: at least 16 are needed
        the token 'a' holds a space or something else that no HTTP header can carry
        the token 'a' holds a space or something else that no HTTP header can carry
        the token 'a' is longer than 1024 characters
        a token cannot be named 'local': that is a caller without one
        a token's name: '../a' is not a plain name: use letters, digits, '-' and '_', starting with a letter or digit, at most 64
        there are two tokens named 'me'
        the tokens 'me' and 'other' are the same secret
    "#]]
    .assert_eq(&said);
}

#[test]
fn secrets_are_in_no_dump() {
    let dump = format!("{:?} {:#?}", access(), Token::new("me", OWNER, Scope::Admin));
    assert!(dump.contains("me") && dump.contains("Admin"));
    for secret in [READER, PLAYER, OWNER, "digest"] {
        assert!(!dump.contains(secret), "{dump}");
    }
}

#[test]
fn only_loopback_is_safe_without_a_token() {
    for (address, alone) in [
        ("127.0.0.1:8000", true),
        ("127.1.2.3:8000", true),
        ("[::1]:8000", true),
        ("[::ffff:127.0.0.1]:8000", true),
        ("0.0.0.0:8000", false),
        ("[::]:8000", false),
        ("192.168.1.5:8000", false),
        ("[fe80::1]:8000", false),
    ] {
        let address = address.parse().unwrap();
        assert_eq!(Access::default().check_bind(address).is_ok(), alone, "{address}");
        assert!(access().check_bind(address).is_ok(), "{address}");
    }
    let problem = Access::default().check_bind("0.0.0.0:80".parse().unwrap()).unwrap_err();
    assert!(problem.hint.as_deref().unwrap().contains("ENACT_TOKEN"), "{problem:?}");
}

#[test]
fn scopes_are_read_by_name() {
    for (text, scope) in [("read", Scope::Read), ("run", Scope::Run), ("admin", Scope::Admin)] {
        assert_eq!(text.parse(), Ok(scope));
        assert_eq!(scope.to_string(), text);
    }
    let problem = "reed".parse::<Scope>().unwrap_err();
    assert_eq!(problem.hint.as_deref(), Some("did you mean 'read'?"));
}
