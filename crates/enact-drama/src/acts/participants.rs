//! Who takes part in an act, by where a clause names them: who does it, to whom, and who brings them to it.

use std::ops::Range;

use super::{
    ActKind, Group,
    people::{self, Mention},
};
use crate::english::words::Word;

/// The people a clause begins with, several joined: "Alice and Bob", "they".
pub(super) fn subject_of(before: &[Word<'_>], cast: &[&str]) -> Option<Mention> {
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

/// Those whom something belongs to: "*Bob*'s manager".
pub(super) fn owners(words: &[Word<'_>], cast: &[&str]) -> Vec<usize> {
    let owner = |at: usize| {
        let mention = people::at(words, at, cast)?;
        let owns = words.get(at + mention.words).is_some_and(|word| word.text == "'s");
        owns.then_some(mention.who)
    };
    (0..words.len()).filter_map(owner).flatten().collect()
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
pub(super) fn agent_after(words: &[Word<'_>], cast: &[&str]) -> Option<Mention> {
    let lead = words.iter().position(|word| matches!(&*word.text, "by" | "from"))?;
    people::at(words, lead + 1, cast)
}

/// Those an act is done to: right after the verb, or after a "to".
pub(super) fn object_after(words: &[Word<'_>], cast: &[&str], act: ActKind) -> Option<Mention> {
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
    let trailing = || {
        let (_, who) = trailing_person(words, 0, act, cast)?;
        Some(Mention { who: vec![who], group: Group::All, words: 1 })
    };
    here.or_else(|| if act == ActKind::deed() { None } else { led_by_to(words, cast).or_else(trailing) })
}

pub(super) fn led_by_to(words: &[Word<'_>], cast: &[&str]) -> Option<Mention> {
    let to = words.iter().position(|word| word.text == "to")?;
    people::at(words, to + 1, cast)
}

/// Where a goal says what it is about, from a word on: without the one it is done to, who stands there first ("gives
/// *Vesper* the key") or last ("demands the key *from Kell*").
pub(super) fn without_people(words: &[Word<'_>], from: usize, act: ActKind, cast: &[&str]) -> Range<usize> {
    let all = from..words.len();
    if act == ActKind::deed() {
        return all;
    }
    let led = usize::from(words.get(from).is_some_and(|word| matches!(&*word.text, "to" | "with")));
    if let Some((_, len)) = people::by_name(words, from + led, cast) {
        let next = from + led + len;
        let goes_on = words.get(next).is_some_and(|word| !matches!(&*word.text, "'s" | "and" | "or"));
        return if goes_on { next..words.len() } else { all };
    }
    let trails = trailing_person(words, from, act, cast);
    trails.map_or(all, |(end, _)| from..end)
}

/// The one named last whom an act is done to, and where that begins: "the key *from Kell*", "a favour *of Ben*".
fn trailing_person(words: &[Word<'_>], from: usize, act: ActKind, cast: &[&str]) -> Option<(usize, usize)> {
    let leads: &[&str] = match act.name() {
        "ask" | "beg" => &["from", "of"],
        "take" | "accept" => &["from"],
        "give" | "offer" => &["to"],
        _ => &[],
    };
    // "asks about the letter from Kell" is about that letter.
    if words.get(from).is_none_or(|first| is_preposition(&first.text)) {
        return None;
    }
    let lead = (from + 1..words.len()).rev().find(|at| leads.contains(&&*words[*at].text))?;
    let (who, len) = people::by_name(words, lead + 1, cast)?;
    (lead + 1 + len == words.len()).then_some((lead, who))
}

fn is_preposition(word: &str) -> bool {
    matches!(
        word,
        "for" | "about" | "to" | "that" | "with" | "of" | "over" | "from" | "in" | "at" | "on" | "by" | "and"
    )
}

pub(super) fn within(words: &[Word<'_>], cast: &[&str]) -> Option<Mention> {
    (0..words.len()).find_map(|at| people::at(words, at, cast))
}

/// Fills in unnamed people: all of the cast that are not named otherwise.
pub(super) fn settle(subject: &mut Mention, addressee: Option<&mut Mention>, outer: &[usize], cast: &[&str]) {
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

/// How a goal says that a character is to be brought to something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Causer {
    /// "Get X to …".
    Nobody,
    /// "Perla gets X to …".
    Named,
    /// "For X to …".
    For,
}

/// Who is to be brought to something, and the words that say what.
pub(super) fn caused<'w, 't>(
    words: &'w [Word<'t>],
    cast: &[&str],
) -> Option<(Causer, Mention, &'w [Word<'t>])> {
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
