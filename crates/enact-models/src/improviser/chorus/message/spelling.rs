//! A message as the words that its writer meant: without capitals, accents and contractions, and with the
//! usual misspellings, disguises (`k1ll`, `k*ll`, `d i e`) and pictures read as words.
//!
//! Phrases that are looked for are read in the same way, so that a list may have them as people write them.

use std::{
    collections::{BTreeMap, HashSet},
    sync::LazyLock,
};

use serde::Deserialize;

use super::words::WORDS;
use crate::content::{Texts, content};

static SPELLING: LazyLock<Spelling> = LazyLock::new(|| content!("spelling.toml"));

/// Fewer letters in a row are words or initials.
const SPELLED_OUT: usize = 3;
/// Shorter words have too many neighbours that mean something else.
const LEAST_NEARLY: usize = 6;
/// Only the beginning is read, as for everything else.
const READ_WORDS: usize = 200;
/// Fewer letters are the beginning of too many words.
const LEAST_BEGINNING: usize = 4;
/// What a token that is written with signs may mean at most: each `1` doubles it.
const MOST_READINGS: usize = 16;

/// How people write; `spelling.toml` says what each table is for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Spelling {
    fillers: Texts,
    nearly: Texts,
    pictures: BTreeMap<String, String>,
    meant: BTreeMap<String, String>,
}

/// The words of a message as they are meant. `known` are words that are looked for, and beginnings like
/// `hang*`: a token that is no word becomes one of them if its signs or repeated letters are read as
/// letters.
pub(super) fn meant(text: &str, known: &HashSet<String>) -> Vec<String> {
    let tokens = text.split_whitespace().take(READ_WORDS).flat_map(|token| tokens_of(&pictured(token)));
    // A page of Chinese is one token.
    let tokens = tokens.take(2 * READ_WORDS).map(|token| undisguised(token, known)).collect();
    plainly(joined(spelled_out(tokens)))
}

/// The words of a phrase that is looked for.
pub(super) fn listed(phrase: &str) -> Vec<String> {
    plainly(phrase.split_whitespace().flat_map(tokens_of).collect())
}

/// The beginning of words that are looked for: it is no word, and so it means nothing else.
pub(super) fn beginning(letters: &str) -> String {
    tokens_of(letters).concat()
}

/// What is meant by each token, without words that change nothing.
fn plainly(tokens: Vec<String>) -> Vec<String> {
    let meant = tokens.into_iter().flat_map(|token| match SPELLING.meant.get(&nearly(&token)) {
        Some(meant) => meant.split(' ').map(str::to_owned).collect(),
        None => vec![nearly(&token)],
    });
    meant.filter(|word| !SPELLING.fillers.has(word)).collect()
}

fn pictured(token: &str) -> String {
    if token.is_ascii() {
        return token.to_owned();
    }
    let named = |c: char| SPELLING.pictures.get(c.encode_utf8(&mut [0; 4]) as &str);
    token.chars().map(|c| named(c).map_or_else(|| c.to_string(), |name| format!(" {name} "))).collect()
}

/// One written word as one or more: "can't" is two, and so is "self-harm".
fn tokens_of(written: &str) -> Vec<String> {
    let lower = without_accents(&written.to_lowercase().replace(['’', '`', '´'], "'"));
    let whole = lower.trim_matches(|c: char| !c.is_alphanumeric() && c != '*');
    if whole.contains(is_disguise) && !whole.contains(' ') && whole.contains(char::is_alphabetic) {
        return vec![whole.to_owned()];
    }
    let parts = uncontracted(&lower);
    let parts = parts.split(|c: char| !c.is_alphanumeric() && c != '*').filter(|part| !part.is_empty());
    parts.flat_map(sign_by_sign).collect()
}

/// A word, or the signs of a script that has no blanks between words.
fn sign_by_sign(word: &str) -> Vec<String> {
    let is_sign = |c: char| ('\u{3040}'..='\u{30ff}').contains(&c) || ('\u{3400}'..='\u{9fff}').contains(&c);
    if word.contains(is_sign) { word.chars().map(String::from).collect() } else { vec![word.to_owned()] }
}

/// "he's" is "he is", "mother's" is "mother".
fn uncontracted(lower: &str) -> String {
    const WHO_IS: [&str; 14] = [
        "he",
        "she",
        "it",
        "that",
        "there",
        "what",
        "who",
        "where",
        "how",
        "this",
        "nobody",
        "everything",
        "here",
        "why",
    ];
    let Some((before, after)) = lower.split_once('\'') else { return lower.to_owned() };
    let start = before.trim_start_matches(|c: char| !c.is_alphanumeric());
    let end = after.trim_end_matches(|c: char| !c.is_alphanumeric());
    match end {
        "t" if start == "can" => "can not".to_owned(),
        "t" if start == "won" => "will not".to_owned(),
        "t" if start == "ain" => "is not".to_owned(),
        "t" => start.strip_suffix('n').map_or_else(|| format!("{start} t"), |verb| format!("{verb} not")),
        "m" => format!("{start} am"),
        "re" => format!("{start} are"),
        "ve" => format!("{start} have"),
        "ll" => format!("{start} will"),
        "d" => format!("{start} would"),
        "s" if WHO_IS.contains(&start) => format!("{start} is"),
        "s" => start.to_owned(),
        _ => lower.replace('\'', " "),
    }
}

fn is_disguise(c: char) -> bool {
    matches!(c, '@' | '$' | '!' | '*' | '+' | '|' | '0'..='9')
}

/// A token that is written with signs or with too many letters, as the known word it stands for.
fn undisguised(token: String, known: &HashSet<String>) -> String {
    if known.contains(&token) || !token.contains(char::is_alphabetic) {
        return token;
    }
    if token.contains('*') {
        let fits = |word: &&String| {
            word.chars().count() == token.chars().count()
                && word.chars().zip(token.chars()).all(|(letter, sign)| sign == '*' || sign == letter)
        };
        // The first in the alphabet, so that the same is read each time.
        return known.iter().filter(fits).min().cloned().unwrap_or(token);
    }
    let readings = if token.contains(is_disguise) { readings(&token) } else { vec![token.clone()] };
    let squeezed = readings.iter().flat_map(|reading| [squeezed(reading, 2), squeezed(reading, 1)]);
    let mut read = readings.iter().cloned().chain(squeezed);
    let is_known = |reading: &String| {
        let begins = (LEAST_BEGINNING..=reading.len()).filter_map(|end| reading.get(..end));
        known.contains(reading)
            || SPELLING.meant.contains_key(reading)
            || begins.into_iter().any(|beginning| known.contains(&format!("{beginning}*")))
    };
    read.find(is_known).unwrap_or(token)
}

/// What a token may mean whose signs stand for letters.
fn readings(token: &str) -> Vec<String> {
    let mut readings = vec![String::new()];
    for c in token.chars() {
        let letters: &[char] = match c {
            '@' | '4' => &['a'],
            '$' | '5' => &['s'],
            '!' => &['i'],
            '1' | '|' if readings.len() < MOST_READINGS => &['i', 'l'],
            '1' | '|' => &['i'],
            '3' => &['e'],
            '0' => &['o'],
            '7' | '+' => &['t'],
            '8' => &['b'],
            '9' => &['g'],
            '6' => &['b'],
            _ => &[],
        };
        readings = match letters {
            [] => readings.into_iter().map(|reading| format!("{reading}{c}")).collect(),
            letters => {
                let more = |reading: String| letters.iter().map(move |letter| format!("{reading}{letter}"));
                readings.into_iter().flat_map(more).collect()
            }
        };
    }
    readings
}

/// With no letter more often in a row than that.
fn squeezed(token: &str, most: usize) -> String {
    let mut squeezed = String::with_capacity(token.len());
    let (mut last, mut times) = (None, 0);
    for c in token.chars() {
        times = if last == Some(c) { times + 1 } else { 1 };
        last = Some(c);
        if times <= most {
            squeezed.push(c);
        }
    }
    squeezed
}

/// "d i e" is one word.
fn spelled_out(tokens: Vec<String>) -> Vec<String> {
    let mut words = Vec::with_capacity(tokens.len());
    let mut letters: Vec<String> = Vec::new();
    let is_letter = |token: &String| token.len() == 1 && token.chars().all(char::is_alphabetic);
    for token in tokens.into_iter().map(Some).chain([None]) {
        match token {
            Some(token) if is_letter(&token) => letters.push(token),
            other => {
                match letters.len() {
                    SPELLED_OUT.. => words.push(letters.concat()),
                    _ => words.append(&mut letters),
                }
                letters.clear();
                words.extend(other);
            }
        }
    }
    words
}

/// "sui cide" is one word, and so is "my self".
fn joined(tokens: Vec<String>) -> Vec<String> {
    let mut words: Vec<String> = Vec::with_capacity(tokens.len());
    for token in tokens {
        match words.last_mut() {
            Some(last) if SPELLING.nearly.has(&format!("{last}{token}")) => last.push_str(&token),
            _ => words.push(token),
        }
    }
    words
}

/// A word with one slip, as the word it is nearly.
fn nearly(word: &str) -> String {
    if word.len() < LEAST_NEARLY || SPELLING.nearly.has(word) || WORDS.plain.has(word) {
        return word.to_owned();
    }
    let letters: Vec<char> = word.chars().collect();
    let close = |wanted: &&String| is_one_slip(&letters, &wanted.chars().collect::<Vec<_>>());
    SPELLING
        .nearly
        .iter()
        .filter(|wanted| wanted.len() >= LEAST_NEARLY)
        .find(close)
        .cloned()
        .unwrap_or(word.to_owned())
}

/// Whether two words differ by one letter that is missing, added or wrong, or by two that changed places.
fn is_one_slip(one: &[char], other: &[char]) -> bool {
    let same = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    let (one, other) = (&one[same..], &other[same..]);
    match (one, other) {
        (one, other) if one.len() == other.len() => {
            one.get(1..) == other.get(1..)
                || one.len() >= 2 && one[0] == other[1] && one[1] == other[0] && one[2..] == other[2..]
        }
        (one, other) if one.len() + 1 == other.len() => one == &other[1..],
        (one, other) if one.len() == other.len() + 1 => &one[1..] == other,
        _ => false,
    }
}

fn without_accents(text: &str) -> String {
    if text.is_ascii() {
        return text.to_owned();
    }
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            'à' | 'á' | 'â' | 'ã' | 'ä' | 'å' | 'ą' | 'ă' => plain.push('a'),
            'ç' | 'ć' | 'č' => plain.push('c'),
            'è' | 'é' | 'ê' | 'ë' | 'ę' | 'ě' => plain.push('e'),
            'ì' | 'í' | 'î' | 'ï' | 'ı' => plain.push('i'),
            'ñ' | 'ń' | 'ň' => plain.push('n'),
            'ò' | 'ó' | 'ô' | 'õ' | 'ö' | 'ø' | 'ő' => plain.push('o'),
            'ù' | 'ú' | 'û' | 'ü' | 'ů' | 'ű' => plain.push('u'),
            'ý' | 'ÿ' => plain.push('y'),
            'ł' => plain.push('l'),
            'ś' | 'š' | 'ş' => plain.push('s'),
            'ğ' => plain.push('g'),
            'ё' => plain.push('е'),
            'أ' | 'إ' | 'آ' => plain.push('ا'),
            // What is left of a Turkish capital I.
            '\u{307}' => {}
            'ź' | 'ż' | 'ž' => plain.push('z'),
            'ß' => plain.push_str("ss"),
            'æ' => plain.push_str("ae"),
            'œ' => plain.push_str("oe"),
            c => plain.push(c),
        }
    }
    plain
}

#[cfg(test)]
mod tests;
