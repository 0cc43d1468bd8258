//! Nodes: runs from a queue, played, followed, steered, handed on.

mod following;
mod house;
mod letters;
mod moving;
mod obstacles;
mod sharing;
mod waiting;
