//! Who is meant by a name.

use super::words::Word;
use crate::english::name_letters::{begins_alike, name_len, same_name as same};

/// Words before a name that are no part of what people call each other.
const TITLES: [&str; 8] = ["mr", "mrs", "ms", "miss", "dr", "prof", "sir", "the"];

/// Whether two names can stand for one person: the same, or one the other's first name.
pub(super) fn same_person(one: &str, other: &str) -> bool {
    let (one, other) = (one.trim(), other.trim());
    if same(one, other) {
        return !one.is_empty();
    }
    let (first, second) = (parts(one), parts(other));
    match (first.len(), second.len()) {
        (0, _) | (_, 0) => false,
        (1, _) | (_, 1) => same(first[0], second[0]),
        _ => first.len() == second.len() && first.iter().zip(&second).all(|(a, b)| same(a, b)),
    }
}

/// Where in the cast a name belongs.
pub(crate) fn index_of(name: &str, cast: &[impl AsRef<str>]) -> Option<usize> {
    let exact = cast.iter().position(|member| same(member.as_ref().trim(), name.trim()));
    exact.or_else(|| cast.iter().position(|member| same_person(member.as_ref(), name)))
}

/// Which member of the cast is named at a word, and by how many words: by the whole name, the first or the
/// last.
pub(super) fn mention(words: &[Word<'_>], at: usize, cast: &[impl AsRef<str>]) -> Option<(usize, usize)> {
    let titled = TITLES.contains(&&*words[at].text) && at + 1 < words.len();
    let here = &words[at + usize::from(titled)..];
    let len = |member: &str| {
        let parts = parts(member);
        let (first, last) = (parts.first()?, parts.last()?);
        name_len(&parts, here).or_else(|| name_len(&[first], here)).or_else(|| name_len(&[last], here))
    };
    // Of "Mr Igwe" and "Mrs Igwe" it is the one with this title.
    let has_title = |member: &str| titled && member.split([' ', '.']).any(|part| same(part, &words[at].text));
    // Most words are no name's: that is seen without taking the name apart.
    let is_part = |member: &str| member.split(is_between).any(|part| begins_alike(part, &here[0].text));
    let mut best: Option<(usize, (usize, bool))> = None;
    for (index, member) in cast.iter().enumerate().filter(|(_, member)| is_part(member.as_ref())) {
        let fits = len(member.as_ref()).map(|len| (len, has_title(member.as_ref())));
        if let Some(fits) = fits.filter(|fits| best.is_none_or(|(_, other)| other < *fits)) {
            best = Some((index, fits));
        }
    }
    best.map(|(index, (len, _))| (index, len + usize::from(titled)))
}

/// Whether the name at a word could be that of two members of the cast: two Bobs cannot be told apart by
/// "Bob".
pub(super) fn is_ambiguous(words: &[Word<'_>], at: usize, cast: &[&str]) -> bool {
    let Some((_, len)) = mention(words, at, cast) else { return false };
    // "Mr Igwe" is not Mrs Igwe.
    let titled = |member: &&&str| {
        let mut written = member.split(is_between).filter(|part| !part.is_empty());
        let mut said = words[at..].iter();
        written.by_ref().take(len).all(|part| said.next().is_some_and(|word| same(part, &word.text)))
    };
    if TITLES.contains(&&*words[at].text) && cast.iter().filter(titled).count() == 1 {
        return false;
    }
    let is_whole = |member: &&&str| {
        let parts = parts(member);
        (at..at + len).any(|from| name_len(&parts, &words[from..]) == Some(at + len - from))
    };
    let fits = |member: &&&str| mention(words, at, &[**member]).is_some_and(|(_, other)| other == len);
    cast.iter().filter(fits).count() > 1 && cast.iter().filter(is_whole).count() != 1
}

/// Who is called by name in a sentence, with nothing else between two marks: "Thank you, Charlie."
pub(super) fn called(words: &[Word<'_>], cast: &[impl AsRef<str>]) -> Vec<usize> {
    let calls = |at: usize| {
        let (who, len) = mention(words, at, cast)?;
        let alone = words.get(at + len).is_none_or(|next| next.opens);
        alone.then_some(who)
    };
    (0..words.len()).filter(|at| words[*at].opens).filter_map(calls).collect()
}

/// Whether an address ("Dr. Smith and Bob") names somebody.
pub(crate) fn names(target: &str, name: &str) -> bool {
    same_person(target, name) || target.split(not_in_name).any(|part| same_person(part, name))
}

fn not_in_name(c: char) -> bool {
    !(c.is_alphanumeric() || c == '-' || c == '\'')
}

/// What stands between the words of a name.
fn is_between(c: char) -> bool {
    c.is_whitespace() || c == '.'
}

/// The words of a name, titles aside.
fn parts(name: &str) -> Vec<&str> {
    let words: Vec<&str> = name.split(is_between).filter(|word| !word.is_empty()).collect();
    let titled = words.iter().take_while(|word| TITLES.iter().any(|title| same(title, word))).count();
    // "The" or "Doctor" alone is all the name there is.
    if titled < words.len() { words[titled..].to_vec() } else { words }
}
