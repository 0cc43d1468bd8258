//! People answer over HTTP.

use serde_json::{Value, json};

use super::{
    server::{Server, apology},
    stream::Events,
};

/// Alice is played by a person, who has for ever.
fn with_alice() -> Value {
    let mut scene = apology();
    scene["models"] = json!({ "alice": "human" });
    scene["humanTimeoutSeconds"] = "none".into();
    scene["maxBeats"] = 3.into();
    scene
}

fn answer(ask: &Value, text: &str) -> Value {
    json!({ "command": "answer", "ask": ask, "text": text })
}

#[tokio::test]
async fn an_ask_is_listed_and_answered_once() {
    let server = Server::start().await;
    let run = server.play(with_alice()).await;
    let path = format!("/v1/runs/{run}");
    let mut events = Events::of(server.get(&format!("{path}/events")).await);
    let asked = loop {
        let asked = events.until("asked").await.data["body"].clone();
        if asked["human"].is_object() {
            break asked;
        }
    };
    assert_eq!((&asked["actor"], &asked["human"]["timeoutMs"]), (&"alice".into(), &Value::Null));
    let asks = server.json(&format!("{path}/asks")).await["asks"].clone();
    let ask = &asks[0];
    assert_eq!(
        (asks.as_array().unwrap().len(), &ask["ask"], &ask["actor"]),
        (1, &asked["call"], &"alice".into())
    );
    assert_eq!((&ask["name"], &ask["beat"], &ask["until"]), (&"Alice".into(), &0.into(), &Value::Null));
    assert!(ask["told"].as_str().unwrap().starts_with("BEAT: 0\n"), "{ask}");
    assert!(ask["since"].as_str().unwrap().ends_with('Z') && ask["lines"] == json!([]), "{ask}");

    let commands = format!("{path}/commands");
    let first = server.post(&commands, answer(&ask["ask"], "(smiles) Hello, Bob.")).await;
    assert_eq!(first.status(), 202);
    let said = loop {
        let line = events.until("line_added").await.data["body"].clone();
        if line["who"] == "alice" {
            break line;
        }
    };
    assert_eq!(said["reply"]["content"], "Hello, Bob.");
    assert_eq!(said["reply"]["nonverbal"], "smiles");

    // It is answered, and a number that was never asked is no ask.
    for (number, told) in [(ask["ask"].clone(), "is not open any more"), (json!(4_000), "is not there")] {
        let again = server.post(&commands, answer(&number, "Hello again.")).await;
        assert_eq!(again.status(), 409);
        let error = again.json::<Value>().await.unwrap()["error"].clone();
        assert_eq!(error["code"], "ASK_NOT_OPEN");
        assert!(error["message"].as_str().unwrap().contains(told), "{error}");
    }
    // The next beat asks again, with what bob has said since.
    let next = loop {
        let asks = server.json(&format!("{path}/asks")).await["asks"].clone();
        match asks[0]["beat"].as_u64() {
            Some(1) => break asks[0].clone(),
            _ => _ = events.next().await,
        }
    };
    let lines = next["lines"].as_array().unwrap();
    assert!(lines.iter().all(|line| !line.as_str().unwrap().starts_with("Alice")), "{next}");
    // A person is no call and costs nothing.
    let costs = server.json(&format!("{path}/costs")).await;
    let mine = &costs["costs"]["byCharacter"]["alice"];
    assert_eq!((&mine["calls"], &mine["unaccounted"]), (&0.into(), &0.into()), "{costs}");
    server.post(&format!("{path}/cancel"), json!({})).await;
    events.until("end").await;
    assert_eq!(server.json(&format!("{path}/asks")).await["asks"], json!([]));
    let late = server.post(&commands, answer(&next["ask"], "Too late.")).await;
    assert_eq!(late.json::<Value>().await.unwrap()["error"]["code"], "ASK_NOT_OPEN");
}

/// Without a deadline nothing is pending: no process holds the run, and the answer wakes it.
#[tokio::test]
async fn a_run_rests_until_a_person_answers() {
    let server = Server::start().await;
    let run = server.play(with_alice()).await;
    let path = format!("/v1/runs/{run}");
    let mut beats = 0;
    while server.json(&path).await["status"] != "finished" {
        let asks = server.json(&format!("{path}/asks")).await["asks"].clone();
        if let Some(ask) = asks.get(0) {
            let status = server.json(&path).await["status"].clone();
            assert!(status == "resting" || status == "playing", "{status}");
            let response = server.post(&format!("{path}/commands"), answer(&ask["ask"], "Well?")).await;
            beats += usize::from(response.status() == 202);
        }
        tokio::task::yield_now().await;
    }
    assert!((1..=3).contains(&beats), "one answer a beat: {beats}");
    let events = server.get(&format!("{path}/events")).await.text().await.unwrap();
    assert!(!events.contains("event: resumed"), "waking is not resuming: {events}");
}

#[tokio::test]
async fn silence_counts_as_silence() {
    let server = Server::start().await;
    let mut scene = with_alice();
    scene["humanTimeoutSeconds"] = json!(0.05);
    let run = server.play_out(scene).await;
    let transcript = server.get(&format!("/v1/runs/{run}/transcript?format=txt")).await.text().await.unwrap();
    assert!(!transcript.contains("SYSTEM") && !transcript.contains("Alice ["), "{transcript}");
}

#[tokio::test]
async fn runs_without_people_ask_none_and_take_no_answers() {
    let server = Server::start().await;
    let run = server.play_out(apology()).await;
    assert_eq!(server.json(&format!("/v1/runs/{run}/asks")).await, json!({ "asks": [] }));
    let response = server.post(&format!("/v1/runs/{run}/commands"), answer(&json!(1), "Hello")).await;
    assert_eq!(response.status(), 400);
    let error = response.json::<Value>().await.unwrap()["error"].clone();
    assert_eq!(
        (&error["code"], &error["message"]),
        (&"INVALID_COMMAND".into(), &"every character of this run is played by a model".into())
    );
    let session = server.chat_out("Hello?", &[(1, "ada")]).await;
    assert_eq!(server.json(&format!("/v1/runs/{session}/asks")).await, json!({ "asks": [] }));
}
