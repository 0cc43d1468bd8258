//! What has been read of an answer so far, whichever wire it comes over.

use std::{borrow::Cow, collections::BTreeMap, sync::LazyLock};

use serde::Deserialize;
use serde_json::Value;
use tokio::time::Instant;

use super::{error::Error, usage::TokenCounts, wire::OpenBlocks};
use crate::{
    content::{Texts, content},
    response_details::ResponseDetails,
};

#[cfg(test)]
mod corpus;

/// What local models put around their thoughts, where their server knows nothing of reasoning and passes it
/// on as text.
pub(super) const THINKING: &str = "<think>";
pub(super) const THOUGHT: &str = "</think>";

/// Far more than a line of any beat: a server that sends more may never stop.
const LONGEST_ANSWER: usize = 1024 * 1024;

/// An answer that is being read. The wires fill it in.
#[derive(Debug, Default)]
pub(super) struct IncomingAnswer {
    pub(super) text: String,
    pub(super) counts: TokenCounts,
    /// What is told about the answer beside its words.
    pub(super) details: ResponseDetails,
    /// The blocks of Anthropic's format that have not ended.
    pub(super) blocks: OpenBlocks,
    /// Whether something came that is paid for: words, thoughts, the call of a tool.
    begun: bool,
    /// Whether anything came that only an answer has.
    recognised: bool,
    stop: Option<StopCause>,
    refused: bool,
    called_tool: bool,
    /// Whether the last frame was read, after which nothing of interest comes.
    over: bool,
    error: Option<Value>,
}

/// Why a model stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
enum StopCause {
    /// It had said everything. Also what is not known to be something else.
    End,
    /// It reached the limit it was given.
    Length,
    /// It reached the end of what it can read and write.
    ContextFull,
    Refused,
    /// It wants a tool to be called.
    Tool,
    /// The provider had a fault of its own.
    Fault,
    /// The provider has no room for more now.
    Overloaded,
    /// The provider broke it off.
    Aborted,
}

/// What each provider's words for why a model stopped mean, in lower case.
static STOP_WORDS: LazyLock<BTreeMap<StopCause, Texts>> = LazyLock::new(|| content!("stop_reasons.toml"));

impl StopCause {
    fn of(word: &str) -> StopCause {
        let word = word.to_ascii_lowercase();
        STOP_WORDS.iter().find(|(_, words)| words.has(&word)).map_or(StopCause::End, |(cause, _)| *cause)
    }
}

impl IncomingAnswer {
    /// The frame is one of an answer.
    pub(super) fn recognise(&mut self) {
        self.recognised = true;
    }

    /// Words of the answer.
    pub(super) fn say(&mut self, text: &str) {
        self.begun |= !text.is_empty();
        self.text.push_str(text);
    }

    /// Something came that is paid for and not said: a thought, or what is not known yet.
    pub(super) fn begin(&mut self) {
        self.begun = true;
    }

    /// The model wants a tool to be called. It was offered none, but some try.
    pub(super) fn call_tool(&mut self) {
        (self.begun, self.called_tool) = (true, true);
    }

    /// The reason why the model stopped, in the provider's word; an empty one is none.
    pub(super) fn stop(&mut self, word: &str) {
        if !matches!(word, "" | "null") {
            self.recognised = true;
            self.stop = Some(StopCause::of(word));
            self.details.finish_reason = Some(word.to_owned());
        }
    }

    /// Something of a stream has just come: takes down when the first of it came, and the first word.
    pub(super) fn note_arrival(&mut self) {
        if self.recognised && self.details.first_word_at.is_none() {
            let now = Instant::now();
            self.details.first_chunk_at.get_or_insert(now);
            if !without_thoughts(&self.text).trim().is_empty() {
                self.details.first_word_at = Some(now);
            }
        }
    }

    /// The model or the provider will not answer this.
    pub(super) fn refuse(&mut self) {
        (self.recognised, self.refused) = (true, true);
    }

    /// An error in place of an answer, or of the rest of it. Some servers send an empty one with every frame.
    pub(super) fn fail(&mut self, error: Value) {
        let is_empty = match &error {
            Value::Null | Value::Bool(false) => true,
            Value::String(text) => text.is_empty(),
            Value::Object(fields) => fields.is_empty(),
            _ => false,
        };
        if !is_empty {
            self.error = Some(error);
        }
    }

    /// Whether an error came that was not taken yet.
    pub(super) fn has_failed(&self) -> bool {
        self.error.is_some()
    }

    /// The last frame was read.
    pub(super) fn end(&mut self) {
        (self.recognised, self.over) = (true, true);
    }

    pub(super) fn has_begun(&self) -> bool {
        self.begun
    }

    /// Whether anything came that only an answer has.
    pub(super) fn is_recognised(&self) -> bool {
        self.recognised
    }

    pub(super) fn is_over(&self) -> bool {
        self.over
    }

    /// Whether the model is known to have come to its end.
    pub(super) fn is_complete(&self) -> bool {
        self.over || self.stop.is_some()
    }

    /// The error that came within the answer.
    pub(super) fn take_error(&mut self) -> Option<Value> {
        self.error.take()
    }

    pub(super) fn check_length(&self) -> Result<(), Error> {
        match self.text.len() + self.blocks.held_bytes() > LONGEST_ANSWER {
            true => Err(Error::TooLong { limit: LONGEST_ANSWER }),
            false => Ok(()),
        }
    }

    /// The body has ended, which is all there is of an answer in one piece.
    pub(super) fn end_of_whole(&mut self) -> Result<(), Error> {
        self.over |= self.recognised;
        if self.over { Ok(()) } else { Err(Error::Garbled) }
    }

    /// What was said, or why that is nothing.
    pub(super) fn said(&mut self, max_tokens: u32) -> Result<String, Error> {
        if self.refused || self.stop == Some(StopCause::Refused) {
            return Err(Error::Refused);
        }
        match self.stop {
            _ if !self.is_complete() => return Err(Error::Truncated),
            Some(StopCause::Aborted) => return Err(Error::Truncated),
            Some(StopCause::Overloaded) => {
                return Err(enact_http::Error::Overloaded { status: 503, retry_after: None }.into());
            }
            Some(StopCause::Fault) => return Err(enact_http::Error::Server { status: 500 }.into()),
            _ => {}
        }
        let text = match without_thoughts(&self.text) {
            Cow::Borrowed(_) => std::mem::take(&mut self.text),
            Cow::Owned(text) => text,
        };
        if !text.trim().is_empty() {
            return Ok(text);
        }
        Err(match self.stop {
            Some(StopCause::Length) => Error::NoTokensLeft { tokens: max_tokens },
            Some(StopCause::ContextFull) => Error::ContextTooLong,
            Some(StopCause::Tool) => Error::ToolCall,
            _ if self.called_tool => Error::ToolCall,
            _ => Error::Empty,
        })
    }
}

/// Thoughts only count as such at the beginning.
pub(super) fn without_thoughts(text: &str) -> Cow<'_, str> {
    match text.trim_start().strip_prefix(THINKING) {
        Some(thinking) => match thinking.split_once(THOUGHT) {
            Some((_, said)) => Cow::Owned(said.trim_start().to_owned()),
            // Cut off before it came to the point.
            None => Cow::Owned(String::new()),
        },
        None => Cow::Borrowed(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thoughts_are_not_said() {
        for (text, said) in [
            ("[TONE: calm] \"Yes.\"", "[TONE: calm] \"Yes.\""),
            ("<think>Hm.</think>\n\n[SILENT]", "[SILENT]"),
            ("\n<think>\nHm, hm.\n</think>[SILENT]", "[SILENT]"),
            ("<think>Hm, hm", ""),
            ("I <think> so</think>.", "I <think> so</think>."),
        ] {
            assert_eq!(without_thoughts(text), said, "{text}");
        }
    }

    #[test]
    fn words_for_stopping_are_known_in_any_case() {
        for (word, cause) in [
            ("stop", StopCause::End),
            ("pause_turn", StopCause::End),
            ("MAX_TOKENS", StopCause::Length),
            ("length", StopCause::Length),
            ("PROHIBITED_CONTENT", StopCause::Refused),
            ("something new", StopCause::End),
        ] {
            assert_eq!(StopCause::of(word), cause, "{word}");
        }
    }
}
