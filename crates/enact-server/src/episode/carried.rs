//! What a session brings along from earlier ones of its user with the same character.

use std::sync::Arc;

use enact_drama::{
    RunId,
    episode::{
        Correction, EpisodeSetup, SeriesKind, brought_back,
        director::{Memory, Relationship},
        due_hooks,
    },
};
use enact_engine::{
    Store,
    log::Error,
    store::{RowQuery, StoredRow},
};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// How many rows of a kind are looked through, the newest first.
const MOST_ROWS: usize = 500;

/// Fills in what the character remembers of this account, what is open between the two, and what earlier
/// episodes of a serial came to.
pub async fn carry_over(
    store: &Arc<dyn Store>,
    account: &str,
    setup: &mut EpisodeSetup,
    now: i64,
) -> Result<(), Error> {
    let character = setup.character.name.to_string();
    let rows = async |kind: &str| rows_of(store, kind, account, Some(&character)).await;
    let remembered = corrected(rows("memory").await?, &rows("correction").await?);
    setup.memories = brought_back(remembered.into_iter().map(|one| (one.at, one.memory)).collect());
    setup.context.hooks = due_hooks(all(&rows("hook").await?, "hook"), now);
    let between: Vec<(i64, Relationship)> = all(&rows("relationship").await?, "relationship");
    setup.context.relationship = between.into_iter().next().map(|(_, relationship)| relationship);
    setup.so_far = match &setup.series {
        Some(series) if series.kind == SeriesKind::Serial => {
            // Whoever was talked to: the story is the same.
            so_far(setup, &rows_of(store, "summary", account, None).await?)
        }
        _ => Vec::new(),
    };
    Ok(())
}

/// A memory, with where it came from.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredMemory {
    pub run: RunId,
    pub key: String,
    pub at: i64,
    pub memory: Memory,
    /// What the user really said, where somebody has corrected it.
    pub said: Option<String>,
}

/// What a character remembers of an account, the newest first, with corrections made.
pub async fn memories(
    store: &Arc<dyn Store>,
    account: &str,
    character: &str,
) -> Result<Vec<StoredMemory>, Error> {
    let remembered = rows_of(store, "memory", account, Some(character)).await?;
    Ok(corrected(remembered, &rows_of(store, "correction", account, Some(character)).await?))
}

/// Memories as they stand after these corrections, of which the newest comes first.
fn corrected(remembered: Vec<(StoredRow, Value)>, corrections: &[(StoredRow, Value)]) -> Vec<StoredMemory> {
    let corrections: Vec<(i64, Correction)> = all(corrections, "correction");
    let stored = remembered.into_iter().filter_map(|(stored, body)| {
        let mut memory: Memory = serde_json::from_value(body["memory"].clone()).ok()?;
        let (run, key, at) = (stored.run, stored.row.key, stored.row.sort);
        let made = corrections.iter().find(|(_, one)| one.run == run && one.key == key);
        let said = match made {
            None => None,
            Some((_, correction)) => Some(std::mem::replace(&mut memory.text, correction.text.clone()?)),
        };
        Some(StoredMemory { run, key, at, memory, said })
    });
    stored.collect()
}

/// The rows of a kind that are about a character, or any, the newest first.
async fn rows_of(
    store: &Arc<dyn Store>,
    kind: &str,
    account: &str,
    character: Option<&str>,
) -> Result<Vec<(StoredRow, Value)>, Error> {
    let (kind, account) = (kind.to_owned(), Some(account.to_owned()));
    let rows = store.rows(&RowQuery { kind, account, most: MOST_ROWS, ..RowQuery::default() }).await?;
    let read = rows.into_iter().filter_map(|stored| {
        let body: Value = serde_json::from_str(&stored.row.body).ok()?;
        character.is_none_or(|character| body["character"] == character).then_some((stored, body))
    });
    Ok(read.collect())
}

/// What the rows hold under a key, each with when it was written.
fn all<T: DeserializeOwned>(rows: &[(StoredRow, Value)], key: &str) -> Vec<(i64, T)> {
    let read = rows.iter().filter_map(|(stored, body)| {
        Some((stored.row.sort, serde_json::from_value(body[key].clone()).ok()?))
    });
    read.collect()
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
