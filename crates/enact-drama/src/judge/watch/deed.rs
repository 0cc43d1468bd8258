//! An act seen by phrases that do it for sure, in the order in which it can be done.

use std::sync::Arc;

use super::{
    acceptance::Acceptance,
    agreement::{Agreement, Assent, Consent},
    topic::Topic,
};
use crate::{
    judge::{
        Act, Goal,
        acts::Sign,
        line::{HeardLine, Spot},
        names, verdict,
    },
    reply::Action,
};

/// An act that all its doers have to do, and what has been seen of it so far.
#[derive(Debug, Clone)]
pub(super) struct ActWatch {
    rule: Arc<Rule>,
    seen: WatchKind,
}

/// What is looked for.
#[derive(Debug)]
pub(super) struct Rule {
    pub(super) act: Act,
    pub(super) goal: Goal,
    /// Their places in the cast.
    pub(super) doers: Vec<usize>,
    /// Those it is done to, as far as they are in the cast.
    to: Vec<usize>,
    topic: Topic,
    /// The act that is refused, where the goal is to refuse one that the rules know.
    refused: Option<Act>,
}

#[derive(Debug, Clone)]
enum WatchKind {
    ByEach(ByEach),
    Agreement(Agreement),
    Assent(Assent),
    Acceptance(Acceptance),
}

impl ActWatch {
    /// What a goal takes: one deed of all its doers or, where one doer is enough, one deed for each of them.
    /// A goal about somebody who is not in the cast has none.
    pub(super) fn all(goal: &Goal, act: Act, goals: &[Goal], cast: &[String]) -> Vec<ActWatch> {
        if !goal.either {
            return ActWatch::of(goal, act, goals, cast).into_iter().collect();
        }
        let alone = |doer: &String| Goal { doers: vec![doer.clone()], either: false, ..goal.clone() };
        goal.doers.iter().filter_map(|doer| ActWatch::of(&alone(doer), act, goals, cast)).collect()
    }

    fn of(goal: &Goal, act: Act, goals: &[Goal], cast: &[String]) -> Option<ActWatch> {
        let doers = places(&goal.doers, cast)?;
        let seen = match act {
            Act::Agree => {
                let to = places(&goal.to, cast)?.into_iter().filter(|one| !doers.contains(one));
                let people: Vec<usize> = doers.iter().copied().chain(to).collect();
                match people[..] {
                    [one] => WatchKind::Assent(Assent::of(one)),
                    _ => WatchKind::Agreement(Agreement::between(people, Consent::of(goal, cast))),
                }
            }
            Act::Accept | Act::Forgive => {
                WatchKind::Acceptance(Acceptance::of(goal, act, &doers, goals, cast)?)
            }
            _ => WatchKind::ByEach(ByEach::of(&doers)),
        };
        let about = goal.about.as_deref().filter(|_| act == Act::Refuse);
        let displays: Vec<&str> = cast.iter().map(String::as_str).collect();
        let refused = about.and_then(|about| Goal::read(about, &displays).act);
        let to = goal.to.iter().filter_map(|name| names::index_of(name, cast)).collect();
        let rule = Rule { act, goal: goal.clone(), doers, to, topic: Topic::of(goal, cast), refused };
        Some(ActWatch { rule: Arc::new(rule), seen })
    }

    pub(super) fn hear(&mut self, line: &HeardLine<'_>) {
        let rule = &*self.rule;
        match &mut self.seen {
            WatchKind::ByEach(each) => each.hear(rule, line, || rule.seen_in(line)),
            WatchKind::Agreement(agreement) => agreement.hear(line, &rule.topic),
            WatchKind::Assent(assent) => assent.hear(line, &rule.topic),
            WatchKind::Acceptance(acceptance) => acceptance.hear(line, rule),
        }
    }

    /// The line by which the deed was done, if it was and has not been undone.
    pub(super) fn done(&self) -> Option<Spot> {
        match &self.seen {
            WatchKind::ByEach(each) => each.done(),
            WatchKind::Agreement(agreement) => agreement.made(),
            WatchKind::Assent(assent) => assent.given(),
            WatchKind::Acceptance(acceptance) => acceptance.done(),
        }
    }
}

impl Rule {
    /// What a line of a doer means for the deed: done, undone, or nothing.
    fn seen_in(&self, line: &HeardLine<'_>) -> Option<bool> {
        let acts = &line.traits.acts;
        let does = match self.act {
            Act::Interrupt => self.cuts_off(line),
            Act::Confront => confronts(line) && self.reaches(line),
            // Who does what they refuse to do has not refused it: "I forgive you. But no, you can't come in."
            Act::Refuse if self.refused.is_some_and(|deed| acts.has(deed)) => return Some(false),
            Act::Refuse => {
                let denies = self.refused.is_some_and(|deed| acts.denies(deed));
                (denies || acts.has(Act::Refuse) && self.topic.fits(line)) && self.reaches(line)
            }
            act => acts.has(act) && self.reaches(line) && self.topic.fits(line),
        };
        self.weigh(line, does)
    }

    /// A line that rules an act out has not done it, whatever else it says.
    pub(super) fn weigh(&self, line: &HeardLine<'_>, does: bool) -> Option<bool> {
        let acts = &line.traits.acts;
        match () {
            () if acts.denies(self.act) => Some(false),
            () if does => Some(true),
            () if acts.shows(Sign::Retraction) && is_taken_back(self.act) => Some(false),
            () => None,
        }
    }

    fn cuts_off(&self, line: &HeardLine<'_>) -> bool {
        let to = &self.goal.to;
        let of_whom = |cut: &str| to.is_empty() || to.iter().any(|name| names::same_person(name, cut));
        line.heard.action == Action::Interrupt && line.heard.cuts.is_some_and(of_whom)
    }

    /// Whether a line is meant for those of the goal: by its target, or by whom it calls by name.
    pub(super) fn reaches(&self, line: &HeardLine<'_>) -> bool {
        let called = &line.traits.called;
        self.goal.to.is_empty() || called.is_empty() || called.iter().any(|who| self.to.contains(who))
    }
}

/// Where each of the doers has done something and not taken it back.
#[derive(Debug, Clone)]
pub(super) struct ByEach {
    done: Vec<Option<Spot>>,
}

impl ByEach {
    pub(super) fn of(doers: &[usize]) -> ByEach {
        ByEach { done: vec![None; doers.len()] }
    }

    pub(super) fn hear(&mut self, rule: &Rule, line: &HeardLine<'_>, seen: impl FnOnce() -> Option<bool>) {
        let Some(doer) = rule.doers.iter().position(|doer| line.traits.who == Some(*doer)) else { return };
        match seen() {
            Some(true) => {
                self.done[doer].get_or_insert(line.spot);
            }
            Some(false) => self.done[doer] = None,
            None => {}
        }
    }

    pub(super) fn forget(&mut self) {
        self.done.fill(None);
    }

    pub(super) fn done(&self) -> Option<Spot> {
        self.done.iter().copied().collect::<Option<Vec<_>>>()?.into_iter().max()
    }
}

/// "I take it back" undoes words that bind their speaker; a confrontation or a question stays one.
fn is_taken_back(act: Act) -> bool {
    matches!(
        act,
        Act::Apologise | Act::Accept | Act::Forgive | Act::Promise | Act::Admit | Act::Thank | Act::Refuse
    )
}

fn confronts(line: &HeardLine<'_>) -> bool {
    let is_angry = || line.heard.tone.is_some_and(verdict::is_hostile);
    line.traits.acts.has(Act::Confront) || is_angry() && line.traits.parts.iter().any(|part| part.to_you)
}

/// Where people stand in the cast; nothing when one of them is not in it.
pub(super) fn places(people: &[String], cast: &[String]) -> Option<Vec<usize>> {
    people.iter().map(|name| names::index_of(name, cast)).collect()
}
