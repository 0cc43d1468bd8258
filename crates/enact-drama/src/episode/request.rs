//! What models are asked: an answer for the character, and what the episode came to.

use std::sync::{Arc, LazyLock};

use serde_json::json;

use super::{
    Episode, EpisodeView, director, evaluation, machine::EVALUATION_TIMEOUT_MS, reading::READING_TIMEOUT_MS,
    state::UserMessage,
};
use crate::{
    fallback,
    model_card::Context,
    production::{Ask, Purpose},
    request::{Message, MessageRole, Request, Schema},
};

pub(super) const REPLY: Purpose = Purpose::named("reply");
pub(super) const READING: Purpose = Purpose::named("reading");
pub(super) const EVALUATION: Purpose = Purpose::named("evaluation");

/// What a model may spend on an answer. Some sentences need far less; some models think first.
const MAX_TOKENS: u32 = 1024;
/// The same for an evaluation.
const EVALUATION_MAX_TOKENS: u32 = 2048;
/// The same for a reading.
const READING_MAX_TOKENS: u32 = 1024;
/// How many exchanges a model is told that keeps no thread.
const WINDOW_TURNS: usize = 10;

/// What a pending ask says.
pub(super) fn request(episode: &Episode, ask: &Ask) -> Request {
    match episode.evaluating {
        Some(asked) if asked.call == ask.call => evaluation_request(episode, ask),
        _ if episode.reading.is_some_and(|asked| asked.call == ask.call) => reading_request(episode, ask),
        _ => reply_request(episode, ask),
    }
}

fn reply_request(episode: &Episode, ask: &Ask) -> Request {
    let setup = episode.setup();
    let rank = episode.asked.map_or(0, |asked| asked.rank);
    let card = setup.models.get(&*ask.model);
    let remembers = card.is_none_or(|card| card.context == Context::Thread);
    let skipped = if remembers { 0 } else { episode.turns.len().saturating_sub(WINDOW_TURNS) };
    let mut thread = Vec::new();
    for turn in &episode.turns[skipped..] {
        thread.push(message(MessageRole::User, told(episode, &turn.message)));
        thread.push(message(MessageRole::Assistant, turn.raw.clone()));
    }
    if let Some(asked) = &episode.message {
        thread.push(message(MessageRole::User, told(episode, asked)));
    }
    let (timeout_ms, models) = (setup.answer_timeout_ms, &setup.models);
    Request {
        system: vec![setup.prompts.system(setup).into(), setup.character.sheet.as_str().into()],
        thread,
        max_tokens: card.and_then(|card| card.max_tokens).unwrap_or(MAX_TOKENS),
        timeout_ms: fallback::timeout_ms(models, &setup.model, rank, timeout_ms),
        schema: Some(schema()),
        live_json: true,
        beat: Some(episode.turn_count() + 1),
        view: Some(Arc::new(EpisodeView::of(episode))),
        ..Request::to(ask)
    }
}

/// A message as the model of the character is told it, with what the director adds.
fn told(episode: &Episode, asked: &UserMessage) -> String {
    episode.setup().prompts.turn(asked)
}

fn reading_request(episode: &Episode, ask: &Ask) -> Request {
    let (prompt, text, schema) = director::question(episode);
    let card = episode.setup().models.get(&*ask.model);
    Request {
        system: vec![prompt.into()],
        thread: vec![message(MessageRole::User, text)],
        max_tokens: card.and_then(|card| card.max_tokens).unwrap_or(READING_MAX_TOKENS),
        timeout_ms: READING_TIMEOUT_MS,
        schema: Some(Arc::new(schema)),
        beat: Some(episode.turn_count()),
        ..Request::to(ask)
    }
}

fn evaluation_request(episode: &Episode, ask: &Ask) -> Request {
    let setup = episode.setup();
    let (question, schema) = evaluation::question(&setup.template);
    let text = evaluation::conversation(episode);
    let card = setup.models.get(&*ask.model);
    Request {
        system: vec![question.into()],
        thread: vec![message(MessageRole::User, text)],
        max_tokens: card.and_then(|card| card.max_tokens).unwrap_or(EVALUATION_MAX_TOKENS),
        timeout_ms: EVALUATION_TIMEOUT_MS,
        schema: Some(Arc::new(schema)),
        beat: Some(episode.turn_count()),
        ..Request::to(ask)
    }
}

/// The shape of an answer. What is shown comes first.
fn schema() -> Arc<Schema> {
    static SCHEMA: LazyLock<Arc<Schema>> = LazyLock::new(|| {
        let json = json!({
            "type": "object",
            "properties": {
                "action": {"type": "string", "description": "What you do, in a few words; may be empty"},
                "dialogue": {"type": "string", "description": "What you say"},
                "mood": {"type": "string", "description": "One word"},
                "tension_shift": {"type": "number", "description": "From -1 (calmer) to 1 (tenser)"},
                "internal": {"type": "string", "description": "What you think and do not say"},
            },
            "required": ["action", "dialogue", "mood", "tension_shift", "internal"],
            "additionalProperties": false,
        });
        Arc::new(Schema { name: "character_answer", json, exact: false })
    });
    SCHEMA.clone()
}

fn message(role: MessageRole, text: String) -> Message {
    Message { role, text: text.into() }
}
