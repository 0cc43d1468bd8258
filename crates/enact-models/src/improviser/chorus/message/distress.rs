//! Whether a message is nothing to joke about, and what it calls for.
//!
//! Rules cannot know. They look for words and phrases, and where they are wrong they are wrong on the sober
//! side: a writer with a dead battery can bear a kind answer, and one who lost a friend cannot bear a joke.

use std::{
    collections::{BTreeSet, HashSet},
    sync::LazyLock,
};

use serde::Deserialize;

use super::{
    danger_score::DangerScore,
    good_news,
    language::MessageLanguage,
    phrases::{Groups, PhraseList},
    together::Combinations,
};
use crate::content::{Texts, content};

/// Few words are about oneself: "so tired".
const FEW_WORDS: usize = 4;

static LISTS: LazyLock<Lists> = LazyLock::new(|| {
    let mut groups: Groups = content!("groups.toml");
    let signs: [Groups; 2] = [content!("signs_of_body.toml"), content!("signs_of_deeds.toml")];
    groups.extend(signs.into_iter().flatten());
    let danger: Classes = content!("danger.toml");
    let (elsewhere, other): (Classes, Classes) =
        (content!("elsewhere.toml"), content!("elsewhere_other.toml"));
    let sorrow: Classes = content!("sorrow.toml");
    let together: Classes = content!("together.toml");
    let idioms: Idioms = content!("idioms.toml");
    let (urgent, elsewhere): (Vec<&Class>, Vec<&Class>) = danger
        .class
        .iter()
        .chain(&elsewhere.class)
        .chain(&other.class)
        .partition(|class| class.answer.is_urgent());
    let of_degree = |degree| sorrow.class.iter().filter(|class| class.degree == degree).collect::<Vec<_>>();
    let phrases = |classes: &[&Class]| PhraseList::new(meanings(classes), &groups);
    let (urgent_together, together): (Vec<&Class>, Vec<&Class>) =
        together.class.iter().partition(|class| class.answer.is_urgent());
    let combinations = |classes: &[&Class]| Combinations::new(meanings(classes), &groups);
    let idioms = PhraseList::new(idioms.idiom.iter().map(|phrase| (phrase, ())), &groups);
    let names: Vec<String> = groups.keys().map(|name| format!("<{name}>")).collect();
    let lists = Lists {
        urgent: PhraseList::new(
            urgent.iter().flat_map(|class| {
                class.phrases.iter().map(|phrase| (phrase, (class.answer, class.language)))
            }),
            &groups,
        ),
        urgent_together: combinations(&urgent_together),
        together: combinations(&together),
        elsewhere: phrases(&elsewhere),
        happened: phrases(&of_degree(Degree::Happened)),
        hard: phrases(&of_degree(Degree::Hard)),
        low: phrases(&of_degree(Degree::Low)),
        relief: phrases(&of_degree(Degree::Relief)),
        rude: phrases(&of_degree(Degree::Rude)),
        groups: PhraseList::new(names.iter().zip(0..), &groups),
        group_names: groups.keys().cloned().collect(),
        known: HashSet::new(),
        idioms,
    };
    let known = [&lists.happened, &lists.hard, &lists.low].map(PhraseList::words);
    let together = [&lists.urgent_together, &lists.together].map(Combinations::words);
    let known = known.into_iter().chain(together).chain([lists.urgent.words()]).flatten().cloned();
    Lists { known: known.collect(), ..lists }
});

/// Phrases with what they call for.
fn meanings<'a>(classes: &'a [&Class]) -> impl Iterator<Item = (&'a String, Care)> {
    classes.iter().flat_map(|class| class.phrases.iter().map(|phrase| (phrase, class.answer)))
}

struct Lists {
    urgent: PhraseList<(Care, Option<MessageLanguage>)>,
    urgent_together: Combinations<Care>,
    together: Combinations<Care>,
    elsewhere: PhraseList<Care>,
    happened: PhraseList<Care>,
    hard: PhraseList<Care>,
    low: PhraseList<Care>,
    relief: PhraseList<Care>,
    rude: PhraseList<Care>,
    idioms: PhraseList<()>,
    /// Every group by itself, and their names in the same order.
    groups: PhraseList<usize>,
    group_names: Vec<String>,
    /// The words of all of them.
    known: HashSet<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Classes {
    class: Vec<Class>,
}

/// A class of messages; the files say what each is for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Class {
    /// For those who read the file.
    #[serde(rename = "name")]
    _name: String,
    answer: Care,
    /// None for English.
    language: Option<MessageLanguage>,
    #[serde(default)]
    degree: Degree,
    phrases: Texts,
}

/// How closely a sorrow concerns its writer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Degree {
    /// It has happened, and concerns its writer whoever is named.
    Happened,
    /// It concerns its writer if they speak of themselves.
    #[default]
    Hard,
    /// Its writer does not feel well.
    Low,
    /// It went well, if nothing else is said.
    Relief,
    /// It is an insult.
    Rude,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Idioms {
    idiom: Texts,
}

/// What a message calls for: which lines answer it, and who can help.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(in crate::improviser::chorus) enum Care {
    /// Somebody has to come at once.
    Emergency,
    /// Somebody is hurt or threatened by others.
    Violence,
    /// Somebody may hurt others.
    Threat,
    /// Somebody may hurt themselves.
    Despair,
    Illness,
    Sorrow,
}

impl Care {
    fn is_urgent(self) -> bool {
        !matches!(self, Care::Illness | Care::Sorrow)
    }
}

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Distress {
    /// Somebody may be in danger: from themselves, from others or by chance.
    Crisis(Care),
    /// Somebody is struck by death, illness or violence.
    Grief(Care),
    /// These are spoken of.
    Grave(Care),
    /// Somebody does not feel well.
    Low(Care),
    /// It went well: nobody is sorry, and nobody is loud.
    Relief(Care),
    /// Words of it are, and mean something else.
    Idiom,
}

impl Distress {
    /// Its name among the weights of danger.
    pub(super) fn name(self) -> String {
        format!("{self:?}")
    }
}

/// The words that are looked for.
pub(super) fn known_words() -> &'static HashSet<String> {
    &LISTS.known
}

/// How like a message is to those of people in danger, if that can be told, beside what was found in it.
pub(super) fn danger_score(words: &[String], found: Option<Distress>) -> Option<DangerScore> {
    let found = found.map(Distress::name);
    DangerScore::of(words, &signs(words), found.as_deref())
}

/// The groups of which something is in a message.
pub(super) fn signs(words: &[String]) -> Vec<&'static str> {
    let found = LISTS.groups.found(words).map(|(at, _)| at).collect::<BTreeSet<usize>>();
    found.into_iter().filter_map(|at| LISTS.group_names.get(at)).map(String::as_str).collect()
}

/// What a message speaks of, by its words as they are meant.
pub(super) fn distress(words: &[String], is_question: bool) -> Option<Distress> {
    let (words, has_idiom) = LISTS.idioms.taken_out(words.to_vec());
    let urgent = LISTS.urgent.find(&words).map(|(care, _)| care);
    if let Some(care) = urgent.or_else(|| LISTS.urgent_together.find(&words)) {
        return Some(Distress::Crisis(care));
    }
    if let Some(care) = LISTS.relief.find(&words) {
        let (rest, _) = LISTS.relief.taken_out(words.clone());
        let sad = [&LISTS.happened, &LISTS.hard, &LISTS.low].iter().any(|list| list.find(&rest).is_some());
        if !sad && !good_news::is_unsure(&rest) {
            return Some(Distress::Relief(care));
        }
    }
    let struck = words.iter().any(|word| is_ones_own(word));
    if let Some(care) = LISTS.happened.find(&words) {
        // "When did Caesar die" is a question; "my mother died" is none, and neither is "grandma died".
        return Some(if struck || !is_question { Distress::Grief(care) } else { Distress::Grave(care) });
    }
    if let Some(care) = LISTS.hard.find(&words) {
        return Some(if struck { Distress::Grief(care) } else { Distress::Grave(care) });
    }
    if let Some(care) = LISTS.together.find(&words) {
        return Some(if struck { Distress::Grief(care) } else { Distress::Grave(care) });
    }
    if let Some(care) = LISTS.elsewhere.find(&words) {
        return Some(Distress::Grief(care));
    }
    if let Some(care) = LISTS.low.find(&words) {
        let of_oneself = struck || words.len() <= FEW_WORDS;
        return Some(if of_oneself { Distress::Low(care) } else { Distress::Grave(care) });
    }
    has_idiom.then_some(Distress::Idiom)
}

/// The language of the danger that a message speaks of: a cry may be one word, too few to know its language.
pub(super) fn language(words: &[String]) -> Option<MessageLanguage> {
    LISTS.urgent.find(&rest(words)).and_then(|(_, language)| language)
}

/// What is left without the words that mean something else than they say.
pub(super) fn rest(words: &[String]) -> Vec<String> {
    LISTS.idioms.taken_out(words.to_vec()).0
}

/// Whether words mean something else than they say: such words are not said back.
pub(super) fn has_idiom(words: &[String]) -> bool {
    LISTS.idioms.find(words).is_some()
}

/// Whether a message insults those who answer it.
pub(super) fn is_rude(words: &[String]) -> bool {
    LISTS.rude.find(words).is_some()
}

/// By which one speaks of oneself and one's own.
fn is_ones_own(word: &str) -> bool {
    matches!(word, "i" | "me" | "my" | "mine" | "myself" | "we" | "our" | "us")
}

pub(super) fn holds_one_of(text: &str, phrases: &[String]) -> bool {
    phrases.iter().any(|phrase| holds(text, phrase))
}

/// Whether a phrase stands in a text as whole words.
pub(super) fn holds(text: &str, phrase: &str) -> bool {
    text.match_indices(phrase).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + phrase.len()..]);
        (before.is_empty() || before.ends_with(' ')) && (after.is_empty() || after.starts_with(' '))
    })
}
