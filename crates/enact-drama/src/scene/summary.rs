//! Threads that grow too long are trimmed: what is dropped is summed up by rule.

use std::{fmt::Write, sync::Arc};

use super::{Line, Said, Scene, SceneEvent, machine::Draft};
use crate::{
    model_card::Context,
    text::{one_line, shortened},
};

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

/// Trims a thread that its model could not hold, whatever we thought it could: half of it goes.
pub(super) fn trim_what_did_not_fit(draft: &mut Draft, place: usize) {
    if draft.scene.context(place) != Context::Thread {
        return;
    }
    let total: usize = parts(&draft.scene, place).iter().map(|part| part.bytes).sum();
    if let Some(through) = through(&draft.scene, place, total / LEFT_OVER) {
        let actor = draft.scene.company.players[place].name.clone();
        draft.push(SceneEvent::ThreadTrimmed { actor, through });
    }
}

/// The beat through whose end a thread has to be dropped to be short again, if it has to.
fn too_long(scene: &Scene, place: usize) -> Option<u32> {
    if scene.context(place) != Context::Thread {
        return None;
    }
    let card = scene.setup().models.get(&*scene.company.players[place].model);
    let most =
        card.and_then(|card| card.thread_tokens).unwrap_or(MAX_THREAD_TOKENS) as usize * BYTES_PER_TOKEN;
    let total: usize = parts(scene, place).iter().map(|part| part.bytes).sum();
    if total > most { through(scene, place, most / LEFT_OVER) } else { None }
}

/// A part of what the next request will say, oldest first.
struct Part {
    beat: u32,
    bytes: usize,
}

/// The exchanges of a thread, then what the next update will tell: whoever failed for long is behind by many beats.
fn parts(scene: &Scene, place: usize) -> Vec<Part> {
    let actor = &scene.actors[place];
    let exchanges = actor.thread.iter().map(|exchange| Part { beat: exchange.beat, bytes: exchange.bytes });
    let untold =
        scene.lines[actor.told.min(scene.lines.len())..].chunk_by(|a, b| a.beat == b.beat).map(|lines| {
            let bytes = lines.iter().map(|line| line.text(scene.setup()).len()).sum();
            Part { beat: lines[0].beat, bytes }
        });
    exchanges.chain(untold).collect()
}

/// Through which beat to drop, so that no more than this is left. The newest part always stays.
fn through(scene: &Scene, place: usize, left_over: usize) -> Option<u32> {
    let parts = parts(scene, place);
    let mut left: usize = parts.iter().map(|part| part.bytes).sum();
    let (_newest, older) = parts.split_last()?;
    let dropped = older.iter().take_while(|part| {
        let drop = left > left_over;
        left = left.saturating_sub(part.bytes);
        drop
    });
    dropped.last().map(|part| part.beat)
}

/// Drops the exchanges through a beat, and what was to be told of it if nothing is left between, and remembers how many
/// lines that covers.
pub(super) fn fold(scene: &mut Scene, place: usize, through: u32) {
    let untold = scene.lines.partition_point(|line| line.beat <= through);
    let actor = &mut scene.actors[place];
    let thread = Arc::make_mut(&mut actor.thread);
    let kept = thread.iter().position(|exchange| exchange.beat > through).unwrap_or(thread.len());
    if kept == thread.len() {
        actor.told = actor.told.max(untold);
        actor.summed_up = actor.told;
    } else if let Some(last) = thread[..kept].last() {
        actor.summed_up = last.to;
    }
    thread.drain(..kept);
}

/// What an actor is told instead of the beats its thread has lost. Depends only on what was lost, so that it stays the
/// same until the next trim.
pub(super) fn of_earlier(scene: &Scene, place: usize) -> Option<String> {
    of_lines(scene, scene.beat.before.get(..scene.actors[place].summed_up)?, Some(place))
}

/// What happened in these lines, told to one of the actors or to somebody who looks on.
pub(super) fn of_lines(scene: &Scene, lines: &[Arc<Line>], to: Option<usize>) -> Option<String> {
    let through = lines.last()?.beat;
    let mut text = format!("EARLIER IN THIS SCENE, SUMMED UP (through beat {through}):\n");
    for (at, player) in scene.company.players.iter().enumerate() {
        let own: Vec<&Line> =
            lines.iter().map(AsRef::as_ref).filter(|line| line.is_by(&player.name)).collect();
        let who = if to == Some(at) { "You" } else { player.display.as_str() };
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
    let words = own.iter().rev().find(|line| line.spoken().is_some()).map(|line| one_line(&line.heard()));
    let words = words.map_or_else(String::new, |words| {
        format!("; the last words were: \"{}\"", shortened(&words, LAST_WORDS_CHARS))
    });
    format!("spoke or reacted {times}, {tone}{words}")
}
