//! Nodes: runs from a queue, played, followed, steered, handed on.

mod commands;
mod ending;
mod following;
pub(crate) mod house;
mod moving;
mod obstacles;
mod outage_log;
mod sharing;
mod waiting;
