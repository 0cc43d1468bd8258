//! What the rules have worked out about lines that can no longer change, so that they need not be read again.
//!
//! An interruption cuts lines of its own beat and of the one before. What is older stays as it is, and is read once; a
//! verdict reads only the newest lines anew.

use std::{
    fmt,
    sync::{Arc, Mutex, PoisonError},
};

use super::{Lines, Scene, company::Company, cut, opinion::Pages};
use crate::judge::{Heard, Judge, LineSource};

/// A reading of the first lines of a transcript.
#[derive(Debug, Clone)]
pub(super) struct Reading {
    /// How many lines have been read.
    lines: usize,
    pub(super) judge: Judge,
    pub(super) pages: Pages,
}

impl Reading {
    fn of_nothing(company: &Company) -> Reading {
        let cast: Vec<&str> = company.players.iter().map(|player| player.display.as_str()).collect();
        Reading { lines: 0, judge: Judge::new(&company.situation.goals, &cast), pages: Pages::default() }
    }

    /// Reads on, up to a line.
    fn read(mut self, company: &Company, lines: &Lines, to: usize) -> Reading {
        let heard = HeardLines { company, lines };
        for at in self.lines..to {
            self.judge.hear(&heard, at);
            self.pages.add(company, lines, at);
        }
        self.lines = self.lines.max(to);
        self
    }
}

/// The reading of the lines that can no longer change. It follows from the state and is no part of it: folding a log reads no
/// line, and a copy of the state starts without it, unless it is a draft.
#[derive(Default)]
pub(super) struct SettledLines(Arc<Mutex<Option<Reading>>>);

impl SettledLines {
    /// For a draft of the same state: what it finds out about older lines is true of both.
    pub(super) fn shared(&self) -> SettledLines {
        SettledLines(self.0.clone())
    }

    /// Forgets what is no longer true after a line was cut. The rules never cut one that has settled, but a log may have
    /// been edited.
    pub(super) fn cut(&self, index: usize) {
        let mut settled = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if settled.as_ref().is_some_and(|reading| index < reading.lines) {
            *settled = None;
        }
    }

    fn reading(&self, scene: &Scene, lines: &Lines) -> Reading {
        let company = &scene.company;
        let to = scene.beat.number.checked_sub(2).map_or(0, |beat| lines.through(beat));
        let mut settled = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let reading = settled.take().unwrap_or_else(|| Reading::of_nothing(company));
        settled.insert(reading.read(company, lines, to)).clone()
    }
}

impl Scene {
    /// The reading of the first lines of this scene, now or when its beat opened.
    pub(super) fn reading(&self, lines: &Lines, to: usize) -> Reading {
        let settled = self.settled.reading(self, lines);
        let before = if settled.lines <= to { settled } else { Reading::of_nothing(&self.company) };
        before.read(&self.company, lines, to)
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
    pub(super) company: &'a Company,
    pub(super) lines: &'a Lines,
}

impl LineSource for HeardLines<'_> {
    fn heard(&self, line: usize) -> Option<Heard<'_>> {
        let line = self.lines.get(line)?;
        let (who, reply) = line.actor()?;
        Some(Heard {
            speaker: self.company.display(who),
            content: line.heard(),
            tone: Some(&reply.tone),
            action: reply.action,
            target: reply.target.as_deref(),
            cuts: cut::victim(self.lines, line).map(|name| self.company.display(name)),
            acts: line.acts(),
        })
    }
}
