//! Makes a session of an episode: the first fact of its log, and the models that play it.

use std::{collections::BTreeMap, sync::Arc};

use enact_drama::{
    Problem,
    dice::seed_of,
    episode::{DEFAULT_EPISODE_TIMEOUT_MS, EpisodeCharacter, EpisodeContext, EpisodePrompts, EpisodeSetup},
    sheet::Sheet,
};
use enact_engine::{Model, node::new_run};
use enact_server::episode::new_share_id;

use super::files::FoundEpisode;
use crate::{
    config::{Config, HUMAN, NONE},
    models::{ModelFactory, problem_of},
};

/// What is wanted of a session beside its episode.
#[derive(Debug)]
pub(crate) struct SessionOptions<'a> {
    pub(crate) config: &'a Config,
    /// Who plays the character, and who evaluates, where that is said.
    pub(crate) model: Option<&'a str>,
    pub(crate) director: Option<&'a str>,
    pub(crate) seed: Option<u64>,
}

/// A session that can be played.
#[derive(Debug)]
pub(crate) struct PreparedSession {
    pub(crate) setup: EpisodeSetup,
    pub(crate) models: BTreeMap<String, Arc<dyn Model>>,
}

/// Checks and resolves everything. Nothing is written yet, and no model is asked.
pub(crate) async fn prepare(
    found: FoundEpisode,
    options: SessionOptions<'_>,
    factory: &ModelFactory<'_>,
) -> Result<PreparedSession, Problem> {
    let sheet = Sheet::read(found.name.as_str(), &found.sheet)?;
    let default = options.config.default_model();
    let wanted = match options.model {
        Some(model) => model,
        None => options.config.model_of_sheet(&sheet)?.unwrap_or(default),
    };
    let mut models: BTreeMap<String, Arc<dyn Model>> = BTreeMap::new();
    let mut make = async |name: &str, task: &str| -> Result<String, Problem> {
        if name == HUMAN {
            return Err(Problem::config(format!(
                "'{HUMAN}' is for scenes: in an episode you are the other one"
            )));
        }
        let (kept_as, model) = factory.make(name, task).await.map_err(problem_of)?;
        models.insert(kept_as.clone(), model);
        Ok(kept_as)
    };
    let model = make(wanted, &format!("plays {}", found.name)).await?;
    // The judge of scenes is also the director of episodes, unless another model is named.
    let director = options.director.or(options.config.judge.as_deref());
    let director = match director.filter(|name| *name != NONE) {
        Some(name) => Some(make(name, "reads along and evaluates").await?),
        None => None,
    };
    let cards = factory.add_fallbacks(&mut models).await?;
    let run = new_run();
    let setup = EpisodeSetup {
        run,
        template: found.template,
        series: found.series,
        other_series: found.other_series,
        character: EpisodeCharacter { name: found.name, display: sheet.display, sheet: found.sheet },
        model,
        director,
        models: cards,
        prompts: EpisodePrompts::built_in(),
        memories: Vec::new(),
        so_far: Vec::new(),
        context: EpisodeContext { next_episode: found.next_episode, ..EpisodeContext::default() },
        share_id: new_share_id(),
        seed: options.seed.unwrap_or_else(|| seed_of(run)),
        answer_timeout_ms: DEFAULT_EPISODE_TIMEOUT_MS,
    };
    Ok(PreparedSession { setup, models })
}
