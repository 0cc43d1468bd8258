//! Finds the object that an answer is meant to be: whole, among other words, inside another, or broken.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::{PROFILE_KEYS, TARGET_KEYS, field, is_key, is_known_key, text_of, values, wanted_key, words};
use crate::{broken_json, chorus::Turn, voice::VoiceProfile};

/// How many braces are tried for the beginning of an object: real answers have it among the first.
const MOST_BRACES: usize = 64;
/// The same for objects that have to be mended first, which takes longer.
const MOST_MENDED: usize = 4;
/// How deep an answer may be hidden in objects and lists of others.
const DEEPEST: usize = 3;

/// What an answer is.
pub(super) enum FoundObject<'a> {
    Whole(Map<String, Value>),
    /// Among other words, inside a fence, a string or a list.
    Within(Map<String, Value>),
    /// Only after it was mended.
    Broken(Map<String, Value>),
    /// No object at all.
    Words(Cow<'a, str>),
}

pub(super) fn find(raw: &str, turn: Turn) -> FoundObject<'_> {
    let trimmed = raw.trim();
    match serde_json::from_str(trimmed) {
        // An object that was encoded twice is decoded twice. More than that does not occur.
        Ok(Value::String(inner)) => {
            let found = match find_in(inner.trim(), serde_json::from_str(inner.trim()).ok(), turn) {
                Some(FoundObject::Whole(object)) => Some(FoundObject::Within(object)),
                found => found,
            };
            found.unwrap_or_else(|| FoundObject::Words(inner.clone().into()))
        }
        parsed => find_in(trimmed, parsed.ok(), turn).unwrap_or(FoundObject::Words(raw.into())),
    }
}

fn find_in(text: &str, parsed: Option<Value>, turn: Turn) -> Option<FoundObject<'static>> {
    if let Some(value) = parsed {
        let best = best(answers_in(value.clone(), turn), turn);
        match (best, value) {
            (Some(answer), Value::Object(_)) => return Some(FoundObject::Whole(answer)),
            (Some(answer), _) => return Some(FoundObject::Within(answer)),
            // It says nothing, and whatever stands in it says nothing.
            (None, Value::Object(object)) => return Some(FoundObject::Whole(object)),
            (None, _) => {}
        }
    }
    if let Some(answer) = best(among_words(text, turn), turn) {
        return Some(FoundObject::Within(answer));
    }
    mended(text, turn).map(FoundObject::Broken)
}

/// All objects in a text that say something.
fn among_words(text: &str, turn: Turn) -> Vec<Map<String, Value>> {
    let (mut from, mut answers) = (0, Vec::new());
    for _ in 0..MOST_BRACES {
        let Some(brace) = text[from..].find('{') else { break };
        let start = from + brace;
        let mut values = serde_json::Deserializer::from_str(&text[start..]).into_iter::<Value>();
        match values.next() {
            Some(Ok(value)) => {
                from = start + values.byte_offset().max(1);
                answers.extend(answers_in(value, turn));
            }
            _ => from = start + 1,
        }
    }
    answers
}

/// Everything in a value that says something, what is inside before what it is in.
fn answers_in(value: Value, turn: Turn) -> Vec<Map<String, Value>> {
    let mut answers = Vec::new();
    collect(value, &Map::new(), turn, DEEPEST, &mut answers);
    answers
}

/// `around` is known of what is inside as well: whom it is aimed at, and how it sounds.
fn collect(
    value: Value,
    around: &Map<String, Value>,
    turn: Turn,
    deepest: usize,
    answers: &mut Vec<Map<String, Value>>,
) {
    match value {
        Value::Array(values) if deepest > 0 => {
            values.into_iter().for_each(|value| collect(value, around, turn, deepest - 1, answers));
        }
        Value::Object(mut object) => {
            for keys in [&TARGET_KEYS[..], &PROFILE_KEYS] {
                let known = |(key, _): &(&String, &Value)| keys.iter().any(|known| is_key(key, known));
                if let (None, Some((key, value))) = (field(&object, keys), around.iter().find(known)) {
                    object.insert(key.clone(), value.clone());
                }
            }
            if deepest > 0 {
                let inner = object.values().filter(|value| value.is_object() || value.is_array());
                inner.cloned().for_each(|value| collect(value, &object, turn, deepest - 1, answers));
            }
            if text_of(&object, turn).is_some() {
                answers.push(object);
            }
        }
        _ => {}
    }
}

/// The one of several that looks most like what was asked for; the last of equals, since a model
/// that thinks aloud comes to the answer at the end.
fn best(answers: Vec<Map<String, Value>>, turn: Turn) -> Option<Map<String, Value>> {
    answers.into_iter().max_by_key(|answer| {
        let profile = field(answer, &PROFILE_KEYS).and_then(Value::as_str).and_then(VoiceProfile::named);
        let aimed = turn == Turn::Comment && field(answer, &TARGET_KEYS).is_some();
        let named = values(answer, wanted_key(turn)).any(|value| words(value).is_some());
        (aimed, profile.is_some(), named)
    })
}

/// The object in a text that is meant as JSON and is not: cut off, in single quotes, with bare keys, its
/// braces lost. Where nothing can be made out it is an empty one, so that JSON is not read aloud to people.
fn mended(text: &str, turn: Turn) -> Option<Map<String, Value>> {
    let answer = |broken: &str| mend(broken).and_then(|value| best(answers_in(value, turn), turn));
    let to = text.rfind('}').map_or(text.len(), |last| last + 1);
    let starts = text.match_indices('{').map(|(from, _)| from).take(MOST_MENDED);
    let found = starts.flat_map(|from| [text.get(from..to), text.get(from..)]).flatten().find_map(answer);
    if found.is_some() {
        return found;
    }
    match text.strip_prefix('{') {
        Some(inside) => begins_with_a_key(inside).then(|| match mend(text) {
            Some(Value::Object(object)) => object,
            _ => Map::new(),
        }),
        // Quoted, since words may begin like that too: "Answer: …"
        None if text.starts_with(is_quote) && begins_with_a_key(text) && text.contains(':') => {
            answer(&format!("{{{text}}}"))
        }
        None => None,
    }
}

fn mend(broken: &str) -> Option<Value> {
    broken_json::mend(broken, is_known_key)
}

/// `"text": …`, in any quotes or none.
fn begins_with_a_key(text: &str) -> bool {
    let text = text.trim_start().trim_start_matches(is_quote);
    let end = text.find(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-')).unwrap_or(text.len());
    is_known_key(&text[..end])
}

fn is_quote(c: char) -> bool {
    matches!(c, '"' | '\'' | '`' | '“' | '”' | '‘' | '’')
}
