//! How an act is said: a sentence with slots.

use crate::english::words::{Mark, Sentence, Text, Word};

/// What stands in a template for words of the scene.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TemplateSlot {
    /// Whom it is said to, as they are called: `{to}`.
    To,
    /// What it is about, as a noun phrase: `{thing}`, "the broken window".
    Thing,
    /// The same as something being done: `{doing}`, "breaking the window".
    Doing,
    /// The same as something to be done: `{deed}`, "mend the window".
    Deed,
    /// The same as a whole clause, from the speaker's mouth: `{fact}`, "I broke the window".
    Fact,
}

impl TemplateSlot {
    const ALL: [(TemplateSlot, &str); 5] = [
        (TemplateSlot::To, "{to}"),
        (TemplateSlot::Thing, "{thing}"),
        (TemplateSlot::Doing, "{doing}"),
        (TemplateSlot::Deed, "{deed}"),
        (TemplateSlot::Fact, "{fact}"),
    ];
}

/// One way to say an act.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActTemplate {
    text: String,
    slots: Vec<TemplateSlot>,
    sentences: Vec<TemplateSentence>,
}

/// A sentence as it is heard again.
#[derive(Debug, Clone, PartialEq, Eq)]
struct TemplateSentence {
    words: Vec<TemplateWord>,
    asks: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum TemplateWord {
    Word(String),
    TemplateSlot(TemplateSlot),
}

/// What stands for a slot may be a long clause.
const LONGEST_FILLING: usize = 30;
/// "Dr Mary Ann Smith".
const LONGEST_NAME: usize = 4;

impl ActTemplate {
    /// # Panics
    /// If it names a slot that there is none of.
    pub(super) fn read(text: &str) -> ActTemplate {
        let slots: Vec<TemplateSlot> =
            TemplateSlot::ALL.iter().filter(|(_, name)| text.contains(name)).map(|(slot, _)| *slot).collect();
        let rest = TemplateSlot::ALL.iter().fold(text.to_owned(), |text, (_, name)| text.replace(name, ""));
        assert!(!rest.contains(['{', '}']), "'{text}' has a slot that is none");
        ActTemplate { text: text.to_owned(), slots, sentences: sentences(text) }
    }

    /// Whether it is what was said: each of its sentences, in this order, whatever stands in the slots.
    pub(crate) fn is_heard_in<'w>(&self, said: impl Iterator<Item = (&'w [Word<'w>], bool)>) -> bool {
        let mut left = &self.sentences[..];
        for (words, asks) in said {
            if let Some((next, rest)) = left.split_first()
                && (next.asks == asks || next.ends_open())
                && fits(&next.words, words)
            {
                left = rest;
            }
        }
        left.is_empty()
    }

    /// Whether it says what the act is about.
    pub(crate) fn has_content(&self) -> bool {
        self.slots.iter().any(|slot| *slot != TemplateSlot::To)
    }

    /// As it is written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What has to be known to say it.
    pub fn slots(&self) -> &[TemplateSlot] {
        &self.slots
    }

    /// The sentence, if there are words for all of its slots. What begins a sentence is capitalised.
    pub fn fill(&self, mut words: impl FnMut(TemplateSlot) -> Option<String>) -> Option<String> {
        let mut text = self.text.clone();
        for slot in &self.slots {
            let (_, name) = TemplateSlot::ALL.iter().find(|(known, _)| known == slot)?;
            text = text.replace(name, &words(*slot)?);
        }
        Some(capitalised(&text))
    }
}

impl TemplateSentence {
    /// What stands for a slot may end in its own way.
    fn ends_open(&self) -> bool {
        matches!(self.words.last(), Some(TemplateWord::TemplateSlot(slot)) if *slot != TemplateSlot::To)
    }
}

/// The sentences of a template. One that is nothing but a slot is heard in anything, and left out.
fn sentences(text: &str) -> Vec<TemplateSentence> {
    const STAND_INS: [&str; 5] = ["slotto", "slotthing", "slotdoing", "slotdeed", "slotfact"];
    let marked = TemplateSlot::ALL
        .iter()
        .zip(STAND_INS)
        .fold(text.to_owned(), |text, ((_, name), word)| text.replace(name, word));
    let read = Text::read(&marked);
    let word = |word: &Word<'_>| match STAND_INS.iter().position(|stand_in| **stand_in == *word.text) {
        Some(slot) => TemplateWord::TemplateSlot(TemplateSlot::ALL[slot].0),
        None => TemplateWord::Word(word.text.clone().into_owned()),
    };
    let sentence = |sentence: &Sentence| TemplateSentence {
        words: read.words[sentence.words.clone()].iter().map(word).collect(),
        asks: sentence.mark == Mark::Question,
    };
    let telling =
        |sentence: &TemplateSentence| sentence.words.iter().any(|word| matches!(word, TemplateWord::Word(_)));
    read.sentences.iter().map(sentence).filter(telling).collect()
}

fn fits(pattern: &[TemplateWord], words: &[Word<'_>]) -> bool {
    match pattern.split_first() {
        None => words.is_empty(),
        Some((TemplateWord::Word(wanted), rest)) => {
            words.split_first().is_some_and(|(first, words)| *wanted == *first.text && fits(rest, words))
        }
        Some((TemplateWord::TemplateSlot(slot), rest)) => {
            let (least, most) =
                if *slot == TemplateSlot::To { (0, LONGEST_NAME) } else { (1, LONGEST_FILLING) };
            (least..=most.min(words.len())).any(|taken| fits(rest, &words[taken..]))
        }
    }
}

fn capitalised(text: &str) -> String {
    let mut begins = true;
    let mut ended = false;
    let letter = |c: char| {
        let big = begins && c.is_alphabetic();
        if big || c.is_alphanumeric() {
            (begins, ended) = (false, false);
        }
        ended |= matches!(c, '.' | '!' | '?');
        begins |= ended && c.is_whitespace();
        if big { c.to_uppercase().collect::<String>() } else { c.to_string() }
    };
    text.chars().map(letter).collect()
}
