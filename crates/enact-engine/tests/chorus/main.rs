//! Choruses performed for real: answers, speech and its files, conversations, nodes that come and go.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod choir;
mod conversations;
mod crowd;
mod dying;
#[path = "../dying_log/mod.rs"]
mod dying_log;
mod found;
mod node;
mod stage;
