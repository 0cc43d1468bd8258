//! How one goal stands.

use super::{
    agreement::{self, Consent},
    mood,
    stage::{Spoken, Stage},
    topic::Topic,
};
use crate::{
    judge::{Act, Goal, acts::Sign, names, words::Text},
    reply::Action,
};

/// How a goal stands, with the spoken line that shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    /// The rules do not know who or what is meant.
    Unreadable,
    Unmet,
    Met(usize),
    /// What must not happen has not happened.
    Kept,
    /// What must not happen has happened.
    Broken(usize),
}

impl Standing {
    pub(super) fn met(self) -> Option<bool> {
        match self {
            Standing::Unreadable => None,
            Standing::Met(_) | Standing::Kept => Some(true),
            Standing::Unmet | Standing::Broken(_) => Some(false),
        }
    }

    pub(super) fn line(self) -> Option<usize> {
        match self {
            Standing::Met(at) | Standing::Broken(at) => Some(at),
            Standing::Unreadable | Standing::Unmet | Standing::Kept => None,
        }
    }
}

/// How a goal stands among all the goals of its scene.
pub(super) fn of(goal: &Goal, goals: &[Goal], stage: &Stage<'_>) -> Standing {
    let Some(act) = goal.act.filter(|_| goal.is_readable()) else { return Standing::Unreadable };
    match (done(goal, act, goals, stage), goal.negated) {
        (Some(at), false) => Standing::Met(at),
        (None, false) => Standing::Unmet,
        (Some(at), true) => Standing::Broken(at),
        (None, true) => Standing::Kept,
    }
}

/// The line by which a goal's act was done by all its doers, or by one where that is enough, and has not been undone.
fn done(goal: &Goal, act: Act, goals: &[Goal], stage: &Stage<'_>) -> Option<usize> {
    if goal.either {
        let alone = |doer: &String| Goal { doers: vec![doer.clone()], either: false, ..goal.clone() };
        return goal.doers.iter().filter_map(|doer| done(&alone(doer), act, goals, stage)).min();
    }
    let doers = places(&goal.doers, stage)?;
    match act {
        Act::Agree => {
            let mut people = doers;
            people.extend(
                places(&goal.to, stage)?.into_iter().filter(|one| !people.contains(one)).collect::<Vec<_>>(),
            );
            match people[..] {
                [one] => agreement::by_one(one, &Topic::of(goal), stage),
                _ => agreement::between(&people, Consent::of(goal, stage.cast), stage),
            }
        }
        Act::Accept | Act::Forgive => accepted(goal, act, &doers, goals, stage),
        Act::Interrupt => by_each(&doers, 0, stage, |_, line| weigh(act, line, cuts_off(line, goal))),
        Act::Confront => by_each(&doers, 0, stage, |_, line| {
            weigh(act, line, confronts(line) && reaches(line, goal, stage))
        }),
        Act::Refuse => refused(goal, &doers, stage),
        _ => {
            let topic = Topic::of(goal);
            by_each(&doers, 0, stage, |at, line| {
                let does =
                    line.heard.acts.has(act) && reaches(line, goal, stage) && topic.fits(at, line, stage);
                weigh(act, line, does)
            })
        }
    }
}

/// Who does what they refuse to do has not refused it: "I forgive you. But no, you can't come in."
fn refused(goal: &Goal, doers: &[usize], stage: &Stage<'_>) -> Option<usize> {
    let topic = Topic::of(goal);
    let deed = goal.about.as_deref().and_then(|about| Goal::read(about, stage.cast).act);
    by_each(doers, 0, stage, |at, line| {
        let acts = line.heard.acts;
        if deed.is_some_and(|deed| acts.has(deed)) {
            return Some(false);
        }
        let denies = deed.is_some_and(|deed| acts.denies(deed));
        let does = denies || acts.has(Act::Refuse) && topic.fits(at, line, stage);
        weigh(Act::Refuse, line, does && reaches(line, goal, stage))
    })
}

/// An apology can only be accepted once it was made, and only from whoever made it. Where one of the goals is to make
/// it, that one counts. Forgiving takes less: owning up is enough.
fn accepted(goal: &Goal, act: Act, doers: &[usize], goals: &[Goal], stage: &Stage<'_>) -> Option<usize> {
    let is_due = |other: &&Goal| {
        other.act == Some(Act::Apologise)
            && !other.negated
            && other.is_readable()
            && other.doers != goal.doers
            && (goal.to.is_empty() || other.doers.iter().any(|doer| goal.to.contains(doer)))
    };
    let due = goals.iter().find(is_due);
    let since = match due {
        Some(apology) => done(apology, Act::Apologise, goals, stage)? + 1,
        None => 0,
    };
    let to = places(&goal.to, stage)?;
    let is_culprit = |line: &Spoken<'_>| match to[..] {
        [] => !is_one_of(line, doers),
        _ => is_one_of(line, &to),
    };
    let first = |act| stage.lines.iter().position(|line| line.heard.acts.has(act) && is_culprit(line));
    let sorry = first(Act::Apologise);
    let owned = first(Act::Admit).filter(|_| act == Act::Forgive);
    let about = goal.about.as_deref();
    let of_apology =
        act == Act::Forgive || due.is_some() || about.is_some_and(|about| about.contains("apolog"));
    let of_offer = sorry.is_none() && !of_apology && about.is_some();
    by_each(doers, since, stage, |at, line| {
        let acts = line.heard.acts;
        let made = |cause: Option<usize>| cause.is_some_and(|cause| cause < at);
        let softly = made(sorry) && acts.shows(Sign::SoftAcceptance);
        let openly = acts.shows(Sign::Acceptance) || acts.shows(Sign::Forgiveness);
        let does = match of_apology {
            true => softly || openly && (made(sorry) || made(owned)),
            // "Alice accepts the offer": then "deal" will do.
            false => softly || acts.has(Act::Accept) || of_offer && at > 0 && acts.shows(Sign::Assent),
        };
        weigh(act, line, does && reaches(line, goal, stage))
    })
}

/// What a line means for an act: done, undone, or nothing. Whoever rules it out has not done it, whatever else they say.
fn weigh(act: Act, line: &Spoken<'_>, does: bool) -> Option<bool> {
    let acts = line.heard.acts;
    match () {
        () if acts.denies(act) => Some(false),
        () if does => Some(true),
        () if acts.shows(Sign::Retraction) && is_taken_back(act) => Some(false),
        () => None,
    }
}

/// The line by which each of the doers had done something and not taken it back.
fn by_each(
    doers: &[usize],
    since: usize,
    stage: &Stage<'_>,
    weigh: impl Fn(usize, &Spoken<'_>) -> Option<bool>,
) -> Option<usize> {
    let mut done: Vec<Option<usize>> = vec![None; doers.len()];
    for (at, line) in stage.lines.iter().enumerate().skip(since) {
        let Some(doer) = doers.iter().position(|doer| line.who == Some(*doer)) else { continue };
        match weigh(at, line) {
            Some(true) => done[doer] = done[doer].or(Some(at)),
            Some(false) => done[doer] = None,
            None => {}
        }
    }
    done.into_iter().collect::<Option<Vec<_>>>()?.into_iter().max()
}

/// "I take it back" undoes words that bind their speaker; a confrontation or a question stays one.
fn is_taken_back(act: Act) -> bool {
    matches!(
        act,
        Act::Apologise | Act::Accept | Act::Forgive | Act::Promise | Act::Admit | Act::Thank | Act::Refuse
    )
}

fn confronts(line: &Spoken<'_>) -> bool {
    let angry_at_you = || {
        line.heard.tone.is_some_and(mood::is_hostile)
            && Text::spoken(line.heard.content).words.iter().any(|word| matches!(&*word.text, "you" | "your"))
    };
    line.heard.acts.has(Act::Confront) || angry_at_you()
}

fn cuts_off(line: &Spoken<'_>, goal: &Goal) -> bool {
    let of_whom = |cut: &str| goal.to.is_empty() || goal.to.iter().any(|name| names::same_person(name, cut));
    line.heard.action == Action::Interrupt && line.heard.cuts.is_some_and(of_whom)
}

/// Whether a line is meant for those of the goal: by its target, or by whom it calls by name.
fn reaches(line: &Spoken<'_>, goal: &Goal, stage: &Stage<'_>) -> bool {
    if goal.to.is_empty() || line.heard.target.is_some() {
        return names::reaches(line.heard.target, &goal.to, stage.cast);
    }
    let called = names::called(&Text::spoken(line.heard.content), stage.cast);
    called.is_empty() || called.iter().any(|who| goal.to.iter().any(|name| name == stage.cast[*who]))
}

fn is_one_of(line: &Spoken<'_>, people: &[usize]) -> bool {
    line.who.is_some_and(|who| people.contains(&who))
}

/// Where people stand in the cast; nothing when one of them is not in it.
fn places(people: &[String], stage: &Stage<'_>) -> Option<Vec<usize>> {
    people.iter().map(|name| names::index_of(name, stage.cast)).collect()
}
