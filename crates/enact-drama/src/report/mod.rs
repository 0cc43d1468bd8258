//! What all productions share when a log is told to people.
//!
//! A production folds its log into a story of its own, and makes one [`Document`] of that: facts about the
//! run at its head, then [`Block`]s in the order in which they are read. The rest is made once for all
//! productions: every [`Format`], the replay ([`passages`]) and the recording ([`recording::Plan`]).
//!
//! **Invariant:** nothing here knows a production; a test looks at the imports.
//!
//! Read in this order: `document` and `block` (what a production gives), `txt` (the transcript), `reader`
//! (the same for a terminal), the other formats, `recording`. [`Ledger`] keeps the books of a run's calls,
//! and [`Costs`] gives them to programs; [`SpeedMeter`] measures how fast they were answered; [`statistics`]
//! and [`figures`] word all of it for people. [`debug_log`] tells how any run came about.

mod block;
mod costs;
mod debug_log;
mod document;
pub mod figures;
mod format;
mod fountain;
mod json;
mod ledger;
mod markdown;
mod production_report;
mod reader;
pub mod recording;
mod speed;
pub mod statistics;
mod time;
mod txt;
mod webvtt;

#[cfg(test)]
mod tests;

pub use crate::text::title;
pub(crate) use block::starless;
pub use block::{Block, BlockContent, Entry, Speech};
pub use costs::{CallCosts, Costs};
pub use debug_log::debug_log;
pub use document::{Document, Field};
pub use format::{Format, UnknownFormat};
pub use ledger::{CallTotals, Cards, Cost, InputBill, Ledger, Sent, Tokens};
pub use production_report::Report;
pub use reader::ReaderForm;
pub use speed::{ModelSpeed, SpeedMeter};
pub use time::{date_time, for_programs};
pub use txt::{Passage, passages};
