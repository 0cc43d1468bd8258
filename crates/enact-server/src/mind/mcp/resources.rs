//! What can be read of minds, from memory: a game reads it after every decision.

use rmcp::model::ResourceTemplate;
use serde_json::{Value, json};

use super::{McpCaller, McpServer};
use crate::mind::{mind_queue::MindQueue, minds::MindKey, shapes};

pub(super) fn templates() -> Vec<ResourceTemplate> {
    let templates = [
        ("agent://{agent_id}/info", "agent_info", "Traits and working memory of an older game's NPC."),
        ("mind://{mind_id}/state", "mind_state", "How a mind stands."),
        ("mind://{mind_id}/working_memory", "mind_working_memory", "What a mind has in mind."),
        ("mind://{mind_id}/daily_memories", "mind_daily_memories", "What a mind remembers of the day."),
    ];
    let template = |(uri, name, about): (&str, &str, &str)| {
        ResourceTemplate::new(uri, name).with_description(about).with_mime_type("application/json")
    };
    templates.map(template).to_vec()
}

impl McpServer {
    /// A resource by its address; nothing if it is none.
    pub(super) async fn read(&self, uri: &str, caller: &McpCaller) -> Option<Value> {
        let (scheme, rest) = uri.split_once("://")?;
        let (id, part) = rest.rsplit_once('/')?;
        if !matches!(
            (scheme, part),
            ("agent", "info") | ("mind", "state" | "working_memory" | "daily_memories")
        ) {
            return None;
        }
        let found = match MindKey::new(&caller.account, id) {
            Ok(key) => self.minds.find(&key).await,
            Err(error) => Err(error),
        };
        let found =
            found.map_err(|error| error.message).and_then(|found| found.ok_or_else(|| missing(scheme, id)));
        Some(match (scheme, found) {
            ("agent", Ok(queue)) => info(&queue),
            ("agent", Err(message)) => json!({ "status": "error", "message": message }),
            (_, Err(message)) => json!({ "error": message }),
            (_, Ok(queue)) => {
                let mind = queue.mind();
                match part {
                    "state" => shapes::state(&mind),
                    "working_memory" => mind.memory().working_memory(mind.told()),
                    _ => json!(mind.memory().daily),
                }
            }
        })
    }
}

fn missing(scheme: &str, id: &str) -> String {
    format!("{} {id} not found", if scheme == "agent" { "Agent" } else { "Mind" })
}

/// The working memory is a text: the game that exists reads no object, and asks again for ever.
fn info(queue: &MindQueue) -> Value {
    let mind = queue.mind();
    json!({
        "status": "active",
        "traits": mind.setup().config.traits,
        "working_memory": mind.memory().working_text(mind.told()),
    })
}
