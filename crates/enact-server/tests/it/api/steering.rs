//! Runs that are steered while they are played.

use reqwest::Response;
use serde_json::{Value, json};

use super::{
    server::{Server, apology, gated},
    stream::Events,
};

async fn accepted(response: Response) -> u64 {
    assert_eq!(response.status(), 202);
    response.json::<Value>().await.unwrap()["commandId"].as_u64().unwrap()
}

#[tokio::test]
async fn notes_and_events_reach_the_run_in_order() {
    let server = Server::start().await;
    let run = server.play(gated()).await;
    let path = format!("/v1/runs/{run}");
    let mut events = Events::of(server.get(&format!("{path}/events")).await);
    events.until("asked").await;
    let to_one = server.post(&format!("{path}/notes"), json!({ "to": "alice", "text": "You know." })).await;
    let to_all = server.post(&format!("{path}/notes"), json!({ "text": "Be\nkind." })).await;
    let event = server.post(&format!("{path}/world-events"), json!({ "text": "The lights go out." })).await;
    let ids = [accepted(to_one).await, accepted(to_all).await, accepted(event).await];
    assert!(ids.is_sorted() && ids[0] < ids[2], "{ids:?}");

    let noted = events.until("noted").await.data["body"].clone();
    assert_eq!(
        (&noted["to"], &noted["text"], &noted["why"]),
        (&"alice".into(), &"You know.".into(), &"steered".into())
    );
    let noted = events.until("noted").await.data["body"].clone();
    assert_eq!((&noted["to"], &noted["text"]), (&Value::Null, &"Be kind.".into()));
    let line = events.until("line_added").await.data["body"].clone();
    assert!(line.to_string().contains("The lights go out."), "{line}");
}

#[tokio::test]
async fn a_run_is_paused_stepped_resumed_and_cancelled() {
    let server = Server::start().await;
    let run = server.play(gated()).await;
    let path = format!("/v1/runs/{run}");
    let mut events = Events::of(server.get(&format!("{path}/events")).await);
    events.until("asked").await;
    for (what, fact) in
        [("pause", "paused"), ("step", "stepped"), ("resume", "continued"), ("cancel", "ended")]
    {
        // Empty bodies need no content type.
        accepted(server.request("POST", &format!("{path}/{what}")).send().await.unwrap()).await;
        events.until(fact).await;
        let status = match what {
            // Its beat is still under way, and it is held up all the same.
            "pause" | "step" => "paused",
            "resume" => "playing",
            _ => "finished",
        };
        assert_eq!(server.json(&path).await["status"], status, "after {what}");
        let listed = server.json(&format!("/v1/runs?status={status}")).await;
        assert_eq!(listed["runs"][0]["runId"], run.to_string(), "after {what}");
        let paused = server.json("/v1/runs?status=paused").await;
        assert_eq!(paused["runs"].as_array().unwrap().len(), usize::from(status == "paused"));
    }
    let end = events.until("end").await;
    assert_eq!((end.id, &end.data["reason"]), (None, &"cancelled".into()));
    assert_eq!(events.next().await, None);
    assert_eq!(server.json(&path).await["reason"], "cancelled");
}

#[tokio::test]
async fn what_cannot_be_wanted_is_refused() {
    let server = Server::start().await;
    let run = server.play(gated()).await;
    for (what, body, message) in [
        ("notes", json!({ "to": "alicia", "text": "x" }), "nobody called 'alicia' plays in this run"),
        ("notes", json!({ "text": " \n " }), "a note needs a text"),
        (
            "notes",
            json!({ "text": "x".repeat(2_001) }),
            "a note has at most 2000 characters; this one has 2001",
        ),
        ("notes", json!({ "txt": "x" }), "there is no field 'txt' here"),
        ("notes", json!({ "to": "../x", "text": "x" }), ""),
        (
            "world-events",
            json!({ "text": "x".repeat(501) }),
            "a world event has at most 500 characters; this one has 501",
        ),
        ("world-events", json!({}), "text is missing"),
        ("world-events", json!([]), ""),
    ] {
        let response = server.post(&format!("/v1/runs/{run}/{what}"), body.clone()).await;
        assert_eq!(response.status(), 422, "{body}");
        let answer: Value = response.json().await.unwrap();
        assert_eq!(answer["error"]["code"], "INVALID_REQUEST");
        let said = answer["error"]["message"].as_str().unwrap();
        assert!(said == message || message.is_empty(), "{said}");
    }
}

#[tokio::test]
async fn nothing_can_be_wanted_of_what_is_over() {
    let server = Server::start().await;
    let run = server.play_out(apology()).await;
    for (what, body) in [
        ("cancel", Value::Null),
        ("pause", Value::Null),
        ("resume", Value::Null),
        ("step", Value::Null),
        ("notes", json!({ "text": "x" })),
        ("world-events", json!({ "text": "x" })),
    ] {
        let response = server.post(&format!("/v1/runs/{run}/{what}"), body).await;
        assert_eq!(response.status(), 409, "{what}");
        assert_eq!(response.json::<Value>().await.unwrap()["error"]["code"], "RUN_ENDED", "{what}");
    }
}
