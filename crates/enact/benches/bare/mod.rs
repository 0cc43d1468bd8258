//! The least one could write: one HTTP client, a growing thread for each character, everyone asked at once.

use std::time::{Duration, Instant};

use futures::future::join_all;
use reqwest::{Client, header::CONTENT_TYPE};
use serde_json::{Value, json};

/// A sheet, the same for both sides.
pub(crate) fn sheet(name: &str) -> String {
    let habits = (0..24).map(|n| format!("- In situation {n} {name} says plainly what has to be done.\n"));
    format!("# {name}\n\n## Personality\n{}", habits.collect::<String>())
}

const RULES: &str = "You play one character in a scene with others. Answer as [TO: <name>, TONE: <emotion>] \"your \
                     words\". Speak only for your own character. They talk about everything and nothing.";

/// Plays so many scenes at once. Says how long each beat of the first took.
pub(crate) async fn play(
    base_url: &str,
    scenes: usize,
    cast: &'static [&'static str],
    beats: u32,
) -> Vec<Duration> {
    let client = enact_http::client_builder().build().expect("a client");
    let url = format!("{base_url}messages");
    let playing: Vec<_> = (0..scenes)
        .map(|_| {
            let (client, url) = (client.clone(), url.clone());
            tokio::spawn(async move { scene(&client, &url, cast, beats).await })
        })
        .collect();
    let mut first = None;
    for scene in playing {
        let took = scene.await.expect("no panic");
        first.get_or_insert(took);
    }
    first.unwrap_or_default()
}

async fn scene(client: &Client, url: &str, cast: &[&str], beats: u32) -> Vec<Duration> {
    let mut took = Vec::new();
    let mut threads: Vec<Vec<Value>> = vec![Vec::new(); cast.len()];
    let mut said = String::from("(nothing)");
    for beat in 0..beats {
        let began = Instant::now();
        let asks = cast.iter().zip(&threads).map(|(name, thread)| {
            let update = format!("BEAT: {beat}\n\nSINCE YOU LAST HEARD:\n{said}\n\nYou are {name}. Respond.");
            let mut messages = thread.clone();
            messages.push(json!({"role": "user", "content": [cached(&update)]}));
            let body = json!({
                "model": "claude-sonnet-4-5",
                "system": [cached(RULES), cached(&sheet(name))],
                "messages": messages,
                "max_tokens": 1024,
            });
            async move { (update, answer(client, url, body.to_string()).await) }
        });
        let answers = join_all(asks).await;
        said = answers.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>().join("\n");
        for (thread, (update, text)) in threads.iter_mut().zip(answers) {
            thread.push(json!({"role": "user", "content": update}));
            thread.push(json!({"role": "assistant", "content": text}));
        }
        took.push(began.elapsed());
    }
    took
}

fn cached(text: &str) -> Value {
    json!({"type": "text", "text": text, "cache_control": {"type": "ephemeral"}})
}

async fn answer(client: &Client, url: &str, body: String) -> String {
    let request = client
        .post(url)
        .header("x-api-key", "sk-bench")
        .header("anthropic-version", "2023-06-01")
        .header(CONTENT_TYPE, "application/json")
        .body(body);
    let body = request.send().await.expect("an answer").bytes().await.expect("a whole answer");
    let answer: Value = serde_json::from_slice(&body).expect("JSON");
    answer["content"][0]["text"].as_str().expect("a text").to_owned()
}
