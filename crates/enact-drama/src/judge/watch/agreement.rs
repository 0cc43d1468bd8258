//! Agreements: one person alone makes none.

use super::topic::Topic;
use crate::judge::{
    Act, Goal,
    acts::Sign,
    line::{HeardLine, Spot},
    names,
    words::Text,
};

/// Whose word an agreement needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Consent {
    /// "Alice, Bob and Charlie agree", "everyone agrees": each one's own.
    OfEach,
    /// "They agree": that of two, as long as nobody objects.
    OfSome,
}

impl Consent {
    pub(super) fn of(goal: &Goal, cast: &[String]) -> Consent {
        let words = Text::read(&goal.text).words;
        let says = |set: &[&str]| words.iter().any(|word| set.contains(&&*word.text));
        let names = || (0..words.len()).any(|at| names::mention(&words, at, cast).is_some());
        let each =
            says(&["everyone", "everybody", "all", "each", "both"]) || !says(&["they", "we"]) && names();
        if each { Consent::OfEach } else { Consent::OfSome }
    }
}

/// "Okay" answers what was just proposed, not what was proposed ten lines ago.
const OKAY_REACH: usize = 3;

/// People who are to agree on something, and how far they are.
#[derive(Debug, Clone)]
pub(super) struct Agreement {
    people: Vec<usize>,
    consent: Consent,
    proposals: Vec<Option<Spot>>,
    assents: Vec<Option<Spot>>,
    joined: Vec<bool>,
    agreed: Option<Spot>,
}

impl Agreement {
    pub(super) fn between(people: Vec<usize>, consent: Consent) -> Agreement {
        let none = vec![None; people.len()];
        let joined = vec![false; people.len()];
        Agreement { people, consent, proposals: none.clone(), assents: none, joined, agreed: None }
    }

    pub(super) fn hear(&mut self, line: &HeardLine<'_>, topic: &Topic) {
        let Some(who) = self.people.iter().position(|one| line.traits.who == Some(*one)) else { return };
        let acts = &line.traits.acts;
        if acts.denies(Act::Agree) || acts.shows(Sign::Retraction) {
            self.proposals.fill(None);
            self.assents[who] = None;
            self.joined.fill(false);
            self.agreed = None;
            return;
        }
        // "Agreed", of something else than the goal names.
        if !topic.is_head_near(line) {
            return;
        }
        let others = self.proposals.iter().enumerate().filter(|(other, _)| *other != who);
        let newest = others.filter_map(|(_, proposed)| *proposed).max();
        let taken_up = newest.filter(|proposed| {
            acts.shows(Sign::Assent)
                || acts.shows(Sign::WeakAssent) && line.spot.at - proposed.at <= OKAY_REACH
        });
        self.agreed = self.agreed.or(taken_up);
        self.joined[who] |= taken_up.is_some() || acts.shows(Sign::Assent) || acts.proposes();
        if acts.shows(Sign::Assent) {
            self.assents[who].get_or_insert(line.spot);
        }
        if acts.proposes() {
            self.proposals[who] = Some(line.spot);
        }
    }

    /// The line with the step that one of them proposed and another one took up. Without any step,
    /// everybody's own word for it, the last of them. Undone when one of them says no afterwards.
    pub(super) fn made(&self) -> Option<Spot> {
        let enough = self.consent == Consent::OfSome || self.joined.iter().all(|one| *one);
        let words = || self.assents.iter().copied().collect::<Option<Vec<_>>>()?.into_iter().max();
        self.agreed.filter(|_| enough).or_else(words)
    }
}

/// One person who is to agree to what others want.
#[derive(Debug, Clone)]
pub(super) struct Assent {
    person: usize,
    others_spoke: bool,
    proposed: Option<usize>,
    agreed: Option<Spot>,
}

impl Assent {
    pub(super) fn of(person: usize) -> Assent {
        Assent { person, others_spoke: false, proposed: None, agreed: None }
    }

    pub(super) fn hear(&mut self, line: &HeardLine<'_>, topic: &Topic) {
        let (acts, at) = (&line.traits.acts, line.spot.at);
        if line.traits.who != Some(self.person) {
            self.others_spoke = true;
            self.proposed = acts.proposes().then_some(at).or(self.proposed);
            return;
        }
        let okay = self.proposed.is_some_and(|step| at - step <= OKAY_REACH) && acts.shows(Sign::WeakAssent);
        let open = self.others_spoke && acts.shows(Sign::Assent);
        if okay || open && (self.proposed.is_some() || topic.fits(line)) {
            self.agreed.get_or_insert(line.spot);
        } else if acts.denies(Act::Agree) || acts.shows(Sign::Retraction) {
            self.agreed = None;
        }
    }

    pub(super) fn given(&self) -> Option<Spot> {
        self.agreed
    }
}
