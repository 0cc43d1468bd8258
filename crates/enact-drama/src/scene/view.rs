//! What an actor knows at the moment it is asked, as data.

use std::{
    any::Any,
    fmt,
    sync::{Arc, Mutex, PoisonError},
};

use crate::{Name, judge::Goal, scene::Lines, sheet::Sheet};

/// The same knowledge the prompt's text carries, for models that are rules rather than language models.
///
/// It holds nothing the actor could not know: its own sheet but no other, its own lines in full, and of
/// the others' only what was heard.
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
    pub cache: ViewCache,
}

/// Where a player made of rules keeps what it has worked out about the lines of a run: reading all of them for
/// every request would make a long scene slow.
///
/// All views of a run share one, whichever actor they are of. The lines of a later view begin with those of an
/// earlier one, except that the lines of its last beat may have been cut meanwhile. It is only a cache, and
/// empty again when a run is resumed or forked: with it and without it a player must answer the same.
#[derive(Clone, Default)]
pub struct ViewCache(Arc<Mutex<Vec<Box<dyn Any + Send>>>>);

impl ViewCache {
    /// Hands out what players that keep a `T` have kept; at first there is the default.
    pub fn with<T: Default + Send + 'static, R>(&self, work: impl FnOnce(&mut T) -> R) -> R {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !kept.iter().any(|kept| kept.is::<T>()) {
            kept.push(Box::new(T::default()));
        }
        match kept.iter_mut().find_map(|kept| kept.downcast_mut()) {
            Some(kept) => work(kept),
            None => work(&mut T::default()),
        }
    }
}

impl fmt::Debug for ViewCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ViewCache")
    }
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
