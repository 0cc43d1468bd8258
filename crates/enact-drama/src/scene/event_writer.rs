//! World events written by a model, when the author's own are used up.

use std::sync::{Arc, LazyLock};

use serde::Deserialize;
use serde_json::json;

use super::{Said, Scene, hidden_calls::HiddenCall, model_judge, pacing::Pacing};
use crate::{
    request::{Message, MessageRole, Request, Schema},
    text::parenthesized,
};

/// One sentence.
const MAX_TOKENS: u32 = 200;
/// So many of the events so far are named, so that it does not write one of them again. A question that grew
/// with the scene would be paid for with every event.
const MOST_EVENTS: usize = 20;

pub(super) fn request(scene: &Scene, HiddenCall { beat, model, .. }: &HiddenCall) -> Request {
    let (setup, beat) = (scene.setup(), *beat);
    let until = scene.lines.through(beat);
    let recent = until.saturating_sub(setup.window);
    let mut thread = model_judge::by_beat(scene, scene.lines.range(recent..until));
    thread.push(Message { role: MessageRole::User, text: question(scene, until).into() });
    Request {
        system: vec![scene.prepared.event_writer_block()],
        thread,
        max_tokens: setup.hidden_tokens(model, MAX_TOKENS),
        schema: Some(SCHEMA.clone()),
        purpose: super::HiddenPurpose::WorldEvent.into(),
        beat: Some(beat),
        ..Request::default()
    }
}

/// The newest events are named: the transcript above shows only the last lines.
fn question(scene: &Scene, until: usize) -> String {
    let lines = scene.lines.range(0..until).rev();
    let events = lines.filter(|line| matches!(line.said, Said::World { .. }));
    let newest: Vec<_> = events.take(MOST_EVENTS).collect();
    let mut text = String::new();
    for event in newest.into_iter().rev() {
        if text.is_empty() {
            text.push_str("This has happened around them so far:\n");
        }
        text.push_str(event.text(scene.setup()));
        text.push('\n');
    }
    if !text.is_empty() {
        text.push('\n');
    }
    let pacing = Pacing::of(scene).told();
    if !pacing.is_empty() {
        text = text + pacing + "\n\n";
    }
    text + "What happens next?"
}

static SCHEMA: LazyLock<Arc<Schema>> = LazyLock::new(|| {
    let json = json!({
        "type": "object",
        "properties": {"event": {"type": "string", "description": "What happens, in one short sentence"}},
        "required": ["event"],
        "additionalProperties": false,
    });
    Arc::new(Schema { name: super::HiddenPurpose::WorldEvent.as_str(), json, exact: true })
});

#[derive(Deserialize)]
struct WriterAnswer {
    event: String,
}

/// Reads an event. Brackets of its own are taken off: the transcript has its own.
pub(super) fn read(raw: &str) -> Result<String, String> {
    let given: WriterAnswer =
        serde_json::from_str(raw.trim()).map_err(|error| format!("the event cannot be read: {error}"))?;
    let text = model_judge::remark(given.event.trim().trim_start_matches("[EVENT:").trim_end_matches(']'));
    let text = parenthesized(text.trim_end_matches('.'));
    if text.is_empty() { Err("the event is empty".to_owned()) } else { Ok(text) }
}
