//! Audio over HTTP: whole or in part, and nothing that is not audio.

use std::{fs, path::Path};

use enact_testkit::in_time;
use proptest::{
    prelude::*,
    strategy::ValueTree,
    test_runner::{Config, TestRunner},
};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::server::Server;

/// A file that lies there, and what is in it.
const HUM: &str = "tts/sessions/hum/turn_1/slot-1_ada_calm_soothing.wav";

fn lay_down(server: &Server, path: &str, bytes: &[u8]) {
    server.test_chorus.artifacts.write(path, bytes, |_| Ok(())).unwrap();
}

fn bytes() -> Vec<u8> {
    (0..100_000_u32).map(|at| (at % 251) as u8).collect()
}

#[tokio::test]
async fn audio_is_fetched_whole_or_in_part() {
    let server = Server::start().await;
    let hum = bytes();
    lay_down(&server, HUM, &hum);
    let path = format!("/v1/audio/{HUM}");
    let all = 0..hum.len();
    for (range, status, part) in [
        (None, 200, all.clone()),
        (Some("bytes=0-43"), 206, 0..44),
        (Some("bytes=44-"), 206, 44..hum.len()),
        (Some("bytes=-10"), 206, hum.len() - 10..hum.len()),
        (Some("bytes=99999-200000"), 206, 99_999..hum.len()),
        (Some("bytes=-100000"), 206, all.clone()),
        (Some("bytes=-100001"), 206, all.clone()),
        // What is not one range of bytes is answered with everything.
        (Some("bytes=0-1,4-5"), 200, all.clone()),
        (Some("samples=0-1"), 200, all.clone()),
        (Some("bytes=x"), 200, all.clone()),
        (Some("bytes=2-1"), 200, all.clone()),
        (Some("bytes=-"), 200, all.clone()),
        (Some("bytes=+1-2"), 200, all.clone()),
        (Some("bytes=1-2-3"), 200, all.clone()),
        (Some("bytes=99999999999999999999-"), 200, all.clone()),
    ] {
        for method in ["GET", "HEAD"] {
            let request = server.request(method, &path);
            let request = range.into_iter().fold(request, |request, range| request.header("range", range));
            let response = request.send().await.unwrap();
            let what = format!("{method} {range:?}");
            assert_eq!(response.status(), status, "{what}");
            let headers = response.headers().clone();
            assert_eq!(headers["content-type"], "audio/wav", "{what}");
            assert_eq!(headers["accept-ranges"], "bytes", "{what}");
            assert_eq!(headers["content-length"], part.len().to_string(), "{what}");
            assert_eq!(headers["cache-control"], "private, max-age=31536000, immutable", "{what}");
            assert_eq!(headers["x-content-type-options"], "nosniff", "{what}");
            // A browser that opens it makes a page around it, which has to load it once more.
            let policy = headers["content-security-policy"].to_str().unwrap();
            let allows = |rule: &str| policy.split("; ").any(|allowed| allowed == rule);
            assert!(allows("default-src 'none'") && allows("media-src 'self'"), "{what}: {policy}");
            assert!(!policy.contains("script-src"), "{what}: {policy}");
            let place =
                (status == 206).then(|| format!("bytes {}-{}/{}", part.start, part.end - 1, hum.len()));
            let told = headers.get("content-range").map(|place| place.to_str().unwrap().to_owned());
            assert_eq!(told, place, "{what}");
            let body = response.bytes().await.unwrap();
            assert_eq!(body, if method == "HEAD" { &[][..] } else { &hum[part.clone()] }, "{what}");
        }
    }
}

#[tokio::test]
async fn what_lies_beyond_the_end_is_refused() {
    let server = Server::start().await;
    lay_down(&server, HUM, b"RIFF");
    for range in ["bytes=4-", "bytes=100-200"] {
        let response =
            server.request("GET", &format!("/v1/audio/{HUM}")).header("range", range).send().await.unwrap();
        assert_eq!(response.status(), 416, "{range}");
        assert_eq!(response.headers()["content-range"], "bytes */4", "{range}");
        let answer: Value = response.json().await.unwrap();
        assert_eq!(answer["error"]["code"], "RANGE_NOT_SATISFIABLE", "{range}");
    }
}

#[tokio::test]
async fn what_has_not_changed_is_not_sent_again() {
    let server = Server::start().await;
    lay_down(&server, HUM, b"RIFF");
    let get = || server.request("GET", &format!("/v1/audio/{HUM}"));
    let changed = get().send().await.unwrap().headers()["last-modified"].to_str().unwrap().to_owned();
    let again = get().header("if-modified-since", &changed).send().await.unwrap();
    assert_eq!(again.status(), 304);
    assert!(!again.headers().contains_key("content-type"));

    // A part is of use only to those who have the rest of the same file.
    for (seen, status) in
        [(changed.as_str(), 206), ("Sat, 01 Jan 2000 00:00:00 GMT", 200), ("\"an-etag\"", 200)]
    {
        let part = get().header("range", "bytes=0-1").header("if-range", seen).send().await.unwrap();
        assert_eq!(part.status(), status, "{seen}");
    }
}

#[tokio::test]
async fn the_list_of_a_session_is_always_the_newest() {
    const LIST: &str = "tts/sessions/hum/session.json";
    let server = Server::start().await;
    for list in [r#"{"turns":{}}"#, r#"{"turns":{"turn_1":[]}}"#] {
        lay_down(&server, LIST, list.as_bytes());
        // Whatever a client has seen of it, and however late.
        for (header, value) in [
            ("accept", "*/*"),
            ("if-modified-since", "Fri, 31 Dec 9999 23:59:59 GMT"),
            ("if-none-match", "*"),
            ("range", "bytes=0-1"),
        ] {
            let request = server.request("GET", &format!("/v1/audio/{LIST}")).header(header, value);
            let response = request.send().await.unwrap();
            assert_eq!(response.status(), 200, "{header}");
            let headers = response.headers();
            assert_eq!(headers["content-type"], "application/json", "{header}");
            assert_eq!(headers["cache-control"], "no-store", "{header}");
            assert_eq!(headers["accept-ranges"], "none", "{header}");
            assert!(!headers.contains_key("last-modified") && !headers.contains_key("etag"), "{header}");
            assert_eq!(response.text().await.unwrap(), list, "{header}");
        }
    }
}

/// Lays down what must never be seen: beside the folder, above it, behind links, and what is no audio.
fn tempt(server: &Server) {
    let artifacts = &server.test_chorus.artifacts;
    lay_down(server, HUM, b"RIFF");
    let (root, above) = (artifacts.root(), artifacts.root().parent().unwrap());
    let secret = |path: &Path| fs::write(path, "SECRET").unwrap();
    secret(&above.join("secret.wav"));
    secret(&above.join("secret.json"));
    secret(&root.join(".hidden.wav"));
    secret(&root.join("notes.txt"));
    secret(&root.join("tts/sessions/hum/.tmp123.wav"));
    fs::create_dir_all(root.join("folder.wav")).unwrap();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(above.join("secret.wav"), root.join("link.wav")).unwrap();
        std::os::unix::fs::symlink(above, root.join("away")).unwrap();
    }
}

/// The status and the whole answer to a path as it stands: clients tidy paths up before they send them.
async fn raw(server: &Server, path: &str) -> (u16, String) {
    let address = server.base.strip_prefix("http://").unwrap();
    let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    in_time(stream.read_to_end(&mut answer)).await.unwrap();
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok());
    (status.unwrap_or_else(|| panic!("{path}: {answer}")), answer)
}

#[tokio::test]
async fn nothing_else_can_be_fetched() {
    let server = Server::start().await;
    tempt(&server);
    let long = format!("{}.wav", "x".repeat(400));
    for path in [
        "../secret.wav",
        "..%2fsecret.wav",
        "%2e%2e/secret.wav",
        "%2e%2e%2fsecret.wav",
        "%252e%252e%252fsecret.wav",
        "..%5csecret.wav",
        "..\\secret.wav",
        "tts/../../secret.wav",
        "tts/sessions/hum/../../../../secret.json",
        "/secret.wav",
        "//etc/passwd",
        "%2fetc%2fpasswd",
        "C:%5csecret.wav",
        "C:/secret.wav",
        "link.wav",
        "away/secret.wav",
        "away/secret.json",
        ".hidden.wav",
        "tts/sessions/hum/.tmp123.wav",
        "notes.txt",
        "folder.wav",
        "tts",
        "tts/",
        "tts/sessions/hum/",
        "tts//sessions/hum/session.json",
        "tts/sessions/hum/turn_1/slot-1_ada_calm_soothing.wav/",
        "tts/sessions/hum/turn_1/slot-1_ada_calm_soothing.wav%00",
        "tts/sessions/hum/turn_1/slot-1_ada_calm_soothing.wav%00.wav",
        "tts/sessions/hum/turn_1/slot-1_ada_calm_soothing",
        "tts/sessions/hum/turn_1/./slot-1_ada_calm_soothing.wav",
        "%ff.wav",
        "nothing.wav",
        "con.wav",
        &long,
    ] {
        let (status, answer) = raw(&server, &format!("/v1/audio/{path}")).await;
        assert_eq!(status, 404, "{path}: {answer}");
        assert!(!answer.contains("SECRET") && answer.contains("_NOT_FOUND\""), "{path}: {answer}");
    }
    // Neither is there a list of what there is.
    for path in ["/v1/audio", "/v1/audio/"] {
        assert_eq!(raw(&server, path).await.0, 404, "{path}");
    }
    assert_eq!(raw(&server, &format!("/v1/audio/{HUM}")).await.0, 200);
}

#[tokio::test]
async fn whatever_a_path_is_made_of_it_stays_inside() {
    let server = Server::start().await;
    tempt(&server);
    let piece = prop::sample::select(vec![
        "..", ".", "/", "%2f", "%2e", "%5c", "\\", "%00", "%ff", "%c0%af", "secret", ".wav", ".json", "away",
        "link", "tts", "sessions", "hum", "folder", ".hidden", ":", "C", "~", "%25", ";", "?", "#", "%20",
    ]);
    let path = prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat());
    let mut runner = TestRunner::new(Config::default());
    for _ in 0..400 {
        let path = path.new_tree(&mut runner).unwrap().current();
        let (status, answer) = raw(&server, &format!("/v1/audio/{path}")).await;
        assert_eq!(status, 404, "{path}: {answer}");
        assert!(!answer.contains("SECRET"), "{path}: {answer}");
    }
}

#[tokio::test]
async fn what_a_run_said_goes_with_it() {
    let server = Server::start().await;
    let run = server.chat_out("Hello?", &[(1, "ada"), (2, "ben")]).await;
    let manifest = format!("/v1/audio/tts/sessions/{run}/session.json");
    let listed = server.json(&manifest).await;
    let audio = listed["turns"]["turn_1"][0]["audioPath"].as_str().unwrap().to_owned();
    assert_eq!(server.get(&format!("/v1/audio/{audio}")).await.status(), 200);
    let deleted = server.request("DELETE", &format!("/v1/runs/{run}")).send().await.unwrap();
    assert_eq!(deleted.status(), 204);
    for path in [manifest, format!("/v1/audio/{audio}")] {
        assert_eq!(server.get(&path).await.status(), 404, "{path}");
    }
    assert!(!server.test_chorus.artifacts.root().join(format!("tts/sessions/{run}")).exists());
}
