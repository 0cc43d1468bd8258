//! World events: what stirs a scene that has come to a stop.

use std::collections::BTreeSet;

use super::{DeckEvent, Setup};
use crate::dice::Dice;

/// Things that can happen almost anywhere, for authors who brought no events of their own.
const BUILT_IN: &str = include_str!("world_events.txt");

/// Who rolls for the choice of events.
const DICE: &str = "moderator";

/// What the author wants to happen after this beat.
pub(super) fn scheduled(setup: &Setup, beat: u32) -> impl Iterator<Item = &str> {
    setup.config.events.iter().filter_map(move |event| match event {
        DeckEvent::AtBeat { beat: at, text } if *at == beat => Some(text.as_str()),
        _ => None,
    })
}

/// The next of the author's events to stir the scene, in their order and none twice.
pub(super) fn authors_next<'a>(setup: &'a Setup, used: &BTreeSet<String>) -> Option<&'a str> {
    when_needed(setup).find(|text| !used.contains(*text))
}

/// A built-in event that has not happened yet.
pub(super) fn built_in(setup: &Setup, used: &BTreeSet<String>, beat: u32) -> Option<&'static str> {
    let left: Vec<&str> = BUILT_IN.lines().filter(|text| !used.contains(*text)).collect();
    Dice::new(setup.seed, DICE, beat).pick(&left).copied()
}

/// Whether an event is one of those that are chosen from, so that it must be remembered that it has happened.
pub(super) fn is_known(setup: &Setup, text: &str) -> bool {
    BUILT_IN.lines().any(|known| known == text) || when_needed(setup).any(|known| known == text)
}

fn when_needed(setup: &Setup) -> impl Iterator<Item = &str> {
    setup.config.events.iter().filter_map(|event| match event {
        DeckEvent::WhenNeeded(text) => Some(text.as_str()),
        DeckEvent::AtBeat { .. } => None,
    })
}
