//! What is listed and searched of sessions without reading their logs.

use serde_json::{Value, json};

use super::{
    Episode, EpisodeEnd, EpisodeEvent,
    evaluation::{self, Evaluation},
};
use crate::{
    Fact,
    row::{Row, RowChange},
};

/// The rows that follow from a fact, which was folded already.
pub(super) fn rows(episode: &Episode, fact: &Fact<EpisodeEvent>) -> Vec<RowChange> {
    let setup = episode.setup();
    let put = |kind: &str, key: String, body: Value| {
        RowChange::Put(Row { kind: kind.to_owned(), key, sort: fact.at, body: body.to_string() })
    };
    let session = || put("session", String::new(), session(episode));
    match &fact.event {
        EpisodeEvent::EpisodeBegan { .. }
        | EpisodeEvent::Settled {}
        | EpisodeEvent::Completed { .. }
        | EpisodeEvent::Ended { .. } => vec![session()],
        EpisodeEvent::TurnCompleted { turn, .. } => {
            let Some(said) = episode.turns.last() else { return vec![session()] };
            let user = json!({"role": "user", "content": said.message.text, "turn": turn});
            let character = json!({"role": "assistant", "content": said.answer.content(), "turn": turn});
            let number = |half: u32| format!("{:06}", turn * 2 + half);
            vec![session(), put("message", number(0), user), put("message", number(1), character)]
        }
        EpisodeEvent::Remembered { turn, memories } => {
            let memory = |(at, memory)| {
                let body = json!({"character": setup.character.name, "memory": memory});
                put("memory", format!("{turn:06}.{at}"), body)
            };
            memories.iter().enumerate().map(memory).collect()
        }
        EpisodeEvent::HooksFound { turn, hooks } => {
            let hook = |(at, hook)| {
                let body = json!({"character": setup.character.name, "hook": hook});
                put("hook", format!("{turn:06}.{at}"), body)
            };
            hooks.iter().enumerate().map(hook).collect()
        }
        EpisodeEvent::RelationshipMoved { after, .. } => {
            let body = json!({"character": setup.character.name, "relationship": after});
            vec![put("relationship", setup.character.name.to_string(), body)]
        }
        EpisodeEvent::Evaluated { evaluation, .. } => {
            let body = json!({
                "session_id": setup.run,
                "evaluation_type": evaluation.evaluation_type,
                "result": evaluation.result,
                "model_used": evaluation.model_used,
                "share_id": setup.share_id,
            });
            let summary = put("summary", setup.template.slug.clone(), summary(episode, evaluation));
            vec![put("evaluation", setup.share_id.clone(), body), summary]
        }
        _ => Vec::new(),
    }
}

/// What happened, for the next episode of a series.
fn summary(episode: &Episode, evaluation: &Evaluation) -> Value {
    let setup = episode.setup();
    json!({
        "character": setup.character.name,
        "episode_template_id": setup.template.slug,
        "series_id": setup.series.as_ref().map(|series| &series.slug),
        "summary": evaluation::summary(episode, evaluation),
    })
}

/// A session as it is listed.
fn session(episode: &Episode) -> Value {
    let (setup, template) = (episode.setup(), &episode.setup().template);
    json!({
        "session_id": setup.run,
        "episode_template_id": template.slug,
        "series_id": template.series,
        "character_id": setup.character.name,
        "character_name": setup.character.display,
        "title": template.title,
        "session_state": state(episode),
        "turn_count": episode.turn_count(),
        "turns_remaining": template.turns_remaining(episode.turn_count()),
        "completion_trigger": episode.completed.as_ref().map(|(trigger, _)| *trigger),
        "ending": episode.completed.as_ref().and_then(|(_, ending)| ending.clone()),
    })
}

/// `active`, `complete` or `faded`.
fn state(episode: &Episode) -> &'static str {
    match episode.ended {
        None if episode.is_complete() => "complete",
        None => "active",
        Some(EpisodeEnd::Completed) => "complete",
        Some(EpisodeEnd::Left | EpisodeEnd::Cancelled) => "faded",
    }
}
