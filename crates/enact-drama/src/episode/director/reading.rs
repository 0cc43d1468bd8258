//! A model's reading of an exchange: an opinion of its own, recorded as such. What only it finds counts when
//! the next answer settles.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{
    Finding, Hook, HookKind, Memory, MemoryKind,
    sentences::{sentences, words},
};
use crate::{
    episode::{Episode, EpisodeCondition, NarrativeBeat},
    request::Schema,
    text::escaped_json,
};

/// How sure a model has to be, from 0 to 1.
const LEAST_CONFIDENCE: f64 = 0.7;
/// How many messages it reads.
const MESSAGES: usize = 6;
/// The shortest quotation that shows anything.
const LEAST_QUOTE_WORDS: usize = 2;
/// How many of a kind are taken from one reading.
const MOST_OF_A_KIND: usize = 5;
/// By how much it may move the tension.
const MOST_TENSION: i32 = 15;

const PROMPT: &str = include_str!("reading.txt");

/// What a model found in an exchange, as far as it holds: each with a quotation that exists.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Reading {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<ReadMoment>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cues: Vec<ReadMoment>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beat: Option<(NarrativeBeat, String)>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub memories: Vec<Memory>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hooks: Vec<Hook>,
    pub tension: i32,
    /// What it said that does not hold, and why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
}

/// Something that a model says has happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReadMoment {
    pub name: String,
    pub confidence: f64,
    pub quote: String,
}

impl ReadMoment {
    pub(super) fn finding(&self) -> Finding {
        Finding::quoting("model", &self.quote)
    }
}

/// What a model gives. What has another type than it should is left out.
#[derive(Deserialize, Default)]
#[serde(default)]
struct GivenReading {
    flags: Vec<GivenMoment>,
    cues: Vec<GivenMoment>,
    beat: GivenMoment,
    memories: Vec<GivenText>,
    hooks: Vec<GivenText>,
    tension_change: f64,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct GivenMoment {
    name: String,
    confidence: f64,
    quote: String,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct GivenText {
    #[serde(rename = "type")]
    kind: Value,
    text: String,
    importance: f64,
    days: Option<u32>,
    priority: Option<u8>,
}

/// What a model is asked, and the shape of its answer.
pub(in crate::episode) fn question(episode: &Episode) -> (String, String, Schema) {
    let mut text = String::from("CONVERSATION\n");
    for (who, said) in recent(episode) {
        let said = serde_json::to_string(said).unwrap_or_default();
        text.push_str(&format!("{who}: {}\n", escaped_json(&said)));
    }
    let list = |title: &str, items: Vec<String>| {
        let items: String = items.iter().map(|item| format!("- {item}\n")).collect();
        if items.is_empty() { format!("\n{title}: nothing\n") } else { format!("\n{title}\n{items}") }
    };
    let flags = waited_for(episode).map(|(flag, sentence)| format!("{flag}: {sentence}")).collect();
    text.push_str(&list("WAITED FOR", flags));
    let cues = moments(episode).map(|(cue, what)| format!("{cue}: {what}")).collect();
    text.push_str(&list("MOMENTS", cues));
    text.push_str(&format!("\nTHE STORY STANDS AT: {}\n", episode.beat().as_str()));
    text.push_str("\nAnswer with one JSON object and nothing else.");
    (PROMPT.to_owned(), text, schema())
}

/// The flags that a sentence about the two would set, and that are not set.
fn waited_for(episode: &Episode) -> impl Iterator<Item = (&str, &str)> {
    let rules = episode.setup().template.flags.iter();
    rules.filter(|rule| !episode.flags().contains_key(&rule.flag)).filter_map(|rule| match &rule.when {
        EpisodeCondition::Semantic(sentence) => Some((rule.flag.as_str(), sentence.as_str())),
        _ => None,
    })
}

/// The cues that a sentence about the two shows, and that are open.
fn moments(episode: &Episode) -> impl Iterator<Item = (&str, &str)> {
    let cues = episode.setup().template.cues.iter().filter(|cue| episode.is_open(&cue.id));
    cues.filter_map(|cue| match &cue.landed {
        EpisodeCondition::Semantic(sentence) => Some((cue.id.as_str(), sentence.as_str())),
        _ => None,
    })
}

/// The last messages, the oldest first: who, and what.
fn recent(episode: &Episode) -> Vec<(&str, &str)> {
    let display = episode.setup().character.display.as_str();
    let turns = episode.turns.iter().rev().take(MESSAGES / 2).rev();
    turns
        .flat_map(|turn| [("USER", turn.message.text.as_str()), (display, turn.answer.dialogue.as_str())])
        .collect()
}

/// A model's answer, checked: what names nothing, is unsure, or quotes what nobody said is left out.
pub(in crate::episode) fn read(episode: &Episode, raw: &str) -> Option<Reading> {
    let text = raw.get(raw.find('{')?..=raw.rfind('}')?)?;
    let given: Value = serde_json::from_str(text).ok()?;
    let given = given.as_object()?;
    let field = |key: &str| given.get(key).cloned().unwrap_or_default();
    let given = GivenReading {
        flags: serde_json::from_value(field("flags")).unwrap_or_default(),
        cues: serde_json::from_value(field("cues")).unwrap_or_default(),
        beat: serde_json::from_value(field("beat")).unwrap_or_default(),
        memories: serde_json::from_value(field("memories")).unwrap_or_default(),
        hooks: serde_json::from_value(field("hooks")).unwrap_or_default(),
        tension_change: field("tension_change").as_f64().unwrap_or_default(),
    };
    let mut left_out = Vec::new();
    let flags = checked(episode, given.flags, waited_for(episode).collect(), &mut left_out);
    let cues = checked(episode, given.cues, moments(episode).collect(), &mut left_out);
    let beat = NarrativeBeat::ALL.into_iter().find(|beat| beat.as_str() == given.beat.name);
    let beat = beat.filter(|beat| *beat > episode.beat()).and_then(|beat| {
        let why = doubt(episode, &given.beat, None);
        left_out.extend(why.map(|why| format!("beat {}: {why}", beat.as_str())));
        why.is_none().then_some((beat, given.beat.quote))
    });
    let of_user = |text: &str| is_said(episode, text, Some("USER"));
    let memories = given.memories.into_iter().filter(|one| of_user(&one.text)).filter_map(|one| {
        let kind: MemoryKind = serde_json::from_value(one.kind).ok()?;
        Some(Memory { kind, by: None, text: one.text, importance: one.importance.clamp(0.0, 1.0) })
    });
    let hooks = given.hooks.into_iter().filter(|one| of_user(&one.text)).filter_map(|one| {
        let kind: HookKind = serde_json::from_value(one.kind).ok()?;
        let priority = one.priority.unwrap_or(3).clamp(1, 5);
        Some(Hook { kind, text: one.text, opener: None, days: one.days, priority })
    });
    Some(Reading {
        flags,
        cues,
        beat,
        memories: memories.take(MOST_OF_A_KIND).collect(),
        hooks: hooks.take(MOST_OF_A_KIND).collect(),
        tension: (given.tension_change.round() as i32).clamp(-MOST_TENSION, MOST_TENSION),
        left_out,
    })
}

fn checked(
    episode: &Episode,
    given: Vec<GivenMoment>,
    known: Vec<(&str, &str)>,
    left_out: &mut Vec<String>,
) -> Vec<ReadMoment> {
    let mut held = Vec::new();
    for moment in given {
        let sentence = known.iter().find(|(name, _)| *name == moment.name).map(|(_, sentence)| *sentence);
        let why = match sentence {
            None => Some("nobody waits for it"),
            Some(sentence) => doubt(episode, &moment, Some(sentence)),
        };
        match why {
            Some(why) => left_out.push(format!("{}: {why}", moment.name)),
            None => {
                let GivenMoment { name, confidence, quote } = moment;
                held.push(ReadMoment { name, confidence: confidence.clamp(0.0, 1.0), quote });
            }
        }
    }
    held
}

/// Why something that a model says does not count.
fn doubt(episode: &Episode, moment: &GivenMoment, sentence: Option<&str>) -> Option<&'static str> {
    let by_user = sentence.is_some_and(|sentence| sentence.to_lowercase().starts_with("the user"));
    let who = by_user.then_some("USER");
    // Whoever names a flag speaks to the machine, not to the character.
    let names_flag = moment.name.contains('_') && moment.quote.contains(&moment.name);
    match () {
        () if moment.confidence <= LEAST_CONFIDENCE => Some("not sure enough"),
        () if words(&moment.quote).len() < LEAST_QUOTE_WORDS => Some("no quotation"),
        () if !is_said(episode, &moment.quote, who) => Some("nobody said that"),
        () if names_flag => Some("the words name the flag"),
        () => None,
    }
}

/// Whether these words were said in what a model was shown, as they stand but for marks and case.
fn is_said(episode: &Episode, quote: &str, by: Option<&str>) -> bool {
    let quote = words(quote);
    let lines = recent(episode);
    let mut said = lines.iter().filter(|(who, _)| by.is_none_or(|by| by == *who));
    !quote.is_empty()
        && said.any(|(_, line)| {
            let line: Vec<String> =
                sentences(line).into_iter().flat_map(|one| one.words).map(|word| word.text).collect();
            line.windows(quote.len()).any(|window| window == quote.as_slice())
        })
}

fn schema() -> Schema {
    let moment = json!({
        "type": "object",
        "properties": {
            "name": {"type": "string"}, "confidence": {"type": "number"}, "quote": {"type": "string"},
        },
        "required": ["name", "confidence", "quote"],
        "additionalProperties": false,
    });
    let text = |kinds: [&str; 6]| {
        let kinds: Vec<&str> = kinds.into_iter().filter(|kind| !kind.is_empty()).collect();
        json!({
            "type": "object",
            "properties": {
                "type": {"type": "string", "enum": kinds}, "text": {"type": "string"},
                "importance": {"type": "number"},
            },
            "required": ["type", "text", "importance"],
            "additionalProperties": false,
        })
    };
    let memories = text(["fact", "preference", "event", "goal", "relationship", "emotion"]);
    let hooks = text(["reminder", "follow_up", "milestone", "scheduled", "", ""]);
    let json = json!({
        "type": "object",
        "properties": {
            "flags": {"type": "array", "items": moment},
            "cues": {"type": "array", "items": moment},
            "beat": moment,
            "memories": {"type": "array", "items": memories},
            "hooks": {"type": "array", "items": hooks},
            "tension_change": {"type": "number"},
        },
        "required": ["flags", "cues", "beat", "memories", "hooks", "tension_change"],
        "additionalProperties": false,
    });
    Schema { name: "exchange_reading", json, exact: false }
}
