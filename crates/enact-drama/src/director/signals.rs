//! How the user talks: signals, as `signals.toml` describes them.

use std::sync::LazyLock;

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
    /// Words and phrases that show it, with a blank before and behind.
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
    let mut file: SignalFile =
        toml::from_str(include_str!("signals.toml")).expect("signals.toml can be read");
    // A phrase is looked for as whole words, in every line of every run.
    for phrase in file.signal.iter_mut().flat_map(|rule| &mut rule.heard) {
        *phrase = format!(" {phrase} ");
    }
    file.signal
});

/// Every signal in a message, each once, with the words that show it.
pub(crate) fn signals(message: &str) -> Vec<SignalRead> {
    let words = words(message);
    let line = format!(" {} ", words.join(" "));
    let read = |rule: &SignalRule| {
        let quote = rule.quote_in(message, &line, words.len())?;
        Some(SignalRead { name: rule.name.clone(), quote })
    };
    RULES.iter().filter_map(read).collect()
}

/// By how much a signal moves the tension.
pub(crate) fn tension_of(signal: &str) -> i32 {
    RULES.iter().find(|rule| rule.name == signal).map_or(0, |rule| rule.tension)
}

impl SignalRule {
    /// What of a message shows the signal.
    fn quote_in(&self, message: &str, line: &str, words: usize) -> Option<String> {
        if let Some(phrase) = self.heard.iter().find(|phrase| line.contains(phrase.as_str())) {
            return Some(phrase.trim().to_owned());
        }
        if let Some(mark) = self.marks.iter().find(|mark| message.contains(mark.as_str())) {
            return Some(mark.clone());
        }
        let enough = self.fewest_words.is_some_and(|fewest| words >= fewest);
        let few = self.most_words.is_some_and(|most| (1..=most).contains(&words));
        (enough || few).then(|| crate::text::shortened(&crate::text::one_line(message), 60).into_owned())
    }
}
