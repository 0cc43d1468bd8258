//! What a character sheet says about how its character talks. English words only; a sheet in another language
//! gives no traits, which is honest: the improviser cannot read it.

use std::{collections::BTreeMap, sync::LazyLock};

use enact_drama::sheet::Sheet;
use serde::Deserialize;

use crate::content::{Texts, content};

/// The traits the lines know about.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Traits {
    pub(super) blunt: bool,
    pub(super) nervous: bool,
    pub(super) warm: bool,
    pub(super) interrupts: bool,
    /// Cuts no line off unless the scene asks for it.
    pub(super) patient: bool,
    /// What the sheet says the character does, by mood: "When angry: Speaks faster, …" gives `(angry, speaks
    /// faster)`.
    pub(super) habits: Vec<(Mood, String)>,
}

/// What a character feels, as coarsely as gestures need it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Mood {
    Angry,
    Hurt,
    Nervous,
    Ashamed,
    Thoughtful,
    Calm,
    Pleased,
}

impl Mood {
    pub(super) fn words(self) -> &'static MoodWords {
        MOODS.get(&self).expect("every mood has words, and a test looks")
    }
}

/// What goes with a mood.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MoodWords {
    /// Of a reaction without words.
    pub(super) tone: String,
    /// By which a sheet says that a character is in this mood.
    in_sheet: Texts,
    pub(super) gestures: Texts,
}

/// Words by which a sheet tells of a trait.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct TraitWords {
    blunt: Texts,
    nervous: Texts,
    warm: Texts,
    interrupts: Texts,
    patient: Texts,
    not_seen: Texts,
}

static TRAITS: LazyLock<TraitWords> = LazyLock::new(|| content!("traits.toml"));
pub(super) static MOODS: LazyLock<BTreeMap<Mood, MoodWords>> = LazyLock::new(|| content!("moods.toml"));

/// A gesture longer than this is a paragraph, not a gesture.
const LONGEST_HABIT: usize = 48;

impl Traits {
    pub(super) fn read(sheet: &Sheet) -> Traits {
        let body = sheet.body.to_lowercase();
        let says = |words: &Texts| words.iter().any(|word| body.contains(word.as_str()));
        let patient = says(&TRAITS.patient) && !body.contains("impatient");
        Traits {
            blunt: says(&TRAITS.blunt),
            nervous: says(&TRAITS.nervous),
            warm: says(&TRAITS.warm),
            interrupts: !patient && says(&TRAITS.interrupts),
            patient,
            habits: sheet
                .sections
                .iter()
                .flat_map(|section| &section.points)
                .filter_map(|p| habit(p))
                .collect(),
        }
    }
}

/// Reads "When angry: Speaks faster, uses clipped sentences" and "Raises voice when frustrated".
fn habit(point: &str) -> Option<(Mood, String)> {
    let lower = point.to_lowercase();
    let (when, act) = match lower.strip_prefix("when ") {
        Some(rest) => rest.split_once(':')?,
        None => lower.split_once(" when ").map(|(act, when)| (when, act))?,
    };
    let says = |words: &MoodWords| words.in_sheet.iter().any(|word| when.contains(word.as_str()));
    let (mood, _) = MOODS.iter().find(|(_, words)| says(words))?;
    let act = act.split([',', ';', '.', '(']).next()?.trim();
    let first = act.split_whitespace().next()?;
    // "Speaks faster" can be played; "Very quiet" and "Prone to shouting" cannot, and "becomes" is no
    // gesture.
    let playable = first.ends_with('s') && !first.ends_with("ss") && !TRAITS.not_seen.has(first);
    let plain = !act.contains(['*', '"', '[', ']']) && act.len() <= LONGEST_HABIT;
    (playable && plain).then(|| (*mood, act.to_owned()))
}

#[cfg(test)]
mod tests;
