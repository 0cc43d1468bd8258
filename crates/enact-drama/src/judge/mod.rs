//! Has the goal been reached? The rule-based judge: English, quick, and honest about what it cannot read.
//!
//! [`goal`] reads goals out of what the author wrote, [`acts`] says what is done with a line's words, and
//! [`verdict`] puts the two together. [`transcript_reader`] reads finished transcripts, for judging what was
//! not played here.

pub mod acts;
mod evidence;
pub mod goal;
pub mod transcript_reader;
pub mod verdict;

pub(crate) mod names;

pub use acts::Acts;
pub use goal::{Act, Goal, goals_of};
pub use transcript_reader::Transcript;
pub use verdict::{GoalStatus, Heard, Judge, LineSource, Verdict, judge};

pub(crate) use verdict::is_heated;

pub(crate) use crate::english::{phrase, word_lists, words, words::is_gesture};
