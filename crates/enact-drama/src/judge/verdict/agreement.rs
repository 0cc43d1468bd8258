//! Agreements: one person alone makes none.

use super::{stage::Stage, topic::Topic};
use crate::judge::{Act, Goal, acts::Sign, names, words::Text};

/// Whose word an agreement needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Consent {
    /// "Alice, Bob and Charlie agree", "everyone agrees": each one's own.
    OfEach,
    /// "They agree": that of two, as long as nobody objects.
    OfSome,
}

impl Consent {
    pub(super) fn of(goal: &Goal, cast: &[&str]) -> Consent {
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

/// Where people agreed on something: the line with the step that one of them proposed and another one took up. Without
/// any step, everybody's own word for it, the last of them. Undone when one of them says no afterwards.
pub(super) fn between(people: &[usize], consent: Consent, stage: &Stage<'_>) -> Option<usize> {
    let mut proposals: Vec<Option<usize>> = vec![None; people.len()];
    let mut assents: Vec<Option<usize>> = vec![None; people.len()];
    let mut joined = vec![false; people.len()];
    let mut agreed = None;
    for (at, line) in stage.lines.iter().enumerate() {
        let Some(who) = people.iter().position(|one| line.who == Some(*one)) else { continue };
        let acts = line.heard.acts;
        if acts.denies(Act::Agree) || acts.shows(Sign::Retraction) {
            proposals.fill(None);
            assents[who] = None;
            joined.fill(false);
            agreed = None;
            continue;
        }
        let open = |other: usize| proposals[other].filter(|_| other != who);
        let newest = (0..people.len()).filter_map(open).max();
        let taken_up = match newest {
            Some(proposed) if acts.shows(Sign::Assent) => Some(proposed),
            Some(proposed) if acts.shows(Sign::WeakAssent) && at - proposed <= OKAY_REACH => Some(proposed),
            _ => None,
        };
        agreed = agreed.or(taken_up);
        joined[who] |= taken_up.is_some() || acts.shows(Sign::Assent) || acts.proposes();
        if acts.shows(Sign::Assent) {
            assents[who].get_or_insert(at);
        }
        if acts.proposes() {
            proposals[who] = Some(at);
        }
    }
    let agreed = agreed.filter(|_| consent == Consent::OfSome || joined.iter().all(|one| *one));
    agreed.or_else(|| assents.into_iter().collect::<Option<Vec<_>>>()?.into_iter().max())
}

/// Where one person agrees to what others want.
pub(super) fn by_one(person: usize, topic: &Topic, stage: &Stage<'_>) -> Option<usize> {
    let (mut spoken, mut proposed, mut agreed) = (false, None, None);
    for (at, line) in stage.lines.iter().enumerate() {
        let acts = line.heard.acts;
        if line.who != Some(person) {
            spoken = true;
            proposed = acts.proposes().then_some(at).or(proposed);
            continue;
        }
        let okay = proposed.is_some_and(|step| at - step <= OKAY_REACH) && acts.shows(Sign::WeakAssent);
        let open = spoken && acts.shows(Sign::Assent);
        if okay || open && (proposed.is_some() || topic.fits(at, line, stage)) {
            agreed.get_or_insert(at);
        } else if acts.denies(Act::Agree) || acts.shows(Sign::Retraction) {
            agreed = None;
        }
    }
    agreed
}
