//! What the rules have worked out about lines that can no longer change, so that they need not be read again.
//!
//! An interruption cuts lines of its own beat and of the one before. What is older stays as it is, and is
//! read once; a verdict reads only the newest lines anew.

use std::{
    fmt,
    sync::{Arc, Mutex, PoisonError},
};

use super::{Lines, Scene, ViewCache, cut, model_judge::PromptPages, prepared::Prepared};
use crate::judge::{Heard, Judge, LineSource};

/// A reading of the first lines of a transcript.
#[derive(Debug, Clone)]
pub(super) struct LinesRead {
    /// How many lines have been read.
    lines: usize,
    pub(super) judge: Judge,
    pub(super) pages: PromptPages,
}

impl LinesRead {
    fn of_nothing(prepared: &Prepared) -> LinesRead {
        let cast: Vec<&str> = prepared.players.iter().map(|player| player.display.as_str()).collect();
        LinesRead {
            lines: 0,
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
        self
    }
}

/// The reading of the lines that can no longer change. It follows from the state and is no part of it:
/// folding a log reads no line, and a copy of the state starts without it, unless it is a draft.
#[derive(Default)]
pub(super) struct SettledLines {
    reading: Arc<Mutex<Option<LinesRead>>>,
    /// What players made of rules have worked out.
    view_cache: ViewCache,
}

impl SettledLines {
    /// For a draft of the same state: what it finds out about older lines is true of both.
    pub(super) fn shared(&self) -> SettledLines {
        SettledLines { reading: self.reading.clone(), view_cache: self.view_cache.clone() }
    }

    pub(super) fn view_cache(&self) -> ViewCache {
        self.view_cache.clone()
    }

    /// Forgets what is no longer true after a line was cut. The rules never cut one that has settled, but a
    /// log may have been edited.
    pub(super) fn forget_if_cut(&self, index: usize) {
        let mut settled = self.reading.lock().unwrap_or_else(PoisonError::into_inner);
        if settled.as_ref().is_some_and(|reading| index < reading.lines) {
            *settled = None;
        }
    }

    fn reading(&self, scene: &Scene, lines: &Lines) -> LinesRead {
        let prepared = &scene.prepared;
        let to = scene.beat.number.checked_sub(2).map_or(0, |beat| lines.through(beat));
        let mut settled = self.reading.lock().unwrap_or_else(PoisonError::into_inner);
        let reading = settled.take().unwrap_or_else(|| LinesRead::of_nothing(prepared));
        settled.insert(reading.read(prepared, lines, to)).clone()
    }
}

impl Scene {
    /// The reading of the first lines of this scene, now or when its beat opened.
    pub(super) fn reading(&self, lines: &Lines, to: usize) -> LinesRead {
        let settled = self.settled.reading(self, lines);
        let before = if settled.lines <= to { settled } else { LinesRead::of_nothing(&self.prepared) };
        before.read(&self.prepared, lines, to)
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
