//! How long a run was played: wall-clock time without pauses and time in which no process played it.

use crate::{Fact, scene::SceneEvent};

/// Follows a run's facts and says how much of the time between them it was played.
///
/// It was not while it waited in a queue, while no process had it, between the beat it was forked at and the
/// fork, nor while it was paused. A pause begins when the beat under way has settled: until then the actors
/// are at work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlayTime {
    total_ms: u64,
    last_at: i64,
    /// No process has taken it up yet, or its fork.
    waiting: bool,
    beat_open: bool,
    paused: bool,
    /// How many more beats are wanted in spite of the pause.
    steps: u32,
}

impl PlayTime {
    /// At a run's first fact.
    pub fn begin(first: &Fact<SceneEvent>) -> PlayTime {
        PlayTime { total_ms: 0, last_at: first.at, waiting: true, beat_open: false, paused: false, steps: 0 }
    }

    /// Goes on to the next fact, and says how many milliseconds it took to get there. A clock that was set
    /// back takes nothing away.
    pub fn pass(&mut self, fact: &Fact<SceneEvent>) -> u64 {
        let elapsed = u64::try_from(fact.at.saturating_sub(self.last_at)).unwrap_or(0);
        let lost = matches!(fact.event, SceneEvent::Resumed {} | SceneEvent::Forked { .. });
        let passed = if lost || self.stands_still() { 0 } else { elapsed };
        self.last_at = fact.at;
        self.total_ms = self.total_ms.saturating_add(passed);
        self.turn(&fact.event);
        passed
    }

    /// All of it so far.
    pub fn total_ms(&self) -> u64 {
        self.total_ms
    }

    /// Whether it is paused, though the beat under way may still be played.
    pub fn paused(&self) -> bool {
        self.paused
    }

    fn stands_still(&self) -> bool {
        self.waiting || (self.paused && self.steps == 0 && !self.beat_open)
    }

    fn turn(&mut self, event: &SceneEvent) {
        match event {
            SceneEvent::BeatOpened { .. } => {
                self.waiting = false;
                self.beat_open = true;
                self.steps = self.steps.saturating_sub(1);
            }
            SceneEvent::Consulted { .. } => self.waiting = false,
            SceneEvent::BeatSettled { .. } => self.beat_open = false,
            SceneEvent::Paused {} => (self.paused, self.steps) = (true, 0),
            SceneEvent::Continued {} => (self.paused, self.steps) = (false, 0),
            SceneEvent::Stepped {} => self.steps = self.steps.saturating_add(1),
            SceneEvent::Forked { .. } => (self.waiting, self.paused, self.steps) = (true, false, 0),
            SceneEvent::Ended { .. } => self.paused = false,
            _ => {}
        }
    }
}
