//! Text without keys: errors are logged, and transcripts are shared.

use std::borrow::{Borrow, Cow};

use enact_drama::text::{one_line, shortened};

use crate::ApiKey;

/// What stands where a secret was.
pub const REDACTED: &str = "…";

/// As much of an explanation as fits into a line of a log.
const LONGEST_EXPLANATION: usize = 200;

/// A run of letters and digits as long as this is no word of any language, but a key or the id of a request.
const KEY_LENGTH: usize = 32;

/// Keys with their usual prefix need not be that long.
const KEY_PREFIX: &str = "sk-";
const PREFIXED_KEY_LENGTH: usize = 8;

/// Keys without that prefix are as long as this. Local servers take any word as a key, often `test` or
/// `none`, and words of a language are shorter.
const SPOKEN_KEY_LENGTH: usize = 16;

/// Shorter than that, a key mixes letters with digits, as no word does.
const MIXED_KEY_LENGTH: usize = 8;

/// The key, if it is to be hidden in what is said. One that could be a word would be cut out of the dialogue:
/// `test` out of "the greatest trust". In errors, logs and traces every key is redacted.
pub fn hidden_in_speech(key: Option<&ApiKey>) -> Option<&ApiKey> {
    key.filter(|key| {
        let key = key.reveal();
        let mixed = key.contains(|c: char| c.is_ascii_digit()) && key.contains(|c: char| c.is_alphabetic());
        key.chars().count() >= SPOKEN_KEY_LENGTH
            || (mixed && key.len() >= MIXED_KEY_LENGTH)
            || (key.starts_with(KEY_PREFIX) && key.len() > KEY_PREFIX.len())
    })
}

/// A text without a key, should a server have repeated it.
pub fn redact<'a>(text: &'a str, key: Option<&ApiKey>) -> Cow<'a, str> {
    match key.map(ApiKey::reveal) {
        Some(key) if !key.is_empty() && text.contains(key) => Cow::Owned(text.replace(key, REDACTED)),
        _ => Cow::Borrowed(text),
    }
}

/// A text without any of these secrets.
pub fn redact_all(text: String, mut secrets: Vec<String>) -> String {
    // The longest first: one may begin with another.
    secrets.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
    secrets.retain(|secret| !secret.is_empty());
    secrets.iter().fold(text, |text, secret| text.replace(secret.as_str(), REDACTED))
}

/// One short line of what a service says, without the key.
pub fn explanation(text: &str, key: Option<&ApiKey>) -> String {
    explanation_without(text, key.as_slice())
}

/// One short line of what a service says, without any of these secrets.
pub fn explanation_without<S: Borrow<ApiKey>>(text: &str, secrets: &[S]) -> String {
    // Redacted last: what is dropped from within a line could put a key together again.
    let secrets = secrets.iter().map(Borrow::borrow).map(|secret| secret.reveal().to_owned()).collect();
    shortened(&redact_all(one_line(text), secrets), LONGEST_EXPLANATION).into_owned()
}

/// One short line of what a program says whose keys are not known: nothing in it looks like one.
pub fn explanation_without_keys(text: &str) -> String {
    shortened(&without_key_like(&one_line(text)), LONGEST_EXPLANATION).into_owned()
}

/// A text in which nothing looks like a key.
pub fn without_key_like(text: &str) -> String {
    text.split(' ').map(redact_key_like).collect::<Vec<_>>().join(" ")
}

fn redact_key_like(word: &str) -> String {
    let mut shown = String::with_capacity(word.len());
    let mut rest = word;
    while !rest.is_empty() {
        let (candidate, after) = rest.split_at(rest.find(|c| !is_of_keys(c)).unwrap_or(rest.len()));
        shown.push_str(if is_key(candidate) { REDACTED } else { candidate });
        let (between, next) = after.split_at(after.find(is_of_keys).unwrap_or(after.len()));
        shown.push_str(between);
        rest = next;
    }
    shown
}

fn is_key(run: &str) -> bool {
    let is_long = run.len() >= KEY_LENGTH && run.contains(|c: char| c.is_ascii_digit());
    is_long || (run.starts_with(KEY_PREFIX) && run.len() >= PREFIXED_KEY_LENGTH)
}

fn is_of_keys(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '+')
}

/// Redacts a key from text that arrives in pieces: whatever may be the beginning of the key is held back
/// until more has come.
#[derive(Debug)]
pub struct StreamRedactor<'a> {
    key: Option<&'a ApiKey>,
    held: String,
}

impl<'a> StreamRedactor<'a> {
    pub fn new(key: Option<&'a ApiKey>) -> StreamRedactor<'a> {
        StreamRedactor { key: key.filter(|key| !key.reveal().is_empty()), held: String::new() }
    }

    /// Takes in a piece and gives what can be shown by now.
    pub fn push(&mut self, piece: &str) -> String {
        let Some(key) = self.key else { return piece.to_owned() };
        self.held.push_str(piece);
        let mut rest = 0;
        while let Some(at) = self.held[rest..].find(key.reveal()) {
            rest += at + key.reveal().len();
        }
        let tail = &self.held[rest..];
        let begins_key = |(at, _): (usize, char)| key.reveal().starts_with(&tail[at..]).then_some(at);
        let safe = rest + tail.char_indices().find_map(begins_key).unwrap_or(tail.len());
        let shown = redact(&self.held[..safe], Some(key)).into_owned();
        self.held.drain(..safe);
        shown
    }

    /// The text has ended: gives what was held back.
    pub fn finish(self) -> String {
        self.held
    }
}

#[cfg(test)]
mod tests;
