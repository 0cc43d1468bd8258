//! What is listed and searched of sessions without reading their logs: the tables of a product with sessions,
//! messages, evaluations, shares and memories, each a kind of row.

use serde_json::{Value, json};

use super::{
    Episode, EpisodeEnd, EpisodeEvent,
    evaluation::{self, Evaluation},
    report::{ResultCard, director_told, structured_told},
};
use crate::{
    Fact,
    director::CharacterRows,
    report::for_programs,
    row::{Row, RowChange},
};

/// The key of the mood: a session has one, which is replaced.
const MOOD_KEY: &str = "mood";

/// The rows that follow from a fact, which was folded already.
pub(super) fn rows(episode: &Episode, fact: &Fact<EpisodeEvent>) -> Vec<RowChange> {
    let setup = episode.setup();
    let put = |kind: &str, key: String, body: Value| {
        RowChange::Put(Row { kind: kind.to_owned(), key, sort: fact.at, body: body.to_string() })
    };
    let keeps = CharacterRows { character: &setup.character.name, scene: None, at: fact.at };
    let session = || put("session", String::new(), session(episode, fact.at));
    match &fact.event {
        EpisodeEvent::EpisodeBegan { .. }
        | EpisodeEvent::Forked { .. }
        | EpisodeEvent::Settled {}
        | EpisodeEvent::Completed { .. }
        | EpisodeEvent::Ended { .. } => vec![session()],
        EpisodeEvent::TurnCompleted { turn, completion_eligible } => {
            let number = |half: u32| format!("{:06}", turn * 2 + half);
            let [user, character] = messages(episode, fact.at, *turn, *completion_eligible);
            let mut rows =
                vec![session(), put("message", number(0), user), put("message", number(1), character)];
            let mood = episode.turns.last().and_then(|said| said.answer.mood.as_deref());
            rows.extend(mood.map(|mood| keeps.put("mood", MOOD_KEY.to_owned(), mood)));
            rows
        }
        EpisodeEvent::Remembered { turn, memories } => {
            let memory = |(at, memory)| keeps.put("memory", format!("{turn:06}.{at}"), memory);
            memories.iter().enumerate().map(memory).collect()
        }
        EpisodeEvent::HooksFound { turn, hooks } => {
            let hook = |(at, hook)| keeps.put("hook", format!("{turn:06}.{at}"), hook);
            hooks.iter().enumerate().map(hook).collect()
        }
        EpisodeEvent::RelationshipMoved { after, .. } => {
            vec![keeps.put("relationship", setup.character.name.to_string(), after)]
        }
        EpisodeEvent::Evaluated { evaluation, .. } => {
            let key = setup.share_id.clone();
            vec![
                put("evaluation", key.clone(), evaluated(episode, evaluation, fact.at)),
                put("share", key, shared(episode, evaluation, fact.at)),
                put("summary", setup.template.slug.clone(), summary(episode, evaluation)),
            ]
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
fn session(episode: &Episode, at: i64) -> Value {
    let (setup, template) = (episode.setup(), &episode.setup().template);
    let is_over = episode.ended.is_some();
    json!({
        "session_id": setup.run,
        "episode_template_id": template.slug,
        "series_id": template.series,
        "character_id": setup.character.name,
        "character_name": setup.character.display,
        "title": template.title,
        "session_state": episode.session_state(),
        "turn_count": episode.turn_count(),
        "turns_remaining": template.turns_remaining(episode.turn_count()),
        "director_state": episode.director_state(),
        "completion_trigger": episode.completed.as_ref().map(|(trigger, _)| *trigger),
        "ending": episode.completed.as_ref().and_then(|(_, ending)| ending.clone()),
        "updated_at": for_programs(at),
        "ended_at": is_over.then(|| for_programs(at)),
    })
}

/// Both messages of the exchange that was completed last: what the user said, and the answer with what the
/// director made of it.
fn messages(episode: &Episode, at: i64, turn: u32, completion_eligible: bool) -> [Value; 2] {
    let (run, at) = (episode.setup().run, for_programs(at));
    let last = episode.turns.last();
    let said = last.map(|said| (said.message.id.as_str(), said.message.text.as_str()));
    let (id, text) = said.unwrap_or_default();
    let metadata = json!({
        "structured": last.map(|said| structured_told(&said.answer)),
        "director": director_told(episode, turn, completion_eligible),
    });
    [
        json!({"session_id": run, "id": id, "role": "user", "content": text, "turn": turn, "created_at": at}),
        json!({
            "session_id": run,
            "role": "assistant",
            "content": last.map(|said| said.answer.content()),
            "turn": turn,
            "metadata": metadata,
            "created_at": at,
        }),
    ]
}

/// An evaluation with all its columns.
fn evaluated(episode: &Episode, evaluation: &Evaluation, at: i64) -> Value {
    let setup = episode.setup();
    json!({
        "id": setup.share_id,
        "session_id": setup.run,
        "evaluation_type": evaluation.evaluation_type,
        "result": evaluation.result,
        "model_used": evaluation.model_used,
        "share_id": setup.share_id,
        "created_at": for_programs(at),
    })
}

/// What of a result may be seen by whoever has its id: the card alone, and not whose it is.
fn shared(episode: &Episode, evaluation: &Evaluation, at: i64) -> Value {
    let (setup, template) = (episode.setup(), &episode.setup().template);
    let ending = episode.completed.as_ref().and_then(|(_, ending)| ending.as_deref());
    json!({
        "share_id": setup.share_id,
        "evaluation_type": evaluation.evaluation_type,
        "result": evaluation.result,
        "model_used": evaluation.model_used,
        "title": template.title,
        "episode_template_id": template.slug,
        "series_id": template.series,
        "character_id": setup.character.name,
        "character_name": setup.character.display,
        "card": ResultCard::of(setup, evaluation, ending),
        "turn_count": episode.turn_count(),
        "created_at": for_programs(at),
    })
}

impl Episode {
    /// `active`, `complete` or `faded`.
    pub fn session_state(&self) -> &'static str {
        match self.ended {
            None if self.is_complete() => "complete",
            None => "active",
            Some(EpisodeEnd::Completed) => "complete",
            Some(EpisodeEnd::Left | EpisodeEnd::Cancelled) => "faded",
        }
    }
}
