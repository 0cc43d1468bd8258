//! Nodes: runs from a queue, played, followed, steered, handed on.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod following;
mod house;
mod letters;
mod moving;
mod obstacles;
mod rough;
mod sharing;
mod waiting;
