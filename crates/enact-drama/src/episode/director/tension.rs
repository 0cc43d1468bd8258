//! How tense things are, from 0 to 100.

use super::{SignalRead, signals::tension_of};

/// One exchange moves the tension by no more than this.
const MOST_PER_EXCHANGE: i32 = 15;
/// What a shift of 1, as the model of the character sees it, comes to.
const PER_SHIFT: f64 = 10.0;

/// The tension after an exchange, and what moved it.
pub(super) fn moved(from: u8, signals: &[SignalRead], shift: f64, by_model: i32) -> (u8, Vec<String>) {
    let mut why: Vec<String> = Vec::new();
    let mut by = (shift * PER_SHIFT).round() as i32;
    if by != 0 {
        why.push(format!("character {by:+}"));
    }
    if by_model != 0 {
        why.push(format!("model {by_model:+}"));
        by += by_model;
    }
    for signal in signals {
        let moves = tension_of(&signal.name);
        if moves != 0 {
            why.push(format!("{} {moves:+}", signal.name));
        }
        by += moves;
    }
    let to = (i32::from(from) + by.clamp(-MOST_PER_EXCHANGE, MOST_PER_EXCHANGE)).clamp(0, 100);
    (u8::try_from(to).unwrap_or(100), why)
}
