//! What the character can tell of itself: sentences of its sheet that can be said in the first person.

use std::{
    collections::{HashMap, HashSet},
    sync::LazyLock,
};

use enact_drama::episode::EpisodeSetup;
use serde::Deserialize;

use super::{
    lines::capitalised,
    sentences::{sentences, words},
};
use crate::{
    content::{Texts, content},
    improviser::chorus::topic_in,
};

/// Words by which a sheet is understood.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct FactWords {
    /// Parts of a sheet that say how to play, or what is hidden: words of their headings.
    hidden_parts: Texts,
    /// Words of sentences that say how to play, or what is hidden.
    hidden: Texts,
    /// After these words "you" is the one who acts.
    before_subject: Texts,
    /// Verbs in the third person, and as they are said of oneself.
    verbs: HashMap<String, String>,
    /// Pronouns in the third person that could be meant for others.
    others: Texts,
    /// Words that say nothing of what a sentence is about.
    common: Texts,
    /// Words after which a verb comes.
    actors: Texts,
    /// Questions that share no word with what answers them.
    kin: Vec<KinWords>,
}

/// What is asked like this is answered by something with one of these words.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct KinWords {
    asked: Texts,
    told: Texts,
}

static WORDS: LazyLock<FactWords> = LazyLock::new(|| content!("facts.toml"));

/// Longer sentences are not told.
const MOST_WORDS: usize = 24;
const FEWEST_WORDS: usize = 4;
/// Shorter words say nothing of what a sentence is about.
const SHORTEST_CONTENT: usize = 3;

/// What the character can tell of itself.
#[derive(Debug)]
pub(super) struct SheetFacts(Vec<String>);

impl SheetFacts {
    pub(super) fn of(setup: &EpisodeSetup) -> SheetFacts {
        SheetFacts::read(&setup.character.sheet, &setup.character.display)
    }

    pub(super) fn read(sheet: &str, display: &str) -> SheetFacts {
        let mut facts = Vec::new();
        let mut hidden = false;
        for line in without_front_matter(sheet).lines().map(str::trim) {
            if line.starts_with('#') {
                let heading = words(line);
                hidden = heading.iter().any(|word| WORDS.hidden_parts.has(word));
                continue;
            }
            if hidden {
                continue;
            }
            let line = line.trim_start_matches(['-', '*', ' ']);
            facts.extend(
                sentences(line).into_iter().filter_map(|sentence| in_first_person(sentence, display)),
            );
        }
        SheetFacts(facts)
    }

    /// The fact that fits a question best, of those that can be told; the first of equals, and none where nothing
    /// fits.
    pub(super) fn about(&self, asked: &[String], can_be_told: impl Fn(&str) -> bool) -> Option<&str> {
        let told = self.0.iter().filter(|fact| can_be_told(fact));
        // Of several that fit as well, the first: `max_by_key` would give the last.
        let best = told.rev().map(|fact| (fit(asked, fact), fact)).max_by_key(|(fit, _)| *fit)?;
        (best.0 > 0).then_some(best.1)
    }

    /// The first that can be told.
    pub(super) fn any(&self, can_be_told: impl Fn(&str) -> bool) -> Option<&str> {
        self.0.iter().find(|fact| can_be_told(fact)).map(String::as_str)
    }

    /// What a situation says that the character can say as well: nothing of the user, nor of itself.
    pub(super) fn of_situation(setup: &EpisodeSetup) -> SheetFacts {
        let names = words(&setup.character.display);
        let is_of_people = |word: &String| names.contains(word) || WORDS.others.has(word);
        let can_be_said = |sentence: &&str| {
            let plain = words(sentence);
            (FEWEST_WORDS..=MOST_WORDS).contains(&plain.len()) && !plain.iter().any(is_of_people)
        };
        let situation = setup.template.situation.split_whitespace().collect::<Vec<_>>().join(" ");
        SheetFacts(sentences(&situation).into_iter().filter(can_be_said).map(str::to_owned).collect())
    }

    #[cfg(test)]
    pub(super) fn all(&self) -> &[String] {
        &self.0
    }
}

/// How well a sentence fits a question: by words that both have, then by words that belong together.
fn fit(asked: &[String], told: &str) -> usize {
    let told: Vec<String> = words(told).iter().map(|word| stem(word)).collect();
    let shared: HashSet<String> = content_words(asked).map(|word| stem(word)).collect();
    let shared = shared.iter().filter(|word| told.contains(word)).count();
    let line = format!(" {} ", asked.join(" "));
    let is_kin = |kin: &&KinWords| {
        kin.asked.iter().any(|phrase| line.contains(&format!(" {phrase} ")))
            && kin.told.iter().any(|word| told.contains(&stem(word)))
    };
    2 * shared + WORDS.kin.iter().filter(is_kin).count()
}

/// The words of a message that say what it is about.
fn content_words(asked: &[String]) -> impl Iterator<Item = &String> {
    asked.iter().filter(|word| word.len() >= SHORTEST_CONTENT && !WORDS.common.has(word))
}

/// The word that a question is about, as far as its length tells. What comes after the one who acts is a verb.
pub(super) fn longest_content_word(asked: &[String]) -> Option<&String> {
    let is_done =
        |word: &&String| asked.windows(2).any(|pair| pair[1] == **word && WORDS.actors.has(&pair[0]));
    content_words(asked).filter(|word| !is_done(word)).max_by_key(|word| word.len())
}

/// "clocks" and "clock" are the same word.
fn stem(word: &str) -> String {
    let stem = ["ing", "ed", "es", "s", "e"].iter().find_map(|end| word.strip_suffix(end));
    stem.filter(|stem| stem.len() >= SHORTEST_CONTENT - 1).unwrap_or(word).to_owned()
}

/// What the character is, as the heading of its sheet says: "bartender at the Blue Hour".
pub(super) fn role_of(sheet: &str) -> Option<String> {
    let heading = without_front_matter(sheet).lines().find(|line| line.starts_with("# "))?;
    let (_, role) = heading.split_once(" - ")?;
    let mut letters = role.trim().chars();
    letters.next().map(|first| first.to_lowercase().chain(letters).collect())
}

/// Things that a situation names: "the sea", to be said by the character.
pub(super) fn things_of(situation: &str) -> Vec<String> {
    let topics = sentences(situation).into_iter().filter_map(topic_in);
    // What is the user's, or the character's, would be said of the wrong one.
    topics.filter(|topic| topic.starts_with("the ") && !topic.contains(" of ")).collect()
}

fn without_front_matter(sheet: &str) -> &str {
    let rest = sheet.trim_start().strip_prefix("---\n");
    rest.and_then(|rest| rest.split_once("\n---")).map_or(sheet, |(_, body)| body)
}

/// The sentence as the character would say it; nothing where that is not safe.
fn in_first_person(sentence: &str, display: &str) -> Option<String> {
    let sentence = sentence.trim_end_matches('.');
    let plain = words(sentence);
    let fits = (FEWEST_WORDS..=MOST_WORDS).contains(&plain.len()) && !sentence.ends_with('?');
    let hides = plain.iter().any(|word| WORDS.hidden.has(word));
    if !fits || hides || sentence.contains(['"', '“', '”', '{', '}', '*', '`', ':', '|']) {
        return None;
    }
    let first = plain.first()?.as_str();
    let turned = match first {
        "you" | "your" => second_to_first(sentence),
        "i" | "my" => sentence.to_owned(),
        "she" | "he" | "her" | "his" => third_to_first(sentence, first)?,
        _ if sentence.starts_with(&format!("{display} ")) => third_to_first(sentence, "")?,
        _ => return None,
    };
    Some(format!("{}.", capitalised(&turned)))
}

/// "You are a porter, and your father was one" is "I am a porter, and my father was one".
fn second_to_first(sentence: &str) -> String {
    let mut turned: Vec<String> = Vec::new();
    let mut before = String::new();
    for word in sentence.split(' ') {
        let bare = word.trim_matches(|next: char| !next.is_alphanumeric() && next != '\'' && next != '’');
        let lower = bare.to_lowercase().replace('’', "'");
        let is_subject = before.is_empty() || before.ends_with(',') || WORDS.before_subject.has(&before);
        let own = match lower.as_str() {
            "you" if is_subject => "I",
            "you" => "me",
            "your" => "my",
            "yours" => "mine",
            "yourself" => "myself",
            "you're" => "I'm",
            "you've" => "I've",
            "you'd" => "I'd",
            "you'll" => "I'll",
            "are" if before == "you" => "am",
            "were" if before == "you" => "was",
            "aren't" if before == "you" => "am not",
            _ => bare,
        };
        turned.push(word.replacen(bare, own, 1));
        before = word.to_lowercase();
    }
    turned.join(" ")
}

/// "She grew up here" is "I grew up here". Only verbs that are known are turned, and only sentences in which
/// no other person could be meant.
fn third_to_first(sentence: &str, first: &str) -> Option<String> {
    let mut words: Vec<&str> = sentence.split(' ').collect();
    let own;
    match first {
        "her" | "his" => words[0] = "My",
        _ => {
            own = WORDS.verbs.get(*words.get(1)?)?.clone();
            (words[0], words[1]) = ("I", &own);
        }
    }
    let is_another = |word: &&&str| WORDS.others.has(&self::words(word).concat());
    if words[1..].iter().any(|word| is_another(&word)) {
        return None;
    }
    Some(words.join(" "))
}
