//! Accepting and forgiving: only what was made before, and only from the one who made it.

use super::deed::{ActWatch, ByEach, Rule, places};
use crate::judge::{
    Act, Goal,
    acts::Sign,
    line::{HeardLine, Spot},
};

/// An apology can only be accepted once it was made. Where one of the goals is to make it, that one counts.
/// Forgiving takes less: owning up is enough.
#[derive(Debug, Clone)]
pub(super) struct Acceptance {
    /// Those it is accepted from; anybody but the doers if nobody is named.
    to: Vec<usize>,
    /// Whether it is an apology that is accepted, and not an offer.
    of_apology: bool,
    may_be_offer: bool,
    sorry: Option<usize>,
    owned: Option<usize>,
    /// For each apology that is due, what was accepted since; once if none is due.
    since: Vec<Since>,
}

/// What was accepted since an apology, if one is due.
#[derive(Debug, Clone)]
struct Since {
    apology: Option<ActWatch>,
    accepted: ByEach,
    /// The same if it is an offer, which "deal" accepts too. Only an apology tells which of the two counts,
    /// and it may come late.
    offer_accepted: ByEach,
}

impl Acceptance {
    pub(super) fn of(
        goal: &Goal,
        act: Act,
        doers: &[usize],
        goals: &[Goal],
        cast: &[String],
    ) -> Option<Acceptance> {
        let due = goals.iter().find(|other| is_due(other, goal));
        let apologies = match due {
            Some(due) => ActWatch::all(due, Act::Apologise, goals, cast).into_iter().map(Some).collect(),
            None => vec![None],
        };
        let none = || ByEach::of(doers);
        let since = |apology| Since { apology, accepted: none(), offer_accepted: none() };
        let about = goal.about.as_deref();
        let of_apology =
            act == Act::Forgive || due.is_some() || about.is_some_and(|about| about.contains("apolog"));
        Some(Acceptance {
            to: places(&goal.to, cast)?,
            of_apology,
            may_be_offer: !of_apology && about.is_some(),
            sorry: None,
            owned: None,
            since: apologies.into_iter().map(since).collect(),
        })
    }

    pub(super) fn hear(&mut self, line: &HeardLine<'_>, rule: &Rule) {
        let acts = &line.traits.acts;
        let softly = self.sorry.is_some() && acts.shows(Sign::SoftAcceptance);
        let openly = acts.shows(Sign::Acceptance) || acts.shows(Sign::Forgiveness);
        let does = match self.of_apology {
            true => softly || openly && (self.sorry.is_some() || self.owned.is_some()),
            false => softly || acts.has(Act::Accept),
        };
        // "Alice accepts the offer": then "deal" will do.
        let takes_offer = does || self.may_be_offer && line.spot.at > 0 && acts.shows(Sign::Assent);
        for since in &mut self.since {
            if since.begins_with(line) {
                continue;
            }
            let seen = |does: bool| rule.weigh(line, does && rule.reaches(line));
            since.accepted.hear(rule, line, || seen(does));
            since.offer_accepted.hear(rule, line, || seen(takes_offer));
        }
        let is_one_of = |people: &[usize]| line.traits.who.is_some_and(|who| people.contains(&who));
        let culprit = if self.to.is_empty() { !is_one_of(&rule.doers) } else { is_one_of(&self.to) };
        if culprit && acts.has(Act::Apologise) {
            self.sorry.get_or_insert(line.spot.at);
        }
        if culprit && acts.has(Act::Admit) && rule.act == Act::Forgive {
            self.owned.get_or_insert(line.spot.at);
        }
    }

    pub(super) fn done(&self) -> Option<Spot> {
        let made = |since: &&Since| since.apology.as_ref().is_none_or(|apology| apology.done().is_some());
        let first = |since: &&Since| since.apology.as_ref().and_then(ActWatch::done);
        let since = self.since.iter().filter(made).min_by_key(first)?;
        let of_offer = self.may_be_offer && self.sorry.is_none();
        if of_offer { since.offer_accepted.done() } else { since.accepted.done() }
    }
}

/// Whether a goal is the apology that another goal is to accept.
pub(in crate::judge) fn is_due(apology: &Goal, goal: &Goal) -> bool {
    matches!(goal.act, Some(Act::Accept | Act::Forgive))
        && apology.act == Some(Act::Apologise)
        && !apology.negated
        && apology.is_readable()
        && apology.doers != goal.doers
        && (goal.to.is_empty() || apology.doers.iter().any(|doer| goal.to.contains(doer)))
}

impl Since {
    /// Whether the apology is made with this line: what was accepted before does not count.
    fn begins_with(&mut self, line: &HeardLine<'_>) -> bool {
        let Some(apology) = &mut self.apology else { return false };
        let made_before = apology.done().is_some();
        apology.hear(line);
        let begins = !made_before && apology.done().is_some();
        if begins {
            self.accepted.forget();
            self.offer_accepted.forget();
        }
        begins
    }
}
