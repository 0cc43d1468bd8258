//! What is told of an episode: nothing here is stored, everything can be made again from its log.
//!
//! [`EpisodeClientEvents`] tells it fact by fact, in the events its clients listen to; [`EpisodeReport`] is
//! the log folded, from which every format, the replay and the recording are made.

mod card;
mod client;
mod director_output;
mod document;

pub use card::ResultCard;
pub use client::{EpisodeClientEvents, evaluation_told, scene_card};
pub(crate) use client::{director_told, structured_told};
pub use director_output::DirectorOutput;
pub use document::EpisodeReport;
