//! What is told of a scene: nothing here is stored, everything can be made again from its log.
//!
//! A [`SceneReport`] is the log folded. `document` makes the document of it from which every format, the replay and
//! the recording are made; [`metadata()`] is for programs, and [`debug_log()`] tells how it came about. All
//! of them depend on the log alone, so that a replay gives the same bytes. `wording` is how a line reads, to
//! people and to actors.

mod advice;
mod debug_log;
mod document;
mod metadata;
mod play_time;
mod scene_report;
mod statistics;
mod wording;

#[cfg(test)]
pub(super) mod tests;

pub use advice::Adviser;
pub use debug_log::debug_log;
pub use document::transcript;
pub use metadata::{BudgetLimits, Metadata, PlayedBy, SceneResult, metadata};
pub use play_time::PlayTime;
pub use scene_report::{Counts, FailedReply, ForkedFrom, SceneReport, Shown, Silence};
pub use wording::{line_content, line_text, silence_content, silence_text, title};
