//! What a model says when the script leaves it to the server: a function of the request and nothing else.

use std::hash::{DefaultHasher, Hash, Hasher};

use serde_json::Value;

use crate::{prompt::Prompt, schema::minimal_instance};

const TONES: [&str; 8] = ["calm", "wary", "amused", "tense", "warm", "cold", "tired", "hopeful"];

const GESTURES: [&str; 5] =
    ["folds the letter", "looks at the clock", "leans on the door", "sets down the cup", "half smiles"];

const WORDS: [&str; 10] = [
    "The ferry leaves at six, with us or without us.",
    "You kept the receipt, so you knew what it would cost.",
    "Say that again, slowly, and look at me while you do.",
    "I counted the chairs twice. One of us was not expected.",
    "Fine. Then we tell them together, and we tell them today.",
    "My mother had that same lamp, and she never trusted it either.",
    "Nobody asked the gardener, and the gardener saw all of it.",
    "If it was a mistake, it was a very careful one.",
    "I can wait. I have waited for worse people than you.",
    "Leave the window open. I want to hear them coming.",
];

/// What models send when they forget what they were asked for.
const STRAY: [&str; 6] = [
    "Of course! In this scene my character would probably say something kind here.",
    "[TO: , TONE] I am not sure what to",
    "```\n[TONE: calm \"Never mind\"\n```",
    "{\"action\": \"speak\", \"content\":",
    "*** (((",
    "Narrator: And then nobody spoke for a long while.",
];

/// A reply in the format that the scenes ask for, chosen by what was said last and to whom.
pub(crate) fn default_reply(prompt: &Prompt<'_>) -> String {
    let last = prompt.last_message();
    let system = prompt.system();
    let me = speaker(last).or_else(|| speaker(&system)).unwrap_or_default();
    let dice = hash(&(last, me));
    let tone = pick(&TONES, dice >> 8);
    let words = pick(&WORDS, dice >> 16);
    let gesture = pick(&GESTURES, dice >> 24);
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

/// An answer in the shape that was asked for: the smallest there is, except that who is to speak has something to say.
pub(crate) fn structured(prompt: &Prompt<'_>, schema: &Value) -> Value {
    let mut answer = minimal_instance(schema);
    let properties = &schema["properties"];
    if properties.get(VOICE).is_none() {
        return answer;
    }
    // By what was said last and to whom: slots may share both the system's text and the message, but not their number.
    let dice = hash(&(prompt.last_message(), prompt.system()));
    for (place, (name, value)) in answer.as_object_mut().into_iter().flatten().enumerate() {
        let dice = dice.rotate_right(8 * place as u32);
        match properties[name]["enum"].as_array() {
            Some(choices) if !choices.is_empty() => *value = pick(choices, dice).clone(),
            // One sentence of it: more is too much for a comment.
            _ if value.is_string() => *value = Value::from(first_sentence(pick::<&str>(&WORDS, dice))),
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

/// The names on the prompt's `Cast:` line.
fn cast_of(system: &str) -> Vec<&str> {
    let line = system.lines().find_map(|line| line.strip_prefix("Cast: "));
    line.map_or_else(Vec::new, |names| {
        names.split(',').map(str::trim).filter(|name| !name.is_empty()).collect()
    })
}

/// Text that follows neither the reply format nor a schema.
pub(crate) fn malformed(prompt: &Prompt<'_>) -> String {
    (*pick(&STRAY, hash(&prompt.last_message()))).to_owned()
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
