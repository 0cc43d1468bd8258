//! Threads that grow too long are trimmed: what is dropped is summed up by rule.

use std::fmt::Write;

use super::{Context, Line, Said, Scene, SceneEvent, machine::Draft, state::Actor};
use crate::show::one_line;

/// How long a thread may grow, in tokens, unless its model's operator says otherwise. A scene of fifty beats stays
/// below; every token of it is sent with every beat, if mostly from a cache.
const MAX_THREAD_TOKENS: u32 = 24_000;
/// As for English.
const BYTES_PER_TOKEN: usize = 4;
/// What stands in an update around the lines it tells.
pub(super) const BYTES_AROUND_AN_EXCHANGE: usize = 160;
/// Trimming breaks the cached prefix, so it is done seldom and thoroughly: so much is left.
const LEFT_OVER: usize = 2;
/// How much of somebody's last words is kept.
const LAST_WORDS_CHARS: usize = 160;
/// The newest events are kept; the oldest have been overtaken.
const MOST_EVENTS: usize = 8;

/// Trims every thread that has grown too long.
pub(super) fn trim(draft: &mut Draft) {
    for place in 0..draft.scene.actors.len() {
        if let Some(through) = too_long(&draft.scene, place) {
            let actor = draft.scene.company.players[place].name.clone();
            draft.push(SceneEvent::ThreadTrimmed { actor, through });
        }
    }
}

/// The beat through whose end a thread has to be dropped to be short again, if it has to.
fn too_long(scene: &Scene, place: usize) -> Option<u32> {
    if scene.context(place) != Context::Thread {
        return None;
    }
    let card = scene.setup().models.get(&scene.company.players[place].model);
    let most =
        card.and_then(|card| card.thread_tokens).unwrap_or(MAX_THREAD_TOKENS) as usize * BYTES_PER_TOKEN;
    let thread = &scene.actors[place].thread;
    let total: usize = thread.iter().map(|exchange| exchange.bytes).sum();
    if total <= most || thread.len() < 2 {
        return None;
    }
    let mut left = total;
    // The newest exchange always stays: without it the actor would not know its own last words.
    let dropped = thread[..thread.len() - 1].iter().take_while(|exchange| {
        let drop = left > most / LEFT_OVER;
        left = left.saturating_sub(exchange.bytes);
        drop
    });
    dropped.last().map(|exchange| exchange.beat)
}

/// Drops the exchanges through a beat and remembers how many lines they covered.
pub(super) fn fold(actor: &mut Actor, through: u32) {
    let thread = std::sync::Arc::make_mut(&mut actor.thread);
    let kept = thread.iter().position(|exchange| exchange.beat > through).unwrap_or(thread.len());
    if let Some(last) = thread[..kept].last() {
        actor.summed_up = last.to;
    }
    thread.drain(..kept);
}

/// What an actor is told instead of the beats its thread has lost. Depends only on what was lost, so that it stays the
/// same until the next trim.
pub(super) fn of_earlier(scene: &Scene, place: usize) -> Option<String> {
    let lines = scene.beat.before.get(..scene.actors[place].summed_up)?;
    let through = lines.last()?.beat;
    let mut text = format!("EARLIER IN THIS SCENE, SUMMED UP (through beat {through}):\n");
    for (at, player) in scene.company.players.iter().enumerate() {
        let own: Vec<&Line> =
            lines.iter().map(AsRef::as_ref).filter(|line| line.is_by(&player.name)).collect();
        let who = if at == place { "You" } else { player.display.as_str() };
        let _ = writeln!(text, "- {who} {}", manner(&own));
    }
    let events: Vec<&Line> =
        lines.iter().map(AsRef::as_ref).filter(|line| matches!(line.said, Said::World { .. })).collect();
    for event in &events[events.len().saturating_sub(MOST_EVENTS)..] {
        let _ = writeln!(text, "- {}", event.text(scene.setup()));
    }
    Some(text)
}

/// `spoke 12 times, at first angry, at last calm; the last words were: "…"`
fn manner(own: &[&Line]) -> String {
    let tones = || own.iter().filter_map(|line| line.actor()).map(|(_, reply)| one_line(&reply.tone));
    let (Some(first), Some(last)) = (tones().next(), tones().next_back()) else {
        return "said and did nothing that could be noticed".to_owned();
    };
    let times = if own.len() == 1 { "once".to_owned() } else { format!("{} times", own.len()) };
    let tone = if first == last { first } else { format!("at first {first}, at last {last}") };
    let words = own.iter().rev().find(|line| line.spoken().is_some()).map(|line| shortened(&line.heard()));
    let words = words.map_or_else(String::new, |words| format!("; the last words were: \"{words}\""));
    format!("spoke or reacted {times}, {tone}{words}")
}

fn shortened(words: &str) -> String {
    let words = one_line(words);
    match words.char_indices().nth(LAST_WORDS_CHARS) {
        Some((end, _)) => format!("{}…", &words[..end]),
        None => words,
    }
}
