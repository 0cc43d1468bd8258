//! Words by which replies are read, from `words.toml`, which says what each list is for.

use std::{collections::BTreeMap, sync::LazyLock};

use serde::Deserialize;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ReplyWords {
    pub(super) notes: Vec<String>,
    pub(super) offers: Vec<String>,
    pub(super) offered: Vec<String>,
    pub(super) said_before_colons: Vec<String>,
    pub(super) announcing: Vec<String>,
    pub(super) saying: Vec<String>,
    pub(super) narrated: Vec<String>,
    pub(super) nobody: Vec<String>,
    pub(super) remaining: Vec<String>,
    pub(super) negations: Vec<String>,
    pub(super) tones: BTreeMap<String, Vec<String>>,
}

pub(super) static WORDS: LazyLock<ReplyWords> =
    LazyLock::new(|| toml::from_str(include_str!("words.toml")).expect("words.toml can be read"));
