//! What holds of the crate as a whole.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod episode_corpus;
mod judge_corpus;
mod modules;
