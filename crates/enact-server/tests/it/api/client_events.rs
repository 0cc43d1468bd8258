//! A production that nothing in the server knows streams its own events, rests, and takes its own commands.

use enact_server::access::Access;
use expect_test::expect;
use serde_json::{Value, json};

use super::{
    server::{Server, apology, session},
    stream::{Events, events},
};

async fn write(server: &Server, run: enact_drama::RunId, command: Value) -> (u16, Value) {
    let response = server.post(&format!("/v1/runs/{run}/commands"), command).await;
    (response.status().as_u16(), response.json().await.unwrap())
}

#[tokio::test]
async fn its_clients_hear_of_facts_and_of_live_text() {
    let server = Server::start().await;
    let opened = server.post("/v1/diaries", json!({})).await;
    let run = session(&opened);
    let mut stream = Events::of(opened);
    let first = stream.next().await.unwrap();
    assert_eq!((first.id, first.name.as_str()), (Some(0), "opened"));
    for number in [1, 2] {
        let (status, _) = write(&server, run, json!({ "command": "write", "text": "Dear diary" })).await;
        assert_eq!(status, 202);
        let entry = stream.next().await.unwrap();
        assert_eq!(entry.data, json!({ "number": number, "text": "Dear diary" }));
        let sigh = stream.next().await.unwrap();
        assert_eq!((sigh.id, sigh.name.as_str()), (None, "sigh"));
        assert_eq!(sigh.data, json!({ "over": number, "text": "[TONE: calm] " }));
        server.let_answer(1);
        enact_testkit::until(async || server.json(&format!("/v1/runs/{run}")).await["status"] == "resting")
            .await;
    }
    write(&server, run, json!({ "command": "close" })).await;
    assert_eq!(stream.next().await.unwrap().name, "closed");
    assert_eq!(stream.next().await, None);

    // A reader who comes back is told the rest, and what was counted before counts.
    let path = format!("/v1/diaries/{run}/events");
    let all = server.get(&path).await.text().await.unwrap();
    let all = events(&all);
    assert_eq!(
        all.iter().map(|event| event.name.as_str()).collect::<Vec<_>>(),
        ["opened", "entry", "entry", "closed"]
    );
    for (at, seen) in all.iter().enumerate() {
        let request = server.request("GET", &path).header("Last-Event-ID", seen.id.unwrap());
        let rest = request.send().await.unwrap().text().await.unwrap();
        assert_eq!(events(&rest), all[at + 1..], "after {seen:?}");
    }
    let beyond = server.get(&format!("{path}?from=99")).await;
    assert_eq!(beyond.json::<Value>().await.unwrap()["error"]["code"], "INVALID_CURSOR");
}

#[tokio::test]
async fn runs_of_others_are_not_told_like_its_own() {
    let server = Server::start().await;
    let scene = server.play_out(apology()).await;
    let response = server.get(&format!("/v1/diaries/{scene}/events")).await;
    assert_eq!(response.status(), 409);
    let error = response.json::<Value>().await.unwrap()["error"].take();
    assert_eq!(error["code"], "WRONG_PRODUCTION");
    assert_eq!(error["message"], format!("run {scene} is not a diary"));
}

#[tokio::test]
async fn a_resting_run_is_listed_counted_and_woken() {
    let server = Server::start().await;
    let opened = server.post("/v1/diaries", json!({})).await;
    let run = session(&opened);
    let resting = async || {
        let page = server.json("/v1/runs?status=resting").await;
        page["runs"].as_array().unwrap().iter().any(|listed| listed["runId"] == run.to_string())
    };
    enact_testkit::until(resting).await;
    write(&server, run, json!({ "command": "write", "text": "x" })).await;
    Events::of(opened).until("sigh").await;
    assert!(!resting().await);
    server.let_answer(1);
    enact_testkit::until(resting).await;
    let costs = server.json("/v1/costs").await;
    assert_eq!((&costs["runs"], &costs["total"]["calls"]), (&json!(1), &json!(1)), "{costs}");
    assert_eq!(server.json("/v1/runs?status=waiting,playing,finished").await["runs"], json!([]));
    let details = server.json(&format!("/v1/runs/{run}")).await;
    assert_eq!((&details["status"], &details["metadata"]), (&json!("resting"), &json!({ "pages": 1 })));
}

#[tokio::test]
async fn commands_are_refused_in_the_words_of_the_production() {
    let server = Server::start().await;
    let diary = session(&server.post("/v1/diaries", json!({})).await);
    let scene = server.play(super::server::gated()).await;
    let mut told = String::new();
    for (run, command) in [
        (diary, json!({ "command": "write", "text": "" })),
        (diary, json!({ "command": "write" })),
        (diary, json!({ "command": "write", "text": "x", "ink": "blue" })),
        (diary, json!({ "command": "pause" })),
        (diary, json!({ "text": "x" })),
        (diary, json!("close")),
        (scene, json!({ "command": "write", "text": "x" })),
        (scene, json!({ "command": "note", "to": "alicia", "text": "x" })),
        (scene, json!({ "command": "note", "to": "../x", "text": "x" })),
    ] {
        let (status, answer) = write(&server, run, command.clone()).await;
        let error = &answer["error"];
        told += &format!("{command}\n  {status} {} {}\n", error["code"], error["message"]);
    }
    expect![[r#"
        {"command":"write","text":""}
          400 "INVALID_COMMAND" "an entry needs a text"
        {"command":"write"}
          400 "INVALID_COMMAND" "this is no command of a diary: text is missing"
        {"command":"write","text":"x","ink":"blue"}
          400 "INVALID_COMMAND" "this is no command of a diary: there is no field 'ink' here"
        {"command":"pause"}
          400 "INVALID_COMMAND" "this is no command of a diary: command must be write or close, found 'pause'"
        {"text":"x"}
          400 "INVALID_COMMAND" "this is no command of a diary: command is missing"
        "close"
          400 "INVALID_COMMAND" "this is no command of a diary: it is no object"
        {"command":"write","text":"x"}
          400 "INVALID_COMMAND" "this is no command of a scene: command must be cancel, note, world_event, answer, pause, resume or step, found 'write'"
        {"command":"note","to":"alicia","text":"x"}
          400 "INVALID_COMMAND" "nobody called 'alicia' plays in this run"
        {"command":"note","to":"../x","text":"x"}
          400 "INVALID_COMMAND" "this is no command of a scene: '../x' is not a plain name: use letters, digits, '-' and '_', starting with a letter or digit, at most 64"
    "#]].assert_eq(&told);
    let response = server.request("POST", &format!("/v1/runs/{diary}/commands"));
    let response = response.header("content-type", "application/json").body("{").send().await.unwrap();
    assert_eq!(response.status(), 400);
}

#[tokio::test]
async fn a_scene_takes_its_commands_like_any_run() {
    let server = Server::start().await;
    let run = server.play(super::server::gated()).await;
    let mut stream = Events::of(server.get(&format!("/v1/runs/{run}/events")).await);
    stream.until("asked").await;
    let mut last = 0;
    for (command, fact) in [
        (json!({ "command": "note", "to": "alice", "text": "You know." }), "noted"),
        (json!({ "command": "note", "text": "All of you." }), "noted"),
        (json!({ "command": "world_event", "text": "The lights go out." }), "line_added"),
        (json!({ "command": "pause" }), "paused"),
        (json!({ "command": "step" }), "stepped"),
        (json!({ "command": "resume" }), "continued"),
        (json!({ "command": "cancel" }), "ended"),
    ] {
        let (status, answer) = write(&server, run, command).await;
        assert_eq!(status, 202, "{answer}");
        let id = answer["commandId"].as_u64().unwrap();
        assert!(id > last, "{answer}");
        last = id;
        stream.until(fact).await;
    }
    let (status, answer) = write(&server, run, json!({ "command": "pause" })).await;
    assert_eq!((status, &answer["error"]["code"]), (409, &json!("RUN_ENDED")));
}

#[tokio::test]
async fn a_caller_who_finds_no_place_to_listen_begins_nothing() {
    let limits = enact_server::Limits { readers: 1, ..enact_server::Limits::default() };
    let server = Server::guarded(Access::default().limits(limits)).await;
    let _listening = server.post("/v1/diaries", json!({})).await;
    let refused = server.post("/v1/diaries", json!({})).await;
    assert_eq!(refused.status(), 429);
    assert_eq!(refused.json::<Value>().await.unwrap()["error"]["code"], "TOO_MANY_READERS");
    assert_eq!(server.json("/v1/runs").await["runs"].as_array().unwrap().len(), 1);
}
