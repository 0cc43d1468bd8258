//! What the model of the character is told: templates, filled in. What the user says is printed as a JSON
//! string.

use serde::{Deserialize, Serialize};

use super::{EpisodeSetup, director::Urgency, state::UserMessage};
use crate::prompt_template::{self, Error, Value, map, plain};

/// The templates, verbatim.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EpisodePrompts {
    /// The same in every turn.
    pub system: String,
    pub turn: String,
}

const SYSTEM: (&str, &str) = ("system.j2", include_str!("templates/system.j2"));
const TURN: (&str, &str) = ("turn.j2", include_str!("templates/turn.j2"));

impl EpisodePrompts {
    pub fn built_in() -> EpisodePrompts {
        EpisodePrompts { system: SYSTEM.1.to_owned(), turn: TURN.1.to_owned() }
    }

    /// What stands before everything else.
    pub(super) fn system(&self, setup: &EpisodeSetup) -> String {
        let template = &setup.template;
        let optional = |text: &Option<String>| text.as_deref().map_or_else(|| plain(""), plain);
        let lines = |texts: &mut dyn Iterator<Item = &str>| -> Value { texts.map(Value::from).collect() };
        // What somebody said is printed as a JSON string.
        let spoken = |by: &str, text: &str| map([("by", plain(by)), ("text", Value::from(text))]);
        let context = &setup.context;
        let of_user = setup.memories.iter().filter(|memory| memory.by.is_none());
        let heard = setup.memories.iter().filter_map(|memory| Some((memory.by.as_deref()?, memory)));
        let values = map([
            ("character", plain(&setup.character.display)),
            ("situation", plain(&template.situation)),
            ("opening_line", plain(&template.opening_line)),
            ("dramatic_question", optional(&template.dramatic_question)),
            ("wants", optional(&template.wants)),
            ("obstacle", optional(&template.obstacle)),
            ("tactic", optional(&template.tactic)),
            ("notes", optional(&template.notes)),
            ("memories", lines(&mut of_user.map(|memory| memory.text.as_str()))),
            ("heard", heard.map(|(by, memory)| spoken(by, &memory.text)).collect()),
            ("mood", context.mood.as_deref().map_or_else(|| plain(""), Value::from)),
            ("others", context.others.iter().map(|(name, how)| spoken(name.as_str(), &how.tone)).collect()),
            ("so_far", lines(&mut setup.so_far.iter().map(String::as_str))),
            ("most_sentences", Value::from(template.most_sentences)),
            ("most_words", Value::from(template.most_words)),
        ]);
        filled(SYSTEM, &self.system, &values)
    }

    /// What the user says, with what the director adds.
    pub(super) fn turn(&self, asked: &UserMessage) -> String {
        let directive = asked.directive.as_ref();
        let urgency = directive.map_or("", |directive| match directive.urgency {
            Urgency::Suggested => "suggested",
            Urgency::Required => "required",
            Urgency::Overdue => "overdue",
        });
        // Users' words are printed as JSON strings, also where the director quotes them.
        let said =
            |texts: &[String]| -> Value { texts.iter().map(|text| Value::from(text.as_str())).collect() };
        let between = asked.injected.relationship.as_ref();
        let values = map([
            ("message", Value::from(asked.text.as_str())),
            ("directive", plain(directive.map_or("", |directive| &directive.instruction))),
            ("urgency", plain(urgency)),
            ("told", asked.told.iter().map(|text| plain(text)).collect()),
            ("nudge", plain(asked.nudge.as_deref().unwrap_or_default())),
            ("memories", said(&asked.injected.memories)),
            ("hooks", said(&asked.injected.hooks)),
            ("tone", plain(between.map_or("", |between| &between.tone))),
            ("tension", Value::from(between.map_or(0, |between| u32::from(between.tension)))),
        ]);
        filled(TURN, &self.turn, &values)
    }
}

/// Templates are checked before they come here; one that fails all the same must not cost an answer.
fn filled((file, built_in): (&str, &str), source: &str, values: &Value) -> String {
    let fill =
        |source: &str| -> Result<String, Error> { prompt_template::fill(file, source, values.clone()) };
    fill(source).or_else(|_| fill(built_in)).expect("the built-in templates take whatever was said")
}
