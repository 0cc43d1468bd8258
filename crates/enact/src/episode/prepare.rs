//! Makes a session of an episode: the first fact of its log, and the models that play it.

use std::{collections::BTreeMap, sync::Arc};

use enact_drama::{
    Problem,
    dice::seed_of,
    episode::{DEFAULT_EPISODE_TIMEOUT_MS, EpisodeCharacter, EpisodePrompts, EpisodeSetup, director::Memory},
    sheet::Sheet,
};
use enact_engine::{Model, node::new_run};

use uuid::Uuid;

use super::files::FoundEpisode;
use crate::{
    config::{HUMAN, IMPROVISER, NONE},
    models::{ModelFactory, problem_of},
};

/// What is wanted of a session beside its episode.
#[derive(Debug, Default)]
pub(crate) struct SessionOptions<'a> {
    /// Who plays the character, and who evaluates, where that is said.
    pub(crate) model: Option<&'a str>,
    pub(crate) director: Option<&'a str>,
    pub(crate) default: Option<&'a str>,
    pub(crate) seed: Option<u64>,
    pub(crate) memories: Vec<Memory>,
    pub(crate) so_far: Vec<String>,
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
    let wanted = options.model.or(sheet.model.as_deref()).or(options.default).unwrap_or(IMPROVISER);
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
    let director = match options.director.filter(|name| *name != NONE) {
        Some(name) => Some(make(name, "evaluates").await?),
        None => None,
    };
    let mut cards: BTreeMap<_, _> = models.iter().map(|(name, model)| (name.clone(), model.card())).collect();
    for (name, model) in factory.make_fallbacks(&cards).await.map_err(problem_of)? {
        cards.insert(name.clone(), model.card());
        models.insert(name, model);
    }
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
        memories: options.memories,
        so_far: options.so_far,
        share_id: share_id(),
        seed: options.seed.unwrap_or_else(|| seed_of(run)),
        answer_timeout_ms: DEFAULT_EPISODE_TIMEOUT_MS,
    };
    Ok(PreparedSession { setup, models })
}

/// A name that cannot be guessed: 244 random bits. The ids of runs begin with the time.
fn share_id() -> String {
    format!("{}{}", Uuid::new_v4().simple(), Uuid::new_v4().simple())
}
