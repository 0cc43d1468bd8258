//! Threads that grow too long are trimmed: what is dropped is summed up by rule.

use std::{collections::VecDeque, fmt::Write, slice, sync::Arc};

use super::{Lines, Said, Scene, SceneEvent, machine::SceneDraft, prepared::Prepared, silences};
use crate::{
    model_card::Context,
    text::{one_line, shortened},
};

/// How long a thread may grow, in tokens, unless its model's operator says otherwise. A scene of fifty beats
/// stays below; every token of it is sent with every beat, if mostly from a cache.
const MAX_THREAD_TOKENS: u32 = 24_000;
/// As for English.
const BYTES_PER_TOKEN: usize = 4;
/// What stands in an update around the lines it tells.
pub(super) const BYTES_AROUND_AN_EXCHANGE: usize = 160;
/// Trimming breaks the cached prefix, so it is done seldom and thoroughly: so much is left.
const LEFT_OVER: usize = 2;
/// How much of each character's last words is kept.
const LAST_WORDS_CHARS: usize = 160;
/// The newest events are kept; the oldest have been overtaken.
const MOST_EVENTS: usize = 8;

/// Trims every thread that has grown too long.
pub(super) fn trim(draft: &mut SceneDraft) {
    for place in 0..draft.scene.actors.len() {
        if let Some(through) = too_long(&draft.scene, place) {
            let actor = draft.scene.prepared.players[place].name.clone();
            draft.push(SceneEvent::ThreadTrimmed { actor, through });
        }
    }
}

/// Trims a thread that its model could not hold, whatever we thought it could: half of it goes.
pub(super) fn trim_what_did_not_fit(draft: &mut SceneDraft, place: usize) {
    if draft.scene.context(place) != Context::Thread {
        return;
    }
    let total: usize = parts(&draft.scene, place).iter().map(|part| part.bytes).sum();
    if let Some(through) = through(&draft.scene, place, total / LEFT_OVER) {
        let actor = draft.scene.prepared.players[place].name.clone();
        draft.push(SceneEvent::ThreadTrimmed { actor, through });
    }
}

/// The beat through whose end a thread has to be dropped to be short again, if it has to.
fn too_long(scene: &Scene, place: usize) -> Option<u32> {
    if scene.context(place) != Context::Thread {
        return None;
    }
    let card = scene.setup().models.get(&**scene.prepared.model(place, 0));
    let most =
        card.and_then(|card| card.thread_tokens).unwrap_or(MAX_THREAD_TOKENS) as usize * BYTES_PER_TOKEN;
    let total: usize = parts(scene, place).iter().map(|part| part.bytes).sum();
    if total > most { through(scene, place, most / LEFT_OVER) } else { None }
}

/// A part of what the next request will say, oldest first.
struct ThreadPart {
    beat: u32,
    bytes: usize,
}

/// The exchanges of a thread, then what the next update will tell: an actor that failed for long is behind by
/// many beats.
fn parts(scene: &Scene, place: usize) -> Vec<ThreadPart> {
    let actor = &scene.actors[place];
    let exchanges =
        actor.thread.iter().map(|exchange| ThreadPart { beat: exchange.beat, bytes: exchange.bytes });
    let mut parts: Vec<ThreadPart> = exchanges.collect();
    let told = parts.len();
    let mut add = |beat: u32, bytes: usize| match parts[told..].iter_mut().find(|part| part.beat == beat) {
        Some(part) => part.bytes += bytes,
        None => parts.push(ThreadPart { beat, bytes }),
    };
    for line in scene.lines.range(actor.told..scene.lines.len()) {
        add(line.beat, line.text(scene.setup()).len());
    }
    for silence in silences::between(&scene.silences, actor.told_at, scene.beat.number + 1) {
        add(silence.beat, silences::bytes_told_to(place, slice::from_ref(silence)));
    }
    parts[told..].sort_by_key(|part| part.beat);
    parts
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

/// Drops the exchanges through a beat, and what was to be told of it if nothing is left between, and
/// remembers how many lines that covers.
pub(super) fn fold(scene: &mut Scene, place: usize, through: u32) {
    let untold = scene.lines.through(through);
    let actor = &mut scene.actors[place];
    let thread = Arc::make_mut(&mut actor.thread);
    let kept = thread.iter().position(|exchange| exchange.beat > through).unwrap_or(thread.len());
    let summed_up = if kept == thread.len() {
        actor.told = actor.told.max(untold);
        actor.told_at = actor.told_at.max(through + 1);
        actor.told
    } else {
        thread[..kept].last().map_or(0, |last| last.to)
    };
    thread.drain(..kept);
    Arc::make_mut(&mut actor.lost).extend(&scene.prepared, &scene.lines, summed_up);
}

/// What an actor is told instead of the beats its thread has lost. Depends only on what was lost, so that it
/// stays the same until the next trim.
pub(super) fn of_earlier(scene: &Scene, place: usize) -> Option<String> {
    scene.actors[place].lost.tell(scene, &scene.beat.before, Some(place))
}

/// The first lines of a scene, as far as a summary tells of them. It keeps where the lines stand and not what
/// they say: one of them may still be cut.
#[derive(Debug, Clone, Default)]
pub(super) struct Digest {
    lines: usize,
    /// For each of the cast.
    appearances: Vec<Appearances>,
    /// The newest, oldest first.
    events: VecDeque<usize>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Appearances {
    times: usize,
    first: usize,
    last: usize,
    last_spoken: Option<usize>,
}

impl Digest {
    /// Takes in the lines up to this one. One that was taken in already stays.
    pub(super) fn extend(&mut self, prepared: &Prepared, lines: &Lines, to: usize) {
        self.appearances.resize(prepared.players.len(), Appearances::default());
        let to = to.min(lines.len());
        for (at, line) in (self.lines..to).zip(lines.range(self.lines..to)) {
            if matches!(line.said, Said::World { .. }) {
                self.events.push_back(at);
                if self.events.len() > MOST_EVENTS {
                    self.events.pop_front();
                }
            }
            let Some(place) = line.actor().and_then(|(who, _)| prepared.place(who)) else { continue };
            let own = &mut self.appearances[place];
            if own.times == 0 {
                own.first = at;
            }
            own.times += 1;
            own.last = at;
            own.last_spoken = line.spoken().map(|_| at).or(own.last_spoken);
        }
        self.lines = self.lines.max(to);
    }

    /// The lines whose words a summary tells, in order.
    pub(super) fn quoted(&self) -> Vec<usize> {
        let last_words = self.appearances.iter().filter_map(|own| own.last_spoken);
        let mut quoted: Vec<usize> = last_words.chain(self.events.iter().copied()).collect();
        quoted.sort_unstable();
        quoted
    }

    /// What happened in them, told to one of the actors or to the model judge.
    pub(super) fn tell(&self, scene: &Scene, lines: &Lines, to: Option<usize>) -> Option<String> {
        let through = lines.get(self.lines.checked_sub(1)?)?.beat;
        let mut text = format!("EARLIER IN THIS SCENE, SUMMED UP (through beat {through}):\n");
        for (at, (player, own)) in scene.prepared.players.iter().zip(&self.appearances).enumerate() {
            let who = if to == Some(at) { "You" } else { player.display.as_str() };
            let _ = writeln!(text, "- {who} {}", own.tell(lines));
        }
        for event in &self.events {
            let _ = writeln!(text, "- {}", lines[*event].text(scene.setup()));
        }
        Some(text)
    }
}

impl Appearances {
    /// `spoke 12 times, at first angry, at last calm; the last words were: "…"`
    fn tell(&self, lines: &Lines) -> String {
        let tone = |at: usize| lines[at].actor().map(|(_, reply)| one_line(&reply.tone)).unwrap_or_default();
        let times = match self.times {
            0 => return "said and did nothing that could be noticed".to_owned(),
            1 => "once".to_owned(),
            times => format!("{times} times"),
        };
        let (first, last) = (tone(self.first), tone(self.last));
        let tone = if first == last { first } else { format!("at first {first}, at last {last}") };
        let words = self.last_spoken.map(|at| one_line(lines[at].heard()));
        let words = words.map_or_else(String::new, |words| {
            format!("; the last words were: \"{}\"", shortened(&words, LAST_WORDS_CHARS))
        });
        format!("spoke or reacted {times}, {tone}{words}")
    }
}
