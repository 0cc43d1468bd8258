//! Live text: the words of an answer as they come.

use enact_engine::model::LiveText;
use serde_json::Value;

/// Passes on the words of an answer as they come, without the space around them: the answer has none either.
#[derive(Debug, Default)]
pub(super) struct LiveWords {
    live: LiveText,
    /// Space that is only passed on if words follow.
    space: String,
    progress: StreamProgress,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum StreamProgress {
    #[default]
    Nothing,
    Words,
    /// The command has begun another message. What was passed on cannot be taken back, so nothing is added to
    /// it: the whole answer follows at the end.
    Restarted,
}

impl LiveWords {
    pub(super) fn to(live: LiveText) -> LiveWords {
        LiveWords { live, ..LiveWords::default() }
    }

    /// Takes in an event of the provider.
    pub(super) fn event(&mut self, event: &Value) {
        match (event["type"].as_str(), event["delta"]["type"].as_str()) {
            (Some("message_start"), _) if self.progress == StreamProgress::Words => {
                self.progress = StreamProgress::Restarted;
            }
            (Some("content_block_delta"), Some("text_delta")) => {
                self.push(event["delta"]["text"].as_str().unwrap_or_default());
            }
            _ => {}
        }
    }

    fn push(&mut self, text: &str) {
        let text = match self.progress {
            StreamProgress::Restarted => return,
            StreamProgress::Nothing => text.trim_start(),
            StreamProgress::Words => text,
        };
        let words = text.trim_end();
        if !words.is_empty() {
            self.progress = StreamProgress::Words;
            self.live.push(&format!("{}{words}", self.space));
            self.space.clear();
        }
        self.space.push_str(&text[words.len()..]);
    }
}

#[cfg(test)]
mod tests;
