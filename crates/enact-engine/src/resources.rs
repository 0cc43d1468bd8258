//! What a run is played with: its models and voices, and the one policy for what is missing.
//!
//! A production that [requires all models](Production::REQUIRES_ALL_MODELS) is not played while one of them
//! is missing or refused. Anything else that is missing is replaced by a stand-in whose calls fail with the
//! reason.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    fmt::Debug,
    sync::{Arc, Mutex},
    time::Duration,
};

use async_trait::async_trait;
use enact_drama::{
    Problem, Production,
    model_card::ModelCard,
    production::{Answer, Failure, Player},
    request::Request,
    voice::{Utterance, VoiceChain},
};
use futures::future::join_all;
use tokio::time::Instant;

use crate::{
    Artifacts, SpeechRecorder,
    calls::Models,
    model::{self, Model},
    node::lock,
    voice::{Audio, Voice},
};

/// How long a check of a model counts: long enough for a queue to be claimed, short enough that a key which
/// works again is tried when its runs are.
const CHECK_TTL: Duration = Duration::from_secs(20);

/// Where models and voices come from: the operator's configuration, or what a library was given.
#[async_trait]
pub trait ResourceProvider: Debug + Send + Sync {
    /// The models of a run, by the names its setup uses.
    async fn models(&self, players: &[Player]) -> Result<Models, Problem>;

    /// Where a run is said aloud that has these voices.
    async fn speech(&self, voices: &VoiceChain) -> Result<SpeechRecorder, Problem> {
        let _ = voices;
        Err(Problem::config("this project has no voices"))
    }

    /// Where what is said aloud lies, by whatever voices. Runs that are deleted leave nothing there.
    fn artifacts(&self) -> Option<Artifacts> {
        None
    }
}

/// What performs the effects of a run.
#[derive(Debug, Clone, Default)]
pub(crate) struct Resources {
    pub(crate) models: Models,
    /// Nothing where nothing is said aloud.
    pub(crate) speech: Option<Arc<SpeechRecorder>>,
}

impl Resources {
    /// Finds what a run needs. The models of one that wakes up were checked when it began.
    pub(crate) async fn find<P: Production>(
        project: &dyn ResourceProvider,
        checks: &Checks,
        production: &P,
        wakes: bool,
    ) -> Result<Resources, Problem> {
        let players = production.players();
        let models = match P::REQUIRES_ALL_MODELS {
            true => require_models(project, checks, &players, wakes).await?,
            false => models_or_stand_ins(project, &players).await,
        };
        let speech = match production.voice() {
            Some(voices) => speech_or_stand_in(project, voices).await,
            None => None,
        };
        Ok(Resources { models, speech })
    }
}

/// All models, none of which may be missing. Those of a run that begins are asked whether they could answer.
async fn require_models(
    project: &dyn ResourceProvider,
    checks: &Checks,
    players: &[Player],
    wakes: bool,
) -> Result<Models, Problem> {
    let models = project.models(players).await?;
    if let Some(missing) = players.iter().find(|player| !models.contains_key(&player.name)) {
        return Err(missing_model(missing));
    }
    if !wakes {
        checks.check(&models, players).await?;
    }
    Ok(models)
}

/// All models, with a stand-in for each that is missing. Asked for one by one: what is wrong with one of them
/// says nothing of the others.
async fn models_or_stand_ins(project: &dyn ResourceProvider, players: &[Player]) -> Models {
    let mut models = Models::new();
    for player in players {
        let made = project.models(std::slice::from_ref(player)).await;
        let made = made.and_then(|mut made| made.remove(&player.name).ok_or_else(|| missing_model(player)));
        let model = made.unwrap_or_else(|problem| {
            tracing::warn!(model = player.name, %problem, hint = problem.hint, "a model is missing");
            Arc::new(Unavailable::because(player.card.clone(), &problem))
        });
        models.insert(player.name.clone(), model);
    }
    models
}

fn missing_model(player: &Player) -> Problem {
    Problem::config(format!("it is played by the model '{}', which is missing here", player.name))
}

/// Where a run is said aloud. Without a voice every text says why it cannot be heard; it was said all the
/// same.
async fn speech_or_stand_in(
    project: &dyn ResourceProvider,
    voices: &VoiceChain,
) -> Option<Arc<SpeechRecorder>> {
    let speech = match project.speech(voices).await {
        Ok(speech) => speech,
        Err(problem) => {
            tracing::warn!(%problem, hint = problem.hint, "a run is played without its voice");
            let voice = Arc::new(Unavailable::because(voices.0.join(", "), &problem));
            SpeechRecorder { voice, artifacts: project.artifacts()? }
        }
    };
    Some(Arc::new(speech))
}

/// Stands in for a model, by its card, or for a voice, by its name, that could not be made.
#[derive(Debug, Clone, PartialEq)]
pub struct Unavailable<Id> {
    pub of: Id,
    pub why: Failure,
}

impl<Id> Unavailable<Id> {
    /// Where the problem lies is the operator's business: those who read the log are told only what it is.
    pub fn because(of: Id, problem: &Problem) -> Unavailable<Id> {
        Unavailable { of, why: Failure::new(problem.message.clone()) }
    }
}

#[async_trait]
impl Model for Unavailable<ModelCard> {
    fn card(&self) -> ModelCard {
        self.of.clone()
    }

    async fn answer(&self, _: Request) -> Result<Answer, Failure> {
        Err(self.why.clone())
    }
}

#[async_trait]
impl Voice for Unavailable<String> {
    fn description(&self) -> String {
        self.of.clone()
    }

    async fn speak(&self, _: Arc<Utterance>, _: Duration) -> Result<Audio, Failure> {
        Err(self.why.clone())
    }
}

/// Whether models can be asked, found out once for all the runs that begin together. There are as many as the
/// operator has configured.
#[derive(Debug, Default)]
pub(crate) struct Checks {
    by_model: Mutex<HashMap<String, Arc<Check>>>,
}

/// Held by the run that asks, so that all others wait for the same answer.
type Check = tokio::sync::Mutex<Option<(Instant, Result<(), Problem>)>>;

impl Checks {
    /// The first model that cannot be asked and has no fallback that can.
    async fn check(&self, models: &Models, players: &[Player]) -> Result<(), Problem> {
        let names: BTreeSet<&str> = players.iter().map(|player| player.name.as_str()).collect();
        let checks = names.into_iter().filter_map(|name| Some((name, models.get(name)?)));
        let checks = checks.map(async |(name, model)| (name, self.check_one(name, model).await));
        let outcomes: BTreeMap<&str, Result<(), Problem>> = join_all(checks).await.into_iter().collect();
        let can_be_asked = |name: &String| outcomes.get(name.as_str()).is_some_and(Result::is_ok);
        for player in players {
            let Some(Err(problem)) = outcomes.get(player.name.as_str()) else { continue };
            if player.has_task() && !player.card.fallback.iter().any(can_be_asked) {
                return Err(problem.clone());
            }
            tracing::warn!(model = player.name, %problem, hint = problem.hint, "a model cannot be asked");
        }
        Ok(())
    }

    async fn check_one(&self, name: &str, model: &Arc<dyn Model>) -> Result<(), Problem> {
        let check = lock(&self.by_model).entry(name.to_owned()).or_default().clone();
        let mut check = check.lock().await;
        if let Some((at, outcome)) = &*check
            && at.elapsed() < CHECK_TTL
        {
            return outcome.clone();
        }
        let outcome = model::check(&**model).await;
        *check = Some((Instant::now(), outcome.clone()));
        outcome
    }
}
