//! World events written by a model, when the author's own are used up.

use std::sync::{Arc, LazyLock};

use serde::Deserialize;
use serde_json::json;

use super::{Scene, model_judge};
use crate::{
    request::{Request, Schema},
    text::parenthesized,
};

/// One sentence.
const MAX_TOKENS: u32 = 200;

const TASK: &str = include_str!("event_writer_task.txt");

pub(super) fn request(scene: &Scene, beat: u32, patience_ms: u64) -> Request {
    let setup = scene.setup();
    let setting = setup.config.setting.as_deref().map_or_else(String::new, |s| format!("\nSetting: {s}\n"));
    let task = format!("{TASK}\nSCENE CONTEXT: {}\n{setting}", setup.config.prompt.trim());
    let until = scene.lines.through(beat);
    let recent = scene.lines.range(until.saturating_sub(setup.window)..until);
    Request {
        system: vec![task.into()],
        thread: model_judge::by_beat(scene, recent),
        max_tokens: setup.hidden_tokens(setup.event_writer.as_ref(), MAX_TOKENS),
        patience_ms,
        schema: Some(SCHEMA.clone()),
        purpose: super::HiddenPurpose::WorldEvent.into(),
        beat: Some(beat),
        ..Request::default()
    }
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
