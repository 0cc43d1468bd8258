//! The contract between rules and engine: inputs go in, facts come out, effects are what is still owed.

use std::{collections::BTreeMap, fmt, num::ParseIntError, str::FromStr, sync::Arc};

use serde::{Serialize, de::DeserializeOwned};

use crate::{
    Problem,
    model_card::ModelCard,
    open_ask::OpenAsk,
    record::{Fact, RunId},
    recorded_answers::RecordedAnswer,
    request::Request,
    row::RowChange,
    voice::{Spoken, Utterance, VoiceChain},
};
pub use crate::{
    call::{Answer, Ask, CallId, Failure, FailureKind, Purpose},
    client_events::{ClientEvent, ClientEvents, Delta, NoClientEvents},
    record::Event,
    report::Report,
};

/// A production's rules as a machine, with everything else that is its own: what its log holds, what may be
/// posted to it, how it is told.
///
/// Running and resuming are the same loop: perform what is [`pending`](Production::pending), feed each
/// outcome to [`decide`](Production::decide), store the facts it returns, [`apply`](Production::apply) them,
/// and look again. A run with nothing pending that has not ended waits for a command: it rests, and costs
/// nothing until one comes.
///
/// Implementers promise:
/// * `decide` changes nothing and depends on nothing but `self` and the input. It may get better with time.
/// * `apply` never refuses and never judges: folding a fact means the same for ever, or old logs change.
/// * An outcome for a call that is not pending (a late reply) decides nothing.
pub trait Production: Sized + Clone + Send + Sync + 'static {
    /// What can be true of this production. Serialised into the log.
    type Event: Event;

    /// What outsiders may post to a run: JSON objects tagged by `command`.
    type Command: Clone + PartialEq + Send + Sync + Serialize + DeserializeOwned + std::fmt::Debug;

    /// Its log, folded for people.
    type Report: Report<Event = Self::Event>;

    /// What its clients are told; [`NoClientEvents`] where the log itself is all there is.
    type Client: ClientEvents<Event = Self::Event>;

    /// What such a production is called: `scene`.
    const NAME: &'static str;

    /// The kind of the first record of its logs. No two productions share one.
    const BEGINS_WITH: &'static str;

    /// If true, a run starts only when every model could be made and passes its check. Otherwise a missing
    /// model fails each call made to it.
    const REQUIRES_ALL_MODELS: bool = true;

    /// After how many records a new checkpoint is due; nothing in productions without checkpoints, whose logs
    /// are short.
    const CHECKPOINT_EVERY: Option<u64> = None;

    /// Whether only the account that made a run, and administrators, may see it.
    const PRIVATE: bool = false;

    /// Whether its log holds private facts: then clients get [`redacted`](Production::redacted) ones, and no
    /// raw deltas.
    const REDACTS: bool = false;

    /// A fact without what only insight may show; nothing where it can be shown as it is.
    fn redacted(event: &Self::Event) -> Option<Self::Event> {
        let _ = event;
        None
    }

    /// The state after a run's first fact, or nothing if that is not how such a run begins.
    fn begin(first: &Fact<Self::Event>) -> Option<Self>;

    /// Which run it is.
    fn run(&self) -> RunId;

    /// What this one is called in lists, among others of its kind.
    fn title(&self) -> &str {
        Self::NAME
    }

    /// Every model that may be asked.
    fn players(&self) -> Vec<Player>;

    /// Who speaks, where anything is said aloud.
    fn voice(&self) -> Option<&VoiceChain> {
        None
    }

    /// Whether a run that has only begun could take a command at all. Comes back as it is to be stored:
    /// trimmed, on one line.
    fn check(&self, command: Self::Command) -> Result<Self::Command, Problem> {
        Ok(command)
    }

    /// Whether a command can only be taken in a certain state of the run, which [`check`](Production::check)
    /// does not know: then it is also [checked](Production::check_now) before it is accepted.
    fn depends_on_state(command: &Self::Command) -> bool {
        let _ = command;
        false
    }

    /// Whether the run can take such a command as it stands. It may be in another state by the time the
    /// command is read.
    fn check_now(&self, command: &Self::Command) -> Result<(), Problem> {
        let _ = command;
        Ok(())
    }

    /// What people have been asked and not answered.
    fn open_asks(&self) -> Vec<OpenAsk> {
        Vec::new()
    }

    /// Whether a fact refuses what commands ask for that were accepted before it: then it is stored only
    /// after all of them were read, as the end of a run is. Silence for want of an answer is such a fact.
    fn yields_to_commands(event: &Self::Event) -> bool {
        let _ = event;
        false
    }

    /// The command that ends a run with everything so far.
    fn cancel() -> Self::Command;

    /// The command that ends a pause; sent to runs that are resumed by hand.
    fn go_on() -> Option<Self::Command> {
        None
    }

    /// The rules: what follows from something that happened.
    fn decide(&self, input: &Input<Self::Command>) -> Vec<Self::Event>;

    /// Folds one fact into the state.
    fn apply(&mut self, fact: &Fact<Self::Event>);

    /// Whether it has been started. A run that only took commands so far has not, in productions that decide
    /// something on `Started` or `Resumed`: it is resumed whenever a process takes it, after its models are
    /// checked.
    fn has_begun(&self) -> bool {
        true
    }

    /// What has been asked for and has no outcome yet. Called after every change, so it is cheap: what an ask
    /// says is built only when it is performed, by [`request`](Production::request). A timer follows the asks
    /// that it limits.
    fn pending(&self) -> Vec<Effect>;

    /// What a pending ask says to its model.
    fn request(&self, ask: &Ask) -> Request;

    /// Why the run is over, once it is.
    fn ended(&self) -> Option<&'static str>;

    /// The beat being played, where a production is played in beats: telemetry groups calls by it.
    /// Called after every change, so it is cheap.
    fn beat(&self) -> Option<u32> {
        None
    }

    /// The folder of a run's files below that of all artifacts, where it leaves any.
    fn artifact_folder(&self) -> Option<String> {
        None
    }

    /// The manifest to write beside its artifacts after these facts, which were folded already, are stored;
    /// nothing where they change nothing about it.
    fn manifest(&self, since: &[Fact<Self::Event>]) -> Option<Manifest> {
        let _ = since;
        None
    }

    /// Whether a fact is something that people read, so that there may be a pause after it.
    fn is_said(event: &Self::Event) -> bool {
        let _ = event;
        false
    }

    /// What a fact, which was folded already, does to the rows derived from the run.
    fn rows(&self, fact: &Fact<Self::Event>) -> Vec<RowChange> {
        let _ = fact;
        Vec::new()
    }

    /// The whole state as text, so that waking a run need not read its log from the beginning. Asked for
    /// every [`CHECKPOINT_EVERY`](Production::CHECKPOINT_EVERY) records. [`restore`](Production::restore)
    /// reads it back; what that cannot read is folded anew.
    fn checkpoint(&self) -> Option<String> {
        None
    }

    fn restore(first: &Fact<Self::Event>, checkpoint: &str) -> Option<Self> {
        let _ = (first, checkpoint);
        None
    }

    /// What its clients are told from this state on, for those who have seen what led to it. Nothing where that
    /// cannot be told without all facts before.
    fn client(&self) -> Option<Self::Client> {
        None
    }

    /// The facts a new run begins with that shares everything through the end of a beat, or one of its lines,
    /// with the run of `facts`. A beat that is not there, or not yet, is
    /// [not played](crate::Code::BeatNotPlayed).
    fn fork(facts: &[Fact<Self::Event>], fork: Fork) -> Result<Vec<Fact<Self::Event>>, Problem> {
        let _ = (facts, fork);
        Err(Problem::config(format!("a {} has no beats to fork at", Self::NAME)))
    }

    /// Every answer and failure that models gave, in order: what a recording gives again.
    fn answers(facts: &[Fact<Self::Event>]) -> Vec<RecordedAnswer> {
        let _ = facts;
        Vec::new()
    }
}

/// The last of what a branch shares with its run: a beat or, of its last beat, a line. Written `3`, or `3.2`
/// for the second line of beat 3.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ForkPoint {
    pub beat: u32,
    /// Counted from 1.
    pub line: Option<u32>,
}

impl From<u32> for ForkPoint {
    fn from(beat: u32) -> ForkPoint {
        ForkPoint { beat, line: None }
    }
}

impl fmt::Display for ForkPoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}.{line}", self.beat),
            None => write!(f, "{}", self.beat),
        }
    }
}

impl FromStr for ForkPoint {
    type Err = ParseIntError;

    fn from_str(text: &str) -> Result<ForkPoint, ParseIntError> {
        Ok(match text.split_once('.') {
            Some((beat, line)) => ForkPoint { beat: beat.parse()?, line: Some(line.parse()?) },
            None => text.parse::<u32>()?.into(),
        })
    }
}

/// Where a run branches off, and what the branch is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fork {
    pub point: ForkPoint,
    /// The new run.
    pub run: RunId,
    pub seed: u64,
    /// When it is forked, in UTC milliseconds.
    pub at: i64,
    /// Random bits for whatever in the branch must not be guessed.
    pub random: [u128; 2],
}

/// The state a whole log has come to, or nothing if it does not begin like one of this production.
pub fn fold<P: Production>(facts: &[Fact<P::Event>]) -> Option<P> {
    let (first, rest) = facts.split_first()?;
    let mut production = P::begin(first)?;
    rest.iter().for_each(|fact| production.apply(fact));
    Some(production)
}

/// A text that lists a run's artifacts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manifest {
    /// Below the folder of artifacts.
    pub path: String,
    pub text: String,
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
    /// The models that it answers for where they have failed, by name.
    pub stands_in_for: Vec<String>,
}

impl Player {
    /// Whether it is asked at all.
    pub fn is_asked(&self) -> bool {
        self.has_task() || !self.stands_in_for.is_empty()
    }

    /// Whether it is asked before any other model, rather than only where one has failed.
    pub fn has_task(&self) -> bool {
        !self.plays.is_empty() || !self.advises.is_empty()
    }

    /// Tells each of these models which of those that have a task it stands in for.
    pub(crate) fn fill_in_fallbacks(players: &mut [Player]) {
        let fallbacks: Vec<(String, Vec<String>)> = players
            .iter()
            .filter(|player| player.has_task())
            .map(|player| (player.name.clone(), player.card.fallback.clone()))
            .collect();
        for player in players {
            let first = fallbacks.iter().filter(|(_, fallback)| fallback.contains(&player.name));
            player.stands_in_for = first.map(|(name, _)| name.clone()).collect();
        }
    }

    /// Models that all play the same, by the names a setup gives them.
    pub fn all(models: &BTreeMap<String, ModelCard>, plays: &str) -> Vec<Player> {
        let player = |(name, card): (&String, &ModelCard)| Player {
            name: name.clone(),
            card: card.clone(),
            plays: vec![plays.to_owned()],
            advises: Vec::new(),
            stands_in_for: Vec::new(),
        };
        models.iter().map(player).collect()
    }
}

/// Something that happened outside, and when.
#[derive(Debug, Clone, PartialEq)]
pub struct Input<C> {
    /// UTC milliseconds.
    pub at: i64,
    pub what: Happened<C>,
}

/// The outcomes and commands that productions decide on.
#[derive(Debug, Clone, PartialEq)]
pub enum Happened<C> {
    /// The run begins: its first fact is known and nothing else.
    Started,
    /// A process takes a run over from its log: the one that played it is gone, or none has played it yet.
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
    /// A command was posted.
    Commanded(C),
}

/// Something the engine owes a production.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    Ask(Ask),
    /// Feed [`Happened::Spoken`] or [`Happened::Failed`] once it is said, or cannot be.
    Speak(Speak),
    /// Feed [`Happened::TimeUp`] after this long. A resumed run waits anew, for as long as
    /// the timer says then.
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

/// Something to be said aloud, into a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Speak {
    pub call: CallId,
    pub utterance: Arc<Utterance>,
    /// Below the folder of artifacts. A recording that lies there already stays: clients may know of it.
    pub path: Arc<str>,
    /// How long it may take in all. A resumed run gets the whole time again.
    pub timeout_ms: u64,
}
