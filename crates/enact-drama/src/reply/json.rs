//! Replies sent as a JSON object, which models do when their other tools speak JSON.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::{Action, Complaints, Draft, body::Spoken, head::Head, tidy};
use crate::test_counter::looked_at;

/// The answer as an object with something in it that belongs to a reply.
pub(super) fn object(text: &str, complaints: &mut Complaints) -> Option<Map<String, Value>> {
    let text = text.trim();
    if !(text.starts_with('{') && text.ends_with('}')) {
        return None;
    }
    looked_at(text.len());
    let mut object: Map<String, Value> = serde_json::from_str(text).ok()?;
    let known = ["action", "content", "tone", "nonverbal"];
    if !object.keys().any(|key| known.iter().any(|known| is_key(key, known))) {
        return None;
    }
    // What was escaped in JSON was hidden from the first tidying.
    for value in object.values_mut() {
        if let Value::String(text) = value
            && let Cow::Owned(tidied) = tidy::tidy(text, complaints)
        {
            *text = tidied;
        }
    }
    Some(object)
}

/// Reads such an object.
pub(super) fn read<'a>(object: &'a Map<String, Value>, complaints: &mut Complaints) -> Draft<'a> {
    complaints.say("a JSON object instead of the reply format");
    let get = |names: &[&str]| {
        let found = object.iter().find(|(key, value)| {
            value.as_str().is_some_and(|text| !text.trim().is_empty())
                && names.iter().any(|name| is_key(key, name))
        });
        found.and_then(|(_, value)| value.as_str())
    };
    let action = get(&["action", "type"]).and_then(|name| match name.trim().to_ascii_lowercase().as_str() {
        "interrupt" => Some(Action::Interrupt),
        "silent" | "silence" => Some(Action::Silent),
        "react" => Some(Action::React),
        "speak" => Some(Action::Speak),
        _ => None,
    });
    let head = Head {
        action,
        target: get(&["target", "to"]),
        tone: get(&["tone", "emotion"]),
        after: get(&["interruptAfter", "after"]),
        nonverbal: get(&["nonverbal", "gesture"]).into_iter().collect(),
        keyed: true,
        ..Head::default()
    };
    let text = get(&["content", "text", "dialog", "dialogue", "message"]).unwrap_or_default();
    let spoken = Spoken { text: text.into(), quoted: !text.is_empty(), ..Spoken::default() };
    Draft { head, spoken, bare: false }
}

/// `interruptAfter`, `interrupt_after` and `InterruptAfter` are one key.
fn is_key(key: &str, name: &str) -> bool {
    key.bytes()
        .filter(|b| *b != b'_' && *b != b'-')
        .map(|b| b.to_ascii_lowercase())
        .eq(name.bytes().map(|b| b.to_ascii_lowercase()))
}
