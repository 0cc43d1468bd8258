//! Lines for characters that no model plays.

use std::sync::LazyLock;

use crate::dice::Dice;

static PHRASES: LazyLock<(Vec<&'static str>, Vec<&'static str>)> = LazyLock::new(|| {
    let text = include_str!("small_talk.txt");
    let (openings, others) = text.split_once("---").unwrap_or((text, text));
    let lines = |part: &'static str| {
        part.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')).collect()
    };
    (lines(openings), lines(others))
});

/// Something to say after so many turns.
pub(crate) fn phrase(turn: u32, dice: &mut Dice) -> &'static str {
    let (openings, others) = &*PHRASES;
    let phrases = if turn < 2 { openings } else { others };
    dice.pick(phrases).copied().unwrap_or("Hm.")
}
