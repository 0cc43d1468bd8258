//! Where scenes and choruses are played: the ports, put together.

use std::{collections::BTreeMap, path::PathBuf, sync::Arc};

use enact_drama::{
    Name, Problem, RunId, Seq,
    budget::Budget,
    dice::seed_of,
    production::{Fork, Report},
    record::read_facts,
    scene::report::{SceneResult, Story},
    scene::{Crew, Scene, SceneConfig, SceneEvent, Setup},
    sheet::Sheet,
};
use tokio::sync::{Semaphore, mpsc};
use uuid::Uuid;

use crate::{
    Clock, Log, Model, Productions, Voice,
    calls::Models,
    clock::SystemClock,
    log::{self, Batch, MemoryLog, NewRun},
    outputs,
    perform::{self, Signal, Watcher},
};

mod chorus;
mod playing;

use self::playing::Held;
pub(crate) use self::playing::perform_in_span;

/// Everything a scene or a chorus is played with.
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
/// /// Somebody who knows only two sentences.
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
    log: Arc<dyn Log>,
    clock: Arc<dyn Clock>,
    models: Models,
    default_model: String,
    parts: BTreeMap<Name, String>,
    judge: Option<String>,
    event_writer: Option<String>,
    budget: Budget,
    sheets: Vec<(Name, String)>,
    data_dir: Option<PathBuf>,
    voice: Option<Arc<dyn Voice>>,
    finishing: Arc<Semaphore>,
}

/// How many runs may be read back from their logs at once. Each takes a few hundred KiB for a moment, and of a
/// thousand scenes many end together.
const FINISHING_AT_ONCE: usize = 8;

/// Models a sheet written for Claude Code may name.
const CLAUDES_OWN: [&str; 4] = ["haiku", "sonnet", "opus", "inherit"];

#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The input is wrong; nothing was played or written.
    #[error(transparent)]
    Problem(#[from] Box<Problem>),
    #[error(transparent)]
    Run(#[from] perform::Error),
    #[error(transparent)]
    Log(#[from] log::Error),
    /// The scene was played and its log is safe; only its files are missing.
    #[error("the scene was played and is kept, but its files are missing")]
    Outputs(#[from] outputs::Error),
    #[error("this run is played by the model '{0}', which this stage does not have")]
    MissingModel(String),
    #[error("this run is spoken by {0}, and this stage has no voice, or no folder to keep what it says")]
    MissingVoice(String),
}

impl Stage {
    /// A stage where this model plays everyone and nothing outlives the process.
    pub fn new(name: impl Into<String>, model: Arc<dyn Model>) -> Stage {
        let name = name.into();
        Stage { default_model: name.clone(), ..Stage::empty().model(name, model) }
    }

    /// A stage without anybody to play: for resuming runs, which know their models by name.
    pub fn empty() -> Stage {
        Stage {
            log: Arc::new(MemoryLog::default()),
            clock: Arc::new(SystemClock),
            models: Models::new(),
            default_model: String::new(),
            parts: BTreeMap::new(),
            judge: None,
            event_writer: None,
            budget: Budget::default(),
            sheets: Vec::new(),
            data_dir: None,
            voice: None,
            finishing: Arc::new(Semaphore::new(FINISHING_AT_ONCE)),
        }
    }

    /// Keeps logs here.
    pub fn log(mut self, log: Arc<dyn Log>) -> Stage {
        self.log = log;
        self
    }

    pub fn clock(mut self, clock: Arc<dyn Clock>) -> Stage {
        self.clock = clock;
        self
    }

    /// Gives a character's sheet as text. A name that is not plain can be nobody's, and is passed over.
    pub fn sheet(mut self, name: impl Into<String>, text: impl Into<String>) -> Stage {
        self.sheets.extend(Name::new(name).ok().map(|name| (name, text.into())));
        self
    }

    /// Writes each scene's transcript, metadata, debug log and events below this folder, and what choruses say aloud into
    /// `artifacts` there.
    pub fn write_to(mut self, data_dir: impl Into<PathBuf>) -> Stage {
        self.data_dir = Some(data_dir.into());
        self
    }

    /// Another model, by the name setups call it.
    pub fn model(mut self, name: impl Into<String>, model: Arc<dyn Model>) -> Stage {
        self.models.insert(name.into(), model);
        self
    }

    /// Who plays everybody that nothing else is said about.
    pub fn default_model(mut self, name: impl Into<String>) -> Stage {
        self.default_model = name.into();
        self
    }

    /// Has a character played by this model, whatever its sheet says.
    pub fn part(mut self, character: Name, model: impl Into<String>) -> Stage {
        self.parts.insert(character, model.into());
        self
    }

    /// Has this model asked beside the rules whether the goal is reached.
    pub fn judge(mut self, name: impl Into<String>) -> Stage {
        self.judge = Some(name.into());
        self
    }

    /// Has this model write world events once the author's own are used up.
    pub fn event_writer(mut self, name: impl Into<String>) -> Stage {
        self.event_writer = Some(name.into());
        self
    }

    /// Ends a scene before the beat that would use more.
    pub fn budget(mut self, budget: Budget) -> Stage {
        self.budget = budget;
        self
    }

    /// Plays a scene from beginning to end.
    pub async fn run_scene(&self, config: SceneConfig) -> Result<SceneResult, Error> {
        let setup = self.cast(config)?;
        // Nobody holds the other end: nothing is wanted from outside.
        let (_, mut signals) = mpsc::channel(1);
        self.play(setup, &mut (), &mut signals).await
    }

    /// Casts a scene: checks it, and resolves everything it needs. Nothing is written yet.
    pub fn cast(&self, config: SceneConfig) -> Result<Setup, Error> {
        let run = RunId(Uuid::now_v7());
        let seed = seed_of(run);
        let models = self.models.iter().map(|(name, model)| (name.clone(), model.card())).collect();
        let wishes = config.models.clone();
        let model_of = |name: &Name, sheet: &Sheet| {
            let wish = wishes.iter().find(|(who, _)| who.eq_ignore_ascii_case(name.as_str()));
            self.model_of(name, wish.map(|(_, wish)| &wish.model).or(sheet.model.as_ref()))
        };
        let (judge, event_writer) = (self.judge.clone(), self.event_writer.clone());
        let crew = Crew { models, judge, event_writer, budget: self.budget };
        Ok(Setup::cast(run, config, self.sheets.clone(), crew, model_of, seed).map_err(Box::new)?)
    }

    /// Claude's own names for its models mean whatever plays by default, unless the stage has one of that name.
    fn model_of(&self, name: &Name, wish: Option<&String>) -> String {
        match self.parts.get(name).or(wish) {
            Some(model) if self.models.contains_key(model) || !CLAUDES_OWN.contains(&model.as_str()) => {
                model.clone()
            }
            _ => self.default_model.clone(),
        }
    }

    /// Plays a scene that was cast. `watcher` sees every fact once it is stored; `signals` brings what comes
    /// from outside.
    pub async fn play(
        &self,
        setup: Setup,
        watcher: &mut dyn Watcher<SceneEvent>,
        signals: &mut mpsc::Receiver<Signal>,
    ) -> Result<SceneResult, Error> {
        let run = setup.run;
        self.play_production::<Scene>(run, Scene::beginning(setup), watcher, signals).await?;
        self.result(run).await
    }

    /// Makes a new scene that shares everything through the end of a beat with another, and goes its own way from there: with
    /// this seed or, where none is wanted, with one of its own. [`resume`](Stage::resume) plays it.
    pub async fn fork(&self, run: RunId, beat: u32, seed: Option<u64>) -> Result<RunId, Error> {
        self.fork_of(&Productions::default().with::<Scene>(), run, beat, seed).await
    }

    /// The same for a run of any of these productions. [`resume_production`](Stage::resume_production) plays it.
    pub async fn fork_of(
        &self,
        productions: &Productions,
        run: RunId,
        beat: u32,
        seed: Option<u64>,
    ) -> Result<RunId, Error> {
        let records = self.log.read(run, Seq(0)).await?;
        let first = records.first().ok_or(perform::Error::NoBeginning)?;
        let production = productions.of(first).map_err(|unknown| Box::new(Problem::from(unknown)))?;
        let fork = RunId(Uuid::now_v7());
        let at = self.clock.now_ms();
        let seed = seed.unwrap_or_else(|| seed_of(fork));
        let records = production.fork(&records, Fork { beat, run: fork, seed, at }).map_err(Box::new)?;
        let header = production.header(&records[0]).map_err(perform::Error::from)?;
        let header = header.ok_or(perform::Error::NoBeginning)?;
        let rows = production.rows(&records).map_err(perform::Error::from)?;
        let about = NewRun {
            run: fork,
            production: production.name(),
            name: header.title,
            at,
            parent: Some(run),
            account: String::new(),
        };
        let claim = self.log.create(about).await?;
        let held = Held::new(&self.log, claim);
        // Together, so that there is never a fork that has only a part of what it shares.
        self.log.append(&claim, Batch { rows, ..Batch::of(records) }).await?;
        held.release().await?;
        Ok(fork)
    }

    /// Plays on from where a run's log ends, whether or not it was paused; a run that has ended is only written out again.
    pub async fn resume(
        &self,
        run: RunId,
        watcher: &mut dyn Watcher<SceneEvent>,
        signals: &mut mpsc::Receiver<Signal>,
    ) -> Result<SceneResult, Error> {
        self.resume_production::<Scene>(run, watcher, signals).await?;
        self.result(run).await
    }

    /// What a run has come to, from its log alone. Its files are written as well, where the stage writes any.
    async fn result(&self, run: RunId) -> Result<SceneResult, Error> {
        let _turn = self.finishing.acquire().await;
        let records = self.log.read(run, Seq(0)).await?;
        let facts = read_facts(&records).map_err(perform::Error::from)?;
        let story = Story::of(&facts).ok_or(perform::Error::NoBeginning)?;
        let output_path = match self.data_dir.clone() {
            Some(data_dir) => {
                written(move || outputs::write(&data_dir, &records)).await?.display().to_string()
            }
            None => String::new(),
        };
        Ok(SceneResult::of(&story, output_path))
    }
}

/// Files are written off the threads that play.
async fn written(
    write: impl FnOnce() -> Result<PathBuf, outputs::Error> + Send + 'static,
) -> Result<PathBuf, outputs::Error> {
    match tokio::task::spawn_blocking(write).await {
        Ok(written) => written,
        Err(panicked) => std::panic::resume_unwind(panicked.into_panic()),
    }
}
