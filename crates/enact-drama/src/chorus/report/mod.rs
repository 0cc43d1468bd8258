//! What is told of a chorus: nothing here is stored, everything can be made again from its log.
//!
//! [`ChorusClientEvents`] tells it fact by fact, in the events its clients listen to. A [`ChorusReport`] is the
//! log folded: `document` makes the document of it from which every format, the replay and the recording
//! are made, and [`metadata()`] is for programs.

mod chorus_report;
mod client;
mod document;
mod metadata;
mod statistics;
mod wording;

#[cfg(test)]
mod tests;

pub use chorus_report::{
    ChorusReport, PassedOverModel, ReportedAudio, ReportedFailure, ReportedSpeech, ReportedStatement,
    ReportedTurn,
};
pub use client::ChorusClientEvents;
pub use metadata::{ChorusCounts, ChorusMetadata, Slot, SlotError, SpeechTotals, costs, metadata};
pub use wording::{failed_text, said_text, speaker, turn_title};
