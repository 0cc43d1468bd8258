//! What a document is made of.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::Value;

use crate::{
    Seq,
    text::{bracketed, broken_off},
    voice::Timbre,
};

/// One thing that is read, seen or heard.
#[derive(Debug, Clone, PartialEq)]
pub struct Block {
    /// The fact it stems from.
    pub id: Seq,
    /// The beat or turn it belongs to: a recording pauses longer between two of them.
    pub round: u32,
    /// When it came, in UTC milliseconds: the `at` of the fact it stems from, where the production says it.
    pub at: Option<i64>,
    /// How long the run had been played when it came, in milliseconds.
    pub at_ms: u64,
    pub content: BlockContent,
    pub entry: Entry,
}

#[derive(Debug, Clone, PartialEq)]
pub enum BlockContent {
    /// What follows belongs together.
    Heading {
        /// `TURN 2 - COMMENTS`
        title: String,
        /// `Comments`: the same where headings look like headings without saying so.
        short: String,
    },
    Speech(Speech),
    /// Something happens. In a recording a narrator says so.
    Event {
        text: String,
        timbre: Timbre,
    },
    /// About the performance rather than part of it. It is read, never heard.
    System {
        text: String,
    },
}

/// What stands for a block among the `lines` of the JSON document.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Entry {
    /// What every block has: `id`, `round`, `kind`, `speaker` and `content`. Headings have no entry.
    #[default]
    Default,
    /// One of its own. The document adds the time `at`.
    Own(Value),
    Absent,
}

/// A speaker says something, does something, or both.
#[derive(Debug, Clone, PartialEq)]
pub struct Speech {
    /// The name that people read.
    pub who: String,
    /// What stands in the brackets of the transcript: `TO: Bob`.
    attributes: Vec<String>,
    /// The same in words, where a format has no brackets: `to Bob, angry`.
    pub manner: Option<String>,
    /// What is done: `stands up`.
    gesture: Option<String>,
    /// All that was meant to be said.
    pub text: String,
    /// How many bytes of the text were heard, if the line was cut.
    pub cut: Option<usize>,
    /// Whether the text is said at all. Where it is not, the gesture is all there is.
    pub aloud: bool,
    /// Whether it leaves no time for a breath before it.
    pub interrupts: bool,
    pub timbre: Timbre,
    /// How long it takes, where that is known because it was spoken when the run was played.
    pub recorded_ms: Option<u64>,
}

impl Block {
    pub fn heading(id: Seq, round: u32, title: impl Into<String>) -> Block {
        let title = title.into();
        Block::new(id, round, BlockContent::Heading { short: title.clone(), title })
    }

    pub fn speech(id: Seq, round: u32, speech: Speech) -> Block {
        Block::new(id, round, BlockContent::Speech(speech))
    }

    pub fn event(id: Seq, round: u32, text: impl Into<String>) -> Block {
        Block::new(id, round, BlockContent::Event { text: text.into(), timbre: Timbre::NARRATOR })
    }

    pub fn system(id: Seq, round: u32, text: impl Into<String>) -> Block {
        Block::new(id, round, BlockContent::System { text: text.into() })
    }

    pub fn new(id: Seq, round: u32, content: BlockContent) -> Block {
        Block { id, round, at: None, at_ms: 0, content, entry: Entry::Default }
    }

    /// Says when it came, in UTC milliseconds.
    pub fn at(self, at: i64) -> Block {
        Block { at: Some(at), ..self }
    }

    pub fn at_ms(self, at_ms: u64) -> Block {
        Block { at_ms, ..self }
    }

    /// Gives it an entry of its own in the JSON document.
    pub fn entry(mut self, entry: &impl Serialize) -> Block {
        self.set_entry(entry);
        self
    }

    /// The same for a block that stands in its document.
    pub fn set_entry(&mut self, entry: &impl Serialize) {
        let entry = serde_json::to_value(entry).expect("entries have only string keys");
        self.entry = Entry::Own(entry);
    }

    pub fn without_entry(self) -> Block {
        Block { entry: Entry::Absent, ..self }
    }
}

impl Speech {
    /// Speech that is heard to its end.
    pub fn new(who: &str, text: impl Into<String>) -> Speech {
        Speech {
            who: bracketed(who),
            attributes: Vec::new(),
            manner: None,
            gesture: None,
            text: text.into(),
            cut: None,
            aloud: true,
            interrupts: false,
            timbre: Timbre::default(),
            recorded_ms: None,
        }
    }

    /// A gesture without words.
    pub fn gesture(who: &str, gesture: &str) -> Speech {
        Speech { aloud: false, ..Speech::new(who, "").doing(gesture) }
    }

    /// `TONE: angry`
    pub fn attribute(mut self, label: &str, value: &str) -> Speech {
        self.attributes.push([label, ": ", &bracketed(value)].concat());
        self
    }

    /// `REACT`, `INTERRUPT after "late"`
    pub fn remark(mut self, text: &str) -> Speech {
        self.attributes.push(bracketed(text));
        self
    }

    pub fn doing(self, gesture: &str) -> Speech {
        let gesture = Some(starless(gesture)).filter(|gesture| !gesture.is_empty());
        Speech { gesture, ..self }
    }

    pub fn manner(self, manner: impl Into<String>) -> Speech {
        Speech { manner: Some(manner.into()), ..self }
    }

    /// What the others heard: everything, or up to the cut with an em dash.
    pub fn heard(&self) -> Cow<'_, str> {
        match self.cut {
            None => Cow::Borrowed(&self.text),
            Some(at) => Cow::Owned(broken_off(self.text.get(..at).unwrap_or(&self.text))),
        }
    }

    /// The gesture where nothing is said beside it.
    pub(super) fn only_done(&self) -> Option<&str> {
        self.gesture.as_deref().filter(|_| !self.aloud || self.heard().is_empty())
    }

    pub(super) fn done(&self) -> Option<&str> {
        self.gesture.as_deref()
    }

    pub(super) fn attributes(&self) -> &[String] {
        &self.attributes
    }
}

/// A gesture without asterisks of its own, which would end it early.
pub(crate) fn starless(gesture: &str) -> String {
    bracketed(gesture).replace('*', "").trim().to_owned()
}
