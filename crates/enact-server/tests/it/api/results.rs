//! What a run came to, and what is said of requests that came to nothing.

use serde_json::{Value, json};

use super::server::{Server, apology, gated};

#[tokio::test]
async fn a_scene_that_is_over_has_the_result_of_the_requirements() {
    let server = Server::start().await;
    let run = server.play_out(apology()).await;
    let result = server.json(&format!("/v1/runs/{run}/result")).await;
    let keys: Vec<&String> = result.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["success", "production", "transcript", "metadata", "outputPath"]);
    assert_eq!(result["success"], true);
    assert_eq!(result["production"], "scene");
    assert_eq!(result["outputPath"], format!("/v1/runs/{run}/"));
    let transcript = server.get(&format!("/v1/runs/{run}/transcript")).await.text().await.unwrap();
    assert_eq!(result["transcript"], transcript);
    let metadata = server.json(&format!("/v1/runs/{run}/transcript?format=metadata")).await;
    assert_eq!(result["metadata"], metadata);
    assert_eq!(metadata, server.json(&format!("/v1/runs/{run}")).await["metadata"]);
    for key in ["name", "duration", "totalBeats", "characterCount", "goalAchieved"] {
        assert!(!metadata[key].is_null(), "{key}");
    }
    assert!(metadata["costs"]["totalTokens"].is_u64(), "{metadata}");
}

#[tokio::test]
async fn a_run_that_is_not_over_has_no_result_yet() {
    let server = Server::start().await;
    let run = server.play(gated()).await;
    let path = format!("/v1/runs/{run}/result");
    let response = server.get(&path).await;
    assert_eq!(response.status(), 409);
    let body: Value = response.json().await.unwrap();
    assert_eq!(body["error"]["code"], "RUN_UNFINISHED");
    let mut events = super::stream::Events::of(server.get(&format!("/v1/runs/{run}/events")).await);
    assert_eq!(server.post(&format!("/v1/runs/{run}/cancel"), Value::Null).await.status(), 202);
    events.until("end").await;
    let result = server.json(&path).await;
    assert_eq!((&result["success"], &result["metadata"]["reason"]), (&true.into(), &"cancelled".into()));
}

#[tokio::test]
async fn every_production_has_a_result_and_can_be_looked_into() {
    let server = Server::start().await;
    let run = server.chat_out("Hello?", &[(1, "ada"), (2, "offline")]).await;
    let result = server.json(&format!("/v1/runs/{run}/result")).await;
    assert_eq!((&result["success"], &result["production"]), (&true.into(), &"chorus".into()));
    assert!(result["transcript"].as_str().unwrap().contains("[CHORUS START]"), "{result}");
    assert_eq!(result["metadata"]["completedSlots"], 1);

    let log = server.get(&format!("/v1/runs/{run}/transcript?format=debug")).await.text().await.unwrap();
    let entries: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(entries.len() as u64, server.events_of(run).await);
    let failed = entries.iter().find(|entry| entry["message"] == "slot failed").unwrap();
    assert_eq!(failed["level"], "warn");
}

#[tokio::test]
async fn lines_have_their_time_and_reactions_their_action() {
    let server = Server::start().await;
    let run = server.play_out(apology()).await;
    let document = server.json(&format!("/v1/runs/{run}/transcript?format=json")).await;
    let log = server.get(&format!("/v1/runs/{run}/log")).await.text().await.unwrap();
    let log: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let lines = document["lines"].as_array().unwrap();
    assert!(!lines.is_empty());
    for line in lines {
        assert_eq!(line["at"], log[line["id"].as_u64().unwrap() as usize]["at"], "{line}");
        assert!(line["action"] != "react" || line["content"] != "", "{line}");
    }
}

/// What an error says beside its message.
async fn refused(server: &Server, method: &str, path: &str, body: Option<&Value>) -> Value {
    let mut request = server.request(method, path);
    if let Some(body) = body {
        request = request.json(body);
    }
    let body: Value = request.send().await.unwrap().json().await.unwrap();
    assert_eq!(body["success"], false, "{body}");
    assert_eq!(body.as_object().unwrap().len(), 2, "{body}");
    body["error"].clone()
}

#[tokio::test]
async fn errors_say_what_was_provided_and_where() {
    let server = Server::start().await;
    let mut scene = apology();
    scene["maxBeats"] = 0.into();
    let error = refused(&server, "POST", "/v1/scenes", Some(&json!({ "config": scene }))).await;
    assert_eq!(error["context"]["provided"], scene, "the config as it was sent");
    let error = refused(&server, "POST", "/v1/scenes", Some(&json!({ "config": { "promt": 1 } }))).await;
    assert_eq!(error["context"]["provided"], json!({ "promt": 1 }));

    let slots = json!([{ "slotId": 1, "agentId": "ada" }, { "slotId": 9, "agentId": "ben" }]);
    let error = refused(&server, "POST", "/v1/chat", Some(&json!({ "message": "x", "slots": slots }))).await;
    assert_eq!(error["message"], "slotId must be a number from 1 to 6, found 9");
    assert_eq!(
        (&error["context"]["path"], &error["context"]["provided"]),
        (&"slots[1].slotId".into(), &9.into())
    );

    let run = server.play(gated()).await;
    for (path, body, at, provided) in [
        ("fork", json!({ "beat": -1 }), "beat", json!(-1)),
        ("fork", json!({ "seed": 1 }), "beat", json!({ "seed": 1 })),
        ("notes", json!({ "text": "x", "two": "bob" }), "two", json!("bob")),
        ("notes", json!("x"), "", json!("x")),
        ("notes", json!(["x"]), "", json!(["x"])),
    ] {
        let error = refused(&server, "POST", &format!("/v1/runs/{run}/{path}"), Some(&body)).await;
        assert_eq!(error["context"]["path"], at, "{error}");
        assert_eq!(error["context"]["provided"], provided, "{error}");
    }
    let note = json!({ "to": null, "text": "" });
    let error = refused(&server, "POST", &format!("/v1/runs/{run}/notes"), Some(&note)).await;
    assert_eq!(error["context"]["provided"], note);
    let command = json!({ "command": "dance" });
    let error = refused(&server, "POST", &format!("/v1/runs/{run}/commands"), Some(&command)).await;
    assert_eq!(error["context"]["provided"], command);

    for (query, parameter, provided) in [
        ("runs?limit=many", "limit", "many"),
        ("runs?status=asleep", "status", "asleep"),
        ("runs?statsu=playing", "statsu", "playing"),
        ("costs?by=mood", "by", "mood"),
        ("costs?from=yesterday", "from", "yesterday"),
    ] {
        let error = refused(&server, "GET", &format!("/v1/{query}"), None).await;
        assert_eq!(error["context"]["parameter"], parameter, "{error}");
        assert_eq!(error["context"]["provided"], provided, "{error}");
    }
}

#[tokio::test]
async fn what_was_provided_is_shown_in_short() {
    let server = Server::start().await;
    let mut scene = apology();
    scene["prompt"] = "x".repeat(100_000).into();
    scene["goals"] = vec!["y"; 1_000].into();
    let error = refused(&server, "POST", "/v1/scenes", Some(&json!({ "config": scene }))).await;
    let provided = &error["context"]["provided"];
    assert_eq!(provided["prompt"].as_str().unwrap().chars().count(), 201);
    assert!(provided["prompt"].as_str().unwrap().ends_with('…'));
    assert_eq!(provided["goals"].as_array().unwrap().len(), 20);
}
