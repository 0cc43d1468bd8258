//! A goal as evidence is weighed for it.

use super::weights::ActTraits;
use crate::{
    acts::{ActKind, GoalReading, Group, related::WordStem},
    judge::{Act, Goal, acts::Sign, line_traits::LineTraits},
};

/// What to look for.
#[derive(Debug)]
pub(super) struct Matter {
    pub(super) reading: GoalReading,
    /// As phrases name the act.
    act: Option<Act>,
    /// The goal's telling words, and the verb of a deed without a table of its own.
    pub(super) content: Vec<WordStem>,
    pub(super) deed: Option<WordStem>,
    /// The acts that count: the goal's own, and what it settles on.
    pub(super) acts: Vec<ActKind>,
    pub(super) traits: ActTraits,
    /// The stems of verbs by which others say that it was done.
    pub(super) verbs: Vec<String>,
    apology: Option<Apology>,
    /// What is refused: who does it has not refused it.
    refused: Option<ActKind>,
}

/// What accepting means once somebody has apologised. "I accept the job" accepts no apology; what forgives does.
#[derive(Debug)]
struct Apology {
    made_by: ActKind,
    accepted_by: Vec<ActKind>,
    /// Whether it is nothing but an apology that is to be accepted.
    only: bool,
}

impl Apology {
    fn of(reading: &GoalReading) -> Option<Apology> {
        if reading.act.name() != "accept" {
            return None;
        }
        let only = reading.content.to_lowercase().contains("apolog");
        let accepted_by = vec![ActKind::named("forgive")?];
        Some(Apology { made_by: ActKind::named("apologise")?, accepted_by, only })
    }
}

impl Matter {
    /// Nothing where the tables of acts cannot read the goal.
    pub(super) fn of(goal: &Goal) -> Option<Matter> {
        let reading = goal.reading.as_ref().ok()?;
        let traits = ActTraits::of(reading.act);
        // Who is persuaded shows it by a deed, and cutting in is not done with words.
        let is_deed =
            reading.act == ActKind::deed() || matches!(reading.act.name(), "persuade" | "interrupt");
        let mut acts = if is_deed { Vec::new() } else { vec![reading.act] };
        // "Get the vizier to open the gate": his word that he will is as good.
        acts.extend(ActKind::named("agree").filter(|_| is_deed && reading.brought_to));
        acts.extend(reading.settles_on.filter(|_| traits.to_do));
        let refused = reading.settles_on.filter(|_| reading.act.name() == "refuse");
        let verbs = match &reading.deed {
            Some(deed) => vec![deed.clone()],
            None => reading.act.entry().verbs.clone(),
        };
        let content = reading.content_stems.iter().cloned().map(WordStem::from).collect();
        let deed = reading.deed.clone().map(WordStem::from);
        let (apology, reading) = (Apology::of(reading), reading.clone());
        Some(Matter { reading, act: goal.act, content, deed, acts, traits, verbs, apology, refused })
    }

    /// The acts it looks for.
    pub(super) fn wanted(&self) -> impl Iterator<Item = ActKind> {
        let apology = self.apology.iter();
        let of_apology = apology.flat_map(|apology| apology.accepted_by.iter().chain([&apology.made_by]));
        let own = [&self.reading.act].into_iter();
        own.chain(&self.acts).chain(of_apology).chain(&self.refused).copied()
    }

    /// The acts that do it after some lines.
    pub(super) fn acts_after<'a>(&self, mut before: impl Iterator<Item = &'a LineTraits>) -> &[ActKind] {
        let Some(apology) = &self.apology else { return &self.acts };
        let made =
            before.any(|line| line.who.is_none_or(|who| !self.is_by(who)) && line.does(&[apology.made_by]));
        match () {
            () if made => &apology.accepted_by,
            () if apology.only => &[],
            () => &self.acts,
        }
    }

    /// Whether its doer takes it back or rules it out in a line.
    pub(super) fn is_denied_in(&self, line: &LineTraits) -> bool {
        let takes_back = line.acts.shows(Sign::Retraction) && self.reading.act.name() != "change-mind";
        self.act.is_some_and(|act| line.acts.denies(act)) || takes_back
    }

    /// Whether a line does what is refused.
    pub(super) fn is_given_in(&self, line: &LineTraits) -> bool {
        line.does(self.refused.as_slice())
    }

    /// Whether a line is said to somebody else than the goal means.
    pub(super) fn is_misdirected(&self, called: &[usize]) -> bool {
        let to = &self.reading.addressee;
        !to.is_empty() && !called.is_empty() && !called.iter().any(|who| to.contains(who))
    }

    pub(super) fn is_by(&self, who: usize) -> bool {
        self.reading.subject.contains(&who)
    }

    /// The share of the goal's telling words that some stems have, or speak of in other words.
    pub(super) fn share<'s>(&self, stems: impl Iterator<Item = &'s WordStem> + Clone) -> f32 {
        /// A related word is not the word itself.
        const RELATED: f32 = 0.6;
        let touch = |wanted: &WordStem| match () {
            () if stems.clone().any(|stem| stem.tells && wanted.is_same(stem)) => 1.0,
            () if stems.clone().any(|stem| stem.tells && wanted.is_related(stem)) => RELATED,
            () => 0.0,
        };
        self.content.iter().map(touch).sum::<f32>() / self.content.len().max(1) as f32
    }

    /// Whether everybody named has to do it.
    pub(super) fn needs_all(&self) -> bool {
        self.reading.group == Group::All
    }
}
