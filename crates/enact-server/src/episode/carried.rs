//! What a session or a scene brings along from earlier ones of its account with the same characters.

use std::sync::Arc;

use enact_drama::{
    Name, RunId,
    episode::{
        Correction, EpisodeSetup, SeriesKind, brought_back,
        director::{Memory, Relationship},
        due_hooks,
    },
    scene::{Remembered, Setup},
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
    setup.context.hooks = due_hooks(all(&hooks, "hook"), now);
    setup.so_far = match &setup.series {
        Some(series) if series.kind == SeriesKind::Serial => {
            // Whoever was talked to: the story is the same.
            so_far(setup, &rows_of(store, "summary", account).await?)
        }
        _ => Vec::new(),
    };
    Ok(())
}

/// Fills in what the characters of a scene that remembers bring along from earlier ones. What was said in
/// sessions stays between those two: others may read a scene.
pub async fn carry_into_scene(store: &Arc<dyn Store>, account: &str, setup: &mut Setup) -> Result<(), Error> {
    if !setup.config.remember {
        return Ok(());
    }
    let rows = KeptRows::read(store, account).await?;
    for role in &setup.cast {
        let mut kept = rows.of(&role.name);
        kept.retain(|one| one.scene.is_some());
        let in_cast = |name: &Name| setup.cast.iter().any(|role| role.name == *name);
        let between = relationships_in(&kept).into_iter().rev();
        let remembered = Remembered {
            memories: brought_back(memories_in(&kept)),
            mood: mood_in(&kept),
            relationships: between.filter_map(|(with, how)| Some((with.filter(&in_cast)?, how))).collect(),
        };
        if remembered != Remembered::default() {
            setup.remembered.insert(role.name.clone(), remembered);
        }
    }
    Ok(())
}

/// Something that a character keeps, with where it came from.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredMemory {
    pub run: RunId,
    pub key: String,
    pub at: i64,
    pub what: KeptThing,
    /// The scene that it came from, if it was one.
    pub scene: Option<String>,
    /// What it was before somebody corrected it.
    pub said: Option<String>,
}

/// What a character keeps of a run.
#[derive(Debug, Clone, PartialEq)]
pub enum KeptThing {
    Memory(Memory),
    /// How it felt in the end: the newest counts.
    Mood(String),
    /// How it stands with somebody, or with its user: the newest counts.
    Relationship {
        with: Option<Name>,
        relationship: Relationship,
    },
}

impl KeptThing {
    /// What can be corrected.
    pub fn text(&self) -> &str {
        match self {
            KeptThing::Memory(memory) => &memory.text,
            KeptThing::Mood(mood) => mood,
            KeptThing::Relationship { relationship, .. } => &relationship.tone,
        }
    }

    fn correct(&mut self, text: String) -> String {
        let now = match self {
            KeptThing::Memory(memory) => &mut memory.text,
            KeptThing::Mood(mood) => mood,
            KeptThing::Relationship { relationship, .. } => &mut relationship.tone,
        };
        std::mem::replace(now, text)
    }

    /// Whether a newer one takes the place of the other.
    pub fn replaces(&self, other: &KeptThing) -> bool {
        match (self, other) {
            (KeptThing::Mood(_), KeptThing::Mood(_)) => true,
            (KeptThing::Relationship { with, .. }, KeptThing::Relationship { with: other, .. }) => {
                with == other
            }
            _ => false,
        }
    }
}

/// What a character keeps of its runs with an account, with corrections made: memories, moods and
/// relationships, of each the newest first.
pub async fn memories(
    store: &Arc<dyn Store>,
    account: &str,
    character: &Name,
) -> Result<Vec<StoredMemory>, Error> {
    Ok(KeptRows::read(store, account).await?.of(character))
}

/// The rows of an account that say what its characters keep, of each kind the newest first.
struct KeptRows {
    kept: Vec<(&'static str, Vec<(StoredRow, Value)>)>,
    corrections: Vec<(i64, Correction)>,
}

impl KeptRows {
    async fn read(store: &Arc<dyn Store>, account: &str) -> Result<KeptRows, Error> {
        let mut kept = Vec::new();
        for kind in ["memory", "mood", "relationship"] {
            kept.push((kind, rows_of(store, kind, account).await?));
        }
        Ok(KeptRows { kept, corrections: all(&rows_of(store, "correction", account).await?, "correction") })
    }

    /// Those of a character, as they stand after the corrections.
    fn of(&self, character: &Name) -> Vec<StoredMemory> {
        let rows = self.kept.iter().flat_map(|(kind, rows)| rows.iter().map(move |row| (*kind, row)));
        let own = rows.filter(|(_, (_, body))| body["character"] == character.as_str());
        own.filter_map(|(kind, (stored, body))| self.stored(kind, stored, body)).collect()
    }

    fn stored(&self, kind: &str, stored: &StoredRow, body: &Value) -> Option<StoredMemory> {
        let held = body[kind].clone();
        let mut what = match kind {
            "memory" => KeptThing::Memory(serde_json::from_value(held).ok()?),
            "mood" => KeptThing::Mood(serde_json::from_value(held).ok()?),
            _ => KeptThing::Relationship {
                with: serde_json::from_value(body["with"].clone()).ok()?,
                relationship: serde_json::from_value(held).ok()?,
            },
        };
        let (run, key, at) = (stored.run, stored.row.key.clone(), stored.row.sort);
        // The newest correction comes first.
        let made = self.corrections.iter().find(|(_, one)| one.run == run && one.key == key);
        let said = match made {
            None => None,
            Some((_, correction)) => Some(what.correct(correction.text.clone()?)),
        };
        let scene = body["scene"].as_str().map(str::to_owned);
        Some(StoredMemory { run, key, at, what, scene, said })
    }
}

fn memories_in(kept: &[StoredMemory]) -> Vec<(i64, Memory)> {
    let memories = kept.iter().filter_map(|one| match &one.what {
        KeptThing::Memory(memory) => Some((one.at, memory.clone())),
        _ => None,
    });
    memories.collect()
}

fn mood_in(kept: &[StoredMemory]) -> Option<String> {
    kept.iter().find_map(|one| match &one.what {
        KeptThing::Mood(mood) => Some(mood.clone()),
        _ => None,
    })
}

/// How it stands with whom, the newest first.
fn relationships_in(kept: &[StoredMemory]) -> Vec<(Option<Name>, Relationship)> {
    let between = kept.iter().filter_map(|one| match &one.what {
        KeptThing::Relationship { with, relationship } => Some((with.clone(), relationship.clone())),
        _ => None,
    });
    between.collect()
}

/// The rows of a kind, the newest first.
async fn rows_of(
    store: &Arc<dyn Store>,
    kind: &str,
    account: &str,
) -> Result<Vec<(StoredRow, Value)>, Error> {
    let (kind, account) = (kind.to_owned(), Some(account.to_owned()));
    let rows = store.rows(&RowQuery { kind, account, most: MOST_ROWS, ..RowQuery::default() }).await?;
    let read = rows.into_iter().filter_map(|stored| {
        let body: Value = serde_json::from_str(&stored.row.body).ok()?;
        Some((stored, body))
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
