//! One goal, watched line by line: has it been met?
//!
//! Two eyes look at each line. [`deed`] goes by phrases that do an act for sure, and knows what has to come before it
//! (an apology before its acceptance, a proposal before an agreement). [`evidence`] weighs what speaks for any act of
//! the tables and against it. What both say together is decided here.

mod acceptance;
mod agreement;
mod deed;
mod evidence;
mod line_score;
mod matter;
mod plain;
mod topic;
mod weights;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use deed::ActWatch;
use evidence::{Belief, EvidenceWatch};
use matter::Matter;

pub(super) use acceptance::is_due;

use super::{
    Goal,
    line::{HeardLine, Spot},
};
use crate::acts::ActKind;

/// How a goal stands, with the spoken line that shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    /// The rules do not know who or what is meant.
    Unreadable,
    Unmet,
    Met(Spot),
    /// What must not happen has not happened.
    Kept,
    /// What must not happen has happened.
    Broken(Spot),
}

impl Standing {
    pub(super) fn met(self) -> Option<bool> {
        match self {
            Standing::Unreadable => None,
            Standing::Met(_) | Standing::Kept => Some(true),
            Standing::Unmet | Standing::Broken(_) => Some(false),
        }
    }

    pub(super) fn line(self) -> Option<Spot> {
        match self {
            Standing::Met(at) | Standing::Broken(at) => Some(at),
            Standing::Unreadable | Standing::Unmet | Standing::Kept => None,
        }
    }
}

/// A goal, and what has been seen of it so far.
#[derive(Debug, Clone)]
pub(super) struct GoalWatch {
    /// Whether phrases can show it.
    readable: bool,
    negated: bool,
    deeds: Vec<ActWatch>,
    /// What evidence is weighed for; nothing where the tables of acts cannot read it.
    matter: Option<Arc<Matter>>,
    evidence: EvidenceWatch,
}

impl GoalWatch {
    /// Nothing heard yet. `goals` are all the goals of the scene, this one among them.
    pub(super) fn new(goal: &Goal, goals: &[Goal], cast: &[String]) -> GoalWatch {
        let act = goal.act.filter(|_| goal.is_readable());
        GoalWatch {
            readable: act.is_some(),
            negated: goal.negated,
            deeds: act.map_or_else(Vec::new, |act| ActWatch::all(goal, act, goals, cast)),
            matter: Matter::of(goal).map(Arc::new),
            evidence: EvidenceWatch::default(),
        }
    }

    /// The acts that lines are read for.
    pub(super) fn wanted(&self) -> impl Iterator<Item = ActKind> {
        self.matter.iter().flat_map(|matter| matter.wanted())
    }

    pub(super) fn hear(&mut self, line: &HeardLine<'_>) {
        if line.traits.aloud {
            self.deeds.iter_mut().for_each(|deed| deed.hear(line));
        }
        // Gestures are evidence too.
        if let Some(matter) = &self.matter {
            self.evidence.hear(matter, line);
        }
    }

    /// Phrases that say it is met are believed unless the line speaks against itself or was taken back; where they
    /// see nothing, the evidence decides.
    pub(super) fn standing(&self) -> Standing {
        let by_phrases = self.by_phrases();
        let Some(matter) = &self.matter else { return by_phrases };
        match (by_phrases, self.evidence.belief(matter)) {
            // A prompt also says what is not so before anything was said: that is no goal that is kept.
            (Standing::Unreadable, _) if matter.reading.negated => Standing::Unreadable,
            (Standing::Unreadable | Standing::Unmet, Belief::Met(spot)) => Standing::Met(spot),
            (Standing::Met(spot), Belief::Unsure | Belief::Unmet)
                if !self.is_agreement(matter) && self.evidence.is_doubted(spot) =>
            {
                Standing::Unmet
            }
            // Nobody is named whose silence would show it.
            (Standing::Unreadable, Belief::Unmet) if matter.reading.by_anybody => Standing::Unreadable,
            (Standing::Unreadable, Belief::Unmet) => Standing::Unmet,
            _ => by_phrases,
        }
    }

    /// What several agree on is settled by all of their lines, and one of them may well be a condition.
    fn is_agreement(&self, matter: &Matter) -> bool {
        matter.reading.act.name() == "agree" && matter.reading.subject.len() > 1
    }

    fn by_phrases(&self) -> Standing {
        let done = self.deeds.iter().filter_map(ActWatch::done).min();
        match (done, self.negated) {
            _ if !self.readable => Standing::Unreadable,
            (Some(at), false) => Standing::Met(at),
            (None, false) => Standing::Unmet,
            (Some(at), true) => Standing::Broken(at),
            (None, true) => Standing::Kept,
        }
    }
}
