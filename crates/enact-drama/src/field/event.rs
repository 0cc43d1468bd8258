//! The facts of a field: its inputs, from which the world is folded, and what came of them, for readers.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::{
    setup::FieldSetup,
    world::{EntityId, FieldNote, InteractionId, NpcAction, NpcEvent, StateName},
};
use crate::{
    Name, RunId,
    budget::CallAllowance,
    production::{CallId, Event},
    record::Tagged,
    reply::{Reply, Warning},
    scene::KeptOfScene,
    usage::{self, Usage},
};

/// One thing that is true of a field.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "body", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum FieldEvent {
    /// Always the first: the file verbatim, who plays, and by which rules.
    FieldBegan {
        setup: Arc<FieldSetup>,
    },
    /// Another process took over; what was pending is asked again, and what it cost before is unknown.
    Resumed {},
    /// What follows is a branch of another run after so many seconds of the field.
    Forked {
        run: RunId,
        second: u32,
        seed: u64,
    },
    /// So many ticks have passed. Every so often it says what the world had come to, so that a replay that
    /// comes to something else names the tick.
    Advanced {
        ticks: u32,
        to: u32,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        hash: Option<String>,
    },
    /// What happened in a tick, for readers: the world follows from the inputs alone.
    Noted {
        #[serde(flatten)]
        note: FieldNote,
    },
    /// What should not be, where every tick is checked.
    Violated {
        tick: u32,
        found: Vec<String>,
    },
    /// A character has the floor, and its model is about to be asked, until the timer `deadline` is up.
    Asked {
        call: CallId,
        deadline: CallId,
        conversation: InteractionId,
        who: EntityId,
        actor: Name,
        model: String,
        /// With a budget: what is put aside for it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reserved: Option<CallAllowance>,
        /// Where another model has failed before it: what is left of the time for the line.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        timeout_ms: Option<u64>,
    },
    /// What it answered.
    Replied {
        call: CallId,
        conversation: InteractionId,
        who: EntityId,
        actor: Name,
        /// Its words, where they differ from the reply written out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        raw: Option<String>,
        reply: Reply,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        warnings: Vec<Warning>,
        #[serde(serialize_with = "usage::in_log")]
        usage: Option<Usage>,
        took_ms: u64,
    },
    /// It gave nothing: its fallback is asked, or the floor goes on.
    ReplyFailed {
        call: CallId,
        conversation: InteractionId,
        who: EntityId,
        actor: Name,
        error: String,
        usage: Option<Usage>,
        /// Whether another model is asked for the same line.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        goes_on: bool,
    },
    /// No model can be paid for this line: a set phrase is said.
    SaidByRules {
        conversation: InteractionId,
        who: EntityId,
        reply: Reply,
    },
    /// A model is about to be asked what a character does.
    MindAsked {
        call: CallId,
        deadline: CallId,
        npc: EntityId,
        request: u32,
        actor: Name,
        model: String,
        events: Vec<NpcEvent>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reserved: Option<CallAllowance>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        timeout_ms: Option<u64>,
    },
    /// It gave nothing, and its fallback is asked.
    MindFailed {
        call: CallId,
        npc: EntityId,
        error: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        usage: Option<Usage>,
    },
    /// What it answered, as an action that the state took; otherwise `continue` and a warning.
    MindAnswered {
        call: CallId,
        npc: EntityId,
        request: u32,
        actor: Name,
        raw: String,
        action: NpcAction,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        warning: Option<String>,
        #[serde(serialize_with = "usage::in_log")]
        usage: Option<Usage>,
        took_ms: u64,
    },
    /// No model decides this time: the budget is used up, or it failed. Rules do.
    MindDeclined {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        call: Option<CallId>,
        npc: EntityId,
        request: u32,
        events: Vec<NpcEvent>,
        reason: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        usage: Option<Usage>,
    },
    /// A program outside decides for a character from now on, or no longer.
    Driven {
        entity: EntityId,
        remote: bool,
    },
    /// Such a program is asked: its answer is a command.
    MindAwaited {
        npc: EntityId,
        request: u32,
        events: Vec<NpcEvent>,
    },
    /// What it has its character do. Late and repeated answers are recorded and change nothing.
    Acted {
        npc: EntityId,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        request: Option<u32>,
        action: NpcAction,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        believes: Option<StateName>,
    },
    /// A character is watched from now on, or none.
    Watched {
        entity: Option<EntityId>,
    },
    /// Something happens that everyone notices.
    WorldEvent {
        text: String,
    },
    /// A thing was put somewhere by a command.
    ThingPlaced {
        thing: String,
        x: u16,
        y: u16,
    },
    /// A character was put somewhere by a command.
    PersonPlaced {
        name: String,
        x: u16,
        y: u16,
    },
    /// A thing or a character was removed by a command.
    EntityRemoved {
        entity: EntityId,
    },
    /// A field that remembers ends: what its people keep of it, for later runs.
    Remembered {
        kept: Vec<KeptOfScene>,
    },
    /// A command that was accepted could not be carried out any more.
    CommandRefused {
        error: String,
    },
    SpeedSet {
        speed: u32,
    },
    /// So many ticks are to pass while it is paused: at once, or when the lines that are waited for have come.
    StepAsked {
        ticks: u32,
    },
    Paused {},
    Continued {},
    Ended {
        reason: FieldEnd,
    },
}

/// Why a field is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FieldEnd {
    /// Its time was up.
    Completed,
    Cancelled,
}

impl FieldEnd {
    pub fn as_str(self) -> &'static str {
        match self {
            FieldEnd::Completed => "completed",
            FieldEnd::Cancelled => "cancelled",
        }
    }
}

impl Event for FieldEvent {
    fn tagged(&self) -> Tagged {
        Tagged::of(self)
    }

    fn read(kind: &str, body: &RawValue) -> Result<FieldEvent, serde_json::Error> {
        Tagged::read(kind, body)
    }
}
