//! What is told of an episode: nothing here is stored, everything can be made again from its log.
//!
//! [`EpisodeClientEvents`] tells it fact by fact, in the events its clients listen to; [`EpisodeReport`] is
//! the log folded, from which every format, the replay and the recording are made; [`insight()`] tells its owner why
//! each answer came out as it did.

mod card;
mod client;
mod director_output;
mod document;
mod insight;

pub use card::ResultCard;
pub use client::{EpisodeClientEvents, evaluation_told, scene_card};
pub(crate) use client::{director_told, structured_told};
pub use director_output::DirectorOutput;
pub use document::EpisodeReport;
pub use insight::insight;
