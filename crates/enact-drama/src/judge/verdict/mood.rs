//! Tension, closure and positions.

use super::stage::{Spoken, Stage};
use crate::judge::acts::Sign;

/// A line and its answer: when both are free of anger, the anger before them is over.
const TENSION_REACH: usize = 2;

/// How far back words that close a talk still close it.
const CLOSING_REACH: usize = 4;

/// Whether anger is left in the last lines.
pub(super) fn is_tense(stage: &Stage<'_>) -> bool {
    stage.last(TENSION_REACH).iter().any(|line| is_heated(line))
}

/// Whether a line is spoken in anger, by its tone or its words.
pub(super) fn is_heated(line: &Spoken<'_>) -> bool {
    line.heard.acts.shows(Sign::Hostility) || line.heard.tone.is_some_and(is_hostile)
}

/// Whether a tone is an angry one. "Less angry" and "no longer furious" are not.
pub(super) fn is_hostile(tone: &str) -> bool {
    let mut words = tone.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let is_one_of = |set: &[&str], word: &str| set.iter().any(|known| known.eq_ignore_ascii_case(word));
    let eased = words.clone().any(|word| is_one_of(&EASED, word));
    !eased && words.any(|word| is_one_of(&HOSTILE, word))
}

const EASED: [&str; 10] =
    ["less", "no", "not", "calmer", "softening", "fading", "softer", "controlled", "cooling", "relieved"];

const HOSTILE: [&str; 34] = [
    "angry",
    "angrily",
    "anger",
    "furious",
    "furiously",
    "enraged",
    "rage",
    "raging",
    "hostile",
    "bitter",
    "bitterly",
    "seething",
    "irate",
    "livid",
    "outraged",
    "contempt",
    "contemptuous",
    "aggressive",
    "threatening",
    "accusing",
    "accusatory",
    "shouting",
    "yelling",
    "screaming",
    "frustrated",
    "indignant",
    "resentful",
    "exasperated",
    "scornful",
    "venomous",
    "vicious",
    "mad",
    "fuming",
    "menacing",
];

/// Whether the talk has come to rest. Calm alone is not rest, or small talk would end scenes: it takes words that
/// close it, from two people, or an apology accepted.
pub(super) fn at_rest(stage: &Stage<'_>) -> bool {
    let reach = CLOSING_REACH.max(stage.cast.len() + 1);
    let mut closers = stage.last(reach).iter().filter(|line| closes(line)).map(|line| line.who);
    let first = closers.next();
    let two = first.is_some_and(|first| closers.any(|next| next != first));
    (two || is_reconciled(stage, reach)) && !is_tense(stage) && !is_waiting(stage)
}

fn closes(line: &Spoken<'_>) -> bool {
    use Sign::{Acceptance, Assent, Closing, Farewell, Forgiveness, SoftAcceptance, Thanks};
    [Closing, Farewell, Acceptance, Forgiveness, SoftAcceptance, Assent, Thanks]
        .iter()
        .any(|sign| line.heard.acts.shows(*sign))
}

fn is_reconciled(stage: &Stage<'_>, reach: usize) -> bool {
    let sorry = stage.lines.iter().position(|line| line.heard.acts.shows(Sign::Apology));
    let accepts = |line: &Spoken<'_>| {
        let acts = line.heard.acts;
        acts.shows(Sign::Acceptance) || acts.shows(Sign::Forgiveness)
    };
    let recent = stage.lines.len().saturating_sub(reach);
    sorry.is_some_and(|sorry| {
        let after = stage.lines.get(recent.max(sorry + 1)..).unwrap_or_default();
        after.iter().any(|line| accepts(line) && line.who != stage.lines[sorry].who)
    })
}

/// Whether the last question asked has had no answer from anybody else.
fn is_waiting(stage: &Stage<'_>) -> bool {
    let asked = stage.lines.iter().rposition(|line| line.heard.acts.shows(Sign::OpenQuestion));
    asked.is_some_and(|at| stage.lines[at + 1..].iter().all(|line| line.who == stage.lines[at].who))
}

/// Whether everyone has said where they stand.
pub(super) fn all_positions(stage: &Stage<'_>) -> bool {
    let has_position =
        |who| stage.lines.iter().any(|line| line.who == Some(who) && line.heard.acts.stands_somewhere());
    !stage.cast.is_empty() && (0..stage.cast.len()).all(has_position)
}
