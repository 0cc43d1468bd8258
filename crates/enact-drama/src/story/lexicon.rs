//! The words by which sentences are read: lists in `words.toml`, verbs and their forms in `verbs.txt`.

use std::{
    collections::{HashMap, HashSet},
    sync::LazyLock,
};

use serde::Deserialize;

/// A list of words that is asked whether it has one.
#[derive(Debug, Deserialize)]
#[serde(from = "Vec<String>")]
pub(super) struct WordSet(HashSet<String>);

impl From<Vec<String>> for WordSet {
    fn from(words: Vec<String>) -> WordSet {
        WordSet(words.into_iter().collect())
    }
}

impl WordSet {
    pub(super) fn has(&self, word: &str) -> bool {
        self.0.contains(word)
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Lexicon {
    pub(super) determiners: WordSet,
    pub(super) prepositions: WordSet,
    pub(super) joints: WordSet,
    pub(super) auxiliaries: WordSet,
    adverbs: WordSet,
    pub(super) states: WordSet,
    pub(super) happened: WordSet,
    pub(super) standing: WordSet,
    pub(super) playing: WordSet,
    pub(super) wanting: WordSet,
    pub(super) hiding: Vec<String>,
    pub(super) no_things: WordSet,
    pub(super) persons: WordSet,
    empty: WordSet,
    pub(super) he_titles: WordSet,
    pub(super) she_titles: WordSet,
    titles: WordSet,
    pub(super) he_kin: WordSet,
    pub(super) she_kin: WordSet,
    kin: WordSet,
    pub(super) kin_adjectives: WordSet,
    calendar: WordSet,
    pub(super) he_names: WordSet,
    pub(super) she_names: WordSet,
    pub(super) headings: Headings,
}

/// Parts of headings, by what stands below them.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Headings {
    pub(super) voice: Vec<String>,
    pub(super) says: Vec<String>,
    pub(super) secret: Vec<String>,
    pub(super) wants: Vec<String>,
}

pub(super) static WORDS: LazyLock<Lexicon> =
    LazyLock::new(|| toml::from_str(include_str!("words.toml")).expect("words.toml can be read"));

static VERBS: LazyLock<Verbs> = LazyLock::new(|| Verbs::read(include_str!("verbs.txt")));

/// In which form a verb stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum VerbForm {
    Base,
    /// "sells"
    Third,
    Past,
    /// "sold", "broken", where it is not the past as well.
    Participle,
}

struct Verbs {
    /// Every form but regular ones, with its base.
    irregular: HashMap<String, (String, VerbForm)>,
    bases: HashSet<String>,
}

impl Verbs {
    fn read(text: &str) -> Verbs {
        let mut verbs = Verbs { irregular: HashMap::new(), bases: HashSet::new() };
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let forms: Vec<&str> = line.split(", ").collect();
            let [base, past, participle] = forms[..] else {
                verbs.bases.extend(line.split_whitespace().map(str::to_owned));
                continue;
            };
            verbs.bases.insert(base.to_owned());
            let forms = past.split('/').map(|form| (form, VerbForm::Past));
            for (form, kind) in forms.chain(participle.split('/').map(|form| (form, VerbForm::Participle))) {
                verbs.irregular.entry(form.to_owned()).or_insert((base.to_owned(), kind));
            }
        }
        verbs
    }
}

impl Lexicon {
    pub(super) fn is_adverb(&self, word: &str) -> bool {
        self.adverbs.has(word) || (word.len() > 4 && word.ends_with("ly") && !is_base(word))
    }

    pub(super) fn is_title(&self, word: &str) -> bool {
        self.titles.has(word) || self.he_titles.has(word) || self.she_titles.has(word)
    }

    /// Whether a word says who somebody is: "brother", "boss".
    pub(super) fn is_kin(&self, word: &str) -> bool {
        self.kin.has(word) || self.he_kin.has(word) || self.she_kin.has(word)
    }

    /// Whether a word with a capital letter names a time and no person.
    pub(super) fn is_calendar(&self, word: &str) -> bool {
        self.calendar.has(word.trim_end_matches('s')) || self.calendar.has(word)
    }

    /// Whether a word is written with a capital letter only where it begins a sentence.
    pub(super) fn is_ordinary(&self, word: &str) -> bool {
        self.is_empty(word)
            || self.determiners.has(word)
            || self.prepositions.has(word)
            || self.joints.has(word)
            || self.is_adverb(word)
            || verb(word).is_some()
    }

    /// Whether a word says nothing of what a sentence is about.
    pub(super) fn is_empty(&self, word: &str) -> bool {
        self.empty.has(word)
    }
}

fn is_base(word: &str) -> bool {
    VERBS.bases.contains(word)
}

/// What a word is as a verb: its base and its form. Words that are no verbs we know are none.
pub(super) fn verb(word: &str) -> Option<(String, VerbForm)> {
    match word {
        "is" | "are" | "am" => return Some(("be".to_owned(), VerbForm::Third)),
        "was" | "were" => return Some(("be".to_owned(), VerbForm::Past)),
        "has" => return Some(("have".to_owned(), VerbForm::Third)),
        "does" => return Some(("do".to_owned(), VerbForm::Third)),
        "goes" => return Some(("go".to_owned(), VerbForm::Third)),
        _ => {}
    }
    if let Some((base, form)) = VERBS.irregular.get(word) {
        return Some((base.clone(), *form));
    }
    if is_base(word) {
        return Some((word.to_owned(), VerbForm::Base));
    }
    let known = |base: String, form| is_base(&base).then_some((base, form));
    if let Some(stem) = word.strip_suffix("ied") {
        return known(format!("{stem}y"), VerbForm::Past);
    }
    if let Some(stem) = word.strip_suffix("ed") {
        let bytes = stem.as_bytes();
        let doubled = bytes.len() > 2 && bytes[bytes.len() - 1] == bytes[bytes.len() - 2] && stem.is_ascii();
        return known(stem.to_owned(), VerbForm::Past)
            .or_else(|| known(format!("{stem}e"), VerbForm::Past))
            .or_else(|| doubled.then(|| known(stem[..stem.len() - 1].to_owned(), VerbForm::Past)).flatten());
    }
    let base = base_of_third(word)?;
    known(base, VerbForm::Third)
}

/// "sells" is "sell", whether we know the verb or not; nothing for what is no third person at all.
pub(super) fn base_of_third(word: &str) -> Option<String> {
    let stem = word.strip_suffix('s').filter(|stem| stem.len() > 1 && stem.is_ascii())?;
    if stem.ends_with(['s', 'u', '\'']) {
        return None;
    }
    if let Some(stem) = stem.strip_suffix("ie").filter(|stem| stem.len() > 1) {
        return Some(format!("{stem}y"));
    }
    let long = ["sse", "she", "che", "xe", "zze", "oe"].iter().any(|end| stem.ends_with(end));
    let whole = stem.to_owned();
    Some(if long && !is_base(&whole) { stem[..stem.len() - 1].to_owned() } else { whole })
}

/// Whether a word can be the verb that belongs to a subject before it.
pub(super) fn is_finite(word: &str) -> bool {
    WORDS.auxiliaries.has(word)
        || verb(word).is_some_and(|(_, form)| matches!(form, VerbForm::Third | VerbForm::Past))
}

/// The stem by which two forms of a word are known for one.
pub(super) fn stem(word: &str) -> String {
    if let Some((base, _)) = verb(word) {
        return base;
    }
    let plain = word.strip_suffix("'s").unwrap_or(word);
    let stem = match plain {
        _ if plain.len() > 4 && plain.ends_with("ies") => &plain[..plain.len() - 3],
        _ if plain.len() > 5 && plain.ends_with("ing") => &plain[..plain.len() - 3],
        _ if plain.len() > 3 && plain.ends_with('s') && !plain.ends_with("ss") => &plain[..plain.len() - 1],
        _ => plain,
    };
    stem.trim_end_matches(['y', 'e']).to_owned()
}

/// The stems of the words that a text is about.
pub fn content_words(text: &str) -> Vec<String> {
    let lower = text.to_lowercase().replace('’', "'");
    let words = lower.split(|c: char| !(c.is_alphanumeric() || c == '\'' || c == '-'));
    let words = words.map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
    words.filter(|word| word.len() > 2 && !WORDS.is_empty(word)).map(stem).collect()
}

/// Whether a noun means somebody: "mate", "governess".
pub fn is_person_noun(word: &str) -> bool {
    WORDS.persons.has(&word.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verbs_are_known_in_all_their_forms() {
        for (word, base, form) in [
            ("sold", "sell", VerbForm::Past),
            ("missed", "miss", VerbForm::Past),
            ("stopped", "stop", VerbForm::Past),
            ("used", "use", VerbForm::Past),
            ("carried", "carry", VerbForm::Past),
            ("broken", "break", VerbForm::Participle),
            ("carries", "carry", VerbForm::Third),
            ("misses", "miss", VerbForm::Third),
            ("has", "have", VerbForm::Third),
            ("hides", "hide", VerbForm::Third),
            ("lies", "lie", VerbForm::Third),
            ("owes", "owe", VerbForm::Third),
            ("stay", "stay", VerbForm::Base),
        ] {
            assert_eq!(verb(word), Some((base.to_owned(), form)), "{word}");
        }
        for word in ["table", "boss", "perhaps", "red", "kids"] {
            assert_eq!(verb(word), None, "{word}");
        }
    }
}
