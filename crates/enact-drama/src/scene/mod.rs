//! Scenes: characters, a situation, a goal, and a moderator who keeps things moving.
//!
//! [`Scene`] is the machine. `state` folds facts, `machine` turns outcomes into facts, `moderator` decides what
//! follows a beat, `prompt` writes what actors are told, `cut` finds where an interruption hits. `counsel` asks models
//! behind the scenes (`opinion`, `event_writer`), `budget` keeps to what a run may use, `summary` keeps threads short.
//! `steer` is for those who want something of a scene while it is played, and `fork` makes another run of its beginning.
//! [`report`] tells what came of it, and [`comparison`] compares several runs.

mod answers;
mod budget;
mod check;
mod command;
mod company;
pub mod comparison;
mod config;
mod counsel;
mod cut;
mod end;
pub(crate) mod event;
mod event_writer;
mod file;
mod fork;
mod line;
mod lines;
mod looping;
mod machine;
mod moderator;
mod notes;
mod opinion;
mod prompt;
pub mod report;
mod settled_lines;
mod setup;
mod state;
mod steer;
mod summary;
mod view;
pub mod voices;
mod world;

pub use check::{Checked, LONGEST_REPLY_TIMEOUT_SECONDS, Limits, MOST_BEATS};
pub use command::{Command, LONGEST_EVENT_CHARS, LONGEST_NOTE_CHARS};
pub use config::{
    DEFAULT_MAX_BEATS, DEFAULT_REPLY_TIMEOUT_MS, DEFAULT_WINDOW, DeckEvent, MAX_CAST, MIN_CAST, OnMalformed,
    SceneConfig, Wish,
};
pub use end::{EndReason, Ending};
pub use event::{Advice, Fidelity, HiddenPurpose, NoteReason, Opinion, Outcome, SceneEvent, raw_answer};
pub use file::{SceneFormat, read_scene};
pub use fork::{NotThere, fork};
pub use line::{Cut, Line, Said};
pub use lines::{LineIter, Lines};
pub use setup::{Crew, Role, Setup};
pub use state::Scene;
pub use view::{Situation, View};

#[cfg(test)]
mod tests;
