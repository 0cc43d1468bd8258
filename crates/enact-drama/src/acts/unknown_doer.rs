//! A goal whose doer is called by a name that nobody of the cast has: misspelt, or somebody who is not there.

use super::{
    ActKind, NamedBy, is_empty_word,
    people::{self, is_kind},
    reading::{find_act, helps, is_passive, main_verb},
};
use crate::{
    english::words::{Text, Word},
    problem::did_you_mean,
};

/// What is wrong with the name of somebody who is to do a goal; nothing where everybody named is known, or it is not
/// certain that a name is one.
pub(crate) fn unknown_doer(goal: &str, cast: &[&str]) -> Option<String> {
    let words = Text::read(goal).words;
    let found = find_act(&words);
    let (act, verb) = match &found {
        Some(found) if found.means.by == NamedBy::Doer => (found.means.act, found.from),
        Some(_) => return None,
        None => (ActKind::deed(), main_verb(&words, cast)?.0),
    };
    if is_passive(&words, verb) {
        return None;
    }
    let (from, to) = unknown_subject(goal, &words, verb, cast)?;
    let name = &goal[words[from].start..words[to - 1].end];
    let known = cast.iter().flat_map(|name| name.split_whitespace().chain([*name]));
    let near = did_you_mean(name, known);
    let meant = near.and_then(|near| {
        cast.iter().find(|name| **name == near || name.split_whitespace().any(|part| part == near))
    });
    match meant {
        Some(meant) => Some(format!("'{name}', who is to do it, is not in the cast; did you mean {meant}?")),
        // "Peace returns": what does a deed without a table need not be somebody.
        None if act == ActKind::deed() => None,
        None => Some(format!("'{name}', who is to do it, is not in the cast")),
    }
}

/// The words of an unknown name that stands as a subject, or as one of several.
fn unknown_subject(goal: &str, words: &[Word<'_>], verb: usize, cast: &[&str]) -> Option<(usize, usize)> {
    let known = |at: usize| people::at(words, at, cast).map(|mention| mention.words);
    let is_capitalised = |word: &Word<'_>| goal[word.start..].starts_with(char::is_uppercase);
    let joins = |word: &Word<'_>| matches!(&*word.text, "and" | "or");
    let mut at = 0;
    while at < verb {
        if let Some(len) = known(at) {
            at += len;
            continue;
        }
        let begins = words[at].opens || joins(&words[at - 1]);
        let mut end = at + 1;
        if !begins || !is_capitalised(&words[at]) {
            at = end;
            continue;
        }
        while end < verb && is_capitalised(&words[end]) && known(end).is_none() {
            end += 1;
        }
        let is_subject = end == verb || end < verb && (helps(&words[end].text) || joins(&words[end]));
        // "Rivals agree": more than one, and no name.
        let is_one = |word: &Word<'_>| word.text.ends_with('s') || joins(word);
        let is_plural = at == 0 && words[at].text.ends_with('s') && !words[at + 1..=verb].iter().any(is_one);
        if is_subject && !is_common(&words[at].text) && !is_plural {
            // "Bob" is known, though it may not be known which.
            return (!people::is_part_of_name(&words[at..], cast)).then_some((at, end));
        }
        at = end;
    }
    None
}

/// Whether a word is nobody's name.
fn is_common(word: &str) -> bool {
    is_empty_word(word) || is_kind(word) || helps(word)
}
