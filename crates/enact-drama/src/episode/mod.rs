//! An episode: a user talks with a character, while a director whom the user never sees keeps track of it.
//!
//! [`Episode`] is the machine. One session is one run: it rests between messages, and a message is a command.
//! What the author wrote comes with the [`EpisodeSetup`], verbatim, so that a session never changes under its
//! user and a log needs nothing beside it.
//!
//! Read in this order: `template` (what an author writes) and `file` (how it is read), `event` (what can be
//! true of an episode), `state` (its facts, folded), `machine` (what happened goes in), `exchange` (a message
//! and its answer), [`director`] (what is read out of an exchange, and what follows), [`evaluation`] (what is
//! said of it in the end), `suggestion` (what could come next). `answer` reads what a model gave; `display`
//! shows it while it is still coming. [`report`] tells what came of it, and `rows` lists it.

mod answer;
mod command;
pub mod director;
mod display;
pub mod evaluation;
mod event;
mod exchange;
mod file;
mod fork;
mod going_on;
mod machine;
mod notebook;
mod prompt;
mod reading;
mod recorded_answers;
pub mod report;
mod request;
mod rows;
mod series;
mod setup;
mod state;
mod suggestion;
mod template;
mod view;

#[cfg(test)]
mod tests;

pub use answer::StructuredAnswer;
pub use command::EpisodeCommand;
pub use display::DisplayDecoder;
pub use event::{Completion, EpisodeEnd, EpisodeEvent, RefusedMessage};
pub use file::{episode_warnings, read_episode, unread_conditions};
pub use notebook::{Notebook, NotebookCommand, NotebookEvent, NotebookReport};
pub use prompt::EpisodePrompts;
pub use series::{Series, SeriesKind, read_series};
pub use setup::{DEFAULT_EPISODE_TIMEOUT_MS, EpisodeCharacter, EpisodeContext, EpisodeSetup};
pub use state::Episode;
pub use suggestion::{NextEpisode, Suggestion};
pub use template::{
    Choice, ChoiceOption, CompletionMode, EpisodeCondition, EpisodeCue, EpisodeKind, EpisodeTemplate,
    FlagRule, Injection, NarrativeBeat, WrittenEnding, WrittenEvaluation,
};
pub use view::EpisodeView;
