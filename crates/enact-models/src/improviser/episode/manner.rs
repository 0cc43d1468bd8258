//! How the character is while it speaks: its mood, what it does with its hands, and what it thinks.

use std::sync::LazyLock;

use enact_drama::{
    dice::Dice,
    episode::{EpisodeView, NarrativeBeat},
};
use serde::Deserialize;

use super::lines::{LineUse, LineValues, Register};
use crate::content::{Texts, content};

/// What a character shows, by how tense things are.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Demeanours {
    calm: Demeanour,
    alert: Demeanour,
    tense: Demeanour,
    /// Where the episode is about flirting.
    flirt: Demeanour,
    /// Moods after certain messages.
    hurt: Texts,
    touched: Texts,
    careful: Texts,
    /// What the character thinks, around what it wants, what stops it, and how it tries.
    thoughts: Texts,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Demeanour {
    moods: Texts,
    gestures: Texts,
}

static DEMEANOURS: LazyLock<Demeanours> = LazyLock::new(|| content!("manner.toml"));

/// From this tension on a character is alert, and from that on tense.
const ALERT_FROM: u8 = 35;
const TENSE_FROM: u8 = 65;
/// Above this the tension is no longer driven on.
const HIGH_TENSION: u8 = 80;

fn manner(view: &EpisodeView, register: Register) -> &'static Demeanour {
    match view.tension {
        _ if register == Register::Flirt => &DEMEANOURS.flirt,
        tension if tension < ALERT_FROM => &DEMEANOURS.calm,
        tension if tension < TENSE_FROM => &DEMEANOURS.alert,
        _ => &DEMEANOURS.tense,
    }
}

pub(super) fn mood(view: &EpisodeView, register: Register, to: LineUse, dice: &mut Dice) -> String {
    let moods = match to {
        LineUse::Rude => &DEMEANOURS.hurt,
        LineUse::Warm | LineUse::Love | LineUse::Sad => &DEMEANOURS.touched,
        LineUse::Care => &DEMEANOURS.careful,
        _ => &manner(view, register).moods,
    };
    dice.pick(moods).cloned().unwrap_or_default()
}

/// Something that the character has not done before.
pub(super) fn gesture(view: &EpisodeView, register: Register, dice: &mut Dice) -> Option<String> {
    let gestures = manner(view, register).gestures.iter();
    let new: Vec<&String> = gestures.filter(|gesture| !view.done_before.contains(gesture)).collect();
    dice.pick(&new).map(|gesture| (*gesture).clone())
}

/// How much tenser an answer makes things: an episode rises until its turning point.
pub(super) fn tension_shift(view: &EpisodeView, to: LineUse) -> f64 {
    let by_beat = match view.beat {
        NarrativeBeat::Establishment => 0.1,
        NarrativeBeat::Complication => 0.2,
        NarrativeBeat::Escalation => 0.3,
        NarrativeBeat::Pivot | NarrativeBeat::Resolution => -0.2,
    };
    let by_message = match to {
        LineUse::Rude => 0.3,
        LineUse::Warm | LineUse::Farewell => -0.2,
        LineUse::Sad | LineUse::Care => -0.3,
        _ => 0.0,
    };
    let directed = if view.directive.is_some() { 0.2 } else { 0.0 };
    let shift: f64 = by_beat + by_message + directed;
    let shift = if view.tension >= HIGH_TENSION { shift.min(0.0) } else { shift };
    (shift * 10.0).round() / 10.0
}

/// What the character thinks: what it wants here, and what stands in the way.
pub(super) fn thought(view: &EpisodeView, dice: &mut Dice) -> String {
    let template = &view.setup.template;
    let mut values = LineValues::default();
    let bare = |text: &Option<String>| Some(text.as_deref()?.trim().trim_end_matches('.').to_owned());
    values.set("wants", bare(&template.wants));
    values.set("obstacle", bare(&template.obstacle));
    values.set("tactic", bare(&template.tactic));
    values.set("question", template.dramatic_question.clone());
    let thoughts: Vec<String> = DEMEANOURS.thoughts.iter().filter_map(|line| values.fill(line)).collect();
    dice.pick(&thoughts).cloned().unwrap_or_default()
}
