//! What can be said in an episode: a file of lines for any of them, and one each for those that are about
//! flirting and about finding something out, whose lines come first.

use std::{collections::HashMap, sync::LazyLock};

use enact_drama::{dice::Dice, episode::EpisodeTemplate};
use serde::Deserialize;

use super::sentences::SaidSoFar;
use crate::content::{Texts, content, placeholders};

/// What a line is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum LineUse {
    Greeting,
    Farewell,
    /// To a message that says next to nothing.
    Minimal,
    Short,
    /// To a question, where nothing fits that the character could tell.
    Question,
    Statement,
    Long,
    Rude,
    Warm,
    Sad,
    Rushing,
    /// To somebody who speaks of love.
    Love,
    /// To those who ask for the character's name.
    Name,
    /// To a question to which the character knows nothing: it asks about what was asked.
    AskBack,
    /// To those who ask what they are talking to.
    WhatAreYou,
    /// Before something that the character can tell of itself.
    Fact,
    /// A question that keeps the talk going.
    Hook,
    /// Before something that was asked for, where the user waits for an answer.
    Bridge,
    /// The same as the beginning of the sentence that follows, where there is no room for another; to grief,
    /// to love, to those who ask for a name, and to those who ask what they are talking to.
    Aside,
    SadAside,
    LoveAside,
    NameAside,
    HonestAside,
    /// After something was told, or asked.
    Told,
    Asked,
    /// Where the user has not yet taken up what was said.
    Press,
    /// With a phrase that is waited for.
    About,
    /// In the last turn.
    Closing,
    /// That settles what was open.
    Resolve,
    /// Where somebody may be in danger: the game stops.
    Care,
}

impl LineUse {
    /// Whether lines with a word of the message always come first: others would pass it over.
    fn takes_up(self) -> bool {
        matches!(self, LineUse::Sad | LineUse::SadAside | LineUse::AskBack | LineUse::Bridge | LineUse::Aside)
    }
}

type LinesByUse = HashMap<LineUse, Texts>;

pub(super) static PLAIN: LazyLock<LinesByUse> = LazyLock::new(|| content!("lines/plain.toml"));
pub(super) static FLIRT: LazyLock<LinesByUse> = LazyLock::new(|| content!("lines/flirt.toml"));
pub(super) static MYSTERY: LazyLock<LinesByUse> = LazyLock::new(|| content!("lines/mystery.toml"));

/// Lines with a word of the message come first so often: two times of three.
const GENERAL_ONE_IN: usize = 3;

/// What an episode is about, as far as its author says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Register {
    Plain,
    Flirt,
    Mystery,
}

impl Register {
    pub(super) fn of(template: &EpisodeTemplate) -> Register {
        let about = |word: &str| template.themes.iter().any(|theme| theme == word);
        match template.evaluation.as_str() {
            "flirt_archetype" => Register::Flirt,
            "mystery_progress" => Register::Mystery,
            _ if about("flirt") || about("romance") => Register::Flirt,
            _ if about("mystery") => Register::Mystery,
            _ => Register::Plain,
        }
    }

    fn lines(self, line_use: LineUse) -> impl Iterator<Item = &'static String> {
        let own = match self {
            Register::Plain => None,
            Register::Flirt => FLIRT.get(&line_use),
            Register::Mystery => MYSTERY.get(&line_use),
        };
        // A last word fits its episode, or it spoils it.
        let plain = PLAIN.get(&line_use).filter(|_| own.is_none() || line_use != LineUse::Closing);
        own.into_iter().chain(plain).flat_map(|lines| lines.iter())
    }
}

/// What the placeholders of lines stand for in one turn.
#[derive(Debug, Default)]
pub(super) struct LineValues {
    values: HashMap<&'static str, String>,
}

impl LineValues {
    pub(super) fn set(&mut self, name: &'static str, value: Option<String>) {
        if let Some(value) = value {
            self.values.insert(name, value);
        }
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.values.contains_key(name)
    }

    pub(super) fn forget(&mut self, name: &'static str) {
        self.values.remove(name);
    }

    /// The line with its values; nothing if one of them is missing.
    pub(super) fn fill(&self, line: &str) -> Option<String> {
        let mut filled = line.to_owned();
        for name in placeholders(line) {
            filled = filled.replace(&format!("{{{name}}}"), self.values.get(name)?);
        }
        Some(capitalised(&filled))
    }
}

/// A line for this use that can be said now; those about the message before others.
pub(super) fn pick(
    register: Register,
    line_use: LineUse,
    values: &LineValues,
    said: &SaidSoFar,
    dice: &mut Dice,
) -> Option<String> {
    let lines = register.lines(line_use);
    let filled = lines.filter_map(|line| Some((is_about_message(line), values.fill(line)?)));
    let can_be_said: Vec<(bool, String)> = filled.filter(|(_, line)| said.takes(line)).collect();
    let (about, general): (Vec<_>, Vec<_>) = can_be_said.into_iter().partition(|(about, _)| *about);
    let general_first = dice.one_in(GENERAL_ONE_IN) && !line_use.takes_up();
    let first = if general_first && !general.is_empty() || about.is_empty() { general } else { about };
    dice.pick(&first).map(|(_, line)| line.clone())
}

fn is_about_message(line: &str) -> bool {
    placeholders(line).any(|name| matches!(name, "topic" | "word" | "loss"))
}

pub(super) fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
