//! The contract between rules and engine: inputs go in, facts come out, effects are what is still owed.

use std::sync::Arc;

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{
    Name,
    record::{Fact, Record, Seq},
    request::Request,
    scene::ModelCard,
    steering::Steering,
    usage::Usage,
    voice::{Spoken, Utterance, VoiceChain},
};

/// A production's rules as a machine.
///
/// Running and resuming are the same loop: perform what is [`pending`](Production::pending), feed each outcome to
/// [`decide`](Production::decide), store the facts it returns, [`apply`](Production::apply) them, and look again.
///
/// Implementers promise:
/// * `decide` changes nothing and depends on nothing but `self` and the input. It may get better with time.
/// * `apply` never refuses and never judges: folding a fact means the same for ever, or old logs change.
/// * An outcome for a call that is not pending (a late reply) decides nothing.
pub trait Production: Sized + Clone + Send + 'static {
    /// What can be true of this production. Serialised into the log.
    type Event: Clone + Send + Sync + Serialize + DeserializeOwned + std::fmt::Debug;

    /// What such a production is called: `scene`.
    const NAME: &'static str;

    /// Whether it is better not begun than played without one of its models: a scene would fail beat by beat, for good. Its models
    /// are then made and checked before it begins. Otherwise whoever is missing costs those it plays, each time they are asked.
    const NEEDS_EVERYBODY: bool = true;

    /// The state after a run's first fact, or nothing if that is not how such a run begins.
    fn begin(first: &Fact<Self::Event>) -> Option<Self>;

    /// What this one is called in lists, among others of its kind.
    fn title(&self) -> &str;

    /// Every model that may be asked.
    fn players(&self) -> Vec<Player>;

    /// Who speaks, where anything is said aloud.
    fn voice(&self) -> Option<&VoiceChain> {
        None
    }

    /// The rules: what follows from something that happened.
    fn decide(&self, input: &Input) -> Vec<Self::Event>;

    /// Folds one fact into the state.
    fn apply(&mut self, fact: &Fact<Self::Event>);

    /// What has been asked for and has no outcome yet. Called after every change, so it is cheap: what an ask says
    /// is built only when it is performed, by [`request`](Production::request). A timer follows the asks that it limits.
    fn pending(&self) -> Vec<Effect>;

    /// What a pending ask says to its model.
    fn request(&self, ask: &Ask) -> Request;

    /// The seq of the next fact.
    fn next_seq(&self) -> Seq;

    /// Why the run is over, once it is.
    fn ended(&self) -> Option<&'static str>;

    /// The beat being played, where a production is played in beats: who looks on from outside groups calls by it.
    /// Called after every change, so it is cheap.
    fn beat(&self) -> Option<u32> {
        None
    }

    /// What is to lie beside its artefacts once these facts, which were folded already, are stored. Nothing where they change
    /// nothing about it.
    fn paper(&self, since: &[Fact<Self::Event>]) -> Option<Paper> {
        let _ = since;
        None
    }

    /// Whether a fact is something that people read, so that there may be a pause after it.
    fn is_said(event: &Self::Event) -> bool;
}

/// A text for whoever finds a run's artefacts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paper {
    /// Below the folder of artefacts.
    pub path: String,
    pub text: String,
}

/// Which production a log is one of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Scene,
    Chorus,
}

impl Kind {
    /// What a log is that begins with this record.
    pub fn of(first: &Record) -> Option<Kind> {
        match first.kind.as_str() {
            "began" => Some(Kind::Scene),
            "chorus_began" => Some(Kind::Chorus),
            _ => None,
        }
    }
}

/// A model that may be asked in a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Player {
    /// What the run calls it.
    pub name: String,
    /// What it was when the run began.
    pub card: ModelCard,
    /// Whom it plays, by name.
    pub plays: Vec<String>,
    /// What it is asked for behind the scenes.
    pub advises: Vec<Purpose>,
}

/// Something that happened outside, and when.
#[derive(Debug, Clone, PartialEq)]
pub struct Input {
    /// UTC milliseconds.
    pub at: i64,
    pub what: Happened,
}

/// The outcomes and requests that productions decide on.
#[derive(Debug, Clone, PartialEq)]
pub enum Happened {
    /// The run begins: its first fact is known and nothing else.
    Started,
    /// A process takes a run over from its log: the one that played it is gone, or nobody has played it yet.
    Resumed,
    Answered {
        call: CallId,
        answer: Answer,
    },
    Failed {
        call: CallId,
        failure: Failure,
    },
    /// What was to be [said aloud](Effect::Speak) can be heard: its file is there, and whole.
    Spoken {
        call: CallId,
        spoken: Spoken,
    },
    /// The time of a [`Effect::Timer`] is up.
    TimeUp {
        call: CallId,
    },
    /// Somebody outside wants something of the run.
    Steered(Steering),
}

/// What a model gave back.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Answer {
    pub text: String,
    /// Unknown when the model did not say; never assumed to be zero.
    pub usage: Option<Usage>,
    /// How long it took; for built-in models, how long they say they thought.
    pub took_ms: u64,
}

impl From<&str> for Answer {
    fn from(text: &str) -> Answer {
        Answer { text: text.to_owned(), ..Answer::default() }
    }
}

/// A call that gave nothing usable.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Failure {
    /// One line for people, without secrets: it goes into the log and the metadata.
    pub error: String,
    /// The same for programs, as far as it is known.
    pub kind: FailureKind,
    /// What was spent all the same, where it is known.
    pub usage: Option<Usage>,
    /// As in [`Answer`].
    pub took_ms: u64,
}

impl Failure {
    /// A failure of which nothing more is known.
    pub fn new(error: impl Into<String>) -> Failure {
        Failure { error: error.into(), ..Failure::default() }
    }
}

/// What a failure is to those who act on it or count it: rules, telemetry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureKind {
    /// Nothing below, or nobody knows.
    #[default]
    Other,
    RateLimited,
    Timeout,
    Overloaded,
    /// The provider had a fault of its own.
    #[serde(rename = "server_error")]
    Server,
    /// The model would not answer.
    Refused,
    /// What was asked is longer than the model can read: asking the same again cannot help.
    ContextTooLong,
    /// The answer broke off before its end.
    Truncated,
    Empty,
    /// The model was not reached, or its connection was lost.
    Connection,
    /// The key was refused.
    Auth,
}

impl FailureKind {
    pub fn as_str(self) -> &'static str {
        match self {
            FailureKind::Other => "other",
            FailureKind::RateLimited => "rate_limited",
            FailureKind::Timeout => "timeout",
            FailureKind::Overloaded => "overloaded",
            FailureKind::Server => "server_error",
            FailureKind::Refused => "refused",
            FailureKind::ContextTooLong => "context_too_long",
            FailureKind::Truncated => "truncated",
            FailureKind::Empty => "empty",
            FailureKind::Connection => "connection",
            FailureKind::Auth => "auth",
        }
    }
}

/// Something the engine owes a production.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    Ask(Ask),
    /// Feed [`Happened::Spoken`] or [`Happened::Failed`] once it is said, or cannot be.
    Speak(Speak),
    /// Feed [`Happened::TimeUp`] after this long. A resumed run gets the whole time again.
    Timer {
        call: CallId,
        after_ms: u64,
    },
}

impl Effect {
    pub fn call(&self) -> CallId {
        match self {
            Effect::Ask(ask) => ask.call,
            Effect::Speak(speak) => speak.call,
            Effect::Timer { call, .. } => *call,
        }
    }
}

/// One question to one model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ask {
    pub call: CallId,
    /// Which of the run's models is asked, by its name in the setup.
    pub model: String,
    /// For whom it answers; nobody for hidden calls.
    pub actor: Option<Name>,
    /// What the answer is for: telemetry and people tell calls apart by it.
    pub purpose: Purpose,
    /// Where it stands among the asks made together: ties in simulated time go by this.
    pub place: usize,
}

/// Something to be said aloud, into a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Speak {
    pub call: CallId,
    pub utterance: Arc<Utterance>,
    /// Below the folder of artefacts. A recording that lies there already stays: somebody may have been told of it.
    pub path: Arc<str>,
    /// How long it may take in all. A resumed run gets the whole time again.
    pub patience_ms: u64,
}

/// What a call is for. The ledger counts each apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// An actor's reply, in a chorus to what was said of its answer.
    Reply,
    /// A slot's answer to the message of a chorus.
    Response,
    /// What a slot says of another's answer.
    Comment,
    /// Whether the goal has been reached, and who has fallen out of character.
    Judge,
    /// Something that happens in the world.
    WorldEvent,
}

impl Purpose {
    /// Whether nobody on stage knows of it.
    pub fn is_hidden(self) -> bool {
        matches!(self, Purpose::Judge | Purpose::WorldEvent)
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Purpose::Reply => "reply",
            Purpose::Response => "response",
            Purpose::Comment => "comment",
            Purpose::Judge => "judge",
            Purpose::WorldEvent => "world_event",
        }
    }
}

/// Names a pending effect within its run. Counted, so that it is the same however often the log is folded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CallId(pub u64);
