//! What a model answered for the character, read as well as possible.

use serde::{Deserialize, Serialize};

use super::display::{FieldScanner, Scanned, is_shown};
use crate::broken_json;

/// What the character says, does, and keeps to itself.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct StructuredAnswer {
    pub dialogue: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mood: Option<String>,
    /// How much tenser or calmer it made things, −1 to 1.
    #[serde(default)]
    pub tension_shift: f64,
}

/// An answer as it was understood.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct ReadAnswer {
    pub(super) answer: StructuredAnswer,
    /// What the character thinks. Never shown.
    pub(super) internal: Option<String>,
    /// What was wrong with it, and was mended.
    pub(super) warnings: Vec<String>,
}

impl StructuredAnswer {
    /// What people see: the action between asterisks, then what is said in quotation marks.
    pub fn content(&self) -> String {
        let action = self.action.as_ref().map(|action| format!("*{action}*"));
        let dialogue = (!self.dialogue.is_empty()).then(|| format!("\"{}\"", self.dialogue));
        action.into_iter().chain(dialogue).collect::<Vec<_>>().join("\n")
    }

    pub(super) fn is_empty(&self) -> bool {
        self.dialogue.is_empty() && self.action.is_none()
    }
}

/// Reads an answer. Broken JSON gives what can be read of it, and words alone are what is said.
pub(super) fn read_answer(raw: &str) -> ReadAnswer {
    let whole = object_in(raw).and_then(|object| serde_json::from_str::<AnswerFields>(object).ok());
    let mut read = match whole.filter(AnswerFields::says_something) {
        Some(given) => given.into_read(),
        None => mended(raw).unwrap_or_else(|| scanned(raw)),
    };
    // An object that says nothing is no answer: taken as words it would show what is thought.
    let is_object = ["\"dialogue\"", "\"action\"", "\"internal\""].iter().any(|key| raw.contains(key));
    if read.answer.is_empty() && !is_object {
        read.answer.dialogue = some_text(raw).map(|said| unquoted(&said).to_owned()).unwrap_or_default();
        read.warnings = vec!["the answer was not JSON: taken as what is said".to_owned()];
    }
    read
}

/// What a model gave without what the character thinks, written anew; nothing where nothing was thought.
pub(super) fn without_internal(raw: &str, answer: &StructuredAnswer) -> Option<String> {
    if !raw.contains("internal") {
        return None;
    }
    let shown = serde_json::json!({
        "action": answer.action.as_deref().unwrap_or_default(),
        "dialogue": answer.dialogue,
        "mood": answer.mood.as_deref().unwrap_or_default(),
        "tension_shift": answer.tension_shift,
    });
    Some(shown.to_string())
}

/// The fields of an answer as they may come. What has another type than it should is left out.
#[derive(Deserialize)]
struct AnswerFields {
    #[serde(default)]
    dialogue: serde_json::Value,
    #[serde(default)]
    action: serde_json::Value,
    #[serde(default)]
    internal: serde_json::Value,
    #[serde(default)]
    mood: serde_json::Value,
    #[serde(default)]
    tension_shift: serde_json::Value,
}

impl AnswerFields {
    fn says_something(&self) -> bool {
        [&self.dialogue, &self.action]
            .into_iter()
            .any(|text| text.as_str().is_some_and(|text| !text.trim().is_empty()))
    }

    fn into_read(self) -> ReadAnswer {
        let text = |value: &serde_json::Value| value.as_str().and_then(some_text);
        let shift = self.tension_shift.as_f64().unwrap_or_default();
        let answer = StructuredAnswer {
            dialogue: text(&self.dialogue).map(|said| unquoted(&said).to_owned()).unwrap_or_default(),
            action: text(&self.action).map(|done| done.trim_matches('*').trim().to_owned()),
            mood: text(&self.mood),
            tension_shift: shift.clamp(-1.0, 1.0),
        };
        ReadAnswer { answer, internal: text(&self.internal), warnings: Vec::new() }
    }
}

/// An object that is broken, and can be mended: in single quotes, with bare keys, with a comma too many.
fn mended(raw: &str) -> Option<ReadAnswer> {
    let is_key = |key: &str| ["dialogue", "action", "internal", "mood", "tension_shift"].contains(&key);
    let object = object_in(raw)?;
    let given: AnswerFields = serde_json::from_value(broken_json::mend(object, is_key)?).ok()?;
    let read = given.says_something().then(|| given.into_read())?;
    Some(ReadAnswer { warnings: vec!["the answer was broken JSON: mended".to_owned()], ..read })
}

/// What can be read of JSON that broke off, or of several objects.
fn scanned(raw: &str) -> ReadAnswer {
    let mut scanner = FieldScanner::default();
    let mut read = ReadAnswer::default();
    let (mut dialogue, mut action, mut internal, mut mood) =
        (String::new(), String::new(), String::new(), String::new());
    for next in raw.chars() {
        if let Some(Scanned::Text(next)) = scanner.push(next) {
            let text: &mut String = match scanner.key() {
                "dialogue" => &mut dialogue,
                "action" => &mut action,
                "internal" => &mut internal,
                "mood" => &mut mood,
                _ => continue,
            };
            text.push(next);
        }
    }
    read.answer.dialogue = some_text(&dialogue).map(|said| unquoted(&said).to_owned()).unwrap_or_default();
    read.answer.action = some_text(&action).map(|done| done.trim_matches('*').trim().to_owned());
    (read.internal, read.answer.mood) = (some_text(&internal), some_text(&mood));
    read.warnings = vec!["the answer was broken JSON: read as far as it went".to_owned()];
    read
}

/// From the first brace to the last.
fn object_in(raw: &str) -> Option<&str> {
    let (from, to) = (raw.find('{')?, raw.rfind('}')?);
    raw.get(from..=to)
}

fn some_text(text: &str) -> Option<String> {
    let text: String = text.chars().filter(|next| is_shown(*next)).collect();
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// Without the quotation marks that stand around all of it.
fn unquoted(text: &str) -> &str {
    let inner = text.strip_prefix(['"', '“']).and_then(|rest| rest.strip_suffix(['"', '”']));
    inner.filter(|inner| !inner.contains(['"', '“', '”'])).unwrap_or(text).trim()
}
