//! What the improviser can say, by move: a file for each phase of a scene, and one for what happens in the world.
//!
//! A sentence stands in these files only once: that is what keeps a scene from repeating itself when two speak in the
//! same beat. The words that make a judge see a deed ("sorry", "I accept", "agreed") stay in the lines of that deed.
//! Questions are put only where the one who is asked speaks next.

use std::{collections::HashMap, sync::LazyLock};

use serde::Deserialize;

use super::{
    play::{Phase, Play},
    say::Say,
    temper::Mood,
};
use crate::content::{Texts, content};

/// A move as the files have it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MoveLines {
    /// What the character feels who makes it.
    pub(super) mood: Mood,
    pub(super) lines: Vec<Say>,
    /// Lines that say what the deed is about, for goals that do.
    #[serde(default)]
    pub(super) naming: Vec<Say>,
    /// Lines for when so many do the same that the others have run out.
    #[serde(default)]
    pub(super) group: Vec<Say>,
}

/// What is said and done when something happens in the world.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EventLines {
    pub(super) remarks: Vec<Remarks>,
    /// Said of anything that has no remarks of its own.
    pub(super) anything: Vec<Say>,
    /// Done by those whose turn it is not.
    pub(super) starts: Texts,
}

/// What is said of an event with one of these words in it, before the scene goes on.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Remarks {
    pub(super) words: Texts,
    pub(super) lines: Vec<Say>,
}

pub(super) static MOVES: LazyLock<HashMap<Play, (Phase, MoveLines)>> = LazyLock::new(|| {
    let files: [(Phase, HashMap<Play, MoveLines>); 6] = [
        (Phase::Open, content!("open.toml")),
        (Phase::Clash, content!("clash.toml")),
        (Phase::Turn, content!("turning_point.toml")),
        (Phase::Repair, content!("repair.toml")),
        (Phase::Settle, content!("settle.toml")),
        (Phase::Close, content!("close.toml")),
    ];
    let moves = |(phase, moves): (Phase, HashMap<Play, MoveLines>)| {
        moves.into_iter().map(move |(play, lines)| (play, (phase, lines)))
    };
    files.into_iter().flat_map(moves).collect()
});

pub(super) static EVENTS: LazyLock<EventLines> = LazyLock::new(|| content!("events.toml"));

#[cfg(test)]
mod tests;
