//! What an actor may answer, and how any text at all is read as such an answer.
//!
//! The format (the requirements' Appendix B) is small on purpose, and models miss it in many ways. Nothing
//! they send is an error here: [`parse`] gives the best reading there is, plus [`Warning`]s about what had to
//! be guessed.
//!
//! ```text
//! [TO: Bob, TONE: frustrated] "I can't believe it!"         speak, to one
//! [TONE: nervous] "Maybe we should all calm down."          speak, to everybody
//! [TO: Alice, TONE: sad, *looks down*] "You're right."      speak, with a gesture
//! [INTERRUPT after "I want to", TONE: angry] "No!"          cut in
//! [SILENT, *shifts in chair*]                               say nothing
//! [REACT, TONE: shocked, *drops mug*]                       do something, say nothing
//! ```
//!
//! # How a mess is read
//!
//! * The *head* is the bracket with a keyword (`TO`, `TONE`, `INTERRUPT`, `AFTER`, `SILENT`, `REACT`) or with
//!   nothing but an `*action*`; the *body* is what follows it, up to the next head that stands outside quotes
//!   or begins a line.
//! * Several heads: the first that says or does something is the reply, the others are left out. A bare
//!   `[SILENT]` gives way to a later reply, because who writes words after it means them, unless that later
//!   one stands behind a name: then the actor wrote another's line, and its own silence counts. Heads
//!   with nothing between them that do not contradict each other (`[TO: Bob] [TONE: angry]`) are one head.
//! * A line that opens with another's name ends the reply, where the reply began with a name or was in
//!   quotes; so do a rule across the page, an `OR` on its own, and notes or offers about the scene.
//! * `REACT` with words in quotes is speech: the keyword is easily taken for "I react", the words are not
//!   written by accident. `SILENT` with words stays silent: that keyword is not written by accident either.
//! * What is said is one line and holds no brackets but closed, unnested ones, never one that looks like the
//!   moderator's (`[EVENT: …]`, `[SYSTEM: …]`, `[SCENE …]`, `[Setting: …]`), and never the head of a line
//!   (`Bob [TO: Alice]`). Quotes of its own cannot end the quotes it stands in. So no words can forge a line
//!   of the transcript: what is written down reads back as what was said.
//!
//! Every byte is looked at a small, fixed number of times, whatever the input; the tests count.
//!
//! Read in this order: `cleanup` (what is removed before anything is read), `bracket`, `keyword` and `head`,
//! `quote`, `speaker`, `meta_talk` and `body`, `candidates` (which of several replies counts), `defaults`
//! (what a keyword with too much or too little means), `field` (what may stand in a field at all), `typed`
//! (what people write).

mod body;
mod bracket;
mod candidates;
mod cleanup;
mod defaults;
mod field;
mod head;
mod json;
mod keyword;
mod meta_talk;
mod piece;
mod quote;
mod speaker;
mod tone;
mod typed;
mod word_lists;

#[cfg(test)]
mod tests;

use bracket::BracketReading;
use serde::{Deserialize, Serialize, Serializer, ser::SerializeStruct};

pub use typed::parse_typed;

pub use field::{MAX_CONTENT_CHARS, MAX_NONVERBAL_CHARS, MAX_PHRASE_CHARS, MAX_TARGET_CHARS, MAX_TONE_CHARS};

/// The tone of a reply that names none.
pub const NEUTRAL: &str = "neutral";

/// Longer than most of what stands before the words of a reply.
const USUAL_HEAD_BYTES: usize = 96;

/// What an actor does with its beat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    Speak,
    Interrupt,
    Silent,
    React,
}

/// An answer as it was understood.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Reply {
    pub action: Action,
    /// Whom it is addressed to, as the actor wrote it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// `neutral` where none was given.
    pub tone: String,
    /// What is said; empty for silences and reactions.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub content: String,
    /// Where an interruption cuts in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interrupt_after: Option<String>,
    /// What is done rather than said, without its asterisks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nonverbal: Option<String>,
}

impl Reply {
    /// The reply in the reply format: `[TO: Bob, TONE: angry, *stands up*] "Why?"`. Logs leave out answers
    /// that were written just like this, so this must stay as it is.
    pub fn written(&self) -> String {
        let mut text = String::with_capacity(self.content.len() + USUAL_HEAD_BYTES);
        text.extend(self.written_pieces());
        text
    }

    /// Whether an answer was [written](Reply::written) just like this.
    pub fn is_written_as(&self, answer: &str) -> bool {
        let rest = self.written_pieces().try_fold(answer, |rest, piece| rest.strip_prefix(piece));
        rest.is_some_and(str::is_empty)
    }

    /// In pieces, because replies are written for every request: to put together each part and then the whole
    /// took longer than all else that a request to an actor says.
    fn written_pieces(&self) -> impl Iterator<Item = &str> {
        let action = match (self.action, &self.interrupt_after) {
            (Action::Speak, _) => None,
            (Action::Interrupt, Some(phrase)) => Some(["INTERRUPT after \"", phrase, "\""]),
            (Action::Interrupt, None) => Some(["INTERRUPT", "", ""]),
            (Action::React, _) => Some(["REACT", "", ""]),
            (Action::Silent, _) => Some(["SILENT", "", ""]),
        };
        let target = self.target.as_deref().map(|target| ["TO: ", target, ""]);
        let tone = (self.action != Action::Silent).then_some(["TONE: ", &self.tone, ""]);
        let nonverbal = self.nonverbal.as_deref().map(|nonverbal| ["*", nonverbal, "*"]);
        let content = (!self.content.is_empty()).then_some([" \"", &self.content, "\""]);
        let parts = [action, target, tone, nonverbal].into_iter().flatten().enumerate();
        let head = parts.flat_map(|(place, [opens, text, closes])| {
            [if place == 0 { "" } else { ", " }, opens, text, closes]
        });
        ["["].into_iter().chain(head).chain(["]"]).chain(content.into_iter().flatten())
    }
}

/// What was wrong with a raw answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Warning(pub String);

/// A raw answer, read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParsedReply {
    pub reply: Reply,
    pub warnings: Vec<Warning>,
    /// See [`ParsedReply::malformed`].
    malformed: bool,
}

/// All keys, also those that have no value: programs that have a reply parsed count on them.
impl Serialize for ParsedReply {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Reply { action, target, tone, content, interrupt_after, nonverbal } = &self.reply;
        let mut object = serializer.serialize_struct("ParsedReply", 7)?;
        object.serialize_field("action", action)?;
        object.serialize_field("target", target)?;
        object.serialize_field("tone", tone)?;
        object.serialize_field("content", content)?;
        object.serialize_field("interruptAfter", interrupt_after)?;
        object.serialize_field("nonverbal", nonverbal)?;
        object.serialize_field("warnings", &self.warnings)?;
        object.end()
    }
}

impl ParsedReply {
    /// A reply that needs no complaint.
    pub(crate) fn plain(reply: Reply) -> ParsedReply {
        ParsedReply { reply, warnings: Vec::new(), malformed: false }
    }

    /// Whether the answer did not follow the format at all (empty, or no head in it), as opposed to small
    /// complaints. Asking again, or dropping the reply, is worth considering only then.
    pub fn malformed(&self) -> bool {
        self.malformed
    }
}

/// Reads any text as a reply. Never fails and never panics.
pub fn parse(raw: &str) -> ParsedReply {
    let mut complaints = Complaints::default();
    let text = cleanup::clean(raw, &mut complaints);
    let object = json::object(&text, &mut complaints);
    let Some(object) = object else {
        let text = cleanup::unescaped(&text, &mut complaints);
        let draft = candidates::read(&text, &mut complaints);
        return defaults::fill_in(draft, complaints);
    };
    let draft = json::read(&object, &mut complaints);
    defaults::fill_in(draft, complaints)
}

/// Whether a text holds a bracket that would be taken for the head of a line, for one of the moderator's, or for
/// a part of a transcript. What was read by [`parse`] holds none of the first two.
pub(crate) fn holds_line_head(text: &str) -> bool {
    let mut from = 0;
    while let Some(found) = bracket::find(text, from) {
        match bracket::reading(found.inner) {
            BracketReading::Moderator | BracketReading::Head if found.closed => return true,
            _ if bracket::is_heading(found.inner) => return true,
            _ => from = if found.closed { found.end } else { found.inner_start },
        }
    }
    false
}

/// Whether a text can stand in straight quotes without ending them early.
pub(crate) fn is_nestable(text: &str) -> bool {
    !quote::closes_early(text)
}

/// The warnings so far, each said once: a megabyte of the same mistake is one mistake.
#[derive(Debug, Default)]
struct Complaints(Vec<Warning>);

impl Complaints {
    fn say(&mut self, text: &str) {
        if !self.0.iter().any(|warning| warning.0 == text) {
            self.0.push(Warning(text.to_owned()));
        }
    }
}

/// What was found in an answer, before the rules about what is missing or too much.
#[derive(Debug, Default)]
struct PartialReply<'a> {
    head: head::Head<'a>,
    spoken: body::SpokenBody<'a>,
    /// Nothing in the answer is a head.
    bare: bool,
}
