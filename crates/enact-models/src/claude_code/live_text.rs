//! Live text: the words of an answer as they come.

use enact_engine::model::Live;
use serde_json::Value;

/// Passes on the words of an answer as they come, without the space around them: the answer has none either.
#[derive(Debug, Default)]
pub(super) struct LiveWords {
    live: Live,
    /// Space that is only passed on if words follow.
    space: String,
    progress: Progress,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Progress {
    #[default]
    Nothing,
    Words,
    /// The command has begun another message. What was passed on cannot be taken back, so nothing is added to
    /// it: the whole answer follows at the end.
    Restarted,
}

impl LiveWords {
    pub(super) fn to(live: Live) -> LiveWords {
        LiveWords { live, ..LiveWords::default() }
    }

    /// Takes in an event of the provider.
    pub(super) fn event(&mut self, event: &Value) {
        match (event["type"].as_str(), event["delta"]["type"].as_str()) {
            (Some("message_start"), _) if self.progress == Progress::Words => {
                self.progress = Progress::Restarted;
            }
            (Some("content_block_delta"), Some("text_delta")) => {
                self.push(event["delta"]["text"].as_str().unwrap_or_default());
            }
            _ => {}
        }
    }

    fn push(&mut self, text: &str) {
        let text = match self.progress {
            Progress::Restarted => return,
            Progress::Nothing => text.trim_start(),
            Progress::Words => text,
        };
        let words = text.trim_end();
        if !words.is_empty() {
            self.progress = Progress::Words;
            self.live.say(&format!("{}{words}", self.space));
            self.space.clear();
        }
        self.space.push_str(&text[words.len()..]);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use serde_json::json;

    use super::*;

    #[test]
    fn words_are_passed_on_as_they_come_and_nothing_else() {
        let text = |text: &str| json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}});
        let thought =
            json!({"type": "content_block_delta", "delta": {"type": "thinking_delta", "thinking": "Hm"}});
        let begin = json!({"type": "message_start", "message": {}});
        for (events, shown) in [
            (vec![begin.clone(), thought, text("Well"), text(", then.")], "Well|, then."),
            (vec![text("\n "), text(" Well"), text(" \n"), text("then."), text("\n")], "Well| \nthen."),
            (vec![begin.clone(), text("We"), begin, text("Well.")], "We"),
            (vec![json!(null), json!({"type": "content_block_delta"}), text("")], ""),
        ] {
            let heard = Arc::new(Mutex::new(Vec::new()));
            let mut words = LiveWords::to(Live::to({
                let heard = heard.clone();
                move |text| heard.lock().unwrap().push(text.to_owned())
            }));
            events.iter().for_each(|event| words.event(event));
            assert_eq!(heard.lock().unwrap().join("|"), shown);
        }
    }
}
