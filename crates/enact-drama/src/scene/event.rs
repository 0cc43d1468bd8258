//! The facts of a scene: everything its log can hold.

use std::{borrow::Cow, sync::Arc};

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::{Cut, KeptOfScene, Said, SceneEnd, SceneSetup};
use crate::{
    Name,
    budget::{CallAllowance, Reserve},
    judge::Verdict,
    production::{CallId, Event, Purpose},
    record::{RunId, Seq, Tagged},
    reply::{Reply, Warning},
    usage::{self, Usage},
};

/// One thing that is true of a scene.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "body", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum SceneEvent {
    /// Always the first: everything that is needed to play, replay and understand the run.
    Began { setup: Arc<SceneSetup> },
    /// Another process took over; what was pending is asked again, and what it cost before is unknown.
    Resumed {},
    /// The moderator whispers, to everyone or to one; the next update carries it.
    Noted { to: Option<Name>, text: String, why: NoteReason },
    /// A beat begins, for these actors, until the timer `deadline` is up.
    BeatOpened {
        beat: u32,
        to: Vec<Name>,
        deadline: CallId,
        timeout_ms: u64,
        /// What was put aside for its actors' calls, where there is a budget to keep.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reserved: Option<Reserve>,
    },
    /// A call is about to leave. After a call for the same actor has failed, another model is asked.
    Asked {
        call: CallId,
        actor: Name,
        model: String,
        /// What was put aside for it, where there is a budget to keep.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reserved: Option<CallAllowance>,
        /// Where it leaves for no model: a person is asked, and answers with a command.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        human: Option<AskedHuman>,
    },
    /// An actor answered. Silences are only this; the other actions also give a line.
    Replied {
        call: CallId,
        actor: Name,
        /// Its words, where they differ from the [reply written out](Reply::written): see [`raw_answer`].
        #[serde(default, skip_serializing_if = "Option::is_none")]
        raw: Option<String>,
        reply: Reply,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        warnings: Vec<Warning>,
        /// What became of it.
        #[serde(default, skip_serializing_if = "Outcome::is_taken")]
        outcome: Outcome,
        #[serde(serialize_with = "usage::in_log")]
        usage: Option<Usage>,
        took_ms: u64,
        /// A person who was asked said nothing in time, which is a silence.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        unanswered: bool,
        /// How long its first word took, where it came as a stream.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        first_word_ms: Option<u64>,
    },
    /// A person's answer was accepted and then came too late: its ask was answered, or its time up, in that
    /// moment.
    AnswerIgnored { ask: CallId, text: String },
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
    /// An interruption quoted a phrase that no recent line contains: it stands as an interjection.
    CutMissed { by: Name, phrase: String },
    /// An actor failed too often and is left alone for a while.
    Benched { actor: Name },
    /// A benched actor answered again.
    Returned { actor: Name },
    /// All answers of a beat are in, or its time was up.
    BeatSettled { beat: u32 },
    /// What the judge says after a beat: the rules' reading, and what a model's opinion added to it.
    Judged { verdict: Verdict },
    /// A hidden call is about to leave, as in [`Asked`](SceneEvent::Asked), for which the timer `deadline`
    /// runs. Nobody on stage knows of it.
    Consulted {
        call: CallId,
        purpose: HiddenPurpose,
        model: String,
        deadline: CallId,
        timeout_ms: u64,
        /// The newest beat it is about, where that is not the newest there is: another model was asked first.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        beat: Option<u32>,
        /// As in [`Asked`](SceneEvent::Asked).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reserved: Option<CallAllowance>,
    },
    /// A hidden call was answered, and this is what was understood of it.
    Advised {
        call: CallId,
        raw: String,
        advice: Advice,
        /// What was wrong with the answer and had to be left out: invented evidence, unknown names.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        complaints: Vec<String>,
        usage: Option<Usage>,
        took_ms: u64,
    },
    /// A hidden call gave nothing of use: the rules go on alone.
    AdviceFailed { call: CallId, error: String, usage: Option<Usage> },
    /// An actor has fallen out of character, says the judge.
    Drifted { actor: Name, score: f64, why: String },
    /// The oldest part of an actor's thread, through the end of this beat, is from now on only summed up.
    ThreadTrimmed { actor: Name, through: u32 },
    /// The scene was paused: no further beat opens.
    Paused {},
    /// A paused scene goes on.
    Continued {},
    /// One more beat of a paused scene was asked for.
    Stepped {},
    /// More notes and world events came from outside than a scene takes between two beats. Told once: until
    /// the next beat opens further ones leave no trace.
    SteeringIgnored { most: usize },
    /// Everything so far was played by another run, through the end of this beat, or of the named line in it;
    /// what follows is this run's own. What the other run still waited for is asked again.
    Forked {
        run: RunId,
        beat: u32,
        /// Counted from 1.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        line: Option<u32>,
    },
    /// What the characters of a scene that remembers keep of it, for later ones: judged where it ends, and never
    /// again.
    Remembered { kept: Vec<KeptOfScene> },
    /// The scene is over.
    Ended {
        reason: SceneEnd,
        /// What the next beat could have needed, where the budget has no room for it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        needed: Option<Reserve>,
    },
}

impl Event for SceneEvent {
    fn tagged(&self) -> Tagged {
        Tagged::of(self)
    }

    fn read(kind: &str, body: &RawValue) -> Result<Self, serde_json::Error> {
        Tagged::read(kind, body)
    }
}

/// How a person was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AskedHuman {
    /// The timer that runs for it.
    pub deadline: CallId,
    /// Nothing where the scene waits for as long as it takes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u64>,
}

/// What an actor's call is for.
pub(crate) const REPLY: Purpose = Purpose::named("reply");

/// What a hidden call is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum HiddenPurpose {
    /// Whether the goal has been reached, and who has fallen out of character.
    Judge,
    /// Something that happens in the world.
    WorldEvent,
}

impl HiddenPurpose {
    pub const ALL: [HiddenPurpose; 2] = [HiddenPurpose::Judge, HiddenPurpose::WorldEvent];

    pub fn as_str(self) -> &'static str {
        match self {
            HiddenPurpose::Judge => "judge",
            HiddenPurpose::WorldEvent => "world_event",
        }
    }
}

impl From<HiddenPurpose> for Purpose {
    fn from(purpose: HiddenPurpose) -> Purpose {
        Purpose::named(purpose.as_str())
    }
}

/// What became of a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Taken as read.
    #[default]
    Taken,
    /// Malformed, and the scene says to ask once more.
    AskedAgain,
    /// Malformed, and the scene says to drop such replies.
    Dropped,
}

impl Outcome {
    fn is_taken(&self) -> bool {
        *self == Outcome::Taken
    }
}

/// What an actor answered, word for word, from the `raw` and the `reply` of [`SceneEvent::Replied`].
pub fn raw_answer<'a>(raw: &'a Option<String>, reply: &Reply) -> Cow<'a, str> {
    match raw {
        Some(raw) => Cow::Borrowed(raw),
        None => Cow::Owned(reply.written()),
    }
}

/// What a hidden call is good for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Advice {
    Opinion(Opinion),
    /// Something that may happen next.
    WorldEvent(String),
}

/// What a model judge thinks of the scene, as far as it could be checked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Opinion {
    /// After which beat.
    pub beat: u32,
    /// Evidence is a line that was heard.
    pub verdict: Verdict,
    /// How true everyone is to their sheet, in cast order, as far as it said.
    pub fidelity: Vec<Fidelity>,
    /// Whether the scene would lose something if it ended here.
    #[serde(default)]
    pub left_to_explore: bool,
    /// What it would whisper.
    pub note: Option<String>,
    /// To whom; to everyone if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note_to: Option<Name>,
}

/// How true an actor is to its sheet.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Fidelity {
    pub actor: Name,
    /// From 0 (out of character) to 1 (fully in character).
    pub score: f64,
    /// What is off, and what the character would do instead.
    pub why: String,
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
    /// Nothing has come nearer for a while, and a goal is still open.
    OpenGoal,
    /// The judge sees an actor out of character.
    Drift,
    /// The judge has something to say, to one or to everyone.
    Judge,
    /// A malformed reply is asked for again.
    Format,
    /// A note from outside.
    Steered,
}
