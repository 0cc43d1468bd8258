//! How much of the arc has happened, read off the transcript.
//!
//! Nothing is remembered between beats: a scene that is resumed, or in which others are played by language models
//! that do as they please, is followed just the same.

use enact_drama::{
    judge::Act,
    scene::{Line, Lines, Situation},
};

use super::arc::{Part, Step};

/// So many beats a step waits for whoever is due before the scene goes on without it.
pub(super) const PATIENCE: u32 = 4;

/// Where the scene stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Progress {
    /// The step that is due; past the end when the arc is played out.
    pub(super) step: usize,
    /// The beat from which it is due.
    pub(super) since: u32,
    /// Who of it has done its part.
    done: Vec<usize>,
}

impl Progress {
    /// Follows a transcript along an arc up to a beat.
    pub(super) fn follow(arc: &[Step], scene: &Situation, lines: &Lines, beat: u32) -> Progress {
        let mut progress = Progress { step: 0, since: 0, done: Vec::new() };
        for line in lines {
            progress.wait_until(arc, line.beat);
            let Some((name, _)) = line.actor().filter(|_| line.spoken().is_some()) else { continue };
            let Some(who) = scene.cast.iter().position(|(other, _)| other == name) else { continue };
            progress.see(arc, line, who);
        }
        progress.wait_until(arc, beat);
        progress
    }

    /// The parts of the due step that are still to be done.
    pub(super) fn due<'a>(&self, arc: &'a [Step]) -> Vec<&'a Part> {
        let parts = arc.get(self.step).map_or(&[][..], |step| &step.parts);
        parts.iter().filter(|part| !self.done.contains(&part.who)).collect()
    }

    /// Passes over colour, when the moderator wants an end.
    pub(super) fn hurry(&mut self, arc: &[Step]) {
        while arc.get(self.step).is_some_and(|step| step.optional) {
            self.go_to(self.step + 1, self.since);
        }
    }

    fn see(&mut self, arc: &[Step], line: &Line, who: usize) {
        let fits = |part: &Part| part.who == who && part.needs.is_none_or(|act| line.acts().has(act));
        let Some(at) = self.ahead(arc, fits).or_else(|| self.at_hand(arc, line, fits)) else { return };
        if at != self.step {
            self.go_to(at, line.beat);
        }
        self.done.push(who);
        if self.due(arc).is_empty() {
            self.go_to(self.step + 1, line.beat + 1);
        }
    }

    /// The next deed, if somebody has done it ahead of the plan: what was to lead up to it is no longer needed. Deeds
    /// wait for each other, though: nobody accepts an apology that was not made.
    fn ahead(&self, arc: &[Step], fits: impl Fn(&Part) -> bool) -> Option<usize> {
        let deed = |at: &usize| arc[*at].parts.iter().any(|part| part.needs.is_some());
        let next = (self.step..arc.len()).find(deed).filter(|at| *at != self.step)?;
        arc[next].parts.iter().any(|part| part.needs.is_some_and(leaps) && fits(part)).then_some(next)
    }

    /// The step that is due, or one behind it if only colour lies between.
    fn at_hand(&self, arc: &[Step], line: &Line, fits: impl Fn(&Part) -> bool) -> Option<usize> {
        if line.beat < self.since {
            return None;
        }
        if self.due(arc).into_iter().any(&fits) {
            return Some(self.step);
        }
        let colour = arc.iter().skip(self.step).take_while(|step| step.optional).count();
        (self.step + 1..arc.len().min(self.step + colour + 1)).find(|at| arc[*at].parts.iter().any(&fits))
    }

    fn wait_until(&mut self, arc: &[Step], beat: u32) {
        while self.step < arc.len() && beat >= self.since + PATIENCE {
            self.go_to(self.step + 1, self.since + PATIENCE);
        }
    }

    fn go_to(&mut self, step: usize, since: u32) {
        *self = Progress { step, since, done: Vec::new() };
    }
}

/// Deeds that change a scene whenever they happen.
fn leaps(act: Act) -> bool {
    matches!(act, Act::Apologise | Act::Accept | Act::Forgive)
}
