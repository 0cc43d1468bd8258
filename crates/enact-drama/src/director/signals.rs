//! How the user talks: signals, as `signals.toml` describes them.

use std::{collections::HashMap, sync::LazyLock};

use serde::Deserialize;

use super::{SignalRead, sentences::words};

/// One signal, and what is heard as it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SignalRule {
    pub(crate) name: String,
    /// By how much it moves the tension.
    #[serde(default)]
    pub(crate) tension: i32,
    /// Words and phrases that show it.
    #[serde(default)]
    heard: Vec<String>,
    /// Marks that show it: `…`, `?!`.
    #[serde(default)]
    marks: Vec<String>,
    /// The number of words in which it shows, where that alone says something.
    #[serde(default)]
    fewest_words: Option<usize>,
    #[serde(default)]
    most_words: Option<usize>,
}

#[derive(Deserialize)]
struct SignalFile {
    signal: Vec<SignalRule>,
}

static RULES: LazyLock<Vec<SignalRule>> = LazyLock::new(|| {
    let file: SignalFile = toml::from_str(include_str!("signals.toml")).expect("signals.toml can be read");
    file.signal
});

/// A phrase of a rule: the words it goes on with, and where it stands in [`RULES`].
struct RestOfPhrase {
    rest: Vec<&'static str>,
    rule: usize,
    phrase: usize,
}

/// The phrases of all rules by their first words, since they are looked for in every line of every run.
static PHRASES: LazyLock<HashMap<&'static str, Vec<RestOfPhrase>>> = LazyLock::new(|| {
    let mut phrases: HashMap<&'static str, Vec<RestOfPhrase>> = HashMap::new();
    for (rule, heard) in RULES.iter().map(|rule| &rule.heard).enumerate() {
        for (phrase, written) in heard.iter().enumerate() {
            let mut words = written.split(' ');
            let first = words.next().unwrap_or_default();
            phrases.entry(first).or_default().push(RestOfPhrase { rest: words.collect(), rule, phrase });
        }
    }
    phrases
});

/// Every signal in a message, each once, with the words that show it.
pub(crate) fn signals(message: &str) -> Vec<SignalRead> {
    let words = words(message);
    let heard = phrases_in(&words);
    let read = |(rule, heard): (&SignalRule, Option<usize>)| {
        let phrase = heard.map(|phrase| rule.heard[phrase].clone());
        let quote = phrase.or_else(|| rule.shown_by(message, words.len()))?;
        Some(SignalRead { name: rule.name.clone(), quote })
    };
    RULES.iter().zip(heard).filter_map(read).collect()
}

/// For each rule the phrase that is heard: the one that its file names first, if there are several.
fn phrases_in(words: &[String]) -> Vec<Option<usize>> {
    let mut heard: Vec<Option<usize>> = vec![None; RULES.len()];
    for (at, word) in words.iter().enumerate() {
        for RestOfPhrase { rest, rule, phrase } in PHRASES.get(word.as_str()).into_iter().flatten() {
            let follows = words[at + 1..].iter().take(rest.len());
            if follows.eq(rest) && heard[*rule].is_none_or(|before| phrase < &before) {
                heard[*rule] = Some(*phrase);
            }
        }
    }
    heard
}

/// By how much a signal moves the tension.
pub(crate) fn tension_of(signal: &str) -> i32 {
    RULES.iter().find(|rule| rule.name == signal).map_or(0, |rule| rule.tension)
}

impl SignalRule {
    /// What of a message shows the signal without a word being said: a mark, or how much was said.
    fn shown_by(&self, message: &str, words: usize) -> Option<String> {
        if let Some(mark) = self.marks.iter().find(|mark| message.contains(mark.as_str())) {
            return Some(mark.clone());
        }
        let enough = self.fewest_words.is_some_and(|fewest| words >= fewest);
        let few = self.most_words.is_some_and(|most| (1..=most).contains(&words));
        (enough || few).then(|| crate::text::shortened(&crate::text::one_line(message), 60).into_owned())
    }
}
