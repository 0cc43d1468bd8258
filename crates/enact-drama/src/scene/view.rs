//! What an actor knows at the moment it is asked, as data.

use std::sync::Arc;

use crate::{Name, judge::Goal, scene::Lines, sheet::Sheet};

/// The same knowledge the prompt's text carries, for models that are rules rather than language models.
///
/// It holds nothing the actor could not know: its own sheet but nobody else's, its own lines in full, and of the
/// others' only what was heard.
#[derive(Debug, Clone)]
pub struct View {
    pub me: Name,
    pub sheet: Arc<Sheet>,
    pub scene: Arc<Situation>,
    pub beat: u32,
    /// Whether this actor was asked to open the scene, alone.
    pub opening: bool,
    /// The whole transcript so far, in order.
    pub lines: Lines,
    /// What the moderator whispers: to everyone, and to this actor.
    pub notes: Vec<Arc<str>>,
}

/// What everybody in a scene knows.
#[derive(Debug, Clone)]
pub struct Situation {
    pub prompt: String,
    pub setting: Option<String>,
    pub goals: Vec<Goal>,
    /// Name and display name of everyone, in cast order.
    pub cast: Vec<(Name, String)>,
    /// For built-in models, whose dice are keyed by it.
    pub seed: u64,
    pub max_beats: u32,
}

impl View {
    pub fn display<'a>(&'a self, name: &Name) -> &'a str {
        self.scene.cast.iter().find(|(n, _)| n == name).map_or("", |(_, display)| display)
    }
}
