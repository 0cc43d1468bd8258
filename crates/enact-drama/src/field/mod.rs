//! A field: people and things on a map, who walk up to each other.
//!
//! [`FieldRun`] is the machine. Its log holds what went in (ticks that passed, what models answered, commands)
//! and what came of it; the state is the [`world`], which is simulated again from the inputs by the same rules.
//! A log of other rules is shown from its facts, and not simulated.
//!
//! Read in this order: [`kind`] and `plan` (what an author describes) and `file` (how it is read), [`world`]
//! (the simulation), `event` (what a log holds), `state` (its facts, folded), `machine` (what happened goes
//! in) and `steering` (commands), `request`, `mind_request`, `budget` and `fallbacks` (what models are asked),
//! `remembering` (what later runs are told of), [`report`] (what is told of it).

mod budget;
mod command;
mod command_check;
mod event;
mod fallbacks;
mod file;
mod fork;
pub mod kind;
mod machine;
mod mind_request;
pub(crate) mod need_rules;
mod plan;
mod recorded_answers;
mod remembering;
pub mod report;
mod request;
mod setup;
pub(crate) mod small_talk;
mod state;
mod steering;
pub mod world;

#[cfg(test)]
mod tests;

pub use command::FieldCommand;
pub use event::{FieldEnd, FieldEvent};
pub use file::read_field;
pub use plan::{DEFAULT_MINUTES, DEFAULT_VISION, FieldPlan, PlannedPerson};
pub use setup::{FieldMinds, FieldRole, FieldSetup, check_cast, sheet_of};
pub use state::FieldRun;
