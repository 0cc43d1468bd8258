//! The productions of a command line, and what each of its commands is given.

use std::{path::Path, sync::Arc};

use enact_drama::{Problem, Purpose, model_card::ModelCard};
use enact_engine::Productions;
use enact_models::Improviser;
use enact_server::productions::ServerProduction;

use crate::{CliProduction, ServedProject, config::Config, models::ModelFactory, store::Location};

/// The productions that a composition root has registered, in the order in which hints name them.
#[derive(Debug, Clone, Default)]
pub struct Registry {
    all: Vec<Arc<dyn CliProduction>>,
}

impl Registry {
    /// Registers another one.
    ///
    /// # Panics
    /// If its name is not that of the production it registers. Two that share a name, or the kind that their
    /// logs begin with, make [`productions`](Registry::productions) panic.
    pub fn with(mut self, production: impl CliProduction + 'static) -> Registry {
        let registered = production.register(Productions::default());
        assert!(registered.named(production.name()).is_ok(), "'{}' is called otherwise", production.name());
        self.all.push(Arc::new(production));
        self
    }

    /// The registry of the engine and the server.
    pub fn productions(&self) -> Productions {
        self.all.iter().fold(Productions::default(), |productions, one| one.register(productions))
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = &dyn CliProduction> {
        self.all.iter().map(|production| &**production)
    }

    pub(crate) fn named(&self, name: &str) -> Result<&dyn CliProduction, Problem> {
        let unknown = || match self.productions().named(name) {
            Err(unknown) => Problem::from(unknown),
            Ok(_) => Problem::config(format!("the production '{name}' has no commands")),
        };
        self.all().find(|production| production.name() == name).ok_or_else(unknown)
    }

    /// The routes of all of them.
    pub(crate) async fn server(
        &self,
        project: &Arc<ServedProject>,
    ) -> Result<Vec<Arc<dyn ServerProduction>>, Problem> {
        let mut productions = Vec::with_capacity(self.all.len());
        for production in &self.all {
            productions.push(production.server(project).await?);
        }
        Ok(productions)
    }

    /// The built-in player, for all of them.
    pub(crate) fn improviser(&self) -> Improviser {
        let improvisations = self.all().filter_map(CliProduction::improvisation);
        improvisations.fold(Improviser::default(), Improviser::with)
    }

    /// What a model does that is asked for this purpose: "judges".
    pub(crate) fn task(&self, purpose: &Purpose) -> String {
        let task = self.all().find_map(|production| production.task(purpose));
        task.map_or_else(|| format!("is asked for '{}'", purpose.as_str()), str::to_owned)
    }

    /// "`enact run` and `enact chorus` play some"
    pub(crate) fn players(&self) -> String {
        let commands: Vec<String> =
            self.all().map(|production| format!("`enact {}`", production.command().get_name())).collect();
        match commands.as_slice() {
            [] => "nothing here plays any".to_owned(),
            [only] => format!("{only} plays some"),
            [first @ .., last] => format!("{} and {last} play some", first.join(", ")),
        }
    }
}

/// What every command is given: the productions, the configuration and the store.
#[derive(Debug)]
pub struct CliContext<'a> {
    pub(crate) registry: &'a Registry,
    pub(crate) productions: Productions,
    /// The configuration that was named.
    pub(crate) config: Option<&'a Path>,
    pub(crate) location: &'a Location,
}

impl<'a> CliContext<'a> {
    pub(crate) fn new(
        registry: &'a Registry,
        config: Option<&'a Path>,
        location: &'a Location,
    ) -> CliContext<'a> {
        CliContext { registry, productions: registry.productions(), config, location }
    }

    pub fn productions(&self) -> &Productions {
        &self.productions
    }

    /// The model that a name stands for, and what it is called in setups: of enact.toml, `improviser`,
    /// `PROVIDER:MODEL`, `script:FILE` or `recorded:RUN`. Without a name, the default.
    ///
    /// `task` says what it is wanted for ("plays alice"), for the message that its key is missing.
    pub async fn model(&self, name: Option<&str>, task: &str) -> anyhow::Result<(String, ModelCard)> {
        let config = self.config_here()?;
        let name = name.unwrap_or_else(|| config.default_model());
        let (name, model) = self.models(&config).make(name, task).await?;
        Ok((name, model.card()))
    }

    /// The configuration that was named, or else the nearest in or above a folder.
    pub(crate) fn load_config(&self, home: &Path) -> Result<Config, Problem> {
        let config = Config::load(self.config, home)?;
        if let Some(proxy) = config.proxy(|variable| std::env::var(variable).ok())? {
            enact_http::use_proxy(proxy);
        }
        Ok(config)
    }

    /// The configuration for a run whose log does not say where its own lay: a person who plays it from
    /// elsewhere names it.
    pub(crate) fn config_here(&self) -> Result<Config, Problem> {
        self.load_config(Path::new("."))
    }

    pub(crate) fn models<'m>(&'m self, config: &'m Config) -> ModelFactory<'m> {
        ModelFactory::new(config, self.registry, Some(self.location))
    }
}
