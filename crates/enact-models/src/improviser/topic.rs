//! What a scene is about, as words that fit into a sentence.

use enact_drama::{judge::Act, scene::Situation};

use super::words::WORDS;

/// The subject of a scene.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Subject {
    /// A noun phrase that can follow "about": "the Henderson project deadline", "being late", "all this".
    phrase: String,
}

/// What is talked about when the prompt does not say, or says it in another language.
const UNKNOWN: &str = "all this";
/// Longer phrases stop fitting into sentences.
const LONGEST_PHRASE: usize = 7;
/// A prompt of so few words is a title rather than a tale: "A family dinner."
const LONGEST_TITLE: usize = 4;

impl Subject {
    pub(super) fn of(scene: &Situation) -> Subject {
        let prompt = &scene.prompt;
        // What the scene's quarrel is about beats what its outcome is about: an agreement on measures comes
        // last.
        let about = |wanted: &[Act]| {
            scene
                .goals
                .iter()
                .filter(|goal| goal.act.is_some_and(|act| wanted.contains(&act)))
                .filter_map(|goal| goal.about.as_deref().filter(|about| !about.contains("apolog")))
                .filter_map(noun_phrase)
                // "letting him take the blame" is somebody's doing, and it is seldom the speaker's.
                .find(|phrase| !is_gerund(phrase) || phrase.starts_with("being "))
        };
        let names: Vec<&str> = scene.cast.iter().map(|(_, display)| display.as_str()).collect();
        let phrase = about(&[Act::Confront, Act::Apologise])
            .or_else(|| in_text(prompt, &names))
            .or_else(|| {
                about(&[
                    Act::Explain,
                    Act::Admit,
                    Act::Ask,
                    Act::Refuse,
                    Act::Accept,
                    Act::Forgive,
                    Act::Thank,
                ])
            })
            .unwrap_or_else(|| UNKNOWN.to_owned());
        Subject { phrase }
    }

    /// The phrase as one character says it to another: "Bob's drinking" is "your drinking" to Bob.
    pub(super) fn said_by(&self, speaker: &str, listener: Option<&str>) -> String {
        said_by(&self.phrase, speaker, listener)
    }
}

/// What a goal is about, if it fits into a sentence as a noun phrase.
pub(super) fn noun_phrase(text: &str) -> Option<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    match words.as_slice() {
        // "Mia asks for help with the garden" is about the garden.
        ["help", "with" | "in", rest @ ..] => phrase(rest),
        ["whether", ..] | ["him" | "her", "to", ..] => None,
        // What is left of "they lied".
        [verb] if verb.ends_with("ed") => None,
        _ => phrase(&words),
    }
}

pub(super) fn said_by(phrase: &str, speaker: &str, listener: Option<&str>) -> String {
    let turned = phrase.split(' ').map(|word| {
        let owner = word.strip_suffix("'s").or(word.strip_suffix("’s"));
        let name = owner.unwrap_or(word);
        match (name == speaker, listener == Some(name), owner.is_some()) {
            (true, _, true) => "my",
            (true, _, false) => "me",
            (_, true, true) => "your",
            (_, true, false) => "you",
            _ => word,
        }
    });
    turned.collect::<Vec<_>>().join(" ")
}

fn in_text(prompt: &str, names: &[&str]) -> Option<String> {
    let before_goal = prompt.split("Scene goal").next().unwrap_or(prompt);
    let words: Vec<&str> = before_goal.split_whitespace().collect();
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let after = |starts: &dyn Fn(&str) -> bool| {
        words.iter().enumerate().filter(|(_, word)| starts(&bare(word))).find_map(|(at, word)| {
            if word.ends_with(|c: char| !c.is_alphanumeric()) {
                return None;
            }
            let from = if bare(word) == "whether" { at } else { at + 1 };
            phrase(&words[from..]).filter(|found| !names.iter().any(|name| found == name))
        })
    };
    let title = matches!(words.first(), Some(&("A" | "An" | "The"))) && words.len() <= LONGEST_TITLE;
    if title {
        return phrase(&words);
    }
    after(&|word| WORDS.introducing.has(word))
        .or_else(|| after(&|word| WORDS.done_to.has(word)))
        .or_else(|| after(&|word| word == "for").filter(|found| is_gerund(found)))
}

/// The noun phrase these words begin with, made to fit after "about".
fn phrase(words: &[&str]) -> Option<String> {
    let mut taken: Vec<&str> = Vec::new();
    for (at, word) in words.iter().take(LONGEST_PHRASE).enumerate() {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’');
        let whether = taken.first().is_some_and(|first| first.eq_ignore_ascii_case("whether"));
        let stops = WORDS.stopping.has(&bare.to_lowercase()) && !(whether && bare != "and");
        if bare.is_empty() || !bare.is_ascii() || (at > 0 && stops) || (at == 0 && stops && bare != "that") {
            break;
        }
        taken.push(bare);
        if word.ends_with([',', '.', ';', ':', '!', '?', ')', '—', '"']) {
            break;
        }
    }
    if taken
        .first()
        .is_some_and(|first| matches!(first.to_lowercase().as_str(), "missing" | "missed" | "forgetting"))
    {
        taken.remove(0);
    }
    taken.retain(|word| !WORDS.decorative.has(&word.to_lowercase()));
    while taken.last().is_some_and(|last| WORDS.never_last.has(&last.to_lowercase())) {
        taken.pop();
    }
    let first = taken.first()?.to_lowercase();
    // A clause ("why she left", "to leave") would need its pronouns turned round for its speaker.
    if WORDS.never_first.has(&first) || taken.len() == 1 && WORDS.empty_alone.has(&first) {
        return None;
    }
    if first == "whether" && taken.iter().any(|word| matches!(*word, "he" | "she" | "they" | "his" | "her")) {
        return None;
    }
    // "hurting her" is somebody else to everybody who says it; "forgetting her birthday" can do without her.
    if taken.len() > 1 && taken.last().is_some_and(|last| matches!(*last, "him" | "her" | "them")) {
        return None;
    }
    // "The life" is not saved and "the temper" not lost: they need their owner.
    if taken.windows(2).any(|pair| matches!(pair[0], "his" | "her") && WORDS.inborn.has(pair[1])) {
        return None;
    }
    for word in taken.iter_mut().skip(1) {
        if matches!(*word, "his" | "her" | "their") {
            *word = "the";
        }
    }
    match first.as_str() {
        // In a scene there is only one of it.
        "a" | "an" | "the" => {
            taken.remove(0);
            (!taken.is_empty()).then(|| format!("the {}", taken.join(" ")))
        }
        "their" => {
            taken.remove(0);
            (!taken.is_empty()).then(|| format!("our {}", taken.join(" ")))
        }
        "his" | "her" | "its" => {
            taken.remove(0);
            (!taken.is_empty()).then(|| format!("the {}", taken.join(" ")))
        }
        _ if needs_article(&taken) => Some(format!("the {}", taken.join(" "))),
        _ => Some(taken.join(" ")),
    }
}

fn needs_article(words: &[&str]) -> bool {
    let (Some(first), Some(last)) = (words.first(), words.last()) else { return false };
    let determined = WORDS.determined.has(&first.to_lowercase());
    let named = first.starts_with(char::is_uppercase);
    let plural = last.ends_with('s') && !last.ends_with("ss");
    !determined && !named && !plural && !is_gerund(first)
}

fn is_gerund(phrase: &str) -> bool {
    let first = phrase.split_whitespace().next().unwrap_or_default();
    first.len() > 4 && first.ends_with("ing") && !WORDS.nouns_in_ing.has(first)
}

#[cfg(test)]
mod tests;
