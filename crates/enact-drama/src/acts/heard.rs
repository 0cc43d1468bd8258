//! What is heard as an act: the phrases of `heard/*.txt`.
//!
//! A heading names an act (`any` is each of them) and what the phrases below it show:
//!
//! | heading | what it shows |
//! | --- | --- |
//! | `does` | words that do the act |
//! | `hints` | words that often go with it: with the goal's matter they do it, alone they do not |
//! | `not` | longer phrases that hold one of these and mean something else |
//! | `shown` | gestures that do it |
//! | `against` | words of its doer by which it is not done, or no longer |
//! | `answered` | what others say to it |
//! | `refuted` | what others say to something that was none |
//! | `ironic` | words of somebody who means the contrary |
//! | `yes`, `no` | how an answer begins |
//!
//! Phrases stand apart by commas and are written as in `english/phrase.rs`. One that begins with `?` counts in a
//! question as well; `<name>` stands for a group of `groups.txt`.

use std::{collections::HashMap, sync::LazyLock};

use serde::Deserialize;

use super::{ActKind, inflection};
use crate::english::{
    phrase::{PhraseGroup, Phrases},
    word_lists::{entries, meaning},
};

/// What a phrase shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Showing {
    Does,
    Hints,
    Not,
    Shown,
    Against,
    Answered,
    Refuted,
    Ironic,
    Yes,
    No,
}

/// A phrase's meaning.
#[derive(Debug, Clone, Copy)]
pub(crate) struct HeardAs {
    /// Nothing where it holds for every act.
    pub(crate) act: Option<ActKind>,
    pub(crate) shows: Showing,
    /// Whether it counts in a question.
    pub(crate) may_ask: bool,
}

/// The phrases that hold for every act.
pub(crate) const OF_ANY: PhraseGroup = 0;

/// How answers begin.
pub(crate) const BEGINNINGS: PhraseGroup = 1;

impl HeardAs {
    /// The phrases of an act are looked for only where it is wanted.
    fn group(self) -> PhraseGroup {
        match self {
            HeardAs { shows: Showing::Yes | Showing::No, .. } => BEGINNINGS,
            HeardAs { act: Some(act), .. } => of_act(act),
            HeardAs { act: None, .. } => OF_ANY,
        }
    }
}

/// The phrases of one act.
pub(crate) fn of_act(act: ActKind) -> PhraseGroup {
    BEGINNINGS + 1 + act.0
}

/// All phrases by which acts are heard.
pub(crate) static HEARD: LazyLock<Phrases<HeardAs>> = LazyLock::new(|| {
    let texts = [
        include_str!("heard/any.txt"),
        include_str!("heard/peace.txt"),
        include_str!("heard/truth.txt"),
        include_str!("heard/will.txt"),
        include_str!("heard/conflict.txt"),
        include_str!("heard/dealings.txt"),
    ];
    let groups = groups();
    let phrases = texts.into_iter().flat_map(entries).flat_map(|(name, line)| {
        let (act, shows) = name.split_once(": ").expect("a heading names an act and what is shown");
        let act =
            (act != "any").then(|| ActKind::named(act).unwrap_or_else(|| panic!("no act is called '{act}'")));
        let shows = meaning(shows);
        line.split(", ").map(move |phrase| {
            let (phrase, may_ask) =
                phrase.strip_prefix("? ").map_or((phrase, false), |phrase| (phrase, true));
            (phrase, HeardAs { act, shows, may_ask })
        })
    });
    Phrases::grouped(phrases.map(|(phrase, means)| (spelt_out(phrase, &groups), means)), HeardAs::group)
});

/// The groups of words that phrases name, each with bars between its words.
fn groups() -> HashMap<&'static str, String> {
    let mut groups: HashMap<&str, Vec<String>> = HashMap::new();
    for (name, line) in entries(include_str!("heard/groups.txt")) {
        let words = groups.entry(name).or_default();
        for word in line.split(' ') {
            match name.starts_with("verbs:") {
                true => words.extend(inflection::forms(word)),
                false => words.push(word.to_owned()),
            }
        }
    }
    groups.into_iter().map(|(name, words)| (name, words.join("|"))).collect()
}

/// A phrase with the words of its groups. The tables are read once, so that what is leaked stays bounded.
fn spelt_out(phrase: &'static str, groups: &HashMap<&'static str, String>) -> &'static str {
    if !phrase.contains('<') {
        return phrase;
    }
    let mut spelt = phrase.to_owned();
    for (name, words) in groups {
        spelt = spelt.replace(&format!("<{name}>"), words);
    }
    assert!(!spelt.contains('<'), "'{phrase}' names a group that there is none of");
    spelt.leak()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::english::words::Text;

    /// Whether a phrase of an act is found in a text.
    fn found(text: &str, act: &str, shows: Showing) -> bool {
        let words = Text::read(text).words;
        let groups = [of_act(ActKind::named(act).unwrap())];
        HEARD.find(&words, &groups).iter().any(|found| found.means.shows == shows)
    }

    #[test]
    fn phrases_are_found_with_their_groups() {
        assert!(found("I am so very sorry", "apologise", Showing::Does));
        assert!(found("Yes, Captain.", "obey", Showing::Does), "<title>");
        assert!(found("unlocks the cage", "let-go", Showing::Shown), "<verbs:undo>");
        assert!(!found("I am not sorry", "forgive", Showing::Does));
    }

    #[test]
    fn every_act_can_be_heard() {
        let missing: Vec<&str> = ActKind::all()
            .filter(|act| *act != ActKind::deed())
            .filter(|act| {
                !HEARD.meanings().any(|means| means.act == Some(*act) && means.shows == Showing::Does)
            })
            .map(ActKind::name)
            .collect();
        assert_eq!(missing, Vec::<&str>::new());
    }
}
