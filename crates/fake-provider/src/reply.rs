//! What a model says when the script leaves it to the server: a function of the request and nothing else.

use std::{
    collections::BTreeMap,
    hash::{DefaultHasher, Hash, Hasher},
    sync::LazyLock,
};

use serde_json::Value;

use crate::{prompt::Prompt, schema::minimal_instance};

/// What is said, and as `stray` what models send when they forget what they were asked for.
static REPLIES: LazyLock<BTreeMap<String, Vec<String>>> =
    LazyLock::new(|| serde_json::from_str(include_str!("replies.json")).expect("lists of texts"));

/// A reply in the format that the scenes ask for, chosen by what was said last and to whom.
pub(crate) fn default_reply(prompt: &Prompt<'_>) -> String {
    let last = prompt.last_message();
    let system = prompt.system();
    let me = speaker(last).or_else(|| speaker(&system)).unwrap_or_default();
    let dice = hash(&(last, me));
    let tone = pick(&REPLIES["tones"], dice >> 8);
    let words = pick(&REPLIES["words"], dice >> 16);
    let gesture = pick(&REPLIES["gestures"], dice >> 24);
    let others: Vec<&str> = cast_of(&system).into_iter().filter(|name| *name != me).collect();
    match (dice % 16, others.as_slice()) {
        (0, _) => "[SILENT]".to_owned(),
        (1, _) => format!("[REACT, TONE: {tone}, *{gesture}*]"),
        (2..=4, _) | (_, []) => format!("[TONE: {tone}] \"{words}\""),
        (5..=7, others) => {
            format!("[TO: {}, TONE: {tone}, *{gesture}*] \"{words}\"", pick(others, dice >> 32))
        }
        (_, others) => format!("[TO: {}, TONE: {tone}] \"{words}\"", pick(others, dice >> 32)),
    }
}

/// An answer in the shape that was asked for: the smallest there is, except that who is to speak has
/// something to say.
pub(crate) fn structured(prompt: &Prompt<'_>, schema: &Value) -> Value {
    let mut answer = minimal_instance(schema);
    let properties = &schema["properties"];
    if properties.get(VOICE).is_none() {
        return answer;
    }
    // By what was said last and to whom: slots may share both the system's text and the message, but not
    // their number.
    let dice = hash(&(prompt.last_message(), prompt.system()));
    for (place, (name, value)) in answer.as_object_mut().into_iter().flatten().enumerate() {
        let dice = dice.rotate_right(8 * place as u32);
        match properties[name]["enum"].as_array() {
            Some(choices) if !choices.is_empty() => *value = pick(choices, dice).clone(),
            // One sentence of it: more is too much for a comment.
            _ if value.is_string() => {
                *value = Value::from(first_sentence(pick::<String>(&REPLIES["words"], dice)))
            }
            _ => {}
        }
    }
    answer
}

fn first_sentence(text: &str) -> &str {
    text.find(". ").map_or(text, |end| &text[..=end])
}

/// What answers that are to be spoken have beside the words.
const VOICE: &str = "voice_profile";

/// The names in the list below the prompt's `Cast:`, each with a word on the character after a colon.
fn cast_of(system: &str) -> Vec<&str> {
    let list = system.lines().skip_while(|line| *line != "Cast:").skip(1);
    list.map_while(|line| line.strip_prefix("- "))
        .map(|line| line.split_once(": ").map_or(line, |(name, _)| name))
        .collect()
}

/// Text that follows neither the reply format nor a schema.
pub(crate) fn malformed(prompt: &Prompt<'_>) -> String {
    pick(&REPLIES["stray"], hash(&prompt.last_message())).clone()
}

/// The name in a line `You are <name>. …`.
fn speaker(text: &str) -> Option<&str> {
    let rest = text.lines().rev().find_map(|line| line.strip_prefix("You are "))?;
    Some(rest.split_once('.').map_or(rest, |(name, _)| name).trim())
}

fn pick<T>(choices: &[T], dice: u64) -> &T {
    &choices[(dice % choices.len() as u64) as usize]
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests;
