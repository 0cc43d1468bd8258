//! Live text: what is passed on while an answer is still coming.

use enact_engine::model::Live;
use enact_http::{ApiKey, redact::StreamRedactor};

use super::stream::{THINKING, THOUGHT};

/// Passes on an answer piece by piece as it will read in the end: without thoughts, and without the key.
///
/// Whatever may turn out to be the beginning of either is held back until it is clear what it is.
#[derive(Debug)]
pub(super) struct LiveFilter<'a> {
    live: &'a Live,
    redactor: StreamRedactor<'a>,
    held: String,
    position: Position,
}

/// Where in an answer one is.
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
    pub(super) fn new(live: &'a Live, key: Option<&'a ApiKey>) -> LiveFilter<'a> {
        LiveFilter {
            live,
            redactor: StreamRedactor::new(key),
            held: String::new(),
            position: Position::Beginning,
        }
    }

    /// Takes in a piece, and passes on what can be shown by now.
    pub(super) fn push(&mut self, text: &str) {
        if !self.live.is_heard() {
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
        self.live.say(&self.redactor.push(&words));
    }

    /// The answer is complete: passes on what was held back.
    pub(super) fn finish(mut self) {
        if matches!(self.position, Position::Beginning | Position::Words) {
            let rest = self.redactor.push(&self.held) + &self.redactor.finish();
            self.live.say(&rest);
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
mod tests {
    use std::sync::{Arc, Mutex};

    use enact_http::redact::REDACTED;
    use proptest::prelude::*;

    use super::*;
    use crate::http::stream::without_thoughts;

    const KEY: &str = "sk-aab";

    /// What is shown of an answer that comes in these pieces.
    fn shown<'a>(pieces: impl IntoIterator<Item = &'a str>) -> Vec<String> {
        let heard = Arc::new(Mutex::new(Vec::new()));
        let live = Live::to({
            let heard = heard.clone();
            move |text| heard.lock().unwrap().push(text.to_owned())
        });
        let key = ApiKey::new(KEY);
        let mut filter = LiveFilter::new(&live, Some(&key));
        pieces.into_iter().for_each(|piece| filter.push(piece));
        filter.finish();
        let heard = heard.lock().unwrap();
        heard.clone()
    }

    #[test]
    fn words_are_said_as_they_come() {
        for (pieces, expected) in [
            (vec!["[TONE: ", "calm] \"", "Yes.\""], vec!["[TONE: ", "calm] \"", "Yes.\""]),
            (vec!["<thi", "nk>Hm.", "</th", "ink>\n\n", "[SIL", "ENT]"], vec!["[SIL", "ENT]"]),
            (vec!["<thi", "s>"], vec!["<this>"]),
            (vec![" ", "Well."], vec![" Well."]),
            (vec!["<think>Hm, hm"], vec![]),
            (vec!["ask", "-", "me"], vec!["a", "sk-me"]),
            (vec!["my sk-", "aa", "b!"], vec!["my ", "…!"]),
        ] {
            assert_eq!(shown(pieces.clone()), expected, "{pieces:?}");
        }
    }

    proptest! {
        #[test]
        fn however_it_comes_it_is_the_text_of_the_answer(
            pieces in prop::collection::vec("(<think>|</think>|<th|ink>|sk-|aa|b|sk-aab|…| |\n|é|word){0,3}", 0..12),
        ) {
            let whole = without_thoughts(pieces.concat()).replace(KEY, REDACTED);
            prop_assert_eq!(shown(pieces.iter().map(String::as_str)).concat(), whole);
        }
    }
}
