//! Reads answers. What is wanted is a JSON object of a few fields; what models send is that, or nearly that,
//! or words. Any text at all has a reading, and what had to be mended is said.

use serde_json::{Map, Value};

use self::object::FoundObject;
use super::Turn;
use crate::{
    text::{one_line, shortened},
    voice::VoiceProfile,
};

mod object;
#[cfg(test)]
mod tests;

/// How much of a wrong value a warning shows.
const LONGEST_SHOWN_CHARS: usize = 40;

/// The names that models give to what they say, besides the ones that they are asked for.
const TEXT_KEYS: [&str; 7] = ["text", "comment", "reply", "response", "answer", "message", "content"];
const TARGET_KEYS: [&str; 5] = ["targetslotid", "targetslot", "target", "slotid", "slot"];
const PROFILE_KEYS: [&str; 3] = ["voiceprofile", "profile", "voice"];

/// An answer, as well as it can be understood.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct AnswerReading {
    /// On one line; empty where there is nothing to say.
    pub(super) text: String,
    pub(super) aim: Aim,
    pub(super) profile: VoiceProfile,
    pub(super) warnings: Vec<String>,
}

/// Which slot a comment names. Whether there is such a slot is not known here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Aim {
    Nowhere,
    At(u64),
}

pub(super) fn read(raw: &str, turn: Turn) -> AnswerReading {
    let raw = without_thoughts(raw);
    let mut warnings = Vec::new();
    let object = match object::find(raw, turn) {
        FoundObject::Whole(object) => object,
        FoundObject::Within(object) => {
            warnings.push("more than a JSON object".to_owned());
            object
        }
        FoundObject::Broken(object) => {
            warnings.push("its JSON is broken".to_owned());
            object
        }
        FoundObject::Words(words) => {
            warnings.push("not JSON: taken word for word".to_owned());
            let text = one_line(without_fences(&words));
            return AnswerReading { text, aim: Aim::Nowhere, profile: VoiceProfile::default(), warnings };
        }
    };
    let (text, aim) = (text_of(&object, turn).unwrap_or_default(), aim_of(&object));
    let profile = profile_of(&object, &mut warnings);
    AnswerReading { text, aim, profile, warnings }
}

/// What an object says, on one line.
fn text_of(object: &Map<String, Value>, turn: Turn) -> Option<String> {
    let said = |key: &&str| values(object, key).find_map(words);
    let text = said(&wanted_key(turn)).or_else(|| TEXT_KEYS.iter().find_map(said));
    text.map(|text| one_line(&text))
}

/// What a turn's words are to be called.
fn wanted_key(turn: Turn) -> &'static str {
    if turn == Turn::Comment { "comment" } else { "text" }
}

/// The words in a value. `<what you say>` is the form that was to be filled in.
fn words(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        Value::Array(parts) => parts.iter().map(Value::as_str).collect::<Option<Vec<_>>>()?.join(" "),
        Value::Null | Value::Bool(_) | Value::Object(_) => return None,
    };
    let form = text.trim().strip_prefix('<').and_then(|rest| rest.strip_suffix('>'));
    let is_form = form.is_some_and(|form| !form.contains(['<', '>']));
    (!is_form && !text.trim().is_empty()).then_some(text)
}

fn aim_of(object: &Map<String, Value>) -> Aim {
    let number = match field(object, &TARGET_KEYS) {
        Some(Value::Number(number)) => number
            .as_u64()
            .or_else(|| number.as_f64().filter(|n| n.fract() == 0.0 && *n > 0.0).map(|n| n as u64)),
        Some(Value::String(text)) => numbered(text),
        _ => return Aim::Nowhere,
    };
    // What is not a number is 0, which no slot has.
    Aim::At(number.unwrap_or(0))
}

/// `3`, `slot-3`, `Speaker 3 (gpt-4o)`. Nothing else: the 4 of `gpt-4o` is not a slot.
fn numbered(text: &str) -> Option<u64> {
    let text = text.trim().to_ascii_lowercase();
    let rest = ["slot", "speaker", "voice", "agent"].iter().find_map(|word| text.strip_prefix(word));
    let number = rest.unwrap_or(&text).trim_start_matches(['-', '_', ' ', '#', ':']);
    let (number, rest) = number.split_at(number.find(|c: char| !c.is_ascii_digit()).unwrap_or(number.len()));
    let ends = !rest.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '.' | '-'));
    number.parse().ok().filter(|_| ends)
}

fn profile_of(object: &Map<String, Value>, warnings: &mut Vec<String>) -> VoiceProfile {
    let named = field(object, &PROFILE_KEYS).and_then(Value::as_str);
    match named.map(|name| (name, VoiceProfile::named(name))) {
        Some((_, Some(profile))) => profile,
        Some((name, None)) => {
            let (name, taken) = (one_line(name), VoiceProfile::default().as_str());
            let shown = shortened(&name, LONGEST_SHOWN_CHARS);
            warnings.push(format!("no voice profile is called \"{shown}\": {taken} taken"));
            VoiceProfile::default()
        }
        None => {
            warnings.push(format!("no voice profile: {} taken", VoiceProfile::default().as_str()));
            VoiceProfile::default()
        }
    }
}

/// The first of these fields that holds anything.
fn field<'a>(object: &'a Map<String, Value>, keys: &[&str]) -> Option<&'a Value> {
    let held = |value: &&Value| match value {
        Value::Null => false,
        Value::String(text) => !text.trim().is_empty(),
        _ => true,
    };
    keys.iter().find_map(|wanted| values(object, wanted).find(held))
}

/// What stands under a key, however it is written.
fn values<'a>(object: &'a Map<String, Value>, wanted: &str) -> impl Iterator<Item = &'a Value> {
    object.iter().filter(move |(key, _)| is_key(key, wanted)).map(|(_, value)| value)
}

/// `voiceProfile`, `voice_profile` and `Voice-Profile` are one key.
fn is_key(key: &str, wanted: &str) -> bool {
    let plain = key.bytes().filter(|b| !matches!(b, b'_' | b'-' | b' ')).map(|b| b.to_ascii_lowercase());
    plain.eq(wanted.bytes())
}

/// Whether a field has one of the names that fields of answers have.
fn is_known_key(key: &str) -> bool {
    let known = TEXT_KEYS.iter().chain(&TARGET_KEYS).chain(&PROFILE_KEYS);
    known.into_iter().any(|known| is_key(key, known))
}

/// Some models think aloud first, between marks.
fn without_thoughts(raw: &str) -> &str {
    let thoughts = raw.trim_start().strip_prefix("<think>");
    thoughts.and_then(|thoughts| thoughts.split_once("</think>")).map_or(raw, |(_, answer)| answer)
}

/// What stands inside a code fence, if all of it does.
fn without_fences(raw: &str) -> &str {
    let trimmed = raw.trim();
    let inner = trimmed.strip_prefix("```").and_then(|rest| rest.strip_suffix("```"));
    match inner.map(|inner| (inner, inner.split_once('\n'))) {
        // What follows the first mark on its line names a language.
        Some((_, Some((_, lines)))) => lines,
        Some((inner, None)) => inner,
        None => trimmed,
    }
}
