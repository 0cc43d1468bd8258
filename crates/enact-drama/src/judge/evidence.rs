//! Plain words of an act: has a line done what a goal asks for, in so many words? And where none has, may one have
//! done it in others?
//!
//! `sentences` takes a line apart. Words are looked up in the tables of [acts](crate::acts).

mod sentences;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use sentences::LinePart;

use super::{
    names,
    verdict::Spot,
    words::{Text, Word},
};
use crate::{
    acts::{ActKind, GoalReading, Group, TABLES, inflection::stem, is_empty_word},
    english::phrase::Phrases,
};

/// What the evidence makes of a goal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Belief {
    Met(Spot),
    /// Somebody who could have done it has said something that may have been it.
    Unsure,
    Unmet,
}

/// Watches one goal. It keeps who has done it, so that a line costs the same however long the scene is.
#[derive(Debug, Clone, Default)]
pub(super) struct EvidenceWatch {
    /// Who of the subjects did the act in so many words.
    plain: Vec<(usize, Spot)>,
    /// Whether a line of a subject may have done it in other words.
    maybe: bool,
}

impl EvidenceWatch {
    /// Hears a line. `before` holds the lines before it, newest first; `denied` says that it takes the act back or
    /// rules it out.
    pub(super) fn hear<'a>(
        &mut self,
        goal: &GoalReading,
        line: &LineTraits,
        before: impl Iterator<Item = &'a LineTraits>,
        spot: Spot,
        denied: bool,
    ) {
        let Some(subject) = line.who.filter(|who| goal.subject.contains(who)) else { return };
        if denied || line.undoes(goal.act) {
            *self = EvidenceWatch::default();
        }
        if denied {
            return;
        }
        if line.is_plain(goal, before) && !self.plain.iter().any(|(who, _)| *who == subject) {
            self.plain.push((subject, spot));
        }
        self.maybe |= line.may_be(goal);
    }

    /// Only plain words meet a goal.
    pub(super) fn belief(&self, goal: &GoalReading) -> Belief {
        let enough = match goal.group {
            Group::Any => !self.plain.is_empty(),
            Group::All => self.plain.len() >= goal.subject.len(),
        };
        match self.plain.last() {
            Some((_, spot)) if enough => Belief::Met(*spot),
            None if !self.maybe => Belief::Unmet,
            _ => Belief::Unsure,
        }
    }
}

/// A line as the evidence takes it: what can be said of it without knowing a goal.
#[derive(Debug, Clone)]
pub(super) struct LineTraits {
    who: Option<usize>,
    /// The stems of its telling words.
    stems: Arc<[String]>,
    parts: Arc<[PartTraits]>,
    /// Who is called by name, or named as the one it is said to.
    called: Arc<[usize]>,
    /// The acts that are said in the very words of the tables, and whether those words have a content.
    plain: Arc<[(ActKind, bool)]>,
}

#[derive(Debug)]
struct PartTraits {
    heard: Vec<ActKind>,
    undone: Vec<ActKind>,
    stems: Vec<String>,
    asks: bool,
    /// Said of what is or was, and not of what will, could or should be.
    is_real: bool,
}

impl LineTraits {
    pub(super) fn of(content: &str, target: Option<&str>, who: Option<usize>, cast: &[String]) -> LineTraits {
        let parts = sentences::parts(content);
        let words = || parts.iter().flat_map(|part| &part.words).map(|word| &*word.text);
        let traits = parts.iter().map(|part| PartTraits {
            heard: if is_unreal(&part.words) { Vec::new() } else { found(&TABLES.heard, part) },
            undone: found(&TABLES.undone, part),
            stems: part.words.iter().map(|word| stem(&word.text)).collect(),
            asks: part.asks,
            is_real: !part.asks && !part.words.iter().any(|word| UNREAL.contains(&&*word.text)),
        });
        LineTraits {
            who,
            stems: words().filter(|word| !is_empty_word(word)).map(stem).collect(),
            parts: traits.collect(),
            called: addressed(content, target, cast).into(),
            plain: plain_acts(&parts).into(),
        }
    }

    pub(super) fn is_by(&self, who: Option<usize>) -> bool {
        self.who == who
    }

    /// Whether the line does what a goal asks for in so many words: as the tables say it, or as the deed itself.
    fn is_plain<'a>(&self, goal: &GoalReading, before: impl Iterator<Item = &'a LineTraits>) -> bool {
        if self.calls_other(goal) {
            return false;
        }
        let touches = || goal.content_stems.is_empty() || self.touches(goal) >= LEAST_CONTENT;
        if goal.act == ActKind::deed() {
            let Some(deed) = &goal.deed else { return false };
            return touches() && self.parts.iter().any(|part| part.stems.contains(deed) && part.is_real);
        }
        let mut before = before.take(LINES_BEFORE);
        let mut near = || before.any(|line| line.touches(goal) >= LEAST_CONTENT);
        self.plain.iter().any(|(act, has_content)| *act == goal.act && (!has_content || touches() || near()))
    }

    /// Whether the line may do it in other words: it speaks of the goal's matter, or sounds like the act.
    fn may_be(&self, goal: &GoalReading) -> bool {
        let deed = |part: &PartTraits| goal.deed.as_ref().is_some_and(|deed| part.stems.contains(deed));
        self.touches(goal) > 0.0 || self.parts.iter().any(|part| part.heard.contains(&goal.act) || deed(part))
    }

    fn calls_other(&self, goal: &GoalReading) -> bool {
        !goal.addressee.is_empty()
            && !self.called.is_empty()
            && !self.called.iter().any(|who| goal.addressee.contains(who))
    }

    /// The share of a goal's telling words that are in the line.
    fn touches(&self, goal: &GoalReading) -> f32 {
        let shared = goal.content_stems.iter().filter(|wanted| self.stems.contains(wanted)).count();
        shared as f32 / goal.content_stems.len().max(1) as f32
    }

    /// Whether the doer takes the act back.
    fn undoes(&self, act: ActKind) -> bool {
        self.parts.iter().any(|part| part.undone.contains(&act) && !part.asks)
    }
}

/// The share of a goal's telling words that have to be in a line which does it plainly.
const LEAST_CONTENT: f32 = 0.34;

/// The lines before one that can say what it is about.
const LINES_BEFORE: usize = 2;

/// Words by which a deed is not done: denied, planned, imagined or wanted.
const UNREAL: [&str; 24] = [
    "not", "never", "no", "nobody", "if", "unless", "would", "could", "might", "may", "can", "must",
    "should", "shall", "perhaps", "maybe", "want", "wish", "almost", "nearly", "tomorrow", "before", "until",
    "supposed",
];

fn found(phrases: &Phrases<ActKind>, part: &LinePart<'_>) -> Vec<ActKind> {
    (0..part.words.len()).flat_map(|at| phrases.at(&part.words, at)).map(|found| found.means).collect()
}

fn plain_acts(parts: &[LinePart<'_>]) -> Vec<(ActKind, bool)> {
    let said = || parts.iter().filter(|part| !part.gesture).map(|part| (&part.words[..], part.asks));
    let mut found: Vec<(ActKind, bool)> = Vec::new();
    for act in ActKind::all().filter(|act| *act != ActKind::deed()) {
        let heard = act.said().iter().filter(|template| template.is_heard_in(said()));
        // Words without a content of their own do it whatever the goal is about.
        if let Some(bare) = heard.map(|template| template.has_content()).min() {
            found.push((act, bare));
        }
    }
    found
}

fn addressed(content: &str, target: Option<&str>, cast: &[String]) -> Vec<usize> {
    match target {
        Some(target) => (0..cast.len()).filter(|who| names::names(target, &cast[*who])).collect(),
        None => names::called(&Text::spoken(content), cast),
    }
}

/// Denied, imagined or asked back: "I would say I'm sorry if I were".
fn is_unreal(words: &[Word<'_>]) -> bool {
    words.first().is_some_and(|word| matches!(&*word.text, "if" | "suppose" | "unless" | "should"))
        || words.iter().any(|word| matches!(&*word.text, "pretend" | "wish" | "supposed"))
}
