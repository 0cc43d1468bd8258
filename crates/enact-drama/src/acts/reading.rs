//! A goal, read: who does which act to whom, about what.

use super::{
    ActKind, Group, NamedBy, Naming, TABLES,
    content_words::{content_of, telling},
    inflection::{is_participle, stem},
    participants::{
        Causer, agent_after, caused, led_by_to, object_after, owners, settle, subject_of, within,
        without_people,
    },
    people::{self, Mention},
    unknown_doer::unknown_doer,
};
use crate::english::{
    phrase::Found,
    words::{Text, Word},
};

/// What a goal asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GoalReading {
    pub act: ActKind,
    /// Places in the cast of those who have to do it.
    pub subject: Vec<usize>,
    /// Whether all of them have to.
    pub group: Group,
    /// Places in the cast of those it is done to; empty where the goal does not say.
    pub addressee: Vec<usize>,
    /// What it is about, in the author's words: "for losing the key".
    pub content: String,
    /// The stems of its telling words.
    pub content_stems: Vec<String>,
    /// The stem of the verb, where the act is a deed without a table of its own.
    pub deed: Option<String>,
    /// Another character is to bring them to it: "get the vizier to open the gate". Then assent is as good.
    pub brought_to: bool,
    /// No member of the cast is named, nor a kind of people: "the truth comes out".
    pub by_anybody: bool,
    /// "Bob does not apologise".
    pub negated: bool,
    /// The act it names after its own: "decides to *stay*".
    pub settles_on: Option<ActKind>,
}

/// Reads a goal. The error says why it cannot be read.
pub fn read(goal: &str, cast: &[&str]) -> Result<GoalReading, String> {
    let text = without_lead(goal);
    if let Some(unknown) = unknown_doer(text, cast) {
        return Err(unknown);
    }
    // "The truth comes out: Tobias owns up" says it twice; the second time says who.
    if let Some((head, tail)) = text.split_once(": ")
        && let Ok(mut reading) = clause(tail, cast)
        && reading.act != ActKind::deed()
    {
        reading.content_stems.extend(telling(&Text::read(head).words, cast));
        return Ok(reading);
    }
    clause(text, cast)
}

const NO_DEED: &str = "it names no deed";

const LEADS: [&str; 29] = [
    "scene goals:",
    "scene goal:",
    "goals:",
    "goal:",
    "what must happen:",
    "what has to happen:",
    "by the end of the scene,",
    "by the end of the scene",
    "by the end of it,",
    "by the end,",
    "by the end",
    "in the end,",
    "in the end",
    "at the end,",
    "the scene ends when",
    "the scene ends once",
    "the scene ends with",
    "the scene is over when",
    "the scene is over once",
    "the scene finishes when",
    "the scene closes when",
    "the scene ends as soon as",
    "the scene ends after",
    "scene ends when",
    "it ends when",
    "ends when",
    "ends with",
    "ends once",
    "over when",
];

/// A goal without the words that only say that it is one.
pub(crate) fn without_lead(goal: &str) -> &str {
    let mut text = goal.trim().trim_start_matches(['*', '-', '•', ' ']);
    loop {
        let lead = LEADS.iter().find(|lead| {
            text.get(..lead.len()).is_some_and(|start| start.eq_ignore_ascii_case(lead))
                && (lead.ends_with([':', ',']) || text[lead.len()..].starts_with([' ', ',']))
        });
        match lead {
            Some(lead) => text = text[lead.len()..].trim_start_matches([' ', ',', '*']),
            None => return text.trim_end(),
        }
    }
}

fn clause(text: &str, cast: &[&str]) -> Result<GoalReading, String> {
    let all = Text::read(text).words;
    let mut words = &all[..];
    let mut brought_to = false;
    let mut outer: Vec<usize> = Vec::new();
    let mut doer: Option<Mention> = None;
    // "Get X to …", "For X to …", "Perla gets Anton to …": another's deed.
    while let Some((causer, mention, rest)) = caused(words, cast) {
        brought_to |= causer != Causer::For;
        if causer == Causer::Named {
            outer = subject_of(&words[..1.min(words.len())], cast).map_or(outer, |mention| mention.who);
        }
        doer = Some(mention);
        words = rest;
        if words.is_empty() {
            break;
        }
    }
    if words.is_empty() {
        return Err(NO_DEED.to_owned());
    }
    let found = find_act(words);
    let (naming, from, to) = match found {
        Some(found) => (Some(found.means), found.from, found.to),
        None => {
            let led = doer.is_some();
            let (from, to) = if led { (0, 1) } else { main_verb(words, cast).ok_or(NO_DEED)? };
            (None, from, to)
        }
    };
    let before = &words[..from];
    // "The order to fall back is given": what is given is the act.
    let handed = naming.filter(|naming| naming.act.name() == "give").and_then(|_| noun_in(&words[..from]));
    let act = handed.or_else(|| naming.map(|naming| naming.act)).unwrap_or_else(ActKind::deed);
    let passive = is_passive(words, from) && naming.is_none_or(|naming| naming.by == NamedBy::Doer);
    let by = naming.map_or(NamedBy::Doer, |naming| naming.by);
    let named_before = doer.or_else(|| subject_of(before, cast));
    let agent = agent_after(&words[to..], cast);
    let everyone = || Mention { who: (0..cast.len()).collect(), group: Group::Any, words: 0 };
    let (mut subject, mut addressee) = match (passive, by) {
        (false, NamedBy::Doer) => {
            let subject = named_before.unwrap_or_else(everyone);
            (subject, object_after(&words[to..], cast, act).or_else(|| within(&words[from + 1..to], cast)))
        }
        (_, NamedBy::Noun) => {
            (agent.or(named_before).unwrap_or_else(everyone), led_by_to(&words[to..], cast))
        }
        (_, NamedBy::Nobody) => (agent.unwrap_or_else(everyone), None),
        _ => (agent.unwrap_or_else(everyone), named_before),
    };
    let content_words = content_of(words, from, to, act, passive || by != NamedBy::Doer);
    let by_anybody = subject.words == 0;
    if by_anybody && act == ActKind::deed() && addressee.is_none() && !brought_to {
        return Err("it names nobody of the cast".to_owned());
    }
    // "Bob's manager apologises": whoever that is, it is not Bob.
    let is_active = !passive && by == NamedBy::Doer;
    outer.extend(owners(before, cast).into_iter().filter(|_| by_anybody && is_active));
    settle(&mut subject, addressee.as_mut(), &outer, cast);
    let negated = is_negated(before, naming);
    let deed = (act == ActKind::deed()).then(|| stem(&words[from].text));
    // "tells Mia where the key is": the question is what is told.
    let asked = to > from + 1
        && matches!(
            &*words[to - 1].text,
            "who" | "where" | "what" | "why" | "how" | "whether" | "which" | "when"
        );
    let start = to - usize::from(asked);
    let about = without_people(words, start, act, cast);
    let first = words.get(about.start).map_or(text.len(), |word| word.start);
    let last = if about.end < words.len() { words[about.end].start } else { text.len() };
    Ok(GoalReading {
        act,
        subject: subject.who,
        group: subject.group,
        addressee: addressee.map(|mention| mention.who).unwrap_or_default(),
        content: text.get(first..last).unwrap_or_default().trim().trim_end_matches('.').to_owned(),
        content_stems: telling(&content_words, cast),
        deed,
        brought_to,
        by_anybody,
        negated,
        settles_on: settles_on(words, to),
    })
}

/// The act that follows another as an infinitive.
fn settles_on(words: &[Word<'_>], to: usize) -> Option<ActKind> {
    let rest = words.get(to..).filter(|rest| rest.first().is_some_and(|word| word.text == "to"))?;
    let found = TABLES.namings.at(rest, 1, 0).filter(|found| found.means.by == NamedBy::Doer);
    found.max_by_key(|found| found.to).map(|found| found.means.act)
}

/// The act named in a clause: the first, and of several at one place the longest.
pub(super) fn find_act(words: &[Word<'_>]) -> Option<Found<Naming>> {
    let is_noun = |at: usize| {
        at.checked_sub(1).is_some_and(|before| {
            matches!(
                &*words[before].text,
                "a" | "an"
                    | "the"
                    | "his"
                    | "her"
                    | "their"
                    | "its"
                    | "my"
                    | "your"
                    | "our"
                    | "this"
                    | "that"
                    | "any"
                    | "'s"
            )
        })
    };
    let verbs = |at: usize| {
        let found = TABLES.namings.at(words, at, 0).filter(move |found| found.means.by != NamedBy::Noun);
        found.filter(move |_| !is_noun(at)).max_by_key(|found| found.to)
    };
    let nouns = |at: usize| TABLES.namings.at(words, at, 0).find(|found| found.means.by == NamedBy::Noun);
    (0..words.len()).find_map(verbs).or_else(|| (0..words.len()).find_map(nouns))
}

/// Whether a clause names an act of the tables, or one begins at a word.
pub(crate) fn names_act(words: &[Word<'_>]) -> bool {
    find_act(words).is_some_and(|found| found.means.by != NamedBy::Noun)
}

/// Whether an act of the tables is named by a verb at a word.
pub(crate) fn act_begins(words: &[Word<'_>], at: usize) -> bool {
    find_act(&words[at..]).is_some_and(|found| found.from == 0 && found.means.by != NamedBy::Noun)
}

fn noun_in(words: &[Word<'_>]) -> Option<ActKind> {
    let noun = |at: usize| TABLES.namings.at(words, at, 0).find(|found| found.means.by == NamedBy::Noun);
    (0..words.len()).find_map(noun).map(|found| found.means.act)
}

/// The verb of a clause that names no act of the tables.
pub(super) fn main_verb(words: &[Word<'_>], cast: &[&str]) -> Option<(usize, usize)> {
    let mut at = 0;
    if words.first()?.text == "to" {
        return (words.len() > 1).then_some((1, 2));
    }
    // The people it begins with, or the thing: "the letters are burnt".
    while let Some(mention) = people::at(words, at, cast) {
        at += mention.words;
        match words.get(at).map(|word| &*word.text) {
            Some("and" | "or") => at += 1,
            _ => break,
        }
    }
    if at == 0 {
        let verb = words
            .iter()
            .position(|word| matches!(&*word.text, "is" | "are" | "gets" | "get" | "has" | "have"));
        at = verb.unwrap_or(usize::from(words.len() > 1));
    }
    let verb = (at..words.len()).find(|at| !helps(&words[*at].text)).unwrap_or(at.min(words.len() - 1));
    Some((verb, verb + 1))
}

/// Words between a subject and its verb: "has finally".
pub(super) fn helps(word: &str) -> bool {
    matches!(
        word,
        "is" | "are"
            | "was"
            | "were"
            | "be"
            | "been"
            | "being"
            | "has"
            | "have"
            | "had"
            | "must"
            | "should"
            | "will"
            | "can"
            | "to"
            | "not"
            | "finally"
            | "does"
            | "do"
            | "did"
            | "gets"
            | "get"
            | "at"
            | "last"
            | "both"
            | "all"
            | "never"
    ) || word.len() > 4 && word.ends_with("ly")
}

pub(super) fn is_passive(words: &[Word<'_>], verb: usize) -> bool {
    let be = |word: &Word<'_>| {
        matches!(
            &*word.text,
            "is" | "are" | "was" | "were" | "be" | "been" | "being" | "gets" | "get" | "got"
        )
    };
    is_participle(&words[verb].text) && words[..verb].iter().rev().take(2).any(be)
}

fn is_negated(before: &[Word<'_>], naming: Option<Naming>) -> bool {
    let refuses = naming.is_some_and(|naming| naming.act.name() == "refuse");
    let says_no = |word: &Word<'_>| matches!(&*word.text, "not" | "never" | "without" | "fails" | "nobody");
    !refuses && before.iter().any(says_no)
}
