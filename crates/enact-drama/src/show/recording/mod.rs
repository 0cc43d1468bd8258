//! The run as something to be listened to: who says what after which pause, and where somebody is cut off.
//!
//! A [`Plan`] says what is to be heard; whoever speaks it knows how long that took, and [`captions`] tells it with these
//! times. `scene` has what is heard of a scene, `chorus` of a chorus, `words` what of a text is said aloud.

mod captions;
mod chorus;
mod scene;
mod words;

use std::sync::Arc;

use super::Told;
use crate::{Seq, voice::Utterance};

pub use captions::{Heard, captions};

/// The breath between two lines.
const LINE_PAUSE_MS: u64 = 400;

/// Between two beats, and between two turns, everyone has taken in what was said.
const ROUND_PAUSE_MS: u64 = 700;

/// Everything that is to be heard, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    pub title: String,
    pub cues: Vec<Cue>,
    /// What a person should know: voices that sheets ask for, and that do not exist.
    pub notes: Vec<String>,
}

/// One line as it is to be heard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cue {
    pub line: Seq,
    /// Whose it is, for people.
    pub who: String,
    /// Silence before it.
    pub pause_ms: u64,
    /// What is said: nothing where that has no sound, as "…" has none.
    pub speech: Option<Arc<Utterance>>,
    /// What is read meanwhile, ready to stand in a caption.
    caption: String,
    /// How long it is shown where it cannot be heard.
    pub reading_ms: u64,
}

impl Plan {
    /// What is to be heard of a run so far.
    pub fn of(told: &Told) -> Plan {
        match told {
            Told::Scene(story) => scene::plan(story),
            Told::Chorus(story) => chorus::plan(story),
        }
    }
}

#[cfg(test)]
mod tests;
