//! What is told of an episode: nothing here is stored, everything can be made again from its log.
//!
//! [`EpisodeClientEvents`] tells it fact by fact, in the events its clients listen to; [`EpisodeReport`] is
//! the log folded, from which every format, the replay and the recording are made.

mod client;
mod document;

pub use client::{EpisodeClientEvents, evaluation_told, scene_card};
pub use document::EpisodeReport;
