//! How one goal stands.

use super::{
    agreement, mood,
    stage::{Spoken, Stage},
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

/// The line by which a goal's act was done by all its doers, and has not been undone.
fn done(goal: &Goal, act: Act, goals: &[Goal], stage: &Stage<'_>) -> Option<usize> {
    let doers = places(&goal.doers, stage)?;
    match act {
        Act::Agree => {
            let mut people = doers;
            people.extend(
                places(&goal.to, stage)?.into_iter().filter(|one| !people.contains(one)).collect::<Vec<_>>(),
            );
            match people[..] {
                [one] => agreement::by_one(one, stage),
                _ => agreement::between(&people, stage),
            }
        }
        Act::Accept | Act::Forgive => accepted(goal, act, &doers, goals, stage),
        Act::Interrupt => by_each(&doers, 0, act, stage, |_, line| cuts_off(line, goal)),
        Act::Confront => {
            by_each(&doers, 0, act, stage, |_, line| reaches(line, goal, stage) && confronts(line))
        }
        Act::Ask => {
            let topic = goal.about.as_deref().map(Topic::of);
            let on_topic =
                |line: &Spoken<'_>| topic.as_ref().is_none_or(|topic| topic.is_touched(line.heard.content));
            by_each(&doers, 0, act, stage, |_, line| {
                line.heard.acts.has(act) && reaches(line, goal, stage) && on_topic(line)
            })
        }
        _ => by_each(&doers, 0, act, stage, |_, line| line.heard.acts.has(act) && reaches(line, goal, stage)),
    }
}

/// An apology can only be accepted once it was made. Where one of the goals is to make it, that one counts.
fn accepted(goal: &Goal, act: Act, doers: &[usize], goals: &[Goal], stage: &Stage<'_>) -> Option<usize> {
    let is_due = |other: &&Goal| {
        other.act == Some(Act::Apologise)
            && !other.negated
            && other.is_readable()
            && other.doers != goal.doers
    };
    let since = match goals.iter().find(is_due) {
        Some(apology) => done(apology, Act::Apologise, goals, stage)? + 1,
        None => 0,
    };
    let sorry =
        stage.lines.iter().position(|line| line.heard.acts.shows(Sign::Apology) && !is_one_of(line, doers));
    let of_offer = sorry.is_none() && goal.about.as_deref().is_some_and(|about| !about.contains("apolog"));
    by_each(doers, since, act, stage, |at, line| {
        let acts = line.heard.acts;
        let softly = sorry.is_some_and(|sorry| sorry < at) && acts.shows(Sign::SoftAcceptance);
        // "Alice accepts the offer": then "deal" will do.
        acts.has(Act::Accept) || softly || of_offer && at > 0 && acts.shows(Sign::Assent)
    })
}

/// The line by which each of the doers had done something and not taken it back.
fn by_each(
    doers: &[usize],
    since: usize,
    act: Act,
    stage: &Stage<'_>,
    does: impl Fn(usize, &Spoken<'_>) -> bool,
) -> Option<usize> {
    let mut done: Vec<Option<usize>> = vec![None; doers.len()];
    for (at, line) in stage.lines.iter().enumerate().skip(since) {
        let Some(doer) = doers.iter().position(|doer| line.who == Some(*doer)) else { continue };
        let acts = line.heard.acts;
        if does(at, line) {
            done[doer].get_or_insert(at);
        } else if acts.denies(act) || acts.shows(Sign::Retraction) && is_taken_back(act) {
            done[doer] = None;
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

fn reaches(line: &Spoken<'_>, goal: &Goal, stage: &Stage<'_>) -> bool {
    names::reaches(line.heard.target, &goal.to, stage.cast)
}

fn is_one_of(line: &Spoken<'_>, people: &[usize]) -> bool {
    line.who.is_some_and(|who| people.contains(&who))
}

/// Where people stand in the cast; nothing when one of them is not in it.
fn places(people: &[String], stage: &Stage<'_>) -> Option<Vec<usize>> {
    people.iter().map(|name| names::index_of(name, stage.cast)).collect()
}

/// The words that a question has to touch.
struct Topic {
    stems: Vec<String>,
}

impl Topic {
    /// Endings differ ("late", "lateness"; "missing", "missed"), so words are compared by how they begin.
    const STEM: usize = 4;

    fn of(about: &str) -> Topic {
        let words = Text::read(about).words;
        let stem = |word: &str| word.chars().take(Self::STEM).collect::<String>();
        let telling =
            words.iter().filter(|word| word.text.chars().count() >= Self::STEM && word.text != "about");
        Topic { stems: telling.map(|word| stem(&word.text)).collect() }
    }

    fn is_touched(&self, content: &str) -> bool {
        let touches = |word: &str| self.stems.iter().any(|stem| word.starts_with(stem.as_str()));
        self.stems.is_empty() || Text::read(content).words.iter().any(|word| touches(&word.text))
    }
}
