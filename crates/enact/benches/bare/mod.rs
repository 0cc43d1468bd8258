//! The least one could write: genai, a growing thread for each character, everyone asked at once.

use std::time::{Duration, Instant};

use futures::{StreamExt, future::join_all};
use genai::{
    Client, ModelIden, ServiceTarget,
    adapter::AdapterKind,
    chat::{CacheControl, ChatMessage, ChatOptions, ChatRequest, ChatStreamEvent},
    resolver::{AuthData, Endpoint},
};

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
    // genai makes its own client, which finds its TLS provider installed.
    enact_http::install_tls_provider();
    let client = Client::new().expect("a client");
    let target = ServiceTarget {
        endpoint: Endpoint::from_owned(base_url.to_owned()),
        auth: AuthData::from_single("sk-bench"),
        model: ModelIden::new(AdapterKind::Anthropic, "claude-sonnet-4-5"),
    };
    let playing: Vec<_> = (0..scenes)
        .map(|_| {
            let (client, target) = (client.clone(), target.clone());
            tokio::spawn(async move { scene(&client, &target, cast, beats).await })
        })
        .collect();
    let mut first = None;
    for scene in playing {
        let took = scene.await.expect("no panic");
        first.get_or_insert(took);
    }
    first.unwrap_or_default()
}

async fn scene(client: &Client, target: &ServiceTarget, cast: &[&str], beats: u32) -> Vec<Duration> {
    let mut took = Vec::new();
    let cached = || CacheControl::Ephemeral;
    let mut threads: Vec<Vec<ChatMessage>> = vec![Vec::new(); cast.len()];
    let mut said = String::from("(nothing)");
    for beat in 0..beats {
        let began = Instant::now();
        let asks = cast.iter().zip(&threads).map(|(name, thread)| {
            let update = format!("BEAT: {beat}\n\nSINCE YOU LAST HEARD:\n{said}\n\nYou are {name}. Respond.");
            let mut messages = vec![
                ChatMessage::system(RULES).with_options(cached()),
                ChatMessage::system(sheet(name)).with_options(cached()),
            ];
            messages.extend(thread.iter().cloned());
            messages.push(ChatMessage::user(update.clone()).with_options(cached()));
            async move { (update, answer(client, target, ChatRequest::new(messages)).await) }
        });
        let answers = join_all(asks).await;
        said = answers.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>().join("\n");
        for (thread, (update, text)) in threads.iter_mut().zip(answers) {
            thread.push(ChatMessage::user(update));
            thread.push(ChatMessage::assistant(text));
        }
        took.push(began.elapsed());
    }
    took
}

async fn answer(client: &Client, target: &ServiceTarget, request: ChatRequest) -> String {
    let options = ChatOptions::default().with_capture_usage(true).with_max_tokens(1024);
    let mut stream =
        client.exec_chat_stream(target.clone(), request, Some(&options)).await.expect("an answer").stream;
    let mut text = String::new();
    while let Some(event) = stream.next().await {
        if let ChatStreamEvent::Chunk(chunk) = event.expect("a whole answer") {
            text.push_str(&chunk.content);
        }
    }
    text
}
