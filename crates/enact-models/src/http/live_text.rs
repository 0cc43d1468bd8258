//! Live text: what is passed on while an answer is still coming.

use enact_engine::model::LiveText;
use enact_http::{
    ApiKey,
    redact::{StreamRedactor, hidden_in_speech},
};

use super::answer::{THINKING, THOUGHT};

/// Passes on an answer piece by piece as it will read in the end: without thoughts, and without the key.
///
/// Whatever may turn out to be the beginning of either is held back until it is clear what it is.
#[derive(Debug)]
pub(super) struct LiveFilter<'a> {
    live: &'a LiveText,
    /// Found out once: listeners that come later would miss the beginning.
    is_wanted: bool,
    /// One for each secret.
    redactors: Vec<StreamRedactor<'a>>,
    held: String,
    position: Position,
}

/// The part of an answer that is being read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Position {
    /// It may begin with thoughts.
    Beginning,
    Thoughts,
    /// Space before the first word.
    Gap,
    Words,
}

impl<'a> LiveFilter<'a> {
    pub(super) fn new(live: &'a LiveText, secrets: &'a [ApiKey]) -> LiveFilter<'a> {
        let hidden = secrets.iter().filter(|secret| hidden_in_speech(Some(secret)).is_some());
        LiveFilter {
            live,
            is_wanted: live.is_wanted(),
            redactors: hidden.map(|secret| StreamRedactor::new(Some(secret))).collect(),
            held: String::new(),
            position: Position::Beginning,
        }
    }

    /// Takes in a piece, and passes on what can be shown by now.
    pub(super) fn push(&mut self, text: &str) {
        if !self.is_wanted {
            return;
        }
        self.held.push_str(text);
        if self.position == Position::Beginning {
            let begins = self.held.trim_start();
            if begins.starts_with(THINKING) {
                self.position = Position::Thoughts;
            } else if THINKING.starts_with(begins) {
                return;
            } else {
                self.position = Position::Words;
            }
        }
        if self.position == Position::Thoughts {
            let Some(end) = self.held.find(THOUGHT) else {
                // The mark may be there in part.
                self.forget(self.held.len().saturating_sub(THOUGHT.len()));
                return;
            };
            self.held.drain(..end + THOUGHT.len());
            self.position = Position::Gap;
        }
        if self.position == Position::Gap {
            self.held.drain(..self.held.len() - self.held.trim_start().len());
            if self.held.is_empty() {
                return;
            }
            self.position = Position::Words;
        }
        let words = std::mem::take(&mut self.held);
        self.live.push(&self.redactors.iter_mut().fold(words, |words, redactor| redactor.push(&words)));
    }

    /// The answer is complete: passes on what was held back.
    pub(super) fn finish(self) {
        if matches!(self.position, Position::Beginning | Position::Words) {
            let rest = self.redactors.into_iter().fold(self.held, |rest, mut redactor| {
                let shown = redactor.push(&rest);
                shown + &redactor.finish()
            });
            self.live.push(&rest);
        }
    }

    /// Drops thoughts that were searched already, so that long ones are not searched over and over.
    fn forget(&mut self, mut bytes: usize) {
        while !self.held.is_char_boundary(bytes) {
            bytes -= 1;
        }
        self.held.drain(..bytes);
    }
}

#[cfg(test)]
mod tests;
