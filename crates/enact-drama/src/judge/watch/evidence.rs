//! Evidence: has a line done what a goal asks for? What speaks for it and against it is weighed.
//!
//! `line_score` says how much a line weighs for a goal (`matter`), by the scale of `weights.toml`. `plain` knows the very
//! words of the tables of [acts](crate::acts): those need no weighing. What follows a line is weighed here.

use std::collections::VecDeque;

use super::{
    line_score::{self, LineScore},
    matter::{Matter, TouchedWords},
    plain,
    weights::SCALE,
};
use crate::{
    acts::heard::Showing,
    judge::{
        line::{HeardLine, Spot},
        line_traits::LineTraits,
    },
};

/// What the evidence makes of a goal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Belief {
    Met(Spot),
    /// Somebody who could have done it has said something that may have been it.
    Unsure,
    Unmet,
}

/// Watches one goal. It keeps a few lines that may have done it, so that a line costs the same however long the
/// scene is.
#[derive(Debug, Clone, Default)]
pub(super) struct EvidenceWatch {
    /// Who of the subjects did the act in so many words.
    plain: Vec<(usize, Spot)>,
    candidates: Vec<LikelyLine>,
    touched: TouchedBefore,
}

/// What of the goal's matter the last lines touched, newest first.
#[derive(Debug, Clone, Default)]
pub(super) struct TouchedBefore {
    lines: VecDeque<TouchedWords>,
    /// How many lines ago anything of it was touched; nothing if never.
    last: Option<usize>,
}

impl TouchedBefore {
    /// Lines before one in which its matter was spoken of.
    const NEAR: usize = 6;

    fn push(&mut self, touched: TouchedWords) {
        self.last = if touched.any() { Some(0) } else { self.last.map(|ago| ago + 1) };
        self.lines.truncate(Self::NEAR - 1);
        self.lines.push_front(touched);
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = TouchedWords> {
        self.lines.iter().copied()
    }

    /// Whether it is still what people speak of.
    pub(super) fn is_open(&self) -> bool {
        /// An evasive talk about one thing is about so long.
        const LONGEST: usize = 12;
        self.last.is_some_and(|ago| ago < LONGEST)
    }
}

/// A line that may have done it, and what followed.
#[derive(Debug, Clone, Copy)]
struct LikelyLine {
    who: usize,
    spot: Spot,
    score: LineScore,
    /// Lines of others that can still answer it.
    answers_left: u8,
    answered: bool,
    told: bool,
    refuted: bool,
    against: bool,
    retracted: bool,
}

/// More lines than these need not be remembered: the best of them decide.
const MOST_CANDIDATES: usize = 6;

/// Lines of others that answer a line.
const ANSWERS: u8 = 2;

impl EvidenceWatch {
    pub(super) fn hear(&mut self, goal: &Matter, heard: &HeardLine<'_>) {
        let line = heard.traits;
        let touched = goal.touched(line.stems());
        match line.who.filter(|who| goal.is_by(*who)) {
            Some(subject) => self.hear_subject(goal, subject, heard, touched),
            None => self.hear_other(goal, line),
        }
        self.touched.push(touched);
    }

    fn hear_subject(&mut self, goal: &Matter, subject: usize, heard: &HeardLine<'_>, touched: TouchedWords) {
        let (line, spot) = (heard.traits, heard.spot);
        self.take_back(goal, subject, line);
        if goal.is_denied_in(line) {
            // Their own word only: what somebody else did stays done.
            self.plain.retain(|(who, _)| *who != subject);
            self.candidates.retain(|candidate| candidate.who != subject);
            return;
        }
        let score = line_score::score(goal, heard, touched, &self.touched);
        if score.weight > 0.0 || score.doubt < 0.0 {
            self.remember(LikelyLine::new(subject, spot, score));
        }
        if plain::is_plain(line, goal, heard.before()) && !self.plain.iter().any(|(who, _)| *who == subject) {
            self.plain.push((subject, spot));
        }
    }

    /// What somebody else says may be an answer to it, or tell that it was done.
    fn hear_other(&mut self, goal: &Matter, line: &LineTraits) {
        let answered = line.showing(&goal.acts, Showing::Answered).next().is_some();
        let refuted = !goal.traits.contradicted && line.shows_any(Showing::Refuted);
        let told = line.parts.iter().any(|part| {
            part.is_deed && part.of_others && part.stems.iter().any(|stem| goal.verbs.contains(&stem.text))
        });
        for candidate in self.candidates.iter_mut().filter(|candidate| candidate.answers_left > 0) {
            candidate.answers_left -= 1;
            candidate.answered |= answered;
            candidate.refuted |= refuted;
            candidate.told |= told;
        }
    }

    /// What the doer says later may take it back.
    fn take_back(&mut self, goal: &Matter, subject: usize, line: &LineTraits) {
        let acts = &goal.acts;
        let against = line.showing(acts, Showing::Against).next().is_some();
        let does = line.does(acts);
        let retracted = line.shows_any(Showing::Against) || goal.is_given_in(line);
        for candidate in self.candidates.iter_mut().filter(|candidate| candidate.who == subject) {
            candidate.against |= against && !does;
            candidate.retracted |= retracted;
        }
        if against && !does || retracted {
            self.plain.retain(|(who, _)| *who != subject);
        }
    }

    fn remember(&mut self, candidate: LikelyLine) {
        if self.candidates.len() >= MOST_CANDIDATES {
            let weakest = (0..self.candidates.len()).min_by(|one, other| {
                self.candidates[*one].weight().total_cmp(&self.candidates[*other].weight())
            });
            weakest.map(|weakest| self.candidates.remove(weakest));
        }
        self.candidates.push(candidate);
    }

    pub(super) fn belief(&self, goal: &Matter) -> Belief {
        let people = &goal.reading.subject;
        let said_plainly = self.plain.len() >= if goal.needs_all() { people.len() } else { 1 };
        if let Some((_, spot)) = self.plain.last().filter(|_| said_plainly) {
            return Belief::Met(*spot);
        }
        let best_of = |who: &usize| {
            let own = self.candidates.iter().filter(|candidate| candidate.who == *who);
            own.max_by(|one, other| one.weight().total_cmp(&other.weight()))
        };
        let best: Vec<&LikelyLine> = people.iter().filter_map(best_of).collect();
        let strongest = best.iter().max_by(|one, other| one.weight().total_cmp(&other.weight()));
        let Some(strongest) = strongest else { return Belief::Unmet };
        let joined = best.iter().filter(|candidate| candidate.weight() >= SCALE.joins_in).count();
        let margin = if goal.reading.by_anybody { SCALE.by_anybody } else { 0.0 };
        match strongest.weight() - margin {
            weight if weight >= SCALE.met && (!goal.needs_all() || joined >= people.len()) => {
                Belief::Met(strongest.spot)
            }
            weight if weight >= SCALE.unsure => Belief::Unsure,
            _ => Belief::Unmet,
        }
    }

    /// Whether what was said in a line was not meant, or was taken back.
    pub(super) fn is_doubted(&self, spot: Spot) -> bool {
        let here = self.candidates.iter().find(|candidate| candidate.spot == spot);
        here.is_some_and(|candidate| candidate.doubt() <= SCALE.doubt)
    }
}

impl LikelyLine {
    fn new(who: usize, spot: Spot, score: LineScore) -> LikelyLine {
        LikelyLine {
            who,
            spot,
            score,
            answers_left: ANSWERS,
            answered: false,
            told: false,
            refuted: false,
            against: false,
            retracted: false,
        }
    }

    fn weight(&self) -> f32 {
        let weights = &SCALE.weights;
        let add = |holds: bool, weight: f32| if holds { weight } else { 0.0 };
        self.score.weight
            + add(self.answered, weights.answered)
            + add(self.told, weights.told_by_others)
            + add(self.refuted, weights.refuted)
            + self.retreat()
    }

    fn doubt(&self) -> f32 {
        self.score.doubt + self.retreat()
    }

    fn retreat(&self) -> f32 {
        let weights = &SCALE.weights;
        let add = |holds: bool, weight: f32| if holds { weight } else { 0.0 };
        add(self.against, weights.later_against) + add(self.retracted, weights.retracted)
    }
}
