//! Episodes on a server: those of the project that it serves.

use std::{path::Path, sync::Arc};

use async_trait::async_trait;
use enact_drama::{Name, Problem, episode::EpisodeSetup, sheet::Sheet};
use enact_engine::run_blocking;
use enact_server::{EpisodeRoutes, episode::PrepareEpisode, productions::ServerProduction};
use serde_json::{Value, json};

use super::{
    files::StoryProject,
    prepare::{SessionOptions, prepare},
};
use crate::ServedProject;

/// The part of a server that plays episodes.
pub(super) fn server(project: &Arc<ServedProject>) -> Result<Arc<dyn ServerProduction>, Problem> {
    let stories = StoryProject::find(Path::new("."));
    for (slug, template) in stories.iter().flat_map(StoryProject::episodes) {
        if let Err(problem) = template {
            tracing::warn!(%problem, hint = problem.hint, episode = slug, "an episode cannot be played");
        }
    }
    let preparer = SessionPreparer { project: Arc::clone(project), stories };
    Ok(Arc::new(EpisodeRoutes::new(Arc::new(preparer)).with(project.options())?))
}

/// Prepares the sessions of requests.
#[derive(Debug)]
struct SessionPreparer {
    project: Arc<ServedProject>,
    stories: Option<StoryProject>,
}

#[async_trait]
impl PrepareEpisode for SessionPreparer {
    async fn episodes(&self) -> Vec<Value> {
        let Some(stories) = self.stories.clone() else { return Vec::new() };
        let cast_dir = self.project.cast_dir().map(Path::to_owned);
        let read = move || {
            let playable = stories.episodes().into_iter().filter_map(|(slug, template)| {
                let template = template.ok()?;
                let name = character_name(&stories, &template.character, cast_dir.as_deref());
                Some((slug, template, name))
            });
            (playable.collect::<Vec<_>>(), stories.series().unwrap_or_default())
        };
        let (playable, series) = run_blocking(read).await;
        let told = playable.into_iter().map(|(slug, template, character_name)| {
            let series = series.iter().find(|series| template.series.as_ref() == Some(&series.slug));
            json!({
                "slug": slug,
                "title": template.title,
                "type": template.kind,
                "series": template.series,
                "series_title": series.map(|series| &series.title),
                "series_about": series.map(|series| &series.description),
                "opening_line": template.opening_line,
                "starter_prompts": template.starter_prompts,
                "dramatic_question": template.dramatic_question,
                "number": template.number,
                "character": template.character,
                "character_name": character_name,
                "situation": template.situation,
                "completion_mode": template.completion_mode,
                "turn_budget": template.turn_limit().or(template.turn_budget),
            })
        });
        told.collect()
    }

    async fn entry_episode(&self, names: &[String]) -> Option<String> {
        let (stories, names) = (self.stories.clone()?, names.to_vec());
        run_blocking(move || stories.entry_episode(&names)).await
    }

    async fn begin(&self, episode: &str) -> Result<EpisodeSetup, Problem> {
        let Some(stories) = self.stories.clone() else {
            return Err(Problem::config(format!("there is no episode '{}'", episode.escape_debug()))
                .hint("this server's project has no 'episodes' folder"));
        };
        let (slug, cast_dir) = (episode.to_owned(), self.project.cast_dir().map(Path::to_owned));
        let found = run_blocking(move || stories.load(&slug, cast_dir.as_deref())).await?;
        let options =
            SessionOptions { config: self.project.config(), model: None, director: None, seed: None };
        let prepared = prepare(found, options, &self.project.model_factory()).await;
        prepared.map(|prepared| prepared.setup).map_err(|problem| self.project.redact_for_caller(problem))
    }
}

/// What a character is called on stage; the name of its sheet where that cannot be read.
fn character_name(stories: &StoryProject, character: &str, cast_dir: Option<&Path>) -> String {
    let name = || {
        let sheet = stories.sheet(&Name::new(character.to_owned()).ok()?, cast_dir).ok()?;
        Some(Sheet::read(character, &sheet).ok()?.display)
    };
    name().unwrap_or_else(|| character.to_owned())
}
