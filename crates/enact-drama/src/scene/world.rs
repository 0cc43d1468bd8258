//! World events: what stirs a scene that has come to a stop.

use super::{DeckEvent, Line, Said, Setup};
use crate::dice::Dice;
use std::sync::Arc;

/// Things that can happen almost anywhere, for authors who brought no events of their own.
const BUILT_IN: [&str; 12] = [
    "Somewhere close by, a door slams",
    "A phone rings, and goes on ringing",
    "The lights flicker and steady again",
    "Footsteps come nearer, stop, and go away",
    "A gust of wind rattles the nearest window",
    "Something falls over and breaks",
    "A dog starts barking outside",
    "The sound of an argument drifts in from elsewhere",
    "A clock strikes",
    "For a moment everything goes quiet",
    "Somebody outside laughs loudly",
    "A siren passes in the distance",
];

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
pub(super) fn authors_next<'a>(setup: &'a Setup, lines: &[Arc<Line>]) -> Option<&'a str> {
    let mut authors = setup.config.events.iter().filter_map(|event| match event {
        DeckEvent::WhenNeeded(text) => Some(text.as_str()),
        DeckEvent::AtBeat { .. } => None,
    });
    authors.find(|text| unused(text, lines))
}

/// A built-in event that has not happened yet.
pub(super) fn built_in(setup: &Setup, lines: &[Arc<Line>], beat: u32) -> Option<&'static str> {
    let left: Vec<&str> = BUILT_IN.into_iter().filter(|text| unused(text, lines)).collect();
    Dice::new(setup.seed, DICE, beat).pick(&left).copied()
}

fn unused(text: &str, lines: &[Arc<Line>]) -> bool {
    !lines.iter().any(|line| matches!(&line.said, Said::World { text: happened } if happened == text))
}
