//! The thing a message is about, if it can be said back without knowing grammar.

use super::{MessageWord, words::WORDS};

/// More words are a clause, not a thing.
const MOST_WORDS: usize = 3;
const LONGEST: usize = 40;
/// "Bed" and "ring" are things.
const SHORTEST_PARTICIPLE: usize = 5;

/// What stands after "about"; else after a determiner; else between a question's verb and what is asked of
/// it.
pub(super) fn topic(words: &[MessageWord<'_>]) -> Option<String> {
    let after_about = || {
        after(words, |word| matches!(word, "about" | "regarding"))
            .find_map(|rest| thing(rest).or_else(|| bare(rest)))
    };
    let determined = || (0..words.len()).find_map(|at| thing(&words[at..]));
    let asked_of = || {
        let rests = after(words, |word| WORDS.question_verb.has(word));
        // The last word is what is asked, not of what: "are you sure".
        rests.filter(|rest| rest.len() > 1 && !rest[0].ends).find_map(bare)
    };
    after_about().or_else(determined).or_else(asked_of).filter(|topic| topic.len() <= LONGEST)
}

fn after<'a, 'b>(
    words: &'a [MessageWord<'b>],
    wanted: impl Fn(&str) -> bool,
) -> impl Iterator<Item = &'a [MessageWord<'b>]> {
    let found = words.iter().enumerate().filter(move |(_, word)| wanted(&word.lower) && !word.ends);
    found.map(|(at, _)| &words[at + 1..])
}

/// "my first novel": a determiner, words that describe, and what they describe. Whose it is, is turned round.
fn thing(words: &[MessageWord<'_>]) -> Option<String> {
    let (determiner, rest) = words.split_first()?;
    if !WORDS.determiner.has(&determiner.lower) || determiner.ends {
        return None;
    }
    let whose = match determiner.lower.as_str() {
        "my" | "our" => "your",
        other => other,
    };
    Some(format!("{whose} {}", noun(rest)?))
}

/// Describing words and one that they describe, and what it is of: "old house", "meaning of life".
fn noun(words: &[MessageWord<'_>]) -> Option<String> {
    let mut taken: Vec<&str> = Vec::new();
    for (at, word) in words.iter().enumerate().take(MOST_WORDS) {
        if !may_be_thing(word) {
            return None;
        }
        taken.push(word.bare);
        let next = words.get(at + 1);
        if !describes(word) && !is_name_with(word, next) && !is_participle_of(word, next) {
            break;
        }
        if word.ends {
            // "the best." has nothing left to describe.
            return None;
        }
    }
    let last = words.get(taken.len().checked_sub(1)?)?;
    if describes(last) || is_bare_participle(last, words.get(taken.len())) {
        return None;
    }
    let noun = taken.join(" ");
    let of = words.get(taken.len()).filter(|of| of.lower == "of" && !last.ends);
    let what =
        of.and_then(|_| words.get(taken.len() + 1..)).and_then(|rest| thing(rest).or_else(|| bare(rest)));
    Some(what.map_or_else(|| noun.clone(), |what| format!("{noun} of {what}")))
}

/// One word that needs no determiner: "love", "rivers".
fn bare(words: &[MessageWord<'_>]) -> Option<String> {
    let word = words.first().filter(|word| may_be_thing(word) && !describes(word))?;
    Some(if word.begins { word.lower.clone() } else { word.bare.to_owned() })
}

fn may_be_thing(word: &MessageWord<'_>) -> bool {
    let lower = word.lower.as_str();
    word.bare.chars().all(|c| c.is_alphabetic() || matches!(c, '\'' | '’' | '-'))
        && ![&WORDS.plain, &WORDS.determiner, &WORDS.doing, &WORDS.no_topic, &WORDS.low, &WORDS.high]
            .iter()
            .any(|list| list.has(lower))
        && !lower.ends_with("ly")
        && !lower.ends_with("n't")
}

/// Whether a word says how something is, or whose.
fn describes(word: &MessageWord<'_>) -> bool {
    let lower = word.lower.as_str();
    WORDS.adjective.has(lower)
        || ["ful", "ous", "less", "ish"].iter().any(|end| lower.len() > end.len() + 2 && lower.ends_with(end))
        || lower.ends_with("'s")
}

/// Whether a word is what was done to the next one, or what that does: "linked list", "falling star".
fn is_participle_of(word: &MessageWord<'_>, next: Option<&MessageWord<'_>>) -> bool {
    let is_participle = |word: &MessageWord<'_>| {
        word.lower.len() > SHORTEST_PARTICIPLE && (word.lower.ends_with("ed") || word.lower.ends_with("ing"))
    };
    // "The building collapsed": the second one is what it did.
    let is_thing = |next: &MessageWord<'_>| may_be_thing(next) && !is_participle(next) && !describes(next);
    is_participle(word) && !word.ends && next.is_some_and(is_thing)
}

/// Whether what a participle describes is not to be seen: "a linked should" is no thing.
fn is_bare_participle(word: &MessageWord<'_>, next: Option<&MessageWord<'_>>) -> bool {
    let is_participle = word.lower.len() > SHORTEST_PARTICIPLE && word.lower.ends_with("ed");
    is_participle && !word.ends && next.is_some_and(|next| !may_be_thing(next))
}

/// Whether two words are a name, or the beginning of one: "Golden Gate".
fn is_name_with(word: &MessageWord<'_>, next: Option<&MessageWord<'_>>) -> bool {
    let named = |word: &MessageWord<'_>| !word.begins && word.bare.starts_with(char::is_uppercase);
    named(word) && !word.ends && next.is_some_and(named)
}
