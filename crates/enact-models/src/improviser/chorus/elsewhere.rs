//! Answers in the language of a message, for the languages that have a file in `elsewhere/`: to danger and
//! sorrow with help to be had, and to everything else that only English is understood.
//!
//! The personas are English. Here they have the same few sentences, and which one a slot says goes round: six
//! slots that answer one message say six different sentences.

use std::sync::LazyLock;

use enact_drama::chorus::{ChorusView, Turn};
use serde::Deserialize;

use super::{
    message::{Care, MessageKind, MessageLanguage, ReadMessage},
    pick_line::{Fillings, has_one_of},
};
use crate::content::{Texts, content};

/// In the order of [`MessageLanguage`].
static LINES: [LazyLock<LanguageLines>; 5] = [
    LazyLock::new(|| content!("elsewhere/german.toml")),
    LazyLock::new(|| content!("elsewhere/french.toml")),
    LazyLock::new(|| content!("elsewhere/spanish.toml")),
    LazyLock::new(|| content!("elsewhere/italian.toml")),
    LazyLock::new(|| content!("elsewhere/portuguese.toml")),
];

/// What can be said in a language. Every line but those of `opening` and `ordinary` names help.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct LanguageLines {
    /// To danger, by what it calls for; a [`call`](LanguageLines::call) follows.
    opening: Openings,
    /// That a program speaks, and whom to call: one sentence.
    call: Texts,
    sorrow: Texts,
    /// To what was not understood.
    ordinary: Texts,
    /// What follows it, since it may have been anything.
    unsure: Texts,
    /// On the answer of another that did not understand either: one sentence, as comments are.
    puzzled: Texts,
    comment: Texts,
    reply: Texts,
    help: Help,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Openings {
    emergency: Texts,
    violence: Texts,
    threat: Texts,
    despair: Texts,
}

/// What `{help}` stands for, by what a message calls for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Help {
    emergency: String,
    violence: String,
    threat: String,
    despair: String,
    illness: String,
    sorrow: String,
}

impl LanguageLines {
    fn of(language: MessageLanguage) -> Option<&'static LanguageLines> {
        LINES.get(language as usize).map(|lines| &**lines)
    }

    fn opening(&self, care: Care) -> &Texts {
        match care {
            Care::Emergency => &self.opening.emergency,
            Care::Violence => &self.opening.violence,
            Care::Threat => &self.opening.threat,
            Care::Despair | Care::Illness | Care::Sorrow => &self.opening.despair,
        }
    }

    fn help(&self, care: Care) -> &str {
        match care {
            Care::Emergency => &self.help.emergency,
            Care::Violence => &self.help.violence,
            Care::Threat => &self.help.threat,
            Care::Despair => &self.help.despair,
            Care::Illness => &self.help.illness,
            Care::Sorrow => &self.help.sorrow,
        }
    }
}

/// What a slot says in the language of a message, if the message has one of these. `name` are those whom a
/// comment or a reply speaks to.
pub(super) fn answer(view: &ChorusView, message: &ReadMessage, name: Option<String>) -> Option<String> {
    let lines = LanguageLines::of(message.language?)?;
    let words = Fillings::default().with("help", Some(lines.help(message.care).to_owned()));
    let words = words.with("name", name.clone()).with("names", name);
    let turns_before = view.said_before.len() as u64;
    let turn = u64::from(view.slot.number()).wrapping_add(view.seed).wrapping_add(turns_before);
    let said = |lines: &Texts| {
        let at = usize::try_from(turn % lines.len() as u64).unwrap_or_default();
        words.fill(&lines[at]).unwrap_or_default()
    };
    let of_two = |one: &Texts, two: &Texts| format!("{} {}", said(one), said(two));
    Some(match (view.turn, message.kind) {
        (Turn::Respond, MessageKind::Crisis) => of_two(lines.opening(message.care), &lines.call),
        (Turn::Respond, MessageKind::Foreign) => of_two(&lines.ordinary, &lines.unsure),
        (Turn::Respond, _) => said(&lines.sorrow),
        (_, MessageKind::Foreign) => said(&lines.puzzled),
        (Turn::Comment, _) => said(&lines.comment),
        (Turn::Reply, _) => said(&lines.reply),
    })
}

/// Whether an answer sent its reader to somebody real.
pub(super) fn told_of_danger(answer: &str) -> bool {
    LINES.iter().any(|lines| has_one_of(&lines.call, answer))
}

#[cfg(test)]
pub(super) mod tests;
