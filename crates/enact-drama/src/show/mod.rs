//! What is derived from a log: nothing here is stored, everything can be made again.
//!
//! A [`Story`] is a log folded for telling. [`transcript`], [`metadata()`] and the exports tell it, each in
//! its own format; [`debug_log`] tells how it came about. All of them depend on the log alone, so that a replay gives
//! the same bytes.

mod advice;
pub mod chorus;
pub mod comparison;
mod costs;
mod debug_log;
mod figures;
mod format;
mod fountain;
mod json;
mod ledger;
mod markdown;
mod metadata;
mod play_time;
pub mod recording;
mod statistics;
mod story;
mod time;
mod told;
mod transcript;
mod webvtt;
mod wording;

#[cfg(test)]
mod tests;

pub use crate::text::{one_line, shortened};
pub use advice::Adviser;
pub use costs::{AccountCosts, BudgetLimits, Costs};
pub use debug_log::debug_log;
pub use format::{Format, UnknownFormat, render};
pub use fountain::fountain;
pub use json::json;
pub use ledger::{Account, Cost, InputBill, Ledger, Tokens};
pub use markdown::markdown;
pub use metadata::{Metadata, PlayedBy, SceneResult, metadata};
pub use play_time::PlayTime;
pub use story::{Counts, FailedReply, ForkedFrom, Shown, Silence, Story};
pub use time::date_time;
pub(crate) use time::for_programs;
pub use told::Told;
pub use transcript::transcript;
pub use webvtt::webvtt;
pub use wording::{line_text, silence_text, title};

use crate::text as clean;
