//! What the improviser can say, by move: a file for each phase of a scene, and one for what happens in the
//! world.
//!
//! A sentence stands in these files only once: that is what keeps a scene from repeating itself when two
//! speak in the same beat. The words that make a judge see a deed ("sorry", "I accept", "agreed") stay in the
//! lines of that deed. Questions are put only where the one who is asked speaks next.

use std::{collections::HashMap, sync::LazyLock};

use serde::Deserialize;

use super::{
    moves::{Phase, SceneMove},
    template::LineTemplate,
    traits::Mood,
};
use crate::content::{Texts, content};

/// A move as the files have it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MoveLines {
    /// What the character feels who makes it.
    pub(super) mood: Mood,
    pub(super) lines: Vec<LineTemplate>,
    /// Lines that say what the deed is about, for goals that do.
    #[serde(default)]
    pub(super) naming: Vec<LineTemplate>,
    /// Lines for when so many do the same that the others have run out.
    #[serde(default)]
    pub(super) group: Vec<LineTemplate>,
}

/// What is said and done when something happens in the world.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EventLines {
    pub(super) remarks: Vec<Remarks>,
    /// Said of anything that has no remarks of its own.
    pub(super) anything: Vec<LineTemplate>,
    /// Done by those whose turn it is not.
    pub(super) starts: Texts,
}

/// What is said of an event with one of these words in it, before the scene goes on.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Remarks {
    pub(super) words: Texts,
    pub(super) lines: Vec<LineTemplate>,
}

pub(super) static MOVES: LazyLock<HashMap<SceneMove, (Phase, MoveLines)>> = LazyLock::new(|| {
    let files: [(Phase, HashMap<SceneMove, MoveLines>); 6] = [
        (Phase::Open, content!("open.toml")),
        (Phase::Clash, content!("clash.toml")),
        (Phase::TurningPoint, content!("turning_point.toml")),
        (Phase::Repair, content!("repair.toml")),
        (Phase::Settle, content!("settle.toml")),
        (Phase::Close, content!("close.toml")),
    ];
    let moves = |(phase, moves): (Phase, HashMap<SceneMove, MoveLines>)| {
        moves.into_iter().map(move |(scene_move, lines)| (scene_move, (phase, lines)))
    };
    files.into_iter().flat_map(moves).collect()
});

/// Lines around the author's own material.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StoryFrames {
    pub(super) tones: Texts,
    pub(super) say: Texts,
}

pub(super) static STORY: LazyLock<HashMap<SceneMove, StoryFrames>> = LazyLock::new(|| content!("story.toml"));

pub(super) static EVENTS: LazyLock<EventLines> = LazyLock::new(|| content!("events.toml"));

#[cfg(test)]
mod tests;
