//! A result as people are shown it: on a terminal, on its page, and on the picture of it.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    episode::{EpisodeSetup, evaluation::Evaluation},
    text::one_line,
};

/// What an episode came to, in the parts that every card has.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ResultCard {
    /// What it is called: an archetype, or else the episode.
    pub title: String,
    /// What the test is called: the episode.
    pub test: String,
    /// With whom it was played.
    pub character: String,
    /// Names its colours: `slow_burn`, `mystery_progress`.
    pub theme: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tagline: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Something that the user really said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quote: Option<String>,
    /// How sure the evaluation is, in per cent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<u8>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub emotional_arc: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clues: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cleared: Vec<String>,
    /// How the author tells the end that came true.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ending: Option<String>,
}

impl ResultCard {
    /// The card of an evaluation. `ending` is the id of the one that came true.
    pub fn of(setup: &EpisodeSetup, evaluation: &Evaluation, ending: Option<&str>) -> ResultCard {
        let text = |key: &str| evaluation.text(key).filter(|text| !text.trim().is_empty()).map(str::to_owned);
        let texts = |key: &str| -> Vec<String> {
            let list = evaluation.result.get(key).and_then(Value::as_array);
            list.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
        };
        let confidence = evaluation.result.get("confidence").and_then(Value::as_f64);
        let written = setup.template.endings.iter().find(|written| Some(written.id.as_str()) == ending);
        let ending = written.map(|written| written.text.clone()).filter(|text| !text.is_empty());
        let title = &setup.template.title;
        let told = text("description").or_else(|| text("summary")).or_else(|| text("current_theory"));
        ResultCard {
            title: text("title").unwrap_or_else(|| setup.template.title.clone()),
            test: setup.template.title.clone(),
            character: setup.character.display.clone(),
            theme: text("archetype").unwrap_or_else(|| evaluation.evaluation_type.clone()),
            tagline: text("tagline"),
            text: told.and_then(|told| once(&told, title, ending.as_deref())),
            quote: text("quote"),
            confidence: confidence.map(|share| (share.clamp(0.0, 1.0) * 100.0).round() as u8),
            emotional_arc: text("emotional_arc"),
            clues: texts("clues_found"),
            cleared: texts("suspects_cleared"),
            ending,
        }
    }
}

/// A text without the title and the end, which stand on the card already.
fn once(told: &str, title: &str, ending: Option<&str>) -> Option<String> {
    let without_title = told.strip_prefix(title).and_then(|rest| rest.strip_prefix(": ")).unwrap_or(told);
    let ending = ending.map(one_line).unwrap_or_default();
    let text = match ending.is_empty() {
        true => without_title.trim().to_owned(),
        false => without_title.replace(&ending, "").trim().to_owned(),
    };
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::once;

    #[test]
    fn what_stands_on_a_card_stands_there_once() {
        let cases = [
            (
                "The Hall: 3 exchanges with Holt. Felix goes.",
                Some("Felix goes."),
                Some("3 exchanges with Holt."),
            ),
            ("The Hall: 3 exchanges with Holt.", None, Some("3 exchanges with Holt.")),
            ("The Hall: Felix goes.", Some("Felix\ngoes."), None),
            ("They met in The Hall: it rained.", Some(""), Some("They met in The Hall: it rained.")),
        ];
        for (told, ending, expected) in cases {
            assert_eq!(once(told, "The Hall", ending).as_deref(), expected, "{told}");
        }
    }
}
