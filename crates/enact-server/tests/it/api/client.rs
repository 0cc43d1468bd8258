//! A client that was written for the protocol before there was this server: it knows `event:` and `data:`,
//! the names of events and the fields of their payloads, and nothing else.

use std::collections::BTreeMap;

use futures::StreamExt;
use serde_json::{Value, json};

use super::server::{ENOUGH, Server};

/// What the client shows of a slot in a turn.
#[derive(Debug, Default, PartialEq)]
struct Card {
    kind: String,
    text: String,
    voice_profile: String,
    target: Option<u64>,
    audio: Option<String>,
    error: Option<String>,
}

/// What the client keeps.
#[derive(Debug, Default)]
struct Page {
    cards: BTreeMap<(u64, u64), Card>,
    /// The turn whose start came last; 0 before the first.
    turn: u64,
    finished: Vec<u64>,
    done: Option<Value>,
}

impl Page {
    fn on(&mut self, event: &str, data: &Value) {
        assert!(self.done.is_none(), "{event} came after done");
        assert!(data["sessionId"].is_string(), "{event}: {data}");
        let number = |key: &str| data[key].as_u64().unwrap_or_else(|| panic!("{event} has no {key}: {data}"));
        let text = |key: &str| {
            data[key].as_str().unwrap_or_else(|| panic!("{event} has no {key}: {data}")).to_owned()
        };
        match event {
            "turn.start" => self.turn = number("turnIndex"),
            "turn.done" => self.finished.push(number("turnIndex")),
            "done" => self.done = Some(data.clone()),
            "slot.start" | "slot.done" | "slot.audio" | "slot.error" => {
                assert!(!text("agentId").is_empty());
                let (turn, slot) = (number("turnIndex"), number("slotId"));
                let card = self.cards.entry((turn, slot)).or_default();
                match event {
                    "slot.start" => card.kind = text("kind"),
                    "slot.done" => {
                        // What it knew before there were comments is still there.
                        card.text = text("text");
                        card.voice_profile = text("voiceProfile");
                        card.target = data["targetSlotId"].as_u64();
                        assert!(turn != 2 || text("comment") == card.text);
                    }
                    "slot.audio" => {
                        assert_eq!(text("audioFormat"), "wav");
                        assert_eq!(text("voiceProfile"), card.voice_profile);
                        card.audio = Some(text("audioPath"));
                    }
                    _ => card.error = Some(data["error"]["type"].as_str().unwrap().to_owned()),
                }
            }
            other => panic!("unknown event {other}"),
        }
    }
}

/// Reads pieces as they come: events end with a blank line, wherever pieces end.
async fn read(response: reqwest::Response, page: &mut Page) {
    let (mut pieces, mut buffer) = (response.bytes_stream(), String::new());
    while let Some(piece) = pieces.next().await {
        buffer.push_str(std::str::from_utf8(&piece.unwrap()).unwrap());
        while let Some(end) = buffer.find("\n\n") {
            let block: String = buffer.drain(..end + 2).collect();
            let (mut event, mut data) = (String::new(), String::new());
            for line in block.lines() {
                if let Some(name) = line.strip_prefix("event:") {
                    event = name.trim().to_owned();
                } else if let Some(text) = line.strip_prefix("data:") {
                    data.push_str(text.trim());
                }
            }
            if !event.is_empty() && !data.is_empty() {
                page.on(&event, &serde_json::from_str(&data).unwrap());
            }
        }
    }
    assert_eq!(buffer, "", "an event broke off");
}

#[tokio::test]
async fn an_existing_client_works_unchanged() {
    let server = Server::start().await;
    server.test_chorus.let_speak(ENOUGH);
    let agents = server.json("/v1/agents").await;
    let slots: Vec<Value> =
        (0..6).map(|at| json!({ "slotId": at + 1, "agentId": agents["agents"][at]["id"] })).collect();
    let body = json!({ "message": "What does a river want?", "slots": slots });
    let response = server.post("/v1/chat", body).await;
    assert!(response.headers()["content-type"].to_str().unwrap().starts_with("text/event-stream"));
    let mut page = Page::default();
    read(response, &mut page).await;

    let done = page.done.as_ref().unwrap();
    let session = done["sessionId"].as_str().unwrap().to_owned();
    assert_eq!(*done, json!({ "completedSlots": 6, "sessionId": session, "turns": 3 }));
    assert_eq!((page.turn, &page.finished[..]), (3, &[1, 2, 3][..]));
    assert_eq!(page.cards.len(), 18, "six slots, three turns");
    for ((turn, slot), card) in &page.cards {
        assert_eq!(card.kind, ["response", "comment", "reply"][*turn as usize - 1]);
        assert_eq!(card.error, None);
        assert_eq!(card.target.is_some(), *turn == 2);
        assert_ne!(card.target, Some(*slot), "nobody comments on themselves");
        let path = card.audio.as_ref().unwrap();
        assert!(path.starts_with(&format!("tts/sessions/{session}/turn_{turn}/slot-{slot}_")), "{path}");
        let response = server.get(&format!("/v1/audio/{path}")).await;
        assert_eq!(
            (response.status().as_u16(), &response.headers()["content-type"]),
            (200, &"audio/wav".parse().unwrap())
        );
        let audio = response.bytes().await.unwrap();
        assert!(audio.starts_with(b"RIFF") && &audio[8..12] == b"WAVE", "{path}");
    }

    // The list beside the files says the same.
    let manifest = server.json(&format!("/v1/audio/tts/sessions/{session}/session.json")).await;
    assert_eq!(manifest["sessionId"], session);
    for turn in 1..=3_u64 {
        let listed = manifest["turns"][format!("turn_{turn}")].as_array().unwrap();
        assert_eq!(listed.len(), 6);
        for entry in listed {
            let card = &page.cards[&(turn, entry["slotId"].as_u64().unwrap())];
            assert_eq!(entry["audioPath"].as_str(), card.audio.as_deref());
            assert_eq!(entry[if turn == 2 { "comment" } else { "text" }], card.text.as_str());
        }
    }

    let reset = server.request("POST", "/v1/reset").send().await.unwrap();
    assert_eq!(
        reset.json::<Value>().await.unwrap(),
        json!({ "status": "ok", "clearedSlots": [1, 2, 3, 4, 5, 6] })
    );
}
