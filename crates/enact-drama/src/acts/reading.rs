//! A goal, read: who does which act to whom, about what.

use super::{
    ActKind, Group, NamedBy, Naming, TABLES,
    inflection::{is_participle, stem},
    people::{self, Mention},
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
    /// Somebody else is to bring them to it: "get the vizier to open the gate". Then assent is as good.
    pub brought_to: bool,
    /// Nobody of the cast is named, nor a kind of people: "the truth comes out".
    pub by_anybody: bool,
    /// "Bob does not apologise".
    pub negated: bool,
}

/// Reads a goal. The error says why it cannot be read.
pub fn read(goal: &str, cast: &[&str]) -> Result<GoalReading, &'static str> {
    let text = without_lead(goal);
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

fn clause(text: &str, cast: &[&str]) -> Result<GoalReading, &'static str> {
    let all = Text::read(text).words;
    let mut words = &all[..];
    let mut brought_to = false;
    let mut outer: Vec<usize> = Vec::new();
    let mut doer: Option<Mention> = None;
    // "Get X to …", "For X to …", "Perla gets Anton to …": somebody else's deed.
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
        return Err("it names no deed");
    }
    let found = find_act(words);
    let (naming, from, to) = match found {
        Some(found) => (Some(found.means), found.from, found.to),
        None => {
            let led = doer.is_some();
            let (from, to) = if led { (0, 1) } else { main_verb(words, cast).ok_or("it names no deed")? };
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
        return Err("it names nobody of the cast");
    }
    settle(&mut subject, addressee.as_mut(), &outer, cast);
    let negated = is_negated(before, naming);
    let deed = (act == ActKind::deed()).then(|| stem(&words[from].text));
    let first = words.get(to).map_or(text.len(), |word| word.start);
    Ok(GoalReading {
        act,
        subject: subject.who,
        group: subject.group,
        addressee: addressee.map(|mention| mention.who).unwrap_or_default(),
        content: text.get(first..).unwrap_or_default().trim().trim_end_matches('.').to_owned(),
        content_stems: telling(&content_words, cast),
        deed,
        brought_to,
        by_anybody,
        negated,
    })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Causer {
    /// "Get X to …".
    Nobody,
    /// "Perla gets X to …".
    Named,
    /// "For X to …".
    For,
}

/// Somebody who is brought to something, and the words on what that is.
fn caused<'w, 't>(words: &'w [Word<'t>], cast: &[&str]) -> Option<(Causer, Mention, &'w [Word<'t>])> {
    let at = |at: usize| words.get(at).map_or("", |word| &*word.text);
    let start = usize::from(at(0) == "to");
    if at(0) == "for" {
        let mention = people::at(words, 1, cast)?;
        let to = 1 + mention.words;
        return (at(to) == "to").then(|| (Causer::For, mention, &words[to + 1..]));
    }
    let causes = |word: &str| {
        matches!(
            word,
            "get"
                | "gets"
                | "got"
                | "have"
                | "has"
                | "make"
                | "makes"
                | "made"
                | "bring"
                | "brings"
                | "brought"
                | "persuade"
                | "persuades"
                | "persuaded"
                | "convince"
                | "convinces"
                | "convinced"
                | "talk"
                | "talks"
                | "coax"
                | "coaxes"
        )
    };
    // At the start, or after a subject of a few words.
    let (verb, causer) = match causes(at(start)) {
        true => (start, Causer::Nobody),
        false => {
            let mention = people::at(words, start, cast)?;
            let verb = (start + mention.words..words.len()).take(3).find(|place| causes(at(*place)))?;
            (verb, Causer::Named)
        }
    };
    let person = people::at(words, verb + 1, cast)?;
    let next = verb + 1 + person.words;
    let bare = matches!(at(verb), "make" | "makes" | "made" | "have") && next < words.len();
    match at(next) {
        "to" | "into" => Some((causer, person, &words[next + 1..])),
        // "Granny makes Jacky swear", "have Anneliese confront her mother", "get the gunslinger hired".
        _ if bare && at(next) != "'s" => Some((causer, person, &words[next..])),
        _ => None,
    }
}

/// The act named in a clause: the first, and of several at one place the longest.
fn find_act(words: &[Word<'_>]) -> Option<Found<Naming>> {
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
        let found = TABLES.namings.at(words, at).filter(move |found| found.means.by != NamedBy::Noun);
        found.filter(move |_| !is_noun(at)).max_by_key(|found| found.to)
    };
    let nouns = |at: usize| TABLES.namings.at(words, at).find(|found| found.means.by == NamedBy::Noun);
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
    let noun = |at: usize| TABLES.namings.at(words, at).find(|found| found.means.by == NamedBy::Noun);
    (0..words.len()).find_map(noun).map(|found| found.means.act)
}

/// The verb of a clause that names no act of the tables.
fn main_verb(words: &[Word<'_>], cast: &[&str]) -> Option<(usize, usize)> {
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
    let helps = |word: &str| {
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
    };
    if at == 0 {
        let verb = words
            .iter()
            .position(|word| matches!(&*word.text, "is" | "are" | "gets" | "get" | "has" | "have"));
        at = verb.unwrap_or(usize::from(words.len() > 1));
    }
    let verb = (at..words.len()).find(|at| !helps(&words[*at].text)).unwrap_or(at.min(words.len() - 1));
    Some((verb, verb + 1))
}

fn is_passive(words: &[Word<'_>], verb: usize) -> bool {
    let be = |word: &Word<'_>| {
        matches!(
            &*word.text,
            "is" | "are" | "was" | "were" | "be" | "been" | "being" | "gets" | "get" | "got"
        )
    };
    is_participle(&words[verb].text) && words[..verb].iter().rev().take(2).any(be)
}

/// The people a clause begins with, several joined: "Alice and Bob", "they".
fn subject_of(before: &[Word<'_>], cast: &[&str]) -> Option<Mention> {
    let mut found: Option<Mention> = None;
    let mut at = 0;
    while at < before.len() {
        let Some(mention) = people::at(before, at, cast) else {
            at += 1;
            continue;
        };
        let place = at;
        at += mention.words;
        // "Bob's secret" is no doer; nor is "the mother of Bob".
        let owns = before.get(at).is_some_and(|word| word.text == "'s");
        let led = place.checked_sub(1).is_some_and(|led| {
            matches!(
                &*before[led].text,
                "of" | "about" | "between" | "for" | "with" | "from" | "to" | "in" | "against"
            )
        });
        if owns || led {
            continue;
        }
        found = Some(match found {
            Some(known) if joined(before, place) => together(known, &mention),
            Some(known) => known,
            None => mention,
        });
    }
    found
}

fn joined(words: &[Word<'_>], at: usize) -> bool {
    at.checked_sub(1).is_some_and(|before| matches!(&*words[before].text, "and" | "or" | "namely"))
        || words[at].opens
}

fn together(mut one: Mention, other: &Mention) -> Mention {
    if one.group == Group::Any && !other.who.is_empty() {
        // "somebody, namely Mimi".
        return other.clone();
    }
    one.who.extend(other.who.iter().copied().filter(|who| !one.who.contains(who)).collect::<Vec<_>>());
    one
}

/// "…by Major Ferreira", "…from Harriet".
fn agent_after(words: &[Word<'_>], cast: &[&str]) -> Option<Mention> {
    let lead = words.iter().position(|word| matches!(&*word.text, "by" | "from"))?;
    people::at(words, lead + 1, cast)
}

/// Those an act is done to: right after the verb, or after a "to".
fn object_after(words: &[Word<'_>], cast: &[&str], act: ActKind) -> Option<Mention> {
    let skip = usize::from(words.first().is_some_and(|word| {
        matches!(&*word.text, "to" | "with" | "at" | "on" | "from" | "against" | "over" | "up")
    }));
    let skip = skip + usize::from(skip == 1 && words.get(1).is_some_and(|word| word.text == "to"));
    let here = match words.get(skip).map(|word| &*word.text) {
        Some("him" | "her" | "them")
            if words.get(skip + 1).is_none_or(|next| next.opens || is_preposition(&next.text)) =>
        {
            Some(Mention { who: Vec::new(), group: Group::Any, words: 1 })
        }
        _ => people::at(words, skip, cast)
            .filter(|mention| words.get(skip + mention.words).is_none_or(|next| next.text != "'s")),
    };
    here.or_else(|| if act == ActKind::deed() { None } else { led_by_to(words, cast) })
}

fn led_by_to(words: &[Word<'_>], cast: &[&str]) -> Option<Mention> {
    let to = words.iter().position(|word| word.text == "to")?;
    people::at(words, to + 1, cast)
}

fn is_preposition(word: &str) -> bool {
    matches!(
        word,
        "for" | "about" | "to" | "that" | "with" | "of" | "over" | "from" | "in" | "at" | "on" | "by" | "and"
    )
}

fn within(words: &[Word<'_>], cast: &[&str]) -> Option<Mention> {
    (0..words.len()).find_map(|at| people::at(words, at, cast))
}

/// Fills in those who are not named: whoever is left.
fn settle(subject: &mut Mention, addressee: Option<&mut Mention>, outer: &[usize], cast: &[&str]) {
    let everyone = || 0..cast.len();
    let named: Vec<usize> = addressee.as_ref().map(|mention| mention.who.clone()).unwrap_or_default();
    if subject.group == Group::Any {
        subject.who.retain(|one| !named.contains(one) && !outer.contains(one));
    }
    if subject.who.is_empty() {
        let left: Vec<usize> =
            everyone().filter(|one| !named.contains(one) && !outer.contains(one)).collect();
        subject.who = if left.is_empty() { everyone().collect() } else { left };
        subject.group = Group::Any;
    } else if subject.who.len() == cast.len() && named.len() < cast.len() {
        // "Everyone thanks Bob" leaves Bob out.
        subject.who.retain(|one| !named.contains(one));
    }
    if let Some(addressee) = addressee {
        if addressee.who.is_empty() && subject.group == Group::All {
            addressee.who = everyone().filter(|one| !subject.who.contains(one)).collect();
        }
        addressee.who.retain(|one| subject.group == Group::Any || !subject.who.contains(one));
    }
}

fn is_negated(before: &[Word<'_>], naming: Option<Naming>) -> bool {
    let refuses = naming.is_some_and(|naming| naming.act.name() == "refuse");
    let says_no = |word: &Word<'_>| matches!(&*word.text, "not" | "never" | "without" | "fails" | "nobody");
    !refuses && before.iter().any(says_no)
}

/// The words on what an act is about: those after it and, of a passive, those before it too.
fn content_of<'t>(words: &[Word<'t>], from: usize, to: usize, act: ActKind, both: bool) -> Vec<Word<'t>> {
    let before = if both { &words[..from] } else { &[] };
    // "takes the prize" is about the prize; "says sorry" is not about sorrow.
    let names_thing = matches!(act.name(), "accept" | "take" | "quit" | "hire");
    let within = &words
        [(from + 1).min(to)..if names_thing { to } else { to.saturating_sub(1).max((from + 1).min(to)) }];
    before.iter().chain(within).chain(&words[to..]).cloned().collect()
}

/// The stems of the words that tell something: no names of the cast, no words that every sentence has.
fn telling(words: &[Word<'_>], cast: &[&str]) -> Vec<String> {
    let is_name = |word: &str| {
        cast.iter().any(|name| {
            name.split_whitespace().any(|part| part.to_lowercase().trim_end_matches("'s") == word)
        })
    };
    let mut stems: Vec<String> = Vec::new();
    for word in words {
        let text = &*word.text;
        if text.chars().count() < 3 || EMPTY_WORDS.contains(&text) || is_name(text) {
            continue;
        }
        // "accepts the apology" is about an act, which nobody need name again.
        let names_act =
            TABLES.namings.at(std::slice::from_ref(word), 0).any(|found| found.means.by == NamedBy::Noun);
        let stem = stem(text);
        if !names_act && !stems.contains(&stem) {
            stems.push(stem);
        }
    }
    stems
}

static EMPTY_WORDS: std::sync::LazyLock<std::collections::HashSet<&'static str>> =
    std::sync::LazyLock::new(|| {
        include_str!("empty_words.txt")
            .lines()
            .filter(|line| !line.starts_with('#'))
            .flat_map(|line| line.split(' '))
            .collect()
    });

/// Whether a word tells nothing of what a sentence is about.
pub(crate) fn is_empty_word(word: &str) -> bool {
    word.chars().count() < 3 || EMPTY_WORDS.contains(word)
}
