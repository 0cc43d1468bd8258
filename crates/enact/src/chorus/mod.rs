//! Choruses on the command line: what only they have.
//!
//! `run` plays one, put together by a [`ChorusFactory`] from agents, templates, voices and models; `terminal`
//! shows it as it happens and `summary` what a person should know then; `serving` is the part of a server.

mod agents;
mod args;
mod prompts;
mod run;
mod serving;
mod summary;
mod terminal;

use std::{collections::BTreeMap, process::ExitCode, sync::Arc};

use async_trait::async_trait;
use clap::{ArgMatches, Args as _, FromArgMatches};

use enact_drama::{
    Problem, Production, RunId,
    budget::Budget,
    chorus::{Agent, Chorus, ChorusOptions, ChorusRequest, ChorusSetup, Prompts},
    voice::VoiceChain,
};
use enact_engine::Productions;
use enact_server::productions::ServerProduction;

use self::agents::AgentCasting;
use crate::{
    CliContext, CliProduction, ServedProject,
    args::values::VoiceFlag,
    config::{Config, HUMAN},
    models::{MadeModel, ModelFactory, stands_in_for},
    voices,
};

/// Choruses, for the registry.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ChorusCommands;

#[async_trait(?Send)]
impl CliProduction for ChorusCommands {
    fn name(&self) -> &'static str {
        Chorus::NAME
    }

    fn register(&self, productions: Productions) -> Productions {
        productions.with::<Chorus>()
    }

    async fn server(&self, project: &Arc<ServedProject>) -> Result<Arc<dyn ServerProduction>, Problem> {
        serving::server(project).await
    }

    fn command(&self) -> clap::Command {
        args::ChorusArgs::augment_args(clap::Command::new("chorus"))
            .about("Say something to up to six voices: each answers, comments on another, and replies; all of it aloud")
            .display_order(110)
    }

    async fn run(&self, matches: &ArgMatches, context: &CliContext<'_>) -> anyhow::Result<ExitCode> {
        run::run(args::ChorusArgs::from_arg_matches(matches)?, context).await
    }

    async fn resume(&self, run: RunId, context: &CliContext<'_>) -> anyhow::Result<ExitCode> {
        run::run(args::ChorusArgs::resuming(run), context).await
    }
}

/// Puts choruses together from agents, templates, voices and models.
#[derive(Debug, Clone)]
pub(crate) struct ChorusFactory {
    castings: Vec<AgentCasting>,
    prompts: Prompts,
    /// The voices that speak, or none.
    pub(crate) voice: Option<VoiceChain>,
    /// What each chorus may use.
    budget: Budget,
    answer_timeout_ms: u64,
    speech_timeout_ms: u64,
    /// What may have been meant otherwise, for the person who configured it.
    pub(crate) notes: Vec<String>,
}

/// A chorus that can be played.
#[derive(Debug)]
pub(crate) struct Assembled {
    pub(crate) setup: ChorusSetup,
    /// Those who answer, by the names the setup uses.
    pub(crate) models: BTreeMap<String, MadeModel>,
}

impl ChorusFactory {
    /// As the configuration says, with the voices a flag wants. Templates are read and checked here, so that
    /// a server does not begin with one that fails at the first message.
    pub(crate) fn new(config: &Config, voice: Option<&VoiceFlag>) -> Result<ChorusFactory, Problem> {
        let standard = ChorusOptions::default();
        let milliseconds = |time: std::time::Duration| time.as_millis() as u64;
        let chorus = &config.chorus;
        let (prompts, notes) = prompts::prompts(config)?;
        Ok(ChorusFactory {
            castings: agents::agents(config, &agents::environment),
            prompts,
            voice: voices::wanted(config, voice)?,
            budget: standard.budget,
            answer_timeout_ms: chorus.answer_timeout.map_or(standard.answer_timeout_ms, milliseconds),
            speech_timeout_ms: chorus.speech_timeout.map_or(standard.speech_timeout_ms, milliseconds),
            notes,
        })
    }

    /// With what each chorus may use.
    pub(crate) fn within(self, budget: Budget) -> ChorusFactory {
        ChorusFactory { budget, ..self }
    }

    /// As they are listed, in that order.
    pub(crate) fn agents(&self) -> Vec<Agent> {
        self.castings.iter().map(AgentCasting::listed).collect()
    }

    /// Who plays whom: each model's name, with the ids of its agents.
    pub(crate) fn by_model(&self) -> BTreeMap<&str, Vec<&str>> {
        let mut models: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for AgentCasting { agent, model, .. } in &self.castings {
            models.entry(model).or_default().push(agent.id.as_str());
        }
        models
    }

    /// Which agent takes which slot, unless a request says so slot by slot.
    pub(crate) fn seats(&self, chosen: &[String], slots: Option<u8>) -> Result<Vec<(u8, String)>, Problem> {
        agents::seats(&self.castings, chosen, slots)
    }

    /// Prepares a chorus. A model that cannot be made costs its own slots, not the chorus.
    pub(crate) async fn assemble(
        &self,
        run: RunId,
        wanted: ChorusRequest,
        factory: &ModelFactory<'_>,
    ) -> Result<Assembled, Problem> {
        let mut models: BTreeMap<String, MadeModel> = BTreeMap::new();
        for AgentCasting { agent, model, .. } in &self.castings {
            let takes_part = wanted.seats.iter().any(|(_, id)| id == agent.id.as_str());
            if takes_part && !models.contains_key(model) {
                if model == HUMAN {
                    let told = format!("{} would be played by a person: 'human' is for scenes", agent.id);
                    return Err(
                        Problem::config(told).hint("name another 'model' for it, or another 'default'")
                    );
                }
                let made = factory.make_or_absent(model, &format!("plays {}", agent.id)).await;
                models.insert(model.clone(), made);
            }
        }
        let mut fallbacks: BTreeMap<String, String> = models
            .iter()
            .flat_map(|(first, made)| {
                made.model.card().fallback.into_iter().map(|name| (name, first.clone()))
            })
            .collect();
        fallbacks.retain(|name, _| !models.contains_key(name));
        for (name, first) in fallbacks {
            let made = factory.make_or_absent(&name, &stands_in_for(&[&first])).await;
            models.insert(name, made);
        }
        let options = ChorusOptions {
            agents: self
                .castings
                .iter()
                .map(|AgentCasting { agent, model, .. }| (agent.clone(), model.clone()))
                .collect(),
            models: models.iter().map(|(name, made)| (name.clone(), made.model.card())).collect(),
            prompts: self.prompts.clone(),
            voice: self.voice.clone(),
            budget: self.budget,
            answer_timeout_ms: self.answer_timeout_ms,
            speech_timeout_ms: self.speech_timeout_ms,
        };
        let setup = options.assemble(run, wanted)?;
        Ok(Assembled { setup, models })
    }
}
