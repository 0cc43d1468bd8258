//! Where scenes are played: the ports, put together.

use std::{path::PathBuf, sync::Arc};

use enact_drama::{
    Happened, Name, Problem, RunId, Seq,
    scene::{ModelCard, Scene, SceneConfig, SceneEvent, Setup},
    show::{self, SceneResult, Story},
};
use tokio::sync::mpsc;
use uuid::Uuid;

use crate::{
    Clock, Log, Model,
    calls::Models,
    clock::SystemClock,
    log::{self, MemoryLog, NewRun},
    outputs,
    perform::{self, Performance, Watcher, read_facts},
};

/// Everything a scene is played with.
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
///         let reply = match request.view.me.as_str() {
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
/// let result = Stage::new(Arc::new(TwoSentences))
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
    sheets: Vec<(String, String)>,
    data_dir: Option<PathBuf>,
}

#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The input is wrong; nothing was played or written.
    #[error(transparent)]
    Problem(#[from] Box<Problem>),
    #[error(transparent)]
    Run(#[from] perform::Error),
    #[error(transparent)]
    Log(#[from] log::Error),
    #[error(transparent)]
    Outputs(#[from] outputs::Error),
}
