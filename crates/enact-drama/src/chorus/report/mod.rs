//! What is told of a chorus: nothing here is stored, everything can be made again from its log.
//!
//! [`ChorusClientEvents`] tells it fact by fact, in the events its clients listen to. A [`Story`] is the
//! log folded: `document` makes the document of it from which every format, the replay and the recording
//! are made, and [`metadata()`] is for programs.

mod client;
mod document;
mod metadata;
mod statistics;
mod story;
mod wording;

#[cfg(test)]
mod tests;

pub use client::ChorusClientEvents;
pub use metadata::{Counts, Metadata, Slot, SlotError, SpeechTotals, costs, metadata};
pub use story::{
    PassedOverModel, ReportedAudio, ReportedFailure, ReportedSpeech, ReportedStatement, ReportedTurn, Story,
};
pub use wording::{failed_text, said_text, speaker, turn_title};
