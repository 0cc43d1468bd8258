//! Lists of English words; `words.toml` says what each tells about a message.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::content::{Texts, content};

pub(super) static WORDS: LazyLock<MessageWords> = LazyLock::new(|| content!("words.toml"));

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MessageWords {
    pub(super) plain: Texts,
    pub(super) contraction: Texts,
    pub(super) determiner: Texts,
    pub(super) asking: Texts,
    pub(super) fact_questions: Texts,
    pub(super) open_questions: Texts,
    pub(super) ours: Texts,
    pub(super) question_verb: Texts,
    pub(super) doing: Texts,
    pub(super) subject: Texts,
    pub(super) doing_or_thing: Texts,
    pub(super) wanting: Texts,
    pub(super) greeting: Texts,
    pub(super) farewell: Texts,
    pub(super) thanks: Texts,
    pub(super) loved: Texts,
    pub(super) low: Texts,
    pub(super) loss: Texts,
    pub(super) low_phrase: Texts,
    pub(super) high: Texts,
    pub(super) negation: Texts,
    pub(super) machine: Texts,
    pub(super) personal: Texts,
    pub(super) wary: Texts,
    pub(super) no_topic: Texts,
    pub(super) adjective: Texts,
}
