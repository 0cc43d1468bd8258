//! What the rules have worked out about the lines so far, so that they need not be read again.
//!
//! An interruption cuts lines of its own beat and of the one before; what is older has settled and stays as it is.
//! So the readings of the last beats are kept: after a cut, a verdict goes on from the last one before it.

use std::{
    collections::VecDeque,
    fmt,
    sync::{Arc, Mutex, PoisonError},
};

use super::{Lines, Scene, ViewCache, cut, model_judge::PromptPages, prepared::Prepared};
use crate::judge::{Heard, Judge, LineSource};

/// A reading of the first lines of a transcript.
#[derive(Debug, Clone)]
pub(super) struct LinesRead {
    /// How many lines have been read, and the lines as they were then.
    lines: usize,
    as_read: Lines,
    pub(super) judge: Judge,
    pub(super) pages: PromptPages,
}

impl LinesRead {
    fn of_nothing(prepared: &Prepared) -> LinesRead {
        let cast: Vec<&str> = prepared.players.iter().map(|player| player.display.as_str()).collect();
        LinesRead {
            lines: 0,
            as_read: Lines::default(),
            judge: Judge::new(&prepared.situation.goals, &cast),
            pages: PromptPages::default(),
        }
    }

    /// Reads on, up to a line.
    fn read(mut self, prepared: &Prepared, lines: &Lines, to: usize) -> LinesRead {
        let heard = HeardLines { prepared, lines };
        for at in self.lines..to {
            self.judge.hear(&heard, at);
            self.pages.add(prepared, lines, at);
        }
        self.lines = self.lines.max(to);
        self.as_read = lines.clone();
        self
    }

    /// Whether it has read the first lines as they are, of which those before `settled` cannot have changed.
    fn agrees(&self, lines: &Lines, settled: usize, to: usize) -> bool {
        (settled..self.lines.min(to)).all(|at| self.as_read.get(at) == lines.get(at))
    }
}

/// The readings of the last beats, newest first. They follow from the state and are no part of it: folding a log
/// reads no line, and a copy of the state starts without them, unless it is a draft.
#[derive(Default)]
pub(super) struct SettledLines {
    readings: Arc<Mutex<VecDeque<LinesRead>>>,
    /// What players made of rules have worked out.
    view_cache: ViewCache,
}

/// This beat's, the one before, and one of lines that have settled.
const READINGS_KEPT: usize = 3;

impl SettledLines {
    /// For a draft of the same state: what it finds out about lines that are the same is true of both.
    pub(super) fn shared(&self) -> SettledLines {
        SettledLines { readings: self.readings.clone(), view_cache: self.view_cache.clone() }
    }

    pub(super) fn view_cache(&self) -> ViewCache {
        self.view_cache.clone()
    }

    /// Forgets what is no longer true after a line was cut. The rules never cut one that has settled, but a
    /// log may have been edited.
    pub(super) fn forget_if_cut(&self, index: usize) {
        let mut readings = self.readings.lock().unwrap_or_else(PoisonError::into_inner);
        readings.retain(|reading| reading.lines <= index);
    }
}

impl Scene {
    /// The reading of the first lines of this scene, now or when its beat opened.
    pub(super) fn reading(&self, lines: &Lines, to: usize) -> LinesRead {
        let settled = self.beat.number.checked_sub(2).map_or(0, |beat| lines.through(beat));
        let mut readings = self.settled.readings.lock().unwrap_or_else(PoisonError::into_inner);
        readings.retain(|reading| reading.agrees(lines, settled, to));
        let known = readings.iter().position(|reading| reading.lines <= to);
        let before = known.map_or_else(|| LinesRead::of_nothing(&self.prepared), |at| readings[at].clone());
        if known.is_some() && before.lines == to {
            return before;
        }
        let reading = before.read(&self.prepared, lines, to);
        let place = known.unwrap_or(readings.len());
        readings.insert(place, reading.clone());
        readings.truncate(READINGS_KEPT);
        reading
    }
}

impl Clone for SettledLines {
    fn clone(&self) -> SettledLines {
        SettledLines::default()
    }
}

impl fmt::Debug for SettledLines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SettledLines")
    }
}

/// The lines of a scene as the judge takes them.
pub(super) struct HeardLines<'a> {
    pub(super) prepared: &'a Prepared,
    pub(super) lines: &'a Lines,
}

impl LineSource for HeardLines<'_> {
    fn heard(&self, line: usize) -> Option<Heard<'_>> {
        let line = self.lines.get(line)?;
        let (who, reply) = line.actor()?;
        Some(Heard {
            speaker: self.prepared.display(who),
            content: line.heard(),
            tone: Some(&reply.tone),
            action: reply.action,
            target: reply.target.as_deref(),
            cuts: cut::interrupted_speaker(self.lines, line).map(|name| self.prepared.display(name)),
            acts: line.acts(),
        })
    }
}
