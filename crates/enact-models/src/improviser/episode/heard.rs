//! What the user does with a message.

use std::sync::LazyLock;

use serde::Deserialize;

use super::{lines::LineUse, sentences::words, stock::without_ours};
use crate::{
    content::{Texts, content},
    improviser::chorus::{HeardMessage, HeardSort, heard},
};

/// Words by which a message is understood.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct HeardWords {
    /// Whole messages that say next to nothing.
    minimal: Texts,
    /// Phrases that somebody kind says.
    warm: Texts,
    /// Words with which people speak of themselves.
    oneself: Texts,
    /// Phrases that only sound like it: "tell me".
    demands: Texts,
    /// Phrases that somebody says who is in a hurry.
    rushing: Texts,
    /// Phrases that say love.
    love: Texts,
    /// Phrases that ask for the character's name.
    who_are_you: Texts,
    /// Phrases with which a machine is called to its face.
    machine: Texts,
}

static WORDS: LazyLock<HeardWords> = LazyLock::new(|| content!("words.toml"));

/// A message of this many words or fewer is short.
const SHORT_WORDS: usize = 3;
/// A message of this many words or more is long.
const LONG_WORDS: usize = 30;

/// What the user said, and what kind of line answers it.
#[derive(Debug, Clone)]
pub(super) struct UserLine {
    pub(super) heard: HeardMessage,
    pub(super) answered_by: LineUse,
    /// The words, in lower case and without marks.
    pub(super) words: Vec<String>,
}

impl UserLine {
    pub(super) fn read(message: &str) -> UserLine {
        let (heard, words) = (of_the_user(message), words(message));
        let line = words.join(" ");
        // What is grave in a story, and asked of the character, is no sorrow of the user.
        let without = |line: String, phrase: &String| line.replace(&format!(" {phrase} "), " ");
        let rest = WORDS.demands.iter().fold(format!(" {line} "), without);
        let of_oneself = rest.split(' ').any(|word| WORDS.oneself.has(word));
        let sort = match heard.sort {
            HeardSort::Sad if of_oneself => HeardSort::Sad,
            HeardSort::Sad if message.trim_end().ends_with('?') => HeardSort::Question,
            HeardSort::Sad => HeardSort::Statement,
            sort => sort,
        };
        let answered_by = match sort {
            _ if words.is_empty() || WORDS.minimal.has(&line) => LineUse::Minimal,
            HeardSort::Sad => LineUse::Sad,
            HeardSort::Rude => LineUse::Rude,
            _ if holds_one(&line, &WORDS.machine) => LineUse::WhatAreYou,
            _ if holds_one(&line, &WORDS.who_are_you) => LineUse::Name,
            HeardSort::WhatAreYou => LineUse::WhatAreYou,
            _ if holds_one(&line, &WORDS.love) => LineUse::Love,
            HeardSort::Greeting => LineUse::Greeting,
            HeardSort::Farewell => LineUse::Farewell,
            _ if holds_one(&line, &WORDS.rushing) => LineUse::Rushing,
            _ if words.len() >= LONG_WORDS => LineUse::Long,
            HeardSort::Question => LineUse::Question,
            HeardSort::Statement if begins_with_one(&line, &WORDS.demands) => LineUse::Question,
            HeardSort::Thanks => LineUse::Warm,
            HeardSort::Statement if holds_one(&line, &WORDS.warm) => LineUse::Warm,
            HeardSort::Statement if words.len() <= SHORT_WORDS => LineUse::Short,
            HeardSort::Statement => LineUse::Statement,
        };
        UserLine { heard, answered_by, words }
    }

    /// Whether an answer comes before whatever else was to be said.
    pub(super) fn comes_first(&self) -> bool {
        matches!(self.answered_by, LineUse::Sad | LineUse::Love | LineUse::Name | LineUse::WhatAreYou)
    }

    /// Whether something was asked or said that should not simply be passed over.
    pub(super) fn wants_answer(&self) -> bool {
        matches!(self.answered_by, LineUse::Question | LineUse::Rude | LineUse::Long | LineUse::Rushing)
    }
}

/// What is heard in a message. Danger is heard in what the user says, not in lines of ours that come back.
fn of_the_user(message: &str) -> HeardMessage {
    let all = heard(message);
    if all.help.is_none() {
        return all;
    }
    let Some(left) = without_ours(message) else { return all };
    // Beside ours each is read by itself: together they were put by chance.
    let in_danger = left.iter().map(|sentence| heard(sentence)).find(|own| own.help.is_some());
    match in_danger {
        Some(own) => HeardMessage { sort: own.sort, help: own.help, despairs: own.despairs, ..all },
        None => HeardMessage { sort: HeardSort::Statement, help: None, despairs: false, ..all },
    }
}

/// Whether a line begins with one of these phrases: "tell me about the sea".
fn begins_with_one(line: &str, phrases: &[String]) -> bool {
    phrases.iter().any(|phrase| line.starts_with(&format!("{phrase} ")))
}

/// Whether a line has one of these phrases as whole words.
fn holds_one(line: &str, phrases: &[String]) -> bool {
    let line = format!(" {line} ");
    phrases.iter().any(|phrase| line.contains(&format!(" {phrase} ")))
}
