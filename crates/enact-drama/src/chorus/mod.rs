//! A chorus: up to six agents answer a message, comment on each other, and reply to what was said of them.
//!
//! [`Chorus`] is the machine. One message is one run of three turns. What a slot was told and said in earlier
//! messages comes with the [`ChorusSetup`], so that a log needs nothing beside it.
//!
//! Read in this order: `event` (what can be true of a chorus), `state` (its facts, folded), `machine` (what
//! happened goes in), `turns` (who takes part, and what comes next), `outcomes` (what becomes of an answer).
//! Answers are read by `answer` and cut by `shorten`; `blank_text` finds those that say nothing; `routing` says
//! who hears which comment. What a slot is asked is put together by `requests` from the templates of `prompt`
//! and the conversation of `threads`; `budget` keeps to what a run may use. `check` says whether a chorus can
//! be played at all. [`report`] tells what came of it.

mod agent;
mod answer;
mod blank_text;
mod budget;
mod check;
mod command;
mod event;
mod machine;
mod manifest;
mod outcomes;
mod paths;
mod prompt;
mod recorded_answers;
pub mod report;
mod requests;
mod routing;
mod schema;
mod setup;
mod shorten;
mod slot;
mod state;
mod threads;
mod turns;
mod view;

#[cfg(test)]
mod tests;

pub use agent::{Agent, AgentId, NotAnId};
pub use check::{ChorusOptions, ChorusRequest};
pub use command::ChorusCommand;
pub use event::{ChorusEnd, ChorusEvent, NoAnswer, Refused, Routed, SpeechFile};
pub use paths::{folder_of, manifest_of};
pub use prompt::Template;
pub use setup::{
    ChorusSetup, DEFAULT_ANSWER_TIMEOUT_MS, DEFAULT_SPEECH_TIMEOUT_MS, LONGEST_MESSAGE_CHARS, Prompts, Seat,
    SlotThread,
};
pub use slot::{MOST_SLOTS, SlotId, Turn};
pub use state::Chorus;
pub use view::{ChorusView, PeerResponse, ReceivedComment};
