//! What characters keep of the runs of an account: memories, moods and relationships, read from rows, with the
//! corrections that were made since.

use std::{collections::BTreeMap, sync::Arc};

use enact_drama::{
    Name, RunId,
    director::{Correction, Memory, Relationship, Remembered, brought_back},
};
use enact_engine::{
    Store,
    log::Error,
    store::{RowCursor, RowQuery, StoredRow},
};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// How many rows of a kind are read at once, and how many times, the newest first. They are those of all
/// characters of an account, so that a character's own may come late.
const PAGE_ROWS: usize = 500;
const MOST_PAGES: usize = 40;

/// Something that a character keeps, with where it came from.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredMemory {
    pub run: RunId,
    pub key: String,
    pub at: i64,
    pub what: KeptThing,
    /// The scene or the field that it came from, if it was one.
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

/// What characters bring along into a run that others may read, from earlier ones of that kind. What was said in
/// sessions stays between those two.
pub(crate) async fn brought_along(
    store: &Arc<dyn Store>,
    account: &str,
    cast: Vec<Name>,
) -> Result<BTreeMap<Name, Remembered>, Error> {
    let rows = KeptRows::read(store, account).await?;
    let of_character = |character: &Name| {
        let mut kept = rows.of(character);
        kept.retain(|one| one.scene.is_some());
        let between = relationships_in(&kept).into_iter().rev();
        let in_cast = |name: &Name| cast.contains(name);
        Remembered {
            memories: brought_back(memories_in(&kept)),
            mood: mood_in(&kept),
            relationships: between.filter_map(|(with, how)| Some((with.filter(in_cast)?, how))).collect(),
        }
    };
    let brought = cast.iter().map(|character| (character.clone(), of_character(character)));
    Ok(brought.filter(|(_, remembered)| *remembered != Remembered::default()).collect())
}

/// The rows of an account that say what its characters keep, of each kind the newest first.
pub(crate) struct KeptRows {
    kept: Vec<(&'static str, Vec<(StoredRow, Value)>)>,
    corrections: Vec<(i64, Correction)>,
}

impl KeptRows {
    pub(crate) async fn read(store: &Arc<dyn Store>, account: &str) -> Result<KeptRows, Error> {
        let mut kept = Vec::new();
        for kind in ["memory", "mood", "relationship"] {
            kept.push((kind, rows_of(store, kind, account).await?));
        }
        Ok(KeptRows {
            kept,
            corrections: held_in(&rows_of(store, "correction", account).await?, "correction"),
        })
    }

    /// Those of a character, as they stand after the corrections.
    pub(crate) fn of(&self, character: &Name) -> Vec<StoredMemory> {
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

pub(crate) fn memories_in(kept: &[StoredMemory]) -> Vec<(i64, Memory)> {
    let memories = kept.iter().filter_map(|one| match &one.what {
        KeptThing::Memory(memory) => Some((one.at, memory.clone())),
        _ => None,
    });
    memories.collect()
}

pub(crate) fn mood_in(kept: &[StoredMemory]) -> Option<String> {
    kept.iter().find_map(|one| match &one.what {
        KeptThing::Mood(mood) => Some(mood.clone()),
        _ => None,
    })
}

/// How it stands with whom, the newest first.
pub(crate) fn relationships_in(kept: &[StoredMemory]) -> Vec<(Option<Name>, Relationship)> {
    let between = kept.iter().filter_map(|one| match &one.what {
        KeptThing::Relationship { with, relationship } => Some((with.clone(), relationship.clone())),
        _ => None,
    });
    between.collect()
}

/// The rows of a kind, the newest first.
pub(crate) async fn rows_of(
    store: &Arc<dyn Store>,
    kind: &str,
    account: &str,
) -> Result<Vec<(StoredRow, Value)>, Error> {
    let (kind, account) = (kind.to_owned(), Some(account.to_owned()));
    let mut wanted = RowQuery { kind, account, most: PAGE_ROWS, ..RowQuery::default() };
    let mut read = Vec::new();
    for _ in 0..MOST_PAGES {
        let page = store.rows(&wanted).await?;
        let last = page.last().filter(|_| page.len() == PAGE_ROWS);
        wanted.after = last.map(|stored| RowCursor {
            sort: stored.row.sort,
            key: stored.row.key.clone(),
            run: stored.run,
        });
        read.extend(page.into_iter().filter_map(|stored| {
            let body: Value = serde_json::from_str(&stored.row.body).ok()?;
            Some((stored, body))
        }));
        if wanted.after.is_none() {
            break;
        }
    }
    Ok(read)
}

/// What the rows hold under a key, each with when it was written.
pub(crate) fn held_in<T: DeserializeOwned>(rows: &[(StoredRow, Value)], key: &str) -> Vec<(i64, T)> {
    let read = rows.iter().filter_map(|(stored, body)| {
        Some((stored.row.sort, serde_json::from_value(body[key].clone()).ok()?))
    });
    read.collect()
}
