//! Runs that are followed: nothing missed, nothing twice, and a slow reader holds up no other.

use std::time::Duration;

use axum::{body::Body, http::Request};
use enact_drama::{Record, RunId, Seq};
use enact_engine::{
    Store,
    log::{MemoryStore, NewRun},
};
use enact_testkit::{in_time, until};
use expect_test::expect;
use http_body_util::BodyExt;
use serde_json::{Value, value::RawValue};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpSocket, TcpStream},
};
use tower::ServiceExt;
use uuid::Uuid;

use super::{
    server::{Server, apology, gated, quiet_run, showing},
    stream::{Event, Events, events},
};

async fn text(server: &Server, run: RunId, query: &str) -> String {
    server.get(&format!("/v1/runs/{run}/events{query}")).await.text().await.unwrap()
}

/// What a log looks like to those who follow it, from a seq on.
async fn told(server: &Server, run: RunId, from: u64) -> Vec<Event> {
    let records: Vec<Record> = server.log.read_some(run, Seq(from), usize::MAX).await.unwrap();
    let told = records.iter().map(|record| Event {
        id: Some(record.seq.0),
        name: record.kind.clone(),
        data: serde_json::to_value(record).unwrap(),
    });
    told.collect()
}

#[tokio::test]
async fn a_run_stands_on_the_wire() {
    let server = Server::start().await;
    let mut scene = apology();
    scene["maxBeats"] = 1.into();
    let run = server.play_out(scene).await;
    let text = text(&server, run, "?from=1").await;
    // Times differ from run to run.
    let mut shown = String::new();
    for line in text.lines() {
        match line.strip_prefix("data: ").map(|data| serde_json::from_str::<Value>(data).unwrap()) {
            Some(mut data) if data.get("at").is_some() => {
                data["at"] = 0.into();
                let data = data.to_string();
                shown += &format!("data: {}…\n", data.chars().take(80).collect::<String>());
            }
            _ => shown += &format!("{line}\n"),
        }
    }
    expect![[r#"
        id: 1
        event: noted
        data: {"seq":1,"at":0,"kind":"noted","v":1,"body":{"to":null,"text":"The scene begins.…

        id: 2
        event: beat_opened
        data: {"seq":2,"at":0,"kind":"beat_opened","v":1,"body":{"beat":0,"to":["alice","bob"]…

        id: 3
        event: asked
        data: {"seq":3,"at":0,"kind":"asked","v":1,"body":{"call":1,"actor":"alice","model":"i…

        id: 4
        event: asked
        data: {"seq":4,"at":0,"kind":"asked","v":1,"body":{"call":2,"actor":"bob","model":"imp…

        id: 5
        event: replied
        data: {"seq":5,"at":0,"kind":"replied","v":1,"body":{"call":1,"actor":"alice","reply":…

        id: 6
        event: line_added
        data: {"seq":6,"at":0,"kind":"line_added","v":1,"body":{"by":"actor","who":"alice","re…

        id: 7
        event: replied
        data: {"seq":7,"at":0,"kind":"replied","v":1,"body":{"call":2,"actor":"bob","reply":{"…

        id: 8
        event: beat_settled
        data: {"seq":8,"at":0,"kind":"beat_settled","v":1,"body":{"beat":0}}…

        id: 9
        event: judged
        data: {"seq":9,"at":0,"kind":"judged","v":1,"body":{"verdict":{"complete":false,"confi…

        id: 10
        event: ended
        data: {"seq":10,"at":0,"kind":"ended","v":1,"body":{"reason":"max_beats_exceeded"}}…

        event: end
        data: {"reason":"max_beats_exceeded"}

    "#]]
    .assert_eq(&shown);
}

#[tokio::test]
async fn resuming_anywhere_gives_exactly_the_rest() {
    let server = Server::start().await;
    let run = server.play_out(apology()).await;
    let count = server.events_of(run).await;
    assert!(count > 20);
    for from in 0..=count {
        let mut rest = events(&text(&server, run, &format!("?from={from}")).await);
        let end = rest.pop().unwrap();
        assert_eq!((end.id, end.name.as_str()), (None, "end"));
        assert_eq!(rest, told(&server, run, from).await, "from {from}");
        if let Some(seen) = from.checked_sub(1) {
            let request = server.request("GET", &format!("/v1/runs/{run}/events?from=3"));
            let response = request.header("Last-Event-ID", seen.to_string()).send().await.unwrap();
            let mut resumed = events(&response.text().await.unwrap());
            assert_eq!(resumed.pop().unwrap().name, "end");
            assert_eq!(resumed, rest, "after {seen}: the header wins");
        }
    }
}

#[tokio::test]
async fn a_reader_that_comes_and_goes_sees_everything_once() {
    let server = Server::start().await;
    let run = server.play(gated()).await;
    let mut seen: Vec<Event> = Vec::new();
    loop {
        // Each connection brings a few events and breaks off.
        server.let_answer(1);
        let mut request = server.request("GET", &format!("/v1/runs/{run}/events"));
        if let Some(last) = seen.last().and_then(|event| event.id) {
            request = request.header("Last-Event-ID", last.to_string());
        }
        let mut stream = Events::of(request.send().await.unwrap());
        let mut over = false;
        for _ in 0..3 {
            let event = stream.next().await.unwrap();
            match event.name.as_str() {
                "delta" => continue,
                "end" => {
                    over = true;
                    break;
                }
                _ => seen.push(event),
            }
        }
        if over {
            break;
        }
    }
    assert_eq!(seen, told(&server, run, 0).await);
}

#[tokio::test]
async fn live_text_has_no_number() {
    let server = Server::start().await;
    // Followed before it plays: live text is sent only to open streams.
    let run = server.play(gated()).await;
    let mut stream = Events::of(server.get(&format!("/v1/runs/{run}/events")).await);
    stream.until("asked").await;
    server.let_answer(2);
    let delta = stream.until("delta").await;
    assert_eq!(delta.id, None);
    assert_eq!(delta.data["text"], "[TONE: calm] ");
    assert!(delta.data["actor"].is_string() && delta.data["call"].is_u64());
}

#[tokio::test]
async fn a_server_that_stops_says_so() {
    let server = Server::start().await;
    let run = server.play(gated()).await;
    let mut stream = Events::of(server.get(&format!("/v1/runs/{run}/events")).await);
    let asked = stream.until("asked").await;
    server.stop().await;
    let closing = stream.until("closing").await;
    assert_eq!(closing.id, None);
    assert!(closing.data["from"].as_u64().unwrap() > asked.id.unwrap());
    assert_eq!(stream.next().await, None);
}

#[tokio::test]
async fn a_replay_brings_everything() {
    let server = Server::start().await;
    let run = server.play_out(apology()).await;
    let mut fast = events(&text(&server, run, "?speed=1000").await);
    assert_eq!(fast.pop().unwrap().name, "end");
    assert_eq!(fast, told(&server, run, 0).await);
}

/// Without sockets time can be paused, and passes when everybody waits for it.
#[tokio::test(start_paused = true)]
async fn replays_take_their_time() {
    let run = RunId(Uuid::now_v7());
    let about = NewRun {
        run,
        production: "scene",
        name: "opera".to_owned(),
        at: 0,
        parent: None,
        account: String::new(),
    };
    // The first record only waited in the queue.
    let sung = [0, 0, 1_000, 4_000].into_iter().zip(0..).map(|(at, seq)| Record {
        seq: Seq(seq),
        at,
        kind: "sung".to_owned(),
        v: 1,
        body: RawValue::NULL.to_owned(),
    });
    let log = MemoryStore::default();
    log.import(about, sung.collect(), Vec::new(), Some("applause".to_owned())).await.unwrap();
    let routes = showing(log);
    for (query, ms) in [("", 0), ("?speed=1", 4_000), ("?speed=2", 2_000), ("?speed=0.5", 8_000)] {
        let request = Request::get(format!("/v1/runs/{run}/events{query}")).header("host", "localhost");
        let began = tokio::time::Instant::now();
        let response = routes.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
        let body = response.into_body().collect().await.unwrap().to_bytes();
        assert_eq!(events(std::str::from_utf8(&body).unwrap()).len(), 5, "four and the end");
        let took = began.elapsed().as_millis();
        // Timers are exact to a millisecond.
        assert!((ms..=ms + 5).contains(&took), "{query}: {took} ms");
    }
}

#[tokio::test]
async fn a_reader_that_hangs_up_leaves_nothing_behind() {
    let server = Server::start().await;
    let run = server.play(gated()).await;
    let mut streams = Vec::new();
    for _ in 0..20 {
        let mut stream = Events::of(server.get(&format!("/v1/runs/{run}/events")).await);
        stream.until("asked").await;
        streams.push(stream);
    }
    assert_eq!(readers(&server).await, 20);
    drop(streams);
    until(async || readers(&server).await == 0).await;
}

/// No model answers, so nothing happens: time can be paused, which it cannot where sockets are waited for.
#[tokio::test(start_paused = true)]
async fn a_quiet_stream_says_that_it_is_alive() {
    let (routes, run) = quiet_run().await;
    let request = Request::get(format!("/v1/runs/{run}/events")).header("host", "localhost");
    let response = routes.oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
    let mut body = response.into_body();
    let mut frame = async || {
        String::from_utf8(body.frame().await.unwrap().unwrap().into_data().unwrap().to_vec()).unwrap()
    };
    assert!(frame().await.starts_with("id: 0\nevent: began\n"));
    let quiet_since = tokio::time::Instant::now();
    assert_eq!(frame().await, ":\n\n");
    assert_eq!(frame().await, ":\n\n");
    assert_eq!(quiet_since.elapsed().as_secs(), 30);
}

async fn readers(server: &Server) -> u64 {
    let metrics = server.get("/metrics").await.text().await.unwrap();
    let line = metrics.lines().find_map(|line| line.strip_prefix("enact_event_readers ")).unwrap();
    line.parse().unwrap()
}

/// A reader that asks for events and takes none of them.
async fn stalled(server: &Server, run: RunId) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    // As little as the kernel allows, so that the server cannot write far ahead.
    socket.set_recv_buffer_size(1).unwrap();
    let address = server.base.strip_prefix("http://").unwrap();
    let mut stream = socket.connect(address.parse().unwrap()).await.unwrap();
    let request =
        format!("GET /v1/runs/{run}/events HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    stream
}

#[tokio::test]
async fn a_slow_reader_holds_up_no_other_and_misses_nothing() {
    let server = Server::start().await;
    let mut scene = gated();
    scene["maxBeats"] = 300.into();
    // Goals that are never reached, so that it goes on.
    scene["prompt"] = "They wait for the rain to stop.".into();
    let run = server.play(scene).await;
    let mut slow = stalled(&server, run).await;
    let mut first = [0; 12];
    slow.read_exact(&mut first).await.unwrap();
    assert_eq!(&first, b"HTTP/1.1 200");

    server.let_answer(10_000);
    let mut others = Events::of(server.get(&format!("/v1/runs/{run}/events")).await);
    others.until("end").await;

    let mut rest = Vec::new();
    in_time(slow.read_to_end(&mut rest)).await.unwrap();
    let text = unchunked(&rest);
    let mut seen = events(&text);
    assert_eq!(seen.pop().unwrap().name, "end");
    seen.retain(|event| event.name != "delta");
    assert_eq!(seen, told(&server, run, 0).await);
}

/// The body of an answer that came in chunks.
fn unchunked(answer: &[u8]) -> String {
    let head = answer.windows(4).position(|window| window == b"\r\n\r\n").unwrap() + 4;
    let (mut rest, mut body) = (&answer[head..], Vec::new());
    loop {
        let line = rest.windows(2).position(|window| window == b"\r\n").unwrap();
        let size = usize::from_str_radix(std::str::from_utf8(&rest[..line]).unwrap(), 16).unwrap();
        rest = &rest[line + 2..];
        if size == 0 {
            return String::from_utf8(body).unwrap();
        }
        body.extend_from_slice(&rest[..size]);
        rest = &rest[size + 2..];
    }
}

#[tokio::test]
async fn answers_can_be_read_by_browsers_and_are_not_kept_by_proxies() {
    let server = Server::start().await;
    let run = server.play_out(apology()).await;
    let response = server.get(&format!("/v1/runs/{run}/events")).await;
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    assert_eq!(response.headers()["cache-control"], "no-store");
    assert_eq!(response.headers()["x-accel-buffering"], "no");
    let head = server.request("HEAD", &format!("/v1/runs/{run}/events")).send().await.unwrap();
    assert_eq!(head.status(), 200);
    let _ = tokio::time::timeout(Duration::from_secs(5), head.bytes()).await.unwrap();
}
