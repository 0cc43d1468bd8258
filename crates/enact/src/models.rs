//! Models, made from the names that configuration, command line and logs give them.

use std::{
    collections::BTreeMap,
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};

use anyhow::Context as _;
use async_trait::async_trait;
use enact_drama::{
    Problem, Record, RunId, Seq,
    model_card::{Context, ModelCard},
    production::{Answer, Failure, Player},
    request::Request,
};
use enact_engine::{
    Model, Unavailable,
    model::{LiveText, Timing},
    project_files::read_text,
};
use enact_models::{ApiKey, Human, Recorded, Scripted, Settings};

use crate::{
    Registry,
    config::{Config, ModelEntry, Reference},
    find_run::find_run,
    store::Location,
};

/// A script is some lines for each answer; what is larger is another file.
const LARGEST_SCRIPT_BYTES: usize = 16 << 20;

/// Makes models.
#[derive(Debug, Clone)]
pub(crate) struct ModelFactory<'a> {
    config: &'a Config,
    registry: &'a Registry,
    location: Option<&'a Location>,
    context: Option<Context>,
    stream: bool,
    made: Arc<ModelCache>,
}

/// The language models that were made, each once for its name: all runs share its connections.
#[derive(Debug, Default)]
pub(crate) struct ModelCache(Mutex<BTreeMap<String, Arc<dyn Model>>>);

/// A model that was made, or its stand-in.
#[derive(Debug, Clone)]
pub(crate) struct MadeModel {
    pub(crate) model: Arc<dyn Model>,
    /// Why it is a stand-in.
    problem: Option<Problem>,
}

impl<'a> ModelFactory<'a> {
    /// `location` is where recordings are.
    pub(crate) fn new(
        config: &'a Config,
        registry: &'a Registry,
        location: Option<&'a Location>,
    ) -> ModelFactory<'a> {
        ModelFactory { config, registry, location, context: None, stream: false, made: Arc::default() }
    }

    /// Sets how much every language model is told each beat, instead of what its configuration says.
    pub(crate) fn in_context(self, context: Option<Context>) -> ModelFactory<'a> {
        ModelFactory { context, ..self }
    }

    /// Has every answer for an actor asked for as a stream, so that its first word can be timed.
    pub(crate) fn streaming(self, stream: bool) -> ModelFactory<'a> {
        ModelFactory { stream, ..self }
    }

    /// Shares what was made before, and what is made from now on.
    pub(crate) fn with_cache(self, made: Arc<ModelCache>) -> ModelFactory<'a> {
        ModelFactory { made, ..self }
    }

    /// Makes the model a name stands for, and says what it is called from now on. Setups keep that name, so
    /// that a resumed run finds its model again: `latest` would be another run by then.
    ///
    /// `task` says what it is wanted for ("plays alice"), for the message that its key is missing.
    pub(crate) async fn make(&self, name: &str, task: &str) -> anyhow::Result<(String, Arc<dyn Model>)> {
        let keep = |model: Arc<dyn Model>| Ok((name.to_owned(), model));
        match self.config.refer(name)? {
            Reference::Improviser => keep(Arc::new(self.registry.improviser())),
            Reference::Human => keep(Arc::new(Human)),
            Reference::Script(file) => keep(Arc::new(script(&file)?)),
            Reference::Demo(demo) => keep(Arc::new(demo.script()?)),
            Reference::Recorded(run) => {
                let location = self.location.context("there are no recordings here")?;
                let log = location.open_existing().await?.store();
                let run = find_run(&*log, &run).await?.run;
                let records = log.read(run, Seq(0)).await?;
                let model = self.recorded(run, &records).context("this run cannot be used as a recording")?;
                Ok((format!("recorded:{run}"), Arc::new(model)))
            }
            Reference::Language(entry) => keep(self.made.get_or(name, || self.connect(&entry, task))?),
        }
    }

    fn recorded(&self, run: RunId, records: &[Record]) -> anyhow::Result<Recorded> {
        let first = records.first().context("it has no beginning")?;
        let productions = self.registry.productions();
        let production = productions.of(first).map_err(Problem::from)?;
        let header = production.header(first)?.context("it has no beginning")?;
        Ok(Recorded::new(format!("{}, run {run}", header.title), production.answers(records)?))
    }

    /// Makes the models of a run that goes on, by the names its log knows them by.
    pub(crate) async fn remake(
        &self,
        players: &[Player],
    ) -> anyhow::Result<BTreeMap<String, Arc<dyn Model>>> {
        let mut models = BTreeMap::new();
        for player @ Player { name, card, .. } in players {
            let found = self.config.refer(name).map_err(|problem| {
                let why = problem.hint.unwrap_or(problem.message);
                Problem::config(format!("this run is played by the model '{name}', which is not known here"))
                    .hint(format!("{RESUME_WITH}; {why}"))
            })?;
            check_same(name, card, &found)?;
            let (_, model) = self.make(name, &self.task(player)).await?;
            models.insert(name.clone(), model);
        }
        Ok(models)
    }

    /// Makes the fallbacks of models that play, so that they can be asked as soon as one of those has failed.
    pub(crate) async fn make_fallbacks(
        &self,
        cards: &BTreeMap<String, ModelCard>,
    ) -> anyhow::Result<BTreeMap<String, Arc<dyn Model>>> {
        let mut models = BTreeMap::new();
        for (first, card) in cards {
            for name in &card.fallback {
                if !cards.contains_key(name) && !models.contains_key(name) {
                    let (_, model) = self.make(name, &stands_in_for(&[first])).await?;
                    models.insert(name.clone(), model);
                }
            }
        }
        Ok(models)
    }

    /// Adds the [fallbacks](Self::make_fallbacks) of these models, and gives the cards of all.
    pub(crate) async fn add_fallbacks(
        &self,
        models: &mut BTreeMap<String, Arc<dyn Model>>,
    ) -> Result<BTreeMap<String, ModelCard>, Problem> {
        let cards = models.iter().map(|(name, model)| (name.clone(), model.card())).collect();
        models.extend(self.make_fallbacks(&cards).await.map_err(problem_of)?);
        Ok(models.iter().map(|(name, model)| (name.clone(), model.card())).collect())
    }

    /// Makes a model, or else a stand-in that fails whenever it is asked, and says why.
    pub(crate) async fn make_or_absent(&self, name: &str, task: &str) -> MadeModel {
        let card = || match self.config.refer(name) {
            Ok(Reference::Language(entry)) => enact_models::card(&entry.settings),
            _ => ModelCard::free(name),
        };
        let made = self.make(name, task).await.map(|(_, model)| model);
        MadeModel::of(made, card)
    }

    /// The same for the models of a run that goes on: one that cannot be made does not keep the others from
    /// playing.
    pub(crate) async fn remake_or_absent(&self, players: &[Player]) -> BTreeMap<String, MadeModel> {
        let mut models = BTreeMap::new();
        for player in players {
            let made = self.remake(std::slice::from_ref(player)).await;
            let made = made.and_then(|mut made| made.remove(&player.name).context("it was not made"));
            models.insert(player.name.clone(), MadeModel::of(made, || player.card.clone()));
        }
        models
    }

    /// What a model does in a run.
    fn task(&self, player: &Player) -> String {
        match player.advises.first() {
            Some(purpose) if player.plays.is_empty() => self.registry.task(purpose),
            None if player.plays.is_empty() => {
                stands_in_for(&player.stands_in_for.iter().map(String::as_str).collect::<Vec<_>>())
            }
            _ => plays(&player.plays.iter().map(String::as_str).collect::<Vec<_>>()),
        }
    }

    fn connect(&self, entry: &ModelEntry, task: &str) -> Result<Arc<dyn Model>, Problem> {
        let settings = self.settings(entry, task)?;
        let context = self.context.unwrap_or(settings.context);
        let model = enact_models::connect(Settings { context, ..settings })
            .map_err(|problem| self.config.written_at(&["models", &entry.name], problem))?;
        Ok(if self.stream { Arc::new(StreamedModel(model)) } else { model })
    }

    /// What a model is connected with: its settings, and what the environment holds for it.
    pub(crate) fn settings(&self, entry: &ModelEntry, task: &str) -> Result<Settings, Problem> {
        let located = |problem| self.config.written_at(&["models", &entry.name], problem);
        let variable = self.config.key_variable(entry).map_err(located)?;
        let environment = |name: &str| std::env::var(name).ok();
        let settings = with_key(entry, variable, task, environment).map_err(located)?;
        let headers = settings.headers.into_iter().map(|header| header.filled(environment));
        let headers = headers.collect::<Result<Vec<_>, Problem>>().map_err(located)?;
        Ok(Settings { headers, ..settings })
    }
}

/// A model that is always asked for streams, whether or not they are followed.
#[derive(Debug)]
struct StreamedModel(Arc<dyn Model>);

#[async_trait]
impl Model for StreamedModel {
    fn card(&self) -> ModelCard {
        self.0.card()
    }

    fn timing(&self) -> Timing {
        self.0.timing()
    }

    async fn check(&self) -> Result<(), Problem> {
        self.0.check().await
    }

    async fn answer(&self, request: Request) -> Result<Answer, Failure> {
        self.0.answer_live(request, LiveText::to(|_| {})).await
    }

    async fn answer_live(&self, request: Request, live: LiveText) -> Result<Answer, Failure> {
        let live = if live.is_wanted() { live } else { LiveText::to(|_| {}) };
        self.0.answer_live(request, live).await
    }
}

impl MadeModel {
    fn of(made: anyhow::Result<Arc<dyn Model>>, card: impl FnOnce() -> ModelCard) -> MadeModel {
        match made {
            Ok(model) => MadeModel { model, problem: None },
            Err(error) => {
                let problem = problem_of(error);
                let model = Arc::new(Unavailable::because(card(), &problem));
                MadeModel { model, problem: Some(problem) }
            }
        }
    }
}

/// The models, or the first problem if none of them could be made.
pub(crate) fn require_any(
    made: BTreeMap<String, MadeModel>,
) -> Result<BTreeMap<String, Arc<dyn Model>>, Problem> {
    if made.values().all(|made| made.problem.is_some())
        && let Some(problem) = made.values().find_map(|made| made.problem.clone())
    {
        return Err(problem);
    }
    Ok(made.into_iter().map(|(name, made)| (name, made.model)).collect())
}

impl ModelCache {
    fn get_or(
        &self,
        name: &str,
        make: impl FnOnce() -> Result<Arc<dyn Model>, Problem>,
    ) -> Result<Arc<dyn Model>, Problem> {
        // What a poisoned lock guards is still whole: nothing panics between looking and inserting.
        let mut made = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(model) = made.get(name) {
            return Ok(model.clone());
        }
        let model = make()?;
        made.insert(name.to_owned(), model.clone());
        Ok(model)
    }
}

/// The hint for a run that is resumed with another configuration.
const RESUME_WITH: &str = "resume it with the enact.toml it was begun with (--config)";

/// Whether a name still stands for what it stood for when the run began: a character should not go on in
/// another voice, nor at another's price. Settings may change, which is what an interrupted run may be
/// resumed for.
fn check_same(name: &str, card: &ModelCard, found: &Reference) -> Result<(), Problem> {
    let then = card.provider.as_deref().zip(card.model.as_deref());
    let now = match found {
        Reference::Language(entry) => Some((entry.settings.provider.as_str(), entry.settings.model.as_str())),
        _ => None,
    };
    if then == now {
        return Ok(());
    }
    let said = |model: Option<(&str, &str)>| {
        model.map_or("no language model".to_owned(), |(provider, model)| format!("{provider}'s '{model}'"))
    };
    let message = format!("this run was begun with {} as '{name}', which is {} here", said(then), said(now));
    Err(Problem::config(message).hint(RESUME_WITH))
}

/// The key, out of the environment. Blanks around it come from copying; nothing but blanks is no key.
pub(crate) fn key(variable: &str, environment: impl Fn(&str) -> Option<String>) -> Option<ApiKey> {
    let secret = environment(variable)?;
    let secret = secret.trim();
    (!secret.is_empty()).then(|| ApiKey::new(secret).from_variable(variable))
}

fn with_key(
    entry: &ModelEntry,
    variable: Option<&str>,
    task: &str,
    environment: impl Fn(&str) -> Option<String>,
) -> Result<Settings, Problem> {
    let Some(variable) = variable else { return Ok(entry.settings.clone()) };
    let missing = || {
        Problem::config(format!(
            "the model '{}', which {task}, needs a key: {variable} is not set",
            entry.name
        ))
        .hint(format!("put the key into the environment variable {variable}, or choose another model"))
    };
    match key(variable, environment) {
        None if !entry.key_optional => Err(missing()),
        key => Ok(Settings { key, ..entry.settings.clone() }),
    }
}

pub(crate) fn script(file: &str) -> Result<Scripted, Problem> {
    let text = read_text(Path::new(file), LARGEST_SCRIPT_BYTES)
        .map_err(|error| Problem::config(format!("cannot read the script {file}: {error}")))?;
    Ok(Scripted::parse(&text).map_err(|problem| problem.in_file(file))?.titled(file))
}

/// The problem inside an error, or else one that says what the error says.
pub(crate) fn problem_of(error: anyhow::Error) -> Problem {
    match error.downcast::<Problem>() {
        Ok(problem) => problem,
        Err(error) => match error.downcast::<enact_engine::Error>() {
            Ok(enact_engine::Error::Problem(problem)) => *problem,
            Ok(error) => Problem::config(error.to_string()),
            Err(error) => Problem::config(format!("{error:#}")),
        },
    }
}

/// "plays alice and bob"
pub(crate) fn plays(names: &[&str]) -> String {
    format!("plays {}", listed(names))
}

/// "stands in for lead and extra"
pub(crate) fn stands_in_for(models: &[&str]) -> String {
    format!("stands in for {}", listed(models))
}

/// "alice and bob"
pub(crate) fn listed(names: &[&str]) -> String {
    match names {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => names.concat(),
    }
}

#[cfg(test)]
mod tests;
