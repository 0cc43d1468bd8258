//! Why an answer came out as it did: for the owner of a session alone.

use serde_json::{Value, json};

use crate::{
    Fact,
    episode::{Episode, EpisodeEvent, director::Memory, request},
    production::{Effect, Production},
};

/// Every answer of a session, each with what was in play when it was given and what was found in it.
pub fn insight(facts: &[Fact<EpisodeEvent>]) -> Vec<Value> {
    let Some((first, rest)) = facts.split_first() else { return Vec::new() };
    let Some(mut episode) = Episode::begun(first) else { return Vec::new() };
    let (mut turns, mut now) = (Vec::new(), Value::Null);
    for fact in rest {
        episode.fold(fact);
        match &fact.event {
            EpisodeEvent::MessageReceived { id, text, .. } => now = begun(&episode, id, text),
            EpisodeEvent::TurnCompleted { completion_eligible, .. } => {
                now["completion_eligible"] = json!(completion_eligible);
                now["beat"] = json!(episode.beat());
                now["pace"] = json!(episode.pace());
                now["flags"] = json!(episode.flags().keys().collect::<Vec<_>>());
                now["relationship"] = json!(episode.relationship());
                turns.push(std::mem::take(&mut now));
            }
            // It comes after the turn that it is about.
            EpisodeEvent::ReadingGiven { turn, reading, .. } => {
                let about = turns.get_mut((*turn as usize).saturating_sub(1));
                if let Some(about) = about {
                    about["model_reading"] = json!(reading);
                }
            }
            event if now.is_object() => note(&mut now, &episode, event),
            _ => {}
        }
    }
    if now.is_object() {
        turns.push(now);
    }
    turns
}

fn begun(episode: &Episode, id: &str, text: &str) -> Value {
    json!({
        "turn": episode.turn_count() + 1,
        "message_id": id,
        "message": text,
        "tension": {"before": episode.tension()},
        "director": {"directive": null, "nudge": null, "told": episode.message.as_ref().map(|one| &one.told)},
        "memories_used": [],
        "hooks_used": [],
        "found": [],
    })
}

/// Adds what one fact says to the turn that is played.
fn note(now: &mut Value, episode: &Episode, event: &EpisodeEvent) {
    let mut found = |what: Value| {
        if let Some(all) = now["found"].as_array_mut() {
            all.push(what);
        }
    };
    match event {
        EpisodeEvent::Directed { directive, .. } => now["director"]["directive"] = json!(directive),
        EpisodeEvent::Nudged { instruction, rule, .. } => {
            now["director"]["nudge"] = json!({"instruction": instruction, "rule": rule});
        }
        EpisodeEvent::Injected { injected, .. } => {
            now["director"]["told"] = json!(injected.flags);
            now["memories_used"] = json!(injected.memories);
            now["hooks_used"] = json!(injected.hooks);
            now["left_out"] = json!(injected.left_out);
        }
        EpisodeEvent::Asked { model, .. } => {
            now["model"] = json!(model);
            now["prompt"] = json!(sections(episode));
        }
        EpisodeEvent::Answered { answer, warnings, .. } => {
            now["answer"] = json!(answer);
            now["mood"] = json!(answer.mood);
            now["warnings"] = json!(warnings);
        }
        EpisodeEvent::Thought { internal, .. } => now["internal"] = json!(internal),
        EpisodeEvent::SignalsRead { signals, .. } => now["user_signals"] = json!(signals),
        EpisodeEvent::TensionMoved { from, to, why, .. } => {
            now["tension"] = json!({"before": from, "after": to, "why": why});
        }
        EpisodeEvent::PaceMoved { from, to, rule, .. } => {
            found(json!({"pace": to, "before": from, "rule": rule}));
        }
        EpisodeEvent::FlagSet { flag, finding, .. } => found(json!({"flag": flag, "finding": finding})),
        EpisodeEvent::CueLanded { cue, finding, .. } => found(json!({"cue": cue, "finding": finding})),
        EpisodeEvent::CueMissed { cue, rule, .. } => found(json!({"missed_cue": cue, "rule": rule})),
        EpisodeEvent::BeatReached { beat, finding, .. } => found(json!({"beat": beat, "finding": finding})),
        EpisodeEvent::Remembered { memories, .. } => now["remembered"] = json!(memories),
        EpisodeEvent::HooksFound { hooks, .. } => now["hooks_found"] = json!(hooks),
        EpisodeEvent::AnswerFailed { error, .. } => found(json!({"failed": error})),
        _ => {}
    }
}

/// The parts of the prompt that were in play, each with its length. What stands in sheets is the author's: of
/// them only the length is told.
fn sections(episode: &Episode) -> Vec<Value> {
    let ask = episode.pending().into_iter().find_map(|effect| match effect {
        Effect::Ask(ask) if episode.asked.is_some_and(|asked| asked.call == ask.call) => Some(ask),
        _ => None,
    });
    let Some(ask) = ask else { return Vec::new() };
    let request = request::request(episode, &ask);
    let section = |name: &str, text: &str| json!({"section": name, "characters": text.chars().count()});
    let names = ["situation and rules", "sheet"];
    let mut sections: Vec<Value> =
        names.iter().zip(&request.system).map(|(name, text)| section(name, text)).collect();
    let setup = episode.setup();
    if !setup.memories.is_empty() {
        let memories: Vec<_> = setup.memories.iter().map(Memory::told).collect();
        sections.push(json!({"section": "memories of earlier sessions", "texts": memories}));
    }
    if !setup.so_far.is_empty() {
        sections.push(json!({"section": "the series so far", "texts": setup.so_far}));
    }
    let Some((last, before)) = request.thread.split_last() else { return sections };
    let earlier: usize = before.iter().map(|message| message.text.chars().count()).sum();
    sections.push(json!({"section": "conversation", "messages": before.len(), "characters": earlier}));
    sections.push(json!({"section": "this turn", "text": last.text}));
    sections
}
