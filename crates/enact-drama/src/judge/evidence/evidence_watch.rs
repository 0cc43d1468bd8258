//! One goal, and the line that speaks most for its being met.

use std::{collections::VecDeque, sync::LazyLock};

use super::features::{
    ACT, FEATURES, Features, HEARD, LineTraits, NAMES, OBJECTION, TONE_OF_ANSWERS, UPTAKE,
};
use crate::{
    acts::{GoalReading, Group},
    judge::verdict::Spot,
};

/// What the evidence makes of a goal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::judge) enum Belief {
    Met(Spot),
    /// Something speaks for it, but not enough to say so.
    Unsure,
    Unmet,
}

/// Watches one goal. It keeps the last lines and the best one, so that a line costs the same however long
/// the scene is.
#[derive(Debug, Clone)]
pub(in crate::judge) struct EvidenceWatch {
    best: Option<EvidenceLine>,
    /// The newest line of a subject, whose answer is still to come.
    newest: Option<EvidenceLine>,
    /// Who of the subjects did the act in so many words.
    plain: Vec<(usize, Spot)>,
}

#[derive(Debug, Clone, Copy)]
struct EvidenceLine {
    /// For learning the weights, which has to know of which line the features are.
    #[cfg(test)]
    spot: Spot,
    features: Features,
    answers: u8,
}

/// How likely the act alone has to be.
const LEAST_ACT: f32 = 0.2;

/// The lines after a candidate that can take it up.
const ANSWERS: u8 = 2;

/// How far back lines are kept.
pub(super) const REACH: usize = 3;

struct Weights {
    bias: f32,
    of: Features,
    unmet: f32,
}

static WEIGHTS: LazyLock<Weights> = LazyLock::new(|| {
    let mut weights = Weights { bias: 0.0, of: [0.0; FEATURES], unmet: 0.0 };
    for row in include_str!("evidence_weights.tsv").lines().filter(|row| !row.starts_with('#')) {
        let Some((name, weight)) = row.split_once('\t') else { continue };
        let weight: f32 = weight.parse().expect("a weight is a number");
        match name {
            "(bias)" => weights.bias = weight,
            "(unmet below)" => weights.unmet = weight,
            _ => {
                let place = NAMES.iter().position(|known| *known == name);
                weights.of[place.expect("a weight is of a feature")] = weight;
            }
        }
    }
    weights
});

impl EvidenceLine {
    fn score(&self) -> f32 {
        let sum: f32 = self.features.iter().zip(&WEIGHTS.of).map(|(value, weight)| value * weight).sum();
        sum + WEIGHTS.bias
    }
}

impl EvidenceWatch {
    pub(in crate::judge) fn new() -> EvidenceWatch {
        EvidenceWatch { best: None, newest: None, plain: Vec::new() }
    }

    /// Hears a line. `before` holds the lines before it, newest first; `denied` says that it
    /// takes the act back or rules it out.
    pub(in crate::judge) fn hear(
        &mut self,
        goal: &GoalReading,
        line: &LineTraits,
        before: &VecDeque<LineTraits>,
        spot: Spot,
        denied: bool,
    ) {
        let subject = line.who.filter(|who| goal.subject.contains(who));
        let by_subject = subject.is_some();
        if !by_subject || goal.subject.len() > 1 {
            self.take_up(line);
        }
        let Some(subject) = subject else { return };
        if denied || line.undoes(goal.act) {
            self.best = None;
            self.newest = None;
            self.plain.clear();
        }
        if denied {
            return;
        }
        self.keep_better();
        let before: Vec<LineTraits> = before.iter().take(REACH).cloned().collect();
        let features = line.features(goal, &before);
        if line.is_plain(goal, &before) && !self.plain.iter().any(|(who, _)| *who == subject) {
            self.plain.push((subject, spot));
        }
        // Long and hearty is not enough: something in the line has to sound like the act.
        if features[ACT] >= LEAST_ACT || features[HEARD] > 0.0 {
            self.newest = Some(EvidenceLine {
                #[cfg(test)]
                spot,
                features,
                answers: 0,
            });
        }
    }

    fn take_up(&mut self, line: &LineTraits) {
        let Some(newest) = &mut self.newest else { return };
        if newest.answers < ANSWERS {
            let (uptake, objection) = line.uptake();
            newest.answers += 1;
            newest.features[UPTAKE] = newest.features[UPTAKE].max(uptake);
            newest.features[TONE_OF_ANSWERS] += line.tone.answer / f32::from(ANSWERS);
            newest.features[OBJECTION] = newest.features[OBJECTION].max(objection);
        }
    }

    fn keep_better(&mut self) {
        if let Some(newest) = self.newest.take()
            && self.best.is_none_or(|best| newest.score() > best.score())
        {
            self.best = Some(newest);
        }
    }

    fn strongest(&self) -> Option<EvidenceLine> {
        let found = self.best.into_iter().chain(self.newest);
        found.max_by(|one, other| one.score().total_cmp(&other.score()))
    }

    /// Only plain words meet a goal. Weighed evidence says no more than that it may have been: believed, it
    /// ended scenes in the middle, since tone and length speak for any act.
    pub(in crate::judge) fn belief(&self, goal: &GoalReading) -> Belief {
        let enough = |done: usize| match goal.group {
            Group::Any => done > 0,
            Group::All => done >= goal.subject.len(),
        };
        if let Some((_, spot)) = self.plain.last().filter(|_| enough(self.plain.len())) {
            return Belief::Met(*spot);
        }
        match self.strongest() {
            Some(best) if best.score() >= WEIGHTS.unmet => Belief::Unsure,
            _ => Belief::Unmet,
        }
    }

    /// The newest line's features, for learning the weights.
    #[cfg(test)]
    pub(super) fn newest(&self) -> Option<(usize, Features)> {
        self.newest.map(|candidate| (candidate.spot.line, candidate.features))
    }
}
