//! How tense things are, from 0 to 100.

use super::{SignalRead, signals::tension_of};

/// One exchange moves the tension by no more than this.
const MOST_PER_EXCHANGE: i32 = 15;
/// What a shift of 1, as the model of the character sees it, comes to.
const PER_SHIFT: f64 = 10.0;

/// The tension after an exchange, and what moved it.
pub(crate) fn moved(from: u8, signals: &[SignalRead], shift: f64, by_model: i32) -> (u8, Vec<String>) {
    let others =
        [("character".to_owned(), (shift * PER_SHIFT).round() as i32), ("model".to_owned(), by_model)];
    let signals = signals.iter().map(|signal| (signal.name.clone(), tension_of(&signal.name)));
    moved_by(from, others.into_iter().chain(signals))
}

/// The tension after all these have moved it, and what did.
pub(crate) fn moved_by(from: u8, moves: impl IntoIterator<Item = (String, i32)>) -> (u8, Vec<String>) {
    let (mut by, mut why) = (0, Vec::new());
    for (what, moved) in moves.into_iter().filter(|(_, moved)| *moved != 0) {
        why.push(format!("{what} {moved:+}"));
        by += moved;
    }
    let to = (i32::from(from) + by.clamp(-MOST_PER_EXCHANGE, MOST_PER_EXCHANGE)).clamp(0, 100);
    (u8::try_from(to).unwrap_or(100), why)
}
