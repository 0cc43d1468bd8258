//! A mind: what decides for an NPC of somebody else's game.
//!
//! [`Mind`] is the machine. Each call of the game is a command with an observation; what the mind decides is a
//! fact, and between two calls the run rests. Rules decide, or a language model whose answers are checked
//! against what the NPC can do.
//!
//! Read in this order: `observation` (what a mind is told, and how JSON is read), `observation_text` (how the
//! English text of older games is read), `observation_bounds` (how much of it is kept), `action` (what it may answer), `event` and `command` (what a log and
//! an inbox hold), `memory` (what is remembered between calls), `rules` and `talk` (the decider that needs no
//! model), `request` (what a model is asked), `machine`, [`report`].

mod action;
mod command;
mod event;
mod machine;
mod memory;
mod observation;
mod observation_bounds;
mod observation_text;
pub mod report;
mod request;
mod rules;
mod setup;
mod talk;

#[cfg(test)]
mod tests;

pub use action::MindAction;
pub use command::{MindCommand, MindTold};
pub use event::{MindDecision, MindEvent};
pub use machine::{DECISION, LONGEST_REQUEST_BYTES, MIND_ROW, Mind};
pub use observation::MindObservation;
pub use setup::{MindConfig, MindSetup};
