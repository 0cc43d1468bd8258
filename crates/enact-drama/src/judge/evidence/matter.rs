//! A goal as evidence is weighed for it.

use super::{
    line_traits::{LineTraits, Stands},
    weights::ActTraits,
};
use crate::acts::{
    ActKind, GoalReading, Group,
    heard::Showing,
    related::{are_related, is_same},
};

/// What to look for.
#[derive(Debug, Clone)]
pub(in crate::judge) struct Matter {
    pub(super) reading: GoalReading,
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
#[derive(Debug, Clone)]
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
    pub(in crate::judge) fn of(reading: &GoalReading) -> Matter {
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
        Matter { reading: reading.clone(), acts, traits, verbs, apology: Apology::of(reading), refused }
    }

    pub(in crate::judge) fn act(&self) -> ActKind {
        self.reading.act
    }

    /// The acts it looks for.
    pub(in crate::judge) fn wanted(&self) -> impl Iterator<Item = ActKind> {
        let apology = self.apology.iter();
        let of_apology = apology.flat_map(|apology| apology.accepted_by.iter().chain([&apology.made_by]));
        self.acts.iter().chain(of_apology).chain(&self.refused).copied()
    }

    /// The acts that do it after some lines.
    pub(super) fn acts_after<'a>(&self, mut before: impl Iterator<Item = &'a LineTraits>) -> &[ActKind] {
        let Some(apology) = &self.apology else { return &self.acts };
        let made = before.any(|line| {
            let by_other = line.who.is_none_or(|who| !self.is_by(who));
            let sorry = line.showing(std::slice::from_ref(&apology.made_by), Showing::Does);
            by_other && sorry.into_iter().any(|hit| hit.stands == Stands::Meant)
        });
        match () {
            () if made => &apology.accepted_by,
            () if apology.only => &[],
            () => &self.acts,
        }
    }

    pub(in crate::judge) fn is_negated(&self) -> bool {
        self.reading.negated
    }

    pub(in crate::judge) fn is_by_anybody(&self) -> bool {
        self.reading.by_anybody
    }

    /// Whether a line does what is refused.
    pub(super) fn is_given_in(&self, line: &LineTraits) -> bool {
        let done = line.showing(self.refused.as_slice(), Showing::Does);
        done.into_iter().any(|hit| hit.stands == Stands::Meant)
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
    pub(super) fn share(&self, stems: &[String]) -> f32 {
        /// A related word is not the word itself.
        const RELATED: f32 = 0.6;
        let wanted = &self.reading.content_stems;
        let touch = |wanted: &String| match () {
            () if stems.iter().any(|stem| is_same(wanted, stem)) => 1.0,
            () if stems.iter().any(|stem| are_related(wanted, stem)) => RELATED,
            () => 0.0,
        };
        wanted.iter().map(touch).sum::<f32>() / wanted.len().max(1) as f32
    }

    /// Whether everybody named has to do it.
    pub(super) fn needs_all(&self) -> bool {
        self.reading.group == Group::All
    }
}
