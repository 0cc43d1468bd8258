//! What is said aloud while the command is still being answered.

use enact_engine::model::LiveText;
use serde_json::Value;

/// Says the words of an answer as they come, without the space around them: the answer has none either.
#[derive(Debug, Default)]
pub(super) struct Aloud {
    live: LiveText,
    /// Space that is only said if words follow.
    space: String,
    said: Said,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Said {
    #[default]
    Nothing,
    Something,
    /// The command has begun anew with another message. What was said cannot be taken back, so nothing is added to it: the
    /// whole answer is going to be heard.
    TooMuch,
}

impl Aloud {
    pub(super) fn to(live: LiveText) -> Aloud {
        Aloud { live, ..Aloud::default() }
    }

    /// Takes in an event as the provider sends them.
    pub(super) fn hear(&mut self, event: &Value) {
        match (event["type"].as_str(), event["delta"]["type"].as_str()) {
            (Some("message_start"), _) if self.said == Said::Something => self.said = Said::TooMuch,
            (Some("content_block_delta"), Some("text_delta")) => {
                self.say(event["delta"]["text"].as_str().unwrap_or_default());
            }
            _ => {}
        }
    }

    fn say(&mut self, text: &str) {
        let text = match self.said {
            Said::TooMuch => return,
            Said::Nothing => text.trim_start(),
            Said::Something => text,
        };
        let words = text.trim_end();
        if !words.is_empty() {
            self.said = Said::Something;
            self.live.push(&format!("{}{words}", self.space));
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
    fn words_are_said_as_they_come_and_nothing_else() {
        let text = |text: &str| json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}});
        let thought =
            json!({"type": "content_block_delta", "delta": {"type": "thinking_delta", "thinking": "Hm"}});
        let begin = json!({"type": "message_start", "message": {}});
        for (events, said) in [
            (vec![begin.clone(), thought, text("Well"), text(", then.")], "Well|, then."),
            (vec![text("\n "), text(" Well"), text(" \n"), text("then."), text("\n")], "Well| \nthen."),
            (vec![begin.clone(), text("We"), begin, text("Well.")], "We"),
            (vec![json!(null), json!({"type": "content_block_delta"}), text("")], ""),
        ] {
            let heard = Arc::new(Mutex::new(Vec::new()));
            let mut aloud = Aloud::to(LiveText::to({
                let heard = heard.clone();
                move |text| heard.lock().unwrap().push(text.to_owned())
            }));
            events.iter().for_each(|event| aloud.hear(event));
            assert_eq!(heard.lock().unwrap().join("|"), said);
        }
    }
}
