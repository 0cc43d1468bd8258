//! What is said aloud while an answer is still coming.

use enact_engine::model::LiveText;
use enact_http::{ApiKey, redact::StreamRedactor};

use super::stream::{THINKING, THOUGHT};

/// Says an answer piece by piece as it is going to read in the end: without thoughts, and without the key.
///
/// Whatever may turn out to be the beginning of either is held back until it is clear what it is.
#[derive(Debug)]
pub(super) struct Speech<'a> {
    live: &'a LiveText,
    redactor: StreamRedactor<'a>,
    held: String,
    part: Part,
}

/// Where in an answer one is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    /// It may begin with thoughts.
    Beginning,
    Thoughts,
    /// Space before the first word.
    Gap,
    Words,
}

impl<'a> Speech<'a> {
    pub(super) fn new(live: &'a LiveText, key: Option<&'a ApiKey>) -> Speech<'a> {
        Speech { live, redactor: StreamRedactor::new(key), held: String::new(), part: Part::Beginning }
    }

    /// Takes in what has come, and says what can be said.
    pub(super) fn hear(&mut self, text: &str) {
        if !self.live.is_wanted() {
            return;
        }
        self.held.push_str(text);
        if self.part == Part::Beginning {
            let begins = self.held.trim_start();
            if begins.starts_with(THINKING) {
                self.part = Part::Thoughts;
            } else if THINKING.starts_with(begins) {
                return;
            } else {
                self.part = Part::Words;
            }
        }
        if self.part == Part::Thoughts {
            let Some(end) = self.held.find(THOUGHT) else {
                // The mark may be there in part.
                self.forget(self.held.len().saturating_sub(THOUGHT.len()));
                return;
            };
            self.held.drain(..end + THOUGHT.len());
            self.part = Part::Gap;
        }
        if self.part == Part::Gap {
            self.held.drain(..self.held.len() - self.held.trim_start().len());
            if self.held.is_empty() {
                return;
            }
            self.part = Part::Words;
        }
        let words = std::mem::take(&mut self.held);
        self.live.push(&self.redactor.push(&words));
    }

    /// The answer was whole: says what was held back.
    pub(super) fn end(mut self) {
        if matches!(self.part, Part::Beginning | Part::Words) {
            let rest = self.redactor.push(&self.held) + &self.redactor.finish();
            self.live.push(&rest);
        }
    }

    /// Drops what nobody is going to hear, so that long thoughts are not searched over and over.
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
    use crate::language::stream::without_thoughts;

    const KEY: &str = "sk-aab";

    /// What is said of an answer that comes in these pieces.
    fn said<'a>(pieces: impl IntoIterator<Item = &'a str>) -> Vec<String> {
        let heard = Arc::new(Mutex::new(Vec::new()));
        let live = LiveText::to({
            let heard = heard.clone();
            move |text| heard.lock().unwrap().push(text.to_owned())
        });
        let key = ApiKey::new(KEY);
        let mut speech = Speech::new(&live, Some(&key));
        pieces.into_iter().for_each(|piece| speech.hear(piece));
        speech.end();
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
            assert_eq!(said(pieces.clone()), expected, "{pieces:?}");
        }
    }

    proptest! {
        #[test]
        fn however_it_comes_it_is_the_text_of_the_answer(
            pieces in prop::collection::vec("(<think>|</think>|<th|ink>|sk-|aa|b|sk-aab|…| |\n|é|word){0,3}", 0..12),
        ) {
            let whole = without_thoughts(pieces.concat()).replace(KEY, REDACTED);
            prop_assert_eq!(said(pieces.iter().map(String::as_str)).concat(), whole);
        }
    }
}
