//! Whether a message is good news, as far as rules can tell: nothing else that somebody says of themselves
//! is cheered.

use std::sync::LazyLock;

use serde::Deserialize;

use super::{
    phrases::{Groups, PhraseList, TAKEN_OUT},
    words::WORDS,
};
use crate::content::{Texts, content};

static LISTS: LazyLock<GoodNews<PhraseList<()>>> = LazyLock::new(|| {
    let GoodNews { news, praise, unsure, past } = content!("good_news.toml");
    let phrases = |texts: Texts| PhraseList::new(texts.iter().map(|phrase| (phrase, ())), &Groups::new());
    GoodNews { news: phrases(news), praise: phrases(praise), unsure: phrases(unsure), past: phrases(past) }
});

/// Somebody who says that they feel well may say so much of what they feel well about: "I'm thrilled about our
/// trip". What takes more words is not known to be good.
const WORDS_BESIDE_FEELING: usize = 1;

/// `good_news.toml` says what each list is for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct GoodNews<L> {
    news: L,
    praise: L,
    unsure: L,
    past: L,
}

/// By the words as they are meant, and whether its writer says that they feel well.
pub(super) fn is_good_news(words: &[String], feels_well: bool) -> bool {
    let GoodNews { news, praise, past, .. } = &*LISTS;
    let has = |phrases: &PhraseList<()>| phrases.find(words).is_some();
    let (beside_praise, praises) = praise.taken_out(words.to_vec());
    let is_praise = praises && telling(&beside_praise).count() == 0;
    let is_feeling = feels_well
        && !has(past)
        && telling(&beside_praise).filter(|word| !WORDS.high.has(word)).count() <= WORDS_BESIDE_FEELING;
    !is_unsure(words) && (has(news) || is_praise || is_feeling)
}

/// The words that say something.
fn telling(words: &[String]) -> impl Iterator<Item = &String> {
    words.iter().filter(|word| *word != TAKEN_OUT && !WORDS.plain.has(word))
}

/// Whether something is said that may turn good news into bad.
pub(super) fn is_unsure(words: &[String]) -> bool {
    LISTS.unsure.find(words).is_some()
}
