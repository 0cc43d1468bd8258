//! Runs that are listed, read and deleted.

use enact_engine::Store;
use serde_json::Value;

use super::server::{Server, apology, gated};

#[tokio::test]
async fn pages_hold_every_run_once() {
    let server = Server::start().await;
    let mut made = Vec::new();
    for _ in 0..7 {
        made.push(server.play_out(apology()).await.to_string());
    }
    made.reverse();
    let mut seen = Vec::new();
    let mut path = "/v1/runs?limit=3".to_owned();
    loop {
        let page = server.json(&path).await;
        seen.extend(
            page["runs"].as_array().unwrap().iter().map(|run| run["runId"].as_str().unwrap().to_owned()),
        );
        match page["next"].as_str() {
            Some(next) => path = format!("/v1/runs?limit=3&before={next}"),
            None => break,
        }
    }
    assert_eq!(seen, made);
    // A page that is just full is the last one.
    assert_eq!(server.json("/v1/runs?limit=7").await["next"], Value::Null);
}

#[tokio::test]
async fn runs_are_found_by_what_they_are() {
    let server = Server::start().await;
    server.play_out(apology()).await;
    let mut other = gated();
    other["name"] = "another".into();
    let playing = server.play(other).await;
    let mut events = super::stream::Events::of(server.get(&format!("/v1/runs/{playing}/events")).await);
    events.until("asked").await;
    for (query, count) in [
        ("", 2),
        ("?status=finished", 1),
        ("?status=playing", 1),
        ("?status=playing,finished", 2),
        ("?status=playing&status=finished", 2),
        ("?status=waiting&status=playing,finished", 2),
        ("?status=waiting", 0),
        ("?name=another", 1),
        ("?name=nobody", 0),
        ("?name=%00", 0),
        ("?production=%00", 0),
        ("?production=scene", 2),
        ("?production=field", 0),
        ("?status=playing&name=the-apology", 0),
    ] {
        let page = server.json(&format!("/v1/runs{query}")).await;
        assert_eq!(page["runs"].as_array().unwrap().len(), count, "{query}");
    }
}

#[tokio::test]
async fn transcripts_come_in_every_format() {
    let server = Server::start().await;
    let run = server.play_out(apology()).await;
    for (query, kind, name, holds) in [
        ("", "text/plain; charset=utf-8", "the-apology.txt", "[SCENE START]"),
        ("?format=txt", "text/plain; charset=utf-8", "the-apology.txt", "[SCENE START]"),
        ("?format=md", "text/markdown; charset=utf-8", "the-apology.md", "**Alice**"),
        ("?format=json", "application/json", "the-apology.json", "\"lines\""),
        ("?format=fountain", "text/vnd.fountain; charset=utf-8", "the-apology.fountain", "ALICE"),
        ("?format=vtt", "text/vtt; charset=utf-8", "the-apology.vtt", "WEBVTT"),
        ("?format=metadata", "application/json", "the-apology.metadata.json", "\"goalAchieved\""),
        ("?format=debug", "application/x-ndjson", "the-apology.debug.log", "\"scene ended: "),
    ] {
        let response = server.get(&format!("/v1/runs/{run}/transcript{query}")).await;
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()["content-type"], kind);
        assert_eq!(response.headers()["content-disposition"], format!("inline; filename=\"{name}\""));
        let text = response.text().await.unwrap();
        assert!(text.contains(holds), "{query}: {text}");
    }
}

#[tokio::test]
async fn what_there_is_of_a_run_that_goes_on_can_be_read() {
    let server = Server::start().await;
    let run = server.play(gated()).await;
    let mut events = super::stream::Events::of(server.get(&format!("/v1/runs/{run}/events")).await);
    server.let_answer(2);
    events.until("beat_settled").await;
    let text = server.get(&format!("/v1/runs/{run}/transcript")).await.text().await.unwrap();
    assert!(text.contains("And why is that?"), "{text}");
    let details = server.json(&format!("/v1/runs/{run}")).await;
    assert_eq!((&details["status"], &details["reason"]), (&"playing".into(), &Value::Null));
}

#[tokio::test]
async fn the_log_is_every_event_on_a_line() {
    let server = Server::start().await;
    let run = server.play_out(apology()).await;
    let response = server.get(&format!("/v1/runs/{run}/log")).await;
    assert_eq!(response.headers()["content-type"], "application/x-ndjson");
    let text = response.text().await.unwrap();
    let kept = server.log.read_some(run, enact_drama::Seq(0), usize::MAX).await.unwrap();
    let lines: Vec<String> = kept.iter().map(|record| serde_json::to_string(record).unwrap()).collect();
    assert_eq!(text.lines().collect::<Vec<_>>(), lines);
    assert!(text.ends_with('\n'));
}

#[tokio::test]
async fn what_is_deleted_is_gone_and_what_is_played_is_not() {
    let server = Server::start().await;
    let run = server.play(gated()).await;
    let path = format!("/v1/runs/{run}");
    let mut events = super::stream::Events::of(server.get(&format!("{path}/events")).await);
    events.until("asked").await;
    let response = server.request("DELETE", &path).send().await.unwrap();
    assert_eq!(response.status(), 409);
    assert_eq!(response.json::<Value>().await.unwrap()["error"]["code"], "RUN_PLAYING");

    assert_eq!(server.post(&format!("{path}/cancel"), Value::Null).await.status(), 202);
    events.until("end").await;
    assert_eq!(server.request("DELETE", &path).send().await.unwrap().status(), 204);
    assert_eq!(server.get(&path).await.status(), 404);
    assert_eq!(server.request("DELETE", &path).send().await.unwrap().status(), 404);
}
