//! What a sheet asks of whoever plays it: to deny at first, to blame the weather, never to shout.
//!
//! Only the simple ones, by their words; what is not understood is left to players who understand more.

use std::sync::LazyLock;

use enact_drama::{sheet::Sheet, story::content_words};
use serde::Deserialize;

use crate::content::{Texts, content};

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Instructions {
    /// Denies what it is accused of.
    pub(super) denies: bool,
    /// Never gets loud, and cuts nobody off.
    pub(super) quiet: bool,
    pub(super) asks: bool,
    /// Speaks of something else than what was asked.
    pub(super) evades: bool,
    pub(super) jokes: bool,
    /// Would rather say nothing.
    pub(super) reticent: bool,
    /// "the weather"
    pub(super) blames: Option<String>,
    /// Words at which the character gives way.
    falters_at: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct InstructionWords {
    headings: Texts,
    deny: Texts,
    blame: Texts,
    quiet: Texts,
    asks: Texts,
    evades: Texts,
    jokes: Texts,
    reticent: Texts,
    falters: Texts,
    stops: Texts,
    naming: Texts,
    light: Texts,
}

static WORDS: LazyLock<InstructionWords> = LazyLock::new(|| content!("instructions.toml"));

/// What those do who make light of it.
pub(super) fn light_gestures() -> &'static Texts {
    &WORDS.light
}

impl Instructions {
    pub(super) fn read(sheet: &Sheet) -> Instructions {
        let mut read = Instructions::default();
        for section in &sheet.sections {
            let heading = section.heading.to_lowercase();
            if WORDS.headings.iter().any(|known| heading.contains(known.as_str())) {
                for sentence in section.points.iter().flat_map(|point| point.split(['.', '!', ';'])) {
                    read.sentence(sentence.trim());
                }
            }
        }
        read
    }

    /// Whether something was just said at which the character gives way.
    pub(super) fn falters(&self, just_said: &[String]) -> bool {
        self.falters_at.iter().any(|word| just_said.contains(word))
    }

    fn sentence(&mut self, sentence: &str) {
        let lower = sentence.to_lowercase();
        let holds = |words: &Texts| words.iter().any(|word| lower.contains(word.as_str()));
        self.denies |= WORDS.deny.iter().any(|word| lower.starts_with(word.as_str()));
        self.quiet |= holds(&WORDS.quiet);
        self.asks |= holds(&WORDS.asks);
        self.evades |= holds(&WORDS.evades);
        self.jokes |= holds(&WORDS.jokes);
        self.reticent |= holds(&WORDS.reticent);
        let mut words = sentence.split_whitespace();
        if words.next().is_some_and(|first| WORDS.blame.has(&first.to_lowercase())) {
            let whom = words.take_while(|word| !WORDS.stops.has(&word.to_lowercase()));
            let whom = whom.collect::<Vec<_>>().join(" ");
            self.blames = Some(whom).filter(|whom| whom.starts_with("the ")).or(self.blames.take());
        }
        if let Some((_, when)) = lower.split_once("when ").filter(|_| holds(&WORDS.falters)) {
            let named = when.split(',').next().unwrap_or(when).replace("'s", "");
            let named = named.split_whitespace().filter(|word| !WORDS.naming.has(word));
            self.falters_at.extend(content_words(&named.collect::<Vec<_>>().join(" ")));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_simple_ones_are_understood() {
        let sheet = "# Tom\n\n## Instructions\n\nDeny at first. Blame the weather. When Peter's name is said, falter. \
                     Never shout. Ask one question at a time.";
        let read = Instructions::read(&Sheet::read("tom", sheet).unwrap());
        assert!(read.denies && read.quiet && read.asks && !read.jokes && !read.evades);
        assert_eq!(read.blames.as_deref(), Some("the weather"));
        assert!(read.falters(&content_words("And Peter?")) && !read.falters(&content_words("And the log?")));
    }
}
