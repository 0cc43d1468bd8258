//! Reading one clause: doers, act, to whom, about what.

use super::{
    Act, Goal,
    verbs::{self, is_plural},
};
use crate::acts::{self, GoalReading};
use crate::judge::{
    names,
    phrase::Found,
    words::{Text, Word, WordKind},
};

pub(super) fn read(text: &str, cast: &[&str]) -> Goal {
    let collapsed = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut words = Text::read(&collapsed).words;
    words.truncate(words.len() - aftertone(&words));
    let unknown = acts::unknown_doer(acts::without_lead(&collapsed), cast);
    let Some(verb) = verbs::find(&words).filter(|_| unknown.is_none()) else {
        let known = if unknown.is_none() { subjects(&words, cast) } else { Vec::new() };
        let doers = named(cast, &known);
        return Goal {
            subjects: named(cast, &leading(&words, cast)),
            text: collapsed,
            doers,
            act: None,
            to: vec![],
            about: None,
            either: false,
            negated: false,
            reading: by_tables(text, cast),
        };
    };
    let act = verb.means;
    let after = Object::read(&collapsed, &words, &verb, cast);
    let mut subjects = subjects(&words[..verb.from], cast);
    let to: Vec<usize> = match after.to {
        Some(Whom::Named(to)) => to,
        Some(Whom::Other) => others(cast, &subjects),
        // "him" could be any of several; then it is left open.
        Some(Whom::OtherOne) => {
            Some(others(cast, &subjects)).filter(|left| left.len() == 1).unwrap_or_default()
        }
        None if matches!(act, Act::Accept | Act::Forgive | Act::Refuse) && after.about.is_some() => {
            owner(&words[verb.to..], cast)
        }
        // "cuts Bob off" has him in the middle.
        None => people_within(&words[verb.from + 1..verb.to], cast),
    };
    if subjects.len() == cast.len() && to.len() < cast.len() {
        // "Everyone thanks Bob" leaves Bob out.
        subjects.retain(|one| !to.contains(one));
    }
    let to: Vec<usize> = to.into_iter().filter(|one| !subjects.contains(one)).collect();
    let doers = match subjects.is_empty() && is_plural(&words[verb.from].text) {
        true => unnamed_doers(act, cast, &to),
        false => subjects,
    };
    let has = |words: &[Word<'_>], set: &[&str]| words.iter().any(|word| set.contains(&&*word.text));
    // "Makes no apology" has its "no" within, and "too proud to apologize" does not do it either.
    let negated = has(&words[..verb.from], &NEGATORS)
        || has(&words[verb.from..verb.to], &["no"])
        || is_too_much(&words[..verb.from]);
    let either = has(&words[..verb.from], &["or"]) && doers.len() > 1;
    let doubt = doubt_of(&words, &verb, cast);
    let act = Some(act).filter(|_| doubt.is_none());
    let mut reading = match doubt {
        Some(Doubt::Hedged) => Err(HEDGED.to_owned()),
        Some(Doubt::Stranger) if !may_be_cast(&words[verb.to..], cast) => Err(STRANGER.to_owned()),
        Some(Doubt::Stranger) | None => by_tables(text, cast),
    };
    if let Ok(reading) = &mut reading
        && reading.addressee.is_empty()
    {
        // "accepts *Bob*'s apology".
        reading.addressee.clone_from(&to);
    }
    let about = after.about.map(str::to_owned);
    let doers = named(cast, &doers);
    let subjects = doers.clone();
    Goal { doers, subjects, act, to: named(cast, &to), about, either, negated, text: collapsed, reading }
}

const HEDGED: &str = "it is only tried, thought of or bound to a condition, or two people go by that name";

const STRANGER: &str = "it is done to somebody who is not in the cast";

/// Why a clause is not simply taken for the act it names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Doubt {
    /// Only thought of, tried or waited for; bound to a condition; or two people go by that name.
    Hedged,
    /// Done to "his mother", whoever that is.
    Stranger,
}

/// Whether "her father" may be one of the cast: by that name, or as the only other one there is.
fn may_be_cast(after: &[Word<'_>], cast: &[&str]) -> bool {
    let is_named = |name: &str| {
        name.split_whitespace()
            .any(|part| after.iter().take(LONGEST_TAIL).any(|word| word.text.eq_ignore_ascii_case(part)))
    };
    cast.len() == 2 || cast.iter().any(|name| is_named(name))
}

fn by_tables(text: &str, cast: &[&str]) -> Result<GoalReading, String> {
    if cast.is_empty() {
        return Err("there is nobody to do it".to_owned());
    }
    acts::read(text, cast)
}

/// Those whom a clause begins with: "Alice and Bob reconcile". Not those who only own what it begins with:
/// "Bob's secret comes out".
fn leading(words: &[Word<'_>], cast: &[&str]) -> Vec<usize> {
    let mut leading = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let Some((who, len)) = people(words, at, cast) else { break };
        if words.get(at + len).is_some_and(|word| word.text == "'s") {
            return Vec::new();
        }
        leading.extend(who.into_iter().filter(|one| !leading.contains(one)).collect::<Vec<_>>());
        at += len;
        let goes_on = words.get(at).is_some_and(|word| is_and(&word.text) || word.opens);
        if !goes_on {
            break;
        }
        at += usize::from(is_and(&words[at].text));
    }
    leading
}

/// Whose the thing is: "accepts *Bob*'s apology".
fn owner(words: &[Word<'_>], cast: &[&str]) -> Vec<usize> {
    let owns = |at: &usize| {
        let (who, len) = names::mention(words, *at, cast)?;
        words.get(at + len).is_some_and(|word| word.text == "'s").then_some(who)
    };
    (0..words.len()).find_map(|at| owns(&at)).into_iter().collect()
}

/// "Too proud to".
fn is_too_much(before: &[Word<'_>]) -> bool {
    let too = before.iter().position(|word| word.text == "too");
    too.is_some_and(|too| before[too..].last().is_some_and(|word| word.text == "to"))
}

/// What a clause says other than that the act is to be done, once, by somebody the rules know and to one of them.
fn doubt_of(words: &[Word<'_>], verb: &Found<Act>, cast: &[&str]) -> Option<Doubt> {
    let (before, after) = (&words[..verb.from], &words[verb.to..]);
    let thought = before.iter().any(|word| HEDGES.contains(&&*word.text));
    let bound = after.iter().any(|word| match &*word.text {
        "if" => verb.means != Act::Ask,
        word => matches!(word, "but" | "unless" | "twice" | "thrice"),
    });
    let personal = matches!(
        verb.means,
        Act::Apologise | Act::Forgive | Act::Thank | Act::Confront | Act::Interrupt | Act::Farewell
    );
    let led = usize::from(after.first().is_some_and(|word| word.text == "to"));
    let stranger = personal
        && after.len() > led + 1
        && matches!(&*after[led].text, "his" | "her" | "their")
        && !is_about(&after[led + 1].text)
        && !is_manner(&after[led + 1]);
    let mut at = 0;
    let mut unclear = false;
    while at < words.len() {
        unclear |= names::is_ambiguous(words, at, cast);
        // "Tolliver" alone could be two people; as a part of "Granny Tolliver" it is one.
        at += names::mention(words, at, cast).map_or(1, |(_, len)| len.max(1));
    }
    match () {
        () if thought || bound || unclear => Some(Doubt::Hedged),
        () if stranger => Some(Doubt::Stranger),
        () => None,
    }
}

const HEDGES: [&str; 28] = [
    "almost",
    "nearly",
    "struggle",
    "struggles",
    "try",
    "tries",
    "think",
    "thinks",
    "realise",
    "realises",
    "realize",
    "realizes",
    "believe",
    "believes",
    "hope",
    "hopes",
    "wait",
    "waits",
    "demand",
    "demands",
    "expect",
    "expects",
    "pretend",
    "pretends",
    "consider",
    "considers",
    "if",
    "unless",
];

/// How many words at the end only say when: "Bob forgives her *in the end*".
fn aftertone(words: &[Word<'_>]) -> usize {
    const PHRASES: [&[&str]; 4] =
        [&["in", "the", "end"], &["at", "last"], &["at", "the", "end"], &["eventually"]];
    let ends = |phrase: &&[&str]| {
        words.iter().rev().map(|word| &*word.text).take(phrase.len()).eq(phrase.iter().rev().copied())
    };
    PHRASES.iter().copied().find(|phrase| ends(phrase)).map_or(0, <[&str]>::len)
}

fn people_within(words: &[Word<'_>], cast: &[&str]) -> Vec<usize> {
    (0..words.len()).find_map(|at| people(words, at, cast)).map_or(vec![], |(who, _)| who)
}

/// Who does what a clause says, as places in the cast: the last people named before the verb.
pub(super) fn subjects(words: &[Word<'_>], cast: &[&str]) -> Vec<usize> {
    let mut group: Vec<usize> = Vec::new();
    let mut group_end = 0;
    let mut at = 0;
    while at < words.len() {
        let Some((who, len)) = people(words, at, cast) else {
            at += 1;
            continue;
        };
        let before = at.checked_sub(1).map_or("", |before| &*words[before].text);
        let possessive = words.get(at + len).is_some_and(|word| word.text == "'s");
        let joined = !group.is_empty() && words[group_end..at].iter().all(|word| is_and(&word.text));
        // "Alice and Bob both agree": the names say who, "both" adds nothing.
        let restates = joined && group_end == at && who.len() > 1;
        if !possessive && (joined || !PREPOSITIONS.contains(&before)) && !restates {
            if !joined {
                group.clear();
            }
            group.extend(who.into_iter().filter(|one| !group.contains(one)).collect::<Vec<_>>());
            group_end = at + len;
        }
        at += len;
    }
    group
}

/// The people a word names: one by name, or everybody.
pub(super) fn people(words: &[Word<'_>], at: usize, cast: &[&str]) -> Option<(Vec<usize>, usize)> {
    if let Some((who, len)) = names::mention(words, at, cast) {
        return Some((vec![who], len));
    }
    EVERYBODY.contains(&&*words[at].text).then(|| ((0..cast.len()).collect(), 1))
}

pub(super) fn is_and(word: &str) -> bool {
    matches!(word, "and" | "or")
}

const EVERYBODY: [&str; 7] = ["they", "both", "everyone", "everybody", "all", "we", "each"];

const NEGATORS: [&str; 5] = ["not", "never", "without", "fails", "nobody"];

const PREPOSITIONS: [&str; 20] = [
    "to", "with", "of", "from", "for", "by", "about", "at", "on", "in", "near", "against", "behind",
    "before", "after", "than", "like", "over", "toward", "towards",
];

/// "Agree on next steps" is everybody's; "apologize to Alice" is for whoever is left.
fn unnamed_doers(act: Act, cast: &[&str], to: &[usize]) -> Vec<usize> {
    let left = others(cast, to);
    if act == Act::Agree || left.len() == 1 { left } else { vec![] }
}

fn others(cast: &[&str], than: &[usize]) -> Vec<usize> {
    (0..cast.len()).filter(|one| !than.contains(one)).collect()
}

fn named(cast: &[&str], who: &[usize]) -> Vec<String> {
    who.iter().map(|one| cast[*one].to_owned()).collect()
}

/// What follows the verb.
struct Object<'t> {
    to: Option<Whom>,
    about: Option<&'t str>,
}

/// "…to Mary Ann Smith and Bob" is as far from the end as whom it is done to can begin.
const LONGEST_TAIL: usize = 6;

enum Whom {
    Named(Vec<usize>),
    /// "them", "each other": whoever is not the doer.
    Other,
    /// "him", "her".
    OtherOne,
}

impl<'t> Object<'t> {
    fn read(text: &'t str, words: &[Word<'_>], verb: &Found<Act>, cast: &[&str]) -> Object<'t> {
        let mut at = verb.to;
        while words.get(at).is_some_and(is_manner) {
            at += 1;
        }
        let led =
            words.get(at).is_some_and(|word| matches!(&*word.text, "to" | "with" | "at" | "on" | "from"));
        let (to, end) = match whom(words, at + usize::from(led), cast) {
            Some((to, end)) => (Some(to), end),
            None => (None, at),
        };
        let Some(first) = (end..words.len()).find(|at| !is_manner(&words[*at])) else {
            return Object { to, about: None };
        };
        // "apologizes for being late to Alice", "requests a map from Bob" name whom at the very end.
        let leads_to = |word: &str| match word {
            "to" => true,
            "from" => matches!(verb.means, Act::Ask | Act::Accept),
            "of" => verb.means == Act::Ask,
            _ => false,
        };
        let trailing = (first + 1..words.len()).rev().take(LONGEST_TAIL).find_map(|at| {
            let (late, end) = whom(words, at, cast)?;
            (to.is_none() && leads_to(&words[at - 1].text) && end == words.len()).then_some((late, at - 1))
        });
        let (to, last) = match trailing {
            Some((late, end)) => (Some(late), end),
            None => (to, words.len()),
        };
        let first = first + usize::from(first + 1 < last && is_about(&words[first].text));
        let about = (first < last).then(|| &text[words[first].start..words[last - 1].end]);
        Object { to, about }
    }
}

/// The people an act is done to, if they stand at this word, and where their names end.
fn whom(words: &[Word<'_>], at: usize, cast: &[&str]) -> Option<(Whom, usize)> {
    let first = words.get(at)?;
    if matches!(&*first.text, "him" | "them" | "her") {
        let possessive = first.text == "her" && words.get(at + 1).is_some_and(|next| !is_about(&next.text));
        let whom = if first.text == "them" { Whom::Other } else { Whom::OtherOne };
        return (!possessive).then_some((whom, at + 1));
    }
    if first.text == "each" && words.get(at + 1).is_some_and(|next| next.text == "other") {
        return Some((Whom::Other, at + 2));
    }
    let mut who = Vec::new();
    let (mut end, mut next) = (at, at);
    while next < words.len() {
        let Some((named, len)) = people(words, next, cast) else { break };
        if words.get(next + len).is_some_and(|word| word.text == "'s") {
            break;
        }
        who.extend(named.into_iter().filter(|one| !who.contains(one)).collect::<Vec<_>>());
        end = next + len;
        next = end + usize::from(words.get(end).is_some_and(|word| is_and(&word.text)));
    }
    (!who.is_empty()).then_some((Whom::Named(who), end))
}

/// Words that lead to what an act is about. "to" stays: "promises *to change*" is no promise of change.
fn is_about(word: &str) -> bool {
    matches!(word, "about" | "for" | "on" | "over" | "regarding" | "of" | "that" | "upon" | "in" | "with")
}

/// Words on how it is done.
fn is_manner(word: &Word<'_>) -> bool {
    word.is(WordKind::Padding)
        || matches!(&*word.text, "mid-sentence" | "finally" | "together" | "again" | "sincerely")
}
