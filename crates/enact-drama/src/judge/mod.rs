//! Has the goal been reached? The rule-based judge: English, quick, and honest about what it cannot read.
//!
//! [`goal`] reads goals out of what the author wrote. A line is taken apart once (`line_traits`): [`acts`] says what its
//! words do in any scene, the rest what they do for the acts that goals want. Each goal has one watch (`watch`), which
//! hears line after line; [`verdict`] says what all of them have come to. [`transcript_reader`] reads finished
//! transcripts, for judging what was not played here.

pub mod acts;
pub mod goal;
mod line;
mod line_traits;
pub mod transcript_reader;
pub mod verdict;
mod watch;

pub(crate) mod names;

pub use acts::Acts;
pub use goal::{Act, Goal, goals_of};
pub use line::{Heard, LineSource};
pub use transcript_reader::Transcript;
pub use verdict::{GoalStatus, Judge, Verdict, judge};

pub(crate) use verdict::is_heated;

pub(crate) use crate::english::{phrase, word_lists, words, words::is_gesture};
