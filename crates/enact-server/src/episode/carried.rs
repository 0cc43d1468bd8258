//! What a session brings along from earlier runs of its account with the same character.

use std::sync::Arc;

use enact_drama::{
    director::brought_back,
    episode::{EpisodeSetup, SeriesKind, director::due_hooks},
};
use enact_engine::{Store, log::Error, store::StoredRow};
use serde_json::Value;

use crate::kept_memories::{KeptRows, held_in, memories_in, mood_in, relationships_in, rows_of};

/// Fills in what the character remembers of this account and of scenes, what is open between the two, and what
/// earlier episodes of a serial came to.
pub async fn carry_over(
    store: &Arc<dyn Store>,
    account: &str,
    setup: &mut EpisodeSetup,
    now: i64,
) -> Result<(), Error> {
    let kept = KeptRows::read(store, account).await?.of(&setup.character.name);
    setup.memories = brought_back(memories_in(&kept));
    setup.context.mood = mood_in(&kept);
    setup.context.relationship = None;
    setup.context.others.clear();
    for (with, relationship) in relationships_in(&kept).into_iter().rev() {
        match with {
            None => setup.context.relationship = Some(relationship),
            Some(with) => drop(setup.context.others.insert(with, relationship)),
        }
    }
    let hooks = rows_of(store, "hook", account).await?;
    let hooks: Vec<_> =
        hooks.into_iter().filter(|(_, body)| body["character"] == setup.character.name.as_str()).collect();
    setup.context.hooks = due_hooks(held_in(&hooks, "hook"), now);
    setup.so_far = match &setup.series {
        Some(series) if series.kind == SeriesKind::Serial => {
            // Summaries of the account's sessions with any character: a series is one story.
            so_far(setup, &rows_of(store, "summary", account).await?)
        }
        _ => Vec::new(),
    };
    Ok(())
}

/// What earlier episodes of the series came to, in their order; of an episode that was played more than once
/// the last time counts.
fn so_far(setup: &EpisodeSetup, summaries: &[(StoredRow, Value)]) -> Vec<String> {
    let Some(series) = &setup.series else { return Vec::new() };
    let before = series.episodes.iter().take_while(|slug| **slug != setup.template.slug);
    let summary = |slug: &String| {
        let of_it = |body: &&Value| {
            body["episode_template_id"] == slug.as_str() && body["series_id"] == series.slug.as_str()
        };
        let body = summaries.iter().map(|(_, body)| body).find(of_it)?;
        body["summary"].as_str().map(str::to_owned)
    };
    before.filter_map(summary).collect()
}
