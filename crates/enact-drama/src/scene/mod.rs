//! Scenes: characters, a situation, a goal, and a moderator who keeps things moving.

mod check;
mod config;
mod end;
mod event;
mod file;
mod line;
mod lines;
mod setup;
mod view;

pub use check::{Checked, LONGEST_REPLY_TIMEOUT_SECONDS, Limits, MOST_BEATS};
pub use config::{
    DEFAULT_MAX_BEATS, DEFAULT_REPLY_TIMEOUT_MS, DEFAULT_WINDOW, DeckEvent, MAX_CAST, MIN_CAST, OnMalformed,
    SceneConfig,
};
pub use end::{EndReason, Ending};
pub use event::{NoteReason, Outcome, SceneEvent};
pub use file::{SceneFormat, read_scene};
pub use line::{Cut, Line, Said};
pub use lines::Lines;
pub use setup::{Context, ModelCard, Role, Setup};
pub use view::{Situation, View};
