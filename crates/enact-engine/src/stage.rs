//! Where a library or the command line plays runs: the ports, put together, and one run played by the
//! caller's own task.
//!
//! A node does the same for many runs from a queue: both find [`Resources`] by one policy and play through
//! one loop, except that a stage refuses a run whose voice is missing, which a node plays without it.

use std::{collections::BTreeMap, convert::Infallible, path::PathBuf, sync::Arc, time::Duration};

use async_trait::async_trait;
use enact_drama::{
    Fact, Name, Problem, Production, RunId, Seq,
    model_card::ModelCard,
    production::{ForkPoint, Player, Report, fold},
    record::{Unreadable, read_facts},
    voice::VoiceChain,
};
use tokio::sync::{Semaphore, mpsc};

use crate::{
    Artifacts, Clock, Model, Productions, ResourceProvider, SpeechRecorder, Store, Voice,
    calls::Models,
    clock::SystemClock,
    log::{self, CommandId, MemoryStore, NewRun},
    node, outputs,
    resources::{Checks, Resources},
    run_loop::{self, ActiveRun, DeltaSink, LoopEnd, Observer, Signal},
    spans::play_traced,
};

mod claim_guard;
mod scene;
mod session;

use self::claim_guard::ClaimGuard;
pub use self::session::{Session, SessionReply};

/// How many runs may be read back from their logs at once. Each takes a few hundred KiB for a moment, and of
/// a thousand scenes many end together. As many as SQLite has readers.
const MAX_CONCURRENT_READS: usize = 4;

/// How often the inbox of a run is read: half a second is hardly noticed by people who steer it from
/// elsewhere, and a run that is over by then has read nothing.
const INBOX_POLL_INTERVAL: Duration = Duration::from_millis(500);

/// Everything a run is played with in a library or on the command line: one run, played by the caller's own
/// task.
///
/// ```
/// use std::sync::Arc;
///
/// use enact_engine::{
///     Model, Stage,
///     model::{Answer, Failure, ModelCard, Request},
///     scene::SceneConfig,
/// };
///
/// /// Knows only two sentences.
/// #[derive(Debug)]
/// struct TwoSentences;
///
/// #[async_trait::async_trait]
/// impl Model for TwoSentences {
///     fn card(&self) -> ModelCard {
///         ModelCard::free("two sentences, hard-coded")
///     }
///
///     async fn answer(&self, request: Request) -> Result<Answer, Failure> {
///         let reply = match request.me() {
///             "bob" => r#"[TO: Alice, TONE: remorseful] "I'm truly sorry I was late.""#,
///             _ => r#"[TO: Bob, TONE: warm] "I accept your apology.""#,
///         };
///         Ok(Answer::from(reply))
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), enact_engine::Error> {
/// let config = SceneConfig {
///     name: "quick-apology".into(),
///     prompt: "Bob apologizes to Alice for being late. Alice accepts.".into(),
///     characters: vec!["alice".into(), "bob".into()],
///     initial_speaker: Some("bob".into()),
///     ..SceneConfig::default()
/// };
/// let result = Stage::new("two-sentences", Arc::new(TwoSentences))
///     .sheet("alice", "# Alice\n\n- Patient, to a point")
///     .sheet("bob", "# Bob\n\n- Always late")
///     .run_scene(config)
///     .await?;
///
/// assert!(result.success && result.metadata.goal_achieved);
/// assert!(result.transcript.contains(r#"Alice [TO: Bob, TONE: warm] "I accept your apology.""#));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Stage {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    models: Models,
    default_model: String,
    parts: BTreeMap<Name, String>,
    scene_options: scene::SceneOptions,
    sheets: Vec<(Name, String)>,
    data_dir: Option<PathBuf>,
    voice: Option<Arc<dyn Voice>>,
    live: Option<Arc<dyn DeltaSink>>,
    checks: Arc<Checks>,
    finishing: Arc<Semaphore>,
}

#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The input is wrong, or something is missing; nothing was played or written.
    #[error(transparent)]
    Problem(#[from] Box<Problem>),
    #[error(transparent)]
    Run(#[from] run_loop::Error),
    #[error(transparent)]
    Log(#[from] log::Error),
    /// The scene was played and its log is safe; only its files are missing.
    #[error("the scene was played and is kept, but its files are missing")]
    Outputs(#[from] outputs::Error),
}

impl From<Problem> for Error {
    fn from(problem: Problem) -> Error {
        Error::Problem(Box::new(problem))
    }
}

impl From<Unreadable> for Error {
    fn from(unreadable: Unreadable) -> Error {
        Error::Run(unreadable.into())
    }
}

impl From<node::Error> for Error {
    fn from(error: node::Error) -> Error {
        match error {
            node::Error::Problem(problem) => Error::Problem(problem),
            node::Error::Log(error) => Error::Log(error),
            node::Error::Unreadable(unreadable) => unreadable.into(),
            node::Error::Unknown(unknown) => Problem::from(unknown).into(),
            other => Problem::config(other.to_string()).into(),
        }
    }
}

impl Stage {
    /// A stage where this model plays everyone and nothing outlives the process.
    pub fn new(name: impl Into<String>, model: Arc<dyn Model>) -> Stage {
        let name = name.into();
        Stage { default_model: name.clone(), ..Stage::empty().model(name, model) }
    }

    /// A stage without models: for resuming runs, which know theirs by name.
    pub fn empty() -> Stage {
        Stage {
            store: Arc::new(MemoryStore::default()),
            clock: Arc::new(SystemClock),
            models: Models::new(),
            default_model: String::new(),
            parts: BTreeMap::new(),
            scene_options: scene::SceneOptions::default(),
            sheets: Vec::new(),
            data_dir: None,
            voice: None,
            live: None,
            checks: Arc::default(),
            finishing: Arc::new(Semaphore::new(MAX_CONCURRENT_READS)),
        }
    }

    /// Keeps logs here.
    pub fn store(mut self, store: Arc<dyn Store>) -> Stage {
        self.store = store;
        self
    }

    pub fn clock(mut self, clock: Arc<dyn Clock>) -> Stage {
        self.clock = clock;
        self
    }

    /// Writes each scene's transcript, metadata, debug log and events below this folder, and what runs say
    /// aloud into `artifacts` there.
    pub fn write_to(mut self, data_dir: impl Into<PathBuf>) -> Stage {
        self.data_dir = Some(data_dir.into());
        self
    }

    /// Another model, by the name setups call it.
    pub fn model(mut self, name: impl Into<String>, model: Arc<dyn Model>) -> Stage {
        self.models.insert(name.into(), model);
        // What was found out about another model of this name does not hold for this one.
        self.checks = Arc::default();
        self
    }

    /// What its models say of themselves, by name, for setups.
    pub fn cards(&self) -> BTreeMap<String, ModelCard> {
        self.models.iter().map(|(name, model)| (name.clone(), model.card())).collect()
    }

    /// Has this voice say aloud what runs have to say.
    pub fn voice(mut self, voice: Arc<dyn Voice>) -> Stage {
        self.voice = Some(voice);
        self
    }

    /// Shows answers here while they are still coming.
    pub fn live(mut self, live: Arc<dyn DeltaSink>) -> Stage {
        self.live = Some(live);
        self
    }

    /// Plays a new run from beginning to end, and reports on it. Nothing reaches it from outside.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use enact_engine::{
    ///     Model, Stage,
    ///     chorus::{Agent, AgentId, Chorus, ChorusOptions, ChorusRequest, ChorusView, Turn},
    ///     model::{Answer, Failure, ModelCard, Request},
    ///     node::new_run,
    /// };
    ///
    /// /// Always agrees.
    /// #[derive(Debug)]
    /// struct Agreeable;
    ///
    /// #[async_trait::async_trait]
    /// impl Model for Agreeable {
    ///     fn card(&self) -> ModelCard {
    ///         ModelCard::free("agrees, hard-coded")
    ///     }
    ///
    ///     async fn answer(&self, request: Request) -> Result<Answer, Failure> {
    ///         let view = request.view::<ChorusView>().ok_or_else(|| Failure::new("only sings"))?;
    ///         let answer = match view.turn {
    ///             Turn::Respond => r#"{"text": "Gladly.", "voice_profile": "calm_soothing"}"#.to_owned(),
    ///             Turn::Comment => {
    ///                 let to = view.peers[0].slot_id;
    ///                 let comment = r#""comment": "Well said.", "voice_profile": "calm_soothing""#;
    ///                 format!(r#"{{"targetSlotId": {to}, {comment}}}"#)
    ///             }
    ///             Turn::Reply => r#"{"text": "Thank you.", "voice_profile": "calm_soothing"}"#.to_owned(),
    ///         };
    ///         Ok(Answer::from(answer.as_str()))
    ///     }
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let agent = |id: &str| Agent {
    ///     id: AgentId::new(id).expect("a plain id"),
    ///     name: id.to_owned(),
    ///     provider: "none".into(),
    ///     description: "agrees".into(),
    ///     color: "#cc785c".into(),
    /// };
    /// let options = ChorusOptions {
    ///     agents: vec![(agent("ada"), "agreeable".into()), (agent("bea"), "agreeable".into())],
    ///     ..ChorusOptions::default()
    /// };
    /// let wanted = ChorusRequest {
    ///     message: "Shall we begin?".into(),
    ///     seats: vec![(1, "ada".into()), (2, "bea".into())],
    ///     ..ChorusRequest::default()
    /// };
    /// let stage = Stage::new("agreeable", Arc::new(Agreeable));
    /// let setup = ChorusOptions { models: stage.cards(), ..options }.assemble(new_run(), wanted)?;
    /// let story = stage.run::<Chorus>(Chorus::beginning(setup)).await?;
    ///
    /// let said: Vec<usize> = story.rounds.iter().map(|round| round.said.len()).collect();
    /// assert_eq!(said, [2, 2, 2]);
    /// # Ok(())
    /// # }
    /// ```
    pub async fn run<P: Production>(&self, first: P::Event) -> Result<P::Report, Error> {
        let (run, _) = self.begin::<P>(first, &mut (), None).await?;
        self.report::<P>(run).await
    }

    /// Begins a run with this event and plays it. `observer` sees every fact once it is stored; `signals`
    /// brings what comes from outside, as the run's inbox does. One that waits for a command when it is told
    /// to stop rests from then on. Says why it is over, if it is.
    ///
    /// What is missing is refused before anything is written, also a voice that the run could be played on
    /// without.
    pub async fn play<P: Production>(
        &self,
        first: P::Event,
        observer: &mut dyn Observer<P::Event>,
        signals: &mut mpsc::Receiver<Signal>,
    ) -> Result<Option<&'static str>, Error> {
        let (_, ended) = self.begin::<P>(first, observer, Some(signals)).await?;
        Ok(ended)
    }

    async fn begin<P: Production>(
        &self,
        first: P::Event,
        observer: &mut dyn Observer<P::Event>,
        signals: Option<&mut mpsc::Receiver<Signal>>,
    ) -> Result<(RunId, Option<&'static str>), Error> {
        // Boxed, so that what it takes to begin is not held while the run is played.
        let (active, guard, resources) = Box::pin(self.open::<P>(first, observer)).await?;
        let run = active.claim.run;
        Ok((run, self.drive(active, guard, resources, signals).await?))
    }

    /// Stores how a run begins. Nothing is under way yet.
    async fn open<'a, P: Production>(
        &'a self,
        first: P::Event,
        observer: &'a mut dyn Observer<P::Event>,
    ) -> Result<(Box<ActiveRun<'a, P>>, ClaimGuard<'a>, Resources), Error> {
        let at = self.clock.now_ms();
        let first = Fact { seq: Seq(0), at, event: first };
        let production = P::begin(&first).ok_or(run_loop::Error::NoBeginning)?;
        let resources = self.resources(&production).await?;
        let (run, name) = (production.run(), production.title().to_owned());
        let about = NewRun { run, production: P::NAME, name, at, parent: None, account: String::new() };
        let claim = self.store.create(about).await?;
        let guard = ClaimGuard::new(&self.store, claim);
        let begun = (production, first);
        let mut active = ActiveRun::begin(begun, claim, &*self.store, &*self.clock, observer).await?;
        active.artifacts = active.production.voice().and_then(|_| self.artifacts());
        active.audience.clone_from(&self.live);
        Ok((active, guard, resources))
    }

    /// What a run is played with here. One that speaks is not played without a voice: what could not be said aloud is
    /// stored as missing for good.
    async fn resources<P: Production>(&self, production: &P) -> Result<Resources, Error> {
        if let Some(voices) = production.voice() {
            self.speech(voices).await?;
        }
        Ok(Resources::find(self, &self.checks, production, false).await?)
    }

    /// Plays on from where a run's log ends, whether or not it was paused. One that has ended stays as it is.
    pub async fn resume<P: Production>(
        &self,
        run: RunId,
        observer: &mut dyn Observer<P::Event>,
        signals: &mut mpsc::Receiver<Signal>,
    ) -> Result<Option<&'static str>, Error> {
        let claim = self.store.claim(run).await?;
        let guard = ClaimGuard::new(&self.store, claim);
        let facts = read_facts(&self.store.read(run, Seq(0)).await?)?;
        let production: P = fold(&facts).ok_or(run_loop::Error::NoBeginning)?;
        // Before anything is shown of a run that may turn out not to be playable here.
        let resources = match production.ended() {
            Some(_) => Resources::default(),
            None => self.resources(&production).await?,
        };
        observer.on_facts(&facts);
        let next = Seq(facts.len() as u64);
        let mut active = ActiveRun::new(production, next, claim, &*self.store, &*self.clock, observer);
        active.artifacts = active.production.voice().and_then(|_| self.artifacts());
        active.audience.clone_from(&self.live);
        let commands = active.read_inbox(self.store.inbox(run).await?).await?;
        active.go_on().await?;
        active.take_commands(commands).await?;
        // A run that is resumed by hand goes on: there may be no other way to say so.
        if let Some(command) = P::go_on() {
            active.command(command).await?;
        }
        self.drive(active, guard, resources, Some(signals)).await
    }

    /// Plays until the run ends, rests or is told to stop, and gives it up.
    async fn drive<P: Production>(
        &self,
        active: Box<ActiveRun<'_, P>>,
        guard: ClaimGuard<'_>,
        resources: Resources,
        signals: Option<&mut mpsc::Receiver<Signal>>,
    ) -> Result<Option<&'static str>, Error> {
        let (sender, mut received) = mpsc::channel(1);
        let (run, seen) = (active.claim.run, active.seen);
        let played = play_traced(active, resources, &mut received);
        let played = match signals {
            Some(signals) => tokio::select! {
                biased;
                never = Box::pin(self.bring(run, seen, signals, sender)) => match never {},
                played = played => played?,
            },
            None => {
                drop(sender);
                played.await?
            }
        };
        let ended = match &played {
            LoopEnd::Stopped { production, .. } => production.ended(),
            LoopEnd::Resting => None,
        };
        guard.settle(&played).await?;
        Ok(ended)
    }

    /// Brings a run what comes from outside: the caller's signals, and what is posted to its inbox.
    async fn bring(
        &self,
        run: RunId,
        mut seen: Option<CommandId>,
        signals: &mut mpsc::Receiver<Signal>,
        sender: mpsc::Sender<Signal>,
    ) -> Infallible {
        let forward = async {
            while let Some(signal) = signals.recv().await {
                let _ = sender.send(signal).await;
            }
            // Without a caller only its inbox can set a run going that waits, and that needs no process here.
            let _ = sender.send(Signal::Rest).await;
        };
        let poll = async {
            loop {
                tokio::time::sleep(INBOX_POLL_INTERVAL).await;
                // A store that cannot be reached stops the run itself, with its next append.
                for posted in self.store.inbox(run).await.unwrap_or_default() {
                    // It stays in its inbox until what follows from it is stored, and may be met again until
                    // then.
                    if Some(posted.id) > seen {
                        seen = Some(posted.id);
                        let _ = sender.send(Signal::Command { command: posted.command, id: seen }).await;
                    }
                }
            }
        };
        tokio::join!(forward, poll).1
    }

    /// Makes a run that shares everything through the end of a beat, or of one of its lines, with another, and
    /// goes its own way from there: with this seed or, where none is wanted, with one of its own.
    /// [`resume`](Stage::resume) plays it; it is in no queue.
    pub async fn fork(
        &self,
        productions: &Productions,
        run: RunId,
        at: impl Into<ForkPoint>,
        seed: Option<u64>,
    ) -> Result<RunId, Error> {
        let records = self.store.read(run, Seq(0)).await?;
        let made = node::fork(productions, run, &records, at.into(), seed, self.clock.now_ms())?;
        let fork = made.run.run;
        self.store.import(made.run, made.records, made.rows, None).await?;
        Ok(fork)
    }

    /// What a run has come to, from its log alone.
    pub async fn report<P: Production>(&self, run: RunId) -> Result<P::Report, Error> {
        let _turn = self.finishing.acquire().await;
        let facts = read_facts(&self.store.read(run, Seq(0)).await?)?;
        Ok(P::Report::of(&facts).ok_or(run_loop::Error::NoBeginning)?)
    }
}

#[async_trait]
impl ResourceProvider for Stage {
    async fn models(&self, _: &[Player]) -> Result<Models, Problem> {
        Ok(self.models.clone())
    }

    async fn speech(&self, voices: &VoiceChain) -> Result<SpeechRecorder, Problem> {
        match (self.voice.clone(), self.artifacts()) {
            (Some(voice), Some(artifacts)) => Ok(SpeechRecorder { voice, artifacts }),
            _ => Err(Problem::config(format!(
                "this run is spoken by {}, and this stage has no voice, or no folder to keep what it says",
                voices.0.join(", ")
            ))),
        }
    }

    fn artifacts(&self) -> Option<Artifacts> {
        self.data_dir.as_deref().map(Artifacts::of_data_folder)
    }
}
