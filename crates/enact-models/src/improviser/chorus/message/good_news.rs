//! Whether a message is good news, as far as rules can tell: nothing else that somebody says of themselves
//! is cheered.

use std::sync::LazyLock;

use serde::Deserialize;

use super::phrases::{Groups, PhraseList};
use crate::content::{Texts, content};

static LISTS: LazyLock<(PhraseList<()>, PhraseList<()>, PhraseList<()>)> = LazyLock::new(|| {
    let GoodNews { news, unsure, past } = content!("good_news.toml");
    let phrases = |texts: &Texts| PhraseList::new(texts.iter().map(|phrase| (phrase, ())), &Groups::new());
    (phrases(&news), phrases(&unsure), phrases(&past))
});

/// `good_news.toml` says what each list is for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct GoodNews {
    news: Texts,
    unsure: Texts,
    past: Texts,
}

/// By the words as they are meant, and whether its writer says that they feel well.
pub(super) fn is_good_news(words: &[String], feels_well: bool) -> bool {
    let (news, _, past) = &*LISTS;
    let has = |phrases: &PhraseList<()>| phrases.find(words).is_some();
    !is_unsure(words) && (has(news) || feels_well && !has(past))
}

/// Whether something is said that may turn good news into bad.
pub(super) fn is_unsure(words: &[String]) -> bool {
    LISTS.1.find(words).is_some()
}
