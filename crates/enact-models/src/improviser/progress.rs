//! How much of the arc has happened, read off the transcript.
//!
//! Nothing else is gone by: a scene that is resumed, or in which others are played by language models that do
//! as they please, is followed just the same.

use enact_drama::{
    judge::Act,
    reply::{Action, Reply},
    scene::{Line, Lines, Situation},
};

use super::{
    arc::{ArcStep, StepPart},
    read_so_far::counted,
};

/// So many beats a step waits for the one who is due before the scene goes on without it.
pub(super) const PATIENCE: u32 = 4;

/// Where the scene stands.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Progress {
    /// The step that is due; past the end when the arc is played out.
    pub(super) step: usize,
    /// The beat from which it is due.
    pub(super) since: u32,
    /// Who of it has done its part.
    done: Vec<usize>,
}

/// Where the scene stood after its first lines, which can no longer be cut.
#[derive(Debug, Default)]
pub(super) struct Followed {
    lines: usize,
    progress: Progress,
}

impl Followed {
    /// So many lines in which no word was spoken.
    pub(super) fn through(lines: usize) -> Followed {
        Followed { lines, progress: Progress::default() }
    }
}

impl Progress {
    /// Follows a transcript along an arc up to a beat, from where it was followed to earlier.
    pub(super) fn follow(
        arc: &[ArcStep],
        scene: &Situation,
        lines: &Lines,
        beat: u32,
        followed: &mut Followed,
    ) -> Progress {
        let new = lines.range(followed.lines..lines.len());
        // An interruption of this beat may cut lines of the one before, and none that are older.
        for line in counted(new).take_while(|line| line.beat + 2 <= beat) {
            followed.progress.take(arc, scene, line);
            followed.lines += 1;
        }
        let mut progress = followed.progress.clone();
        for line in counted(lines.range(followed.lines..lines.len())) {
            progress.take(arc, scene, line);
        }
        progress.wait_until(arc, beat);
        progress
    }

    fn take(&mut self, arc: &[ArcStep], scene: &Situation, line: &Line) {
        self.wait_until(arc, line.beat);
        // A gesture is an answer; silence is none.
        let done = |reply: &Reply| line.spoken().is_some() || reply.action == Action::React;
        let Some((name, _)) = line.actor().filter(|(_, reply)| done(reply)) else { return };
        let Some(who) = scene.cast.iter().position(|(other, _)| other == name) else { return };
        self.see(arc, line, who);
    }

    /// The parts of the due step that are still to be done.
    pub(super) fn due<'a>(&self, arc: &'a [ArcStep]) -> Vec<&'a StepPart> {
        let parts = arc.get(self.step).map_or(&[][..], |step| &step.parts);
        parts.iter().filter(|part| !self.done.contains(&part.who)).collect()
    }

    /// Passes over colour, when the moderator wants an end.
    pub(super) fn hurry(&mut self, arc: &[ArcStep]) {
        while arc.get(self.step).is_some_and(|step| step.optional) {
            self.go_to(self.step + 1, self.since);
        }
    }

    fn see(&mut self, arc: &[ArcStep], line: &Line, who: usize) {
        let spoken = line.spoken().is_some();
        let fits = |part: &StepPart| {
            part.who == who
                && (spoken || part.scene_move.may_be_silent())
                && part.needs.is_none_or(|act| line.acts().has(act))
        };
        // A gesture of somebody whose turn it is not is only that.
        let due = || spoken || self.due(arc).into_iter().any(fits);
        let at = self.ahead(arc, fits).or_else(|| self.at_hand(arc, line, fits)).filter(|_| due());
        let Some(at) = at else { return };
        if at != self.step {
            self.go_to(at, line.beat);
        }
        self.done.push(who);
        if self.due(arc).is_empty() {
            self.go_to(self.step + 1, line.beat + 1);
        }
    }

    /// The next deed, if somebody has done it ahead of the plan: what was to lead up to it is no longer
    /// needed. Deeds wait for each other, though: nobody accepts an apology that was not made.
    fn ahead(&self, arc: &[ArcStep], fits: impl Fn(&StepPart) -> bool) -> Option<usize> {
        let deed = |at: &usize| arc[*at].parts.iter().any(|part| part.needs.is_some());
        let next = (self.step..arc.len()).find(deed).filter(|at| *at != self.step)?;
        arc[next].parts.iter().any(|part| part.needs.is_some_and(leaps) && fits(part)).then_some(next)
    }

    /// The step that is due, or one behind it if only colour lies between.
    fn at_hand(&self, arc: &[ArcStep], line: &Line, fits: impl Fn(&StepPart) -> bool) -> Option<usize> {
        // What is said in the beat in which the step before was done was said without having heard it; a deed counts.
        let early = line.beat < self.since;
        let fits = |part: &StepPart| fits(part) && (!early || part.needs.is_some());
        if self.due(arc).into_iter().any(&fits) {
            return Some(self.step);
        }
        let colour = arc.iter().skip(self.step).take_while(|step| step.optional).count();
        (self.step + 1..arc.len().min(self.step + colour + 1)).find(|at| arc[*at].parts.iter().any(&fits))
    }

    fn wait_until(&mut self, arc: &[ArcStep], beat: u32) {
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
