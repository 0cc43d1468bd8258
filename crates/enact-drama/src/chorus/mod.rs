//! A chorus: up to six agents answer a message, comment on each other, and reply to what was said of them.
//!
//! [`Chorus`] is the machine. One message is one run of three turns. What a slot was told and said in earlier messages comes with
//! the [`Setup`], so that a log needs nothing beside it.

mod agent;
mod event;
mod machine;
mod setup;
mod slot;
mod state;
mod view;

pub use agent::{Agent, AgentId, NotAnId};
pub use event::{ChorusEvent, EndReason, Refused, Routed, Speech};
pub use setup::{
    DEFAULT_ANSWER_TIMEOUT_MS, DEFAULT_SPEECH_TIMEOUT_MS, LONGEST_MESSAGE_CHARS, Prompts, Seat, Setup,
    SlotThread,
};
pub use slot::{MOST_SLOTS, SlotId, Turn};
pub use state::Chorus;
pub use view::{PeerResponse, ReceivedComment, View};
