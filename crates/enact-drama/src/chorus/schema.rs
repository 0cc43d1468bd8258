//! The shapes that answers are asked for in.

use std::sync::{Arc, LazyLock};

use serde_json::{Value, json};

use super::SlotId;
use crate::{request::Schema, voice::VoiceProfile};

/// An answer or a reply: what is said, and how.
pub(super) fn spoken_response() -> Arc<Schema> {
    static SCHEMA: LazyLock<Arc<Schema>> = LazyLock::new(|| {
        let json = object(json!({
            "text": {"type": "string", "description": "What you say"},
            "voice_profile": voice_profile(),
        }));
        Arc::new(Schema { name: "spoken_response", json, exact: false })
    });
    SCHEMA.clone()
}

/// A comment on exactly one of these.
pub(super) fn comment_selection(peers: &[SlotId]) -> Arc<Schema> {
    let mut peers: Vec<u8> = peers.iter().map(|peer| peer.number()).collect();
    peers.sort_unstable();
    let json = object(json!({
        "targetSlotId": {"type": "integer", "enum": peers, "description": "Whom you say it to"},
        "comment": {"type": "string", "description": "What you say to them, in one sentence"},
        "voice_profile": voice_profile(),
    }));
    Arc::new(Schema { name: "comment_selection", json, exact: false })
}

fn voice_profile() -> Value {
    let names = VoiceProfile::ALL.map(VoiceProfile::as_str);
    json!({"type": "string", "enum": names, "description": "How it sounds"})
}

fn object(properties: Value) -> Value {
    let required: Vec<&String> = properties.as_object().into_iter().flat_map(|map| map.keys()).collect();
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
}
