//! Audio that is removed once it is old, while what was said stays.

use serde_json::{Value, json};

use crate::{project::Project, server::Server};

#[test]
fn old_audio_goes_and_its_text_stays() {
    let project = Project::empty();
    let server = Server::start(project.command(&["serve", "--bind", "127.0.0.1:0", "--keep-audio", "3s"]));
    let slots = json!([{"slotId": 1, "agentId": "gpt-4o"}]);
    let answer = server.post("/v1/chat", &json!({"message": "Good morning", "slots": slots}));
    let data = |event: &str| -> Value {
        let (_, rest) = answer.body.split_once(&format!("event: {event}\ndata: ")).expect("an event");
        serde_json::from_str(rest.lines().next().unwrap()).unwrap()
    };
    let (said, heard) = (data("slot.done"), data("slot.audio"));
    let path = format!("/v1/audio/{}", heard["audioPath"].as_str().unwrap());
    server.wait_for_log("old audio was removed");

    let gone = server.get(&path);
    assert_eq!((gone.status, &gone.json()["error"]["code"]), (410, &"AUDIO_EXPIRED".into()));
    let never = server.get("/v1/audio/tts/sessions/never.wav");
    assert_eq!((never.status, &never.json()["error"]["code"]), (404, &"AUDIO_NOT_FOUND".into()));
    let run = heard["sessionId"].as_str().unwrap();
    let listed = server.get(&format!("/v1/audio/tts/sessions/{run}/session.json")).json();
    let entry = &listed["turns"]["turn_1"][0];
    assert_eq!(entry["text"], said["text"], "{listed}");
    assert!(entry["audioError"].is_string() && entry["audioPath"].is_null(), "{listed}");
    assert!(server.transcript(run).contains(said["text"].as_str().unwrap()));
    server.stop();
}
