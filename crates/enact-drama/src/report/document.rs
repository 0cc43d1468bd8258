//! A run as people are told of it, in no format yet.

use serde::Serialize;
use serde_json::{Map, Value};

use super::{Block, Format};
use crate::text::one_line;

/// What the times of captions stand for, unless a production knows better.
const ESTIMATED: &str =
    "These times are estimated from the length of what is said. A recording has captions of its own.";

/// A whole run: what is known about it, and what happened in the order in which it is read.
///
/// [`Document::new`] gives one that every format can tell; a production adds its blocks and whatever else it
/// has.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// `scene`: transcripts begin and end with it.
    pub production: &'static str,
    /// What its files are called: `the-apology`.
    pub name: String,
    /// `The Apology`
    pub title: String,
    /// UTC milliseconds.
    pub started_at: i64,
    /// Facts about the run, in order. The title and the date are not among them, except that a transcript has
    /// no other place for the title.
    pub head: Vec<Field>,
    /// Where it plays, if that is known.
    pub setting: Option<String>,
    /// Whether headings divide the blocks. Where they do not, a format that needs a heading makes one of the
    /// setting or the title.
    pub divided: bool,
    pub blocks: Vec<Block>,
    /// How it ended: `SCENE END - Goal: Achieved`. Nothing while the run can still go on.
    pub end: Option<String>,
    /// Labels and figures, in order, each figure one line.
    pub statistics: Vec<(&'static str, String)>,
    /// Who played, in one line, for the title page of a screenplay.
    pub credit: Option<String>,
    /// A remark for captions about their times.
    pub caption_notes: Vec<String>,
    /// A remark for recordings.
    pub recording_notes: Vec<String>,
    /// What precedes the lines in the JSON document.
    pub json_head: Map<String, Value>,
    /// What programs want to know about the run.
    pub metadata: Value,
}

/// A fact about a run, with a label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    pub label: &'static str,
    /// One line of text.
    pub value: String,
    /// Those it stands in.
    pub formats: &'static [Format],
}

impl Document {
    /// A run without blocks that has not ended. Its title is made of its name, and is all that its head has.
    pub fn new(production: &'static str, name: &str, started_at: i64) -> Document {
        let title = crate::text::title(name);
        Document {
            production,
            name: name.to_owned(),
            started_at,
            head: vec![Field::new(production, &title).only_in(&[Format::Txt])],
            setting: None,
            divided: false,
            blocks: Vec::new(),
            end: None,
            statistics: Vec::new(),
            credit: None,
            caption_notes: vec![ESTIMATED.to_owned()],
            recording_notes: Vec::new(),
            json_head: Map::from_iter([("title".to_owned(), Value::from(title.as_str()))]),
            metadata: Value::Null,
            title,
        }
    }

    /// Adds a fact to the head of transcripts and Markdown.
    pub fn field(mut self, label: &'static str, value: &str) -> Document {
        self.head.push(Field::new(label, value));
        self
    }

    pub fn block(mut self, block: Block) -> Document {
        self.blocks.push(block);
        self
    }

    /// `end` is all that is said of it: `TOY END - Nobody was left`.
    pub fn ended(mut self, end: impl Into<String>) -> Document {
        self.end = Some(end.into());
        self
    }

    pub fn statistic(mut self, label: &'static str, figure: &str) -> Document {
        self.statistics.push((label, one_line(figure)));
        self
    }

    pub fn metadata(mut self, metadata: &impl Serialize) -> Document {
        self.metadata = serde_json::to_value(metadata).expect("metadata has only string keys");
        self
    }

    /// How the run ended, or that it has not.
    pub(super) fn end_text(&self) -> String {
        match &self.end {
            Some(end) => one_line(end),
            None => format!("{} UNFINISHED - This run has no end yet", self.production.to_uppercase()),
        }
    }

    /// What of the head stands in a format.
    pub(super) fn head_in(&self, format: Format) -> impl Iterator<Item = &Field> {
        self.head.iter().filter(move |field| field.formats.contains(&format))
    }
}

impl Field {
    /// A fact that stands in transcripts and Markdown.
    pub fn new(label: &'static str, value: &str) -> Field {
        Field { label, value: one_line(value), formats: &[Format::Txt, Format::Md] }
    }

    pub fn only_in(self, formats: &'static [Format]) -> Field {
        Field { formats, ..self }
    }
}
