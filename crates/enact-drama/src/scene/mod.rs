//! Scenes: characters, a situation, a goal, and a moderator who keeps things moving.
//!
//! [`Scene`] is the machine. `state` folds facts, `machine` turns outcomes into facts, `moderator` decides
//! what follows a beat and `guidance` what it whispers, `templates` and `prompt` say what actors are told,
//! `silences` keeps those that could be seen, `cut` finds where an interruption hits. `settled_lines` keeps
//! what the rule-based judge has read, so that it reads no line twice. `hidden_calls` asks models behind the
//! scenes (`model_judge`, `event_writer`), `budget` keeps to what a run may use, `thread_trimming` keeps
//! threads short. `human` asks people; `asked` keeps who was asked, and how long each may take. `remembering`
//! keeps what later scenes are told of. `command` is for what is wanted of a scene while it is played, and
//! `fork` makes another run of its beginning. [`report`] tells what came of it, [`run_figures`] what can be
//! counted of it, and [`comparison`] compares several runs.

mod adviser_choice;
mod ask_next;
mod asked;
mod budget;
mod check;
pub mod choose_voices;
mod command;
pub mod comparison;
mod config;
mod conversation;
mod cut;
mod end;
pub(crate) mod event;
mod event_writer;
mod file;
mod fork;
mod guidance;
mod hidden_calls;
mod human;
mod judge_again;
mod line;
mod lines;
mod loop_detection;
mod machine;
mod merge_verdicts;
mod model_judge;
mod moderator;
mod moderator_notes;
mod notes;
mod pacing;
mod prepared;
mod prompt;
mod recorded_answers;
mod remembering;
pub mod report;
pub mod run_figures;
mod settled_lines;
mod setup;
mod silences;
mod state;
mod templates;
mod thread_trimming;
mod view;
mod world_events;

pub use crate::director::Remembered;
pub use adviser_choice::AdviserChoice;
pub use check::{
    Checked, LONGEST_HUMAN_TIMEOUT_SECONDS, LONGEST_REPLY_TIMEOUT_SECONDS, MOST_BEATS, SceneLimits,
};
pub use command::{Command, LONGEST_EVENT_CHARS, LONGEST_NOTE_CHARS};
pub use config::{
    DEFAULT_HUMAN_TIMEOUT_MS, DEFAULT_MAX_BEATS, DEFAULT_REPLY_TIMEOUT_MS, DEFAULT_WINDOW, DeckEvent,
    HumanSeconds, HumanTimeout, MAX_CAST, MIN_CAST, NoJudge, NoTimeout, OnMalformed, RequestedModel,
    SceneConfig,
};
pub(crate) use conversation::TalkScene;
pub(crate) use cut::end_of_phrase;
pub use end::{Ending, SceneEnd};
pub use event::{
    Advice, AskedHuman, Fidelity, HiddenPurpose, NoteReason, Opinion, Outcome, SceneEvent, raw_answer,
};
pub use file::{SceneFormat, place_of_key, read_scene};
pub use fork::{CannotFork, fork, last_fork_point};
pub use line::{Cut, Line, Said};
pub use lines::{LineIter, Lines};
pub use remembering::{KeptOfScene, SceneMemory};
pub(crate) use remembering::{can_come_back, kept_rows};
pub use setup::{Role, SceneOptions, SceneSetup};
pub use state::Scene;
pub use templates::{ScenePrompts, SceneTemplate};
pub use view::{Situation, View, ViewCache};

#[cfg(test)]
mod tests;
