//! Series: which episodes belong together, and in which order.

use serde::{Deserialize, Serialize};

use crate::{Problem, front_matter};

const KEYS: [&str; 6] = ["title", "type", "episodes", "matches", "themes", "slug"];
const SYNONYMS: [(&str, &str); 3] = [("name", "title"), ("order", "episodes"), ("archetypes", "matches")];
const KINDS: [(&str, SeriesKind); 4] = [
    ("standalone", SeriesKind::Standalone),
    ("serial", SeriesKind::Serial),
    ("anthology", SeriesKind::Anthology),
    ("crossover", SeriesKind::Crossover),
];

/// A series as its file tells it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Series {
    /// The name of its file.
    pub slug: String,
    pub title: String,
    pub kind: SeriesKind,
    /// Episodes by slug, in the order in which they are played.
    pub episodes: Vec<String>,
    /// The results of an evaluation that it suits: `slow_burn`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub matches: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub themes: Vec<String>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SeriesKind {
    Standalone,
    /// Each episode follows from the one before.
    Serial,
    Anthology,
    Crossover,
}

/// Reads a series file. `slug` is the name of the file.
pub fn read_series(text: &str, slug: &str) -> Result<Series, Problem> {
    let document = front_matter::read(text)?;
    let mut series = Series {
        slug: slug.to_owned(),
        title: String::new(),
        kind: SeriesKind::Standalone,
        episodes: Vec::new(),
        matches: Vec::new(),
        themes: Vec::new(),
        description: document.body.trim().replace("\r\n", "\n"),
    };
    for (key, value) in document.matter.0 {
        let name = key.text.as_str();
        match name {
            "slug" => series.slug = value.text(name)?.unwrap_or_else(|| slug.to_owned()),
            "title" => series.title = value.text(name)?.unwrap_or_default(),
            "type" => series.kind = value.one_of(name, &KINDS)?.unwrap_or(SeriesKind::Standalone),
            "episodes" => series.episodes = value.texts(name, "names of episode files")?,
            "matches" => series.matches = value.texts(name, "results")?,
            "themes" => series.themes = value.texts(name, "words")?,
            _ => return Err(key.unknown(&KEYS, &SYNONYMS)),
        }
    }
    if series.title.is_empty() {
        series.title = crate::report::title(&series.slug);
    }
    Ok(series)
}
