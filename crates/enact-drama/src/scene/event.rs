//! The facts of a scene: everything its log can hold.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Cut, EndReason, Said, Setup};
use crate::{
    Name,
    judge::Verdict,
    production::CallId,
    record::Seq,
    reply::{Reply, Warning},
    usage::Usage,
};

/// One thing that is true of a scene.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "body", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum SceneEvent {
    /// Always the first: everything that is needed to play, replay and understand the run.
    Began { setup: Arc<Setup> },
    /// Another process took over; what was pending is asked again, and what it cost before is unknown.
    Resumed {},
    /// The moderator whispers, to everyone or to one; the next update carries it.
    Noted { to: Option<Name>, text: String, why: NoteReason },
    /// A beat begins, for these actors, until the timer `deadline` is up.
    BeatOpened { beat: u32, to: Vec<Name>, deadline: CallId, timeout_ms: u64 },
    /// A call is about to leave.
    Asked { call: CallId, actor: Name, model: String },
    /// An actor answered. Silences are only this; the other actions also give a line.
    Replied {
        call: CallId,
        actor: Name,
        raw: String,
        reply: Reply,
        warnings: Vec<Warning>,
        /// What became of it.
        outcome: Outcome,
        usage: Option<Usage>,
        took_ms: u64,
    },
    /// A call gave nothing.
    CallFailed { call: CallId, actor: Name, error: String, usage: Option<Usage> },
    /// A line entered the transcript. Its id is this fact's seq.
    LineAdded {
        #[serde(flatten)]
        said: Said,
    },
    /// An earlier line was interrupted.
    LineCut {
        line: Seq,
        #[serde(flatten)]
        cut: Cut,
    },
    /// An interruption named a phrase nobody had just said: it stands as an interjection.
    CutMissed { by: Name, phrase: String },
    /// An actor failed too often and is left alone for a while.
    Benched { actor: Name },
    /// A benched actor answered again.
    Returned { actor: Name },
    /// All answers of a beat are in, or its time was up.
    BeatSettled { beat: u32 },
    /// What the judge says after a beat.
    Judged { verdict: Verdict },
    /// The scene is over.
    Ended { reason: EndReason },
}

/// What became of a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Taken as read.
    Taken,
    /// Malformed, and the scene says to ask once more.
    AskedAgain,
    /// Malformed, and the scene says to drop such replies.
    Dropped,
}

/// Why the moderator whispered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoteReason {
    Opening,
    AllSilent,
    WrapUp,
    Closing,
    Passive,
    Looping,
    /// A malformed reply is asked for again.
    Format,
}
