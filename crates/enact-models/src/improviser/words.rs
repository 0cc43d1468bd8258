//! Word lists with which a scene is read; `words.toml` says what each is for.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::content::{Texts, content};

pub(super) static WORDS: LazyLock<SceneWords> = LazyLock::new(|| content!("words.toml"));

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SceneWords {
    pub(super) heated: Texts,
    pub(super) introducing: Texts,
    pub(super) done_to: Texts,
    pub(super) stopping: Texts,
    pub(super) never_first: Texts,
    pub(super) inborn: Texts,
    pub(super) empty_alone: Texts,
    pub(super) decorative: Texts,
    pub(super) never_last: Texts,
    pub(super) determined: Texts,
    pub(super) nouns_in_ing: Texts,
    pub(super) clause_starts: Texts,
    pub(super) after_object: Texts,
    pub(super) hanging: Texts,
    pub(super) witnessing: Texts,
}
