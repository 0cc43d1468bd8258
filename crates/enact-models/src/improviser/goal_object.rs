//! What a goal is about, in the words of its doer: "Bob admits he lied" is "I lied" in Bob's mouth.

use super::{topic, words::WORDS};

/// What a goal says after its verb, made to fit into a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum GoalObject {
    /// Follows "about": "the garden", "being late".
    Thing(String),
    /// Follows "will": "call you".
    Deed(String),
    /// Stands on its own: "I sold the car".
    Fact(String),
    /// Follows "tell me": "why you left".
    Clause(String),
}

/// Who speaks to whom, and which of them the goal is about.
#[derive(Debug, Clone, Copy)]
pub(super) struct Speakers<'a> {
    pub(super) speaker: &'a str,
    pub(super) listener: &'a str,
    pub(super) of: Person,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Person {
    Speaker,
    Listener,
}

/// Longer ones stop fitting into sentences.
const LONGEST: usize = 12;

impl GoalObject {
    /// Nothing, where the words cannot be turned round with certainty.
    pub(super) fn of(about: &str, saying: Speakers<'_>) -> Option<GoalObject> {
        let all: Vec<&str> = about.split_whitespace().collect();
        // "asks her to dance" has the one who is asked in it.
        let asked = matches!(all.as_slice(), ["him" | "her", "to", ..]);
        let words = &all[usize::from(asked)..];
        let first = words.first()?.to_lowercase();
        if words.len() > LONGEST || about.contains(|c: char| !c.is_ascii() || "\"*[](){}<>:;.!?".contains(c))
        {
            return None;
        }
        match first.as_str() {
            "to" => Some(GoalObject::Deed(turned(&words[1..], saying)?)),
            "if" => Some(GoalObject::Clause(format!("whether {}", turned(&words[1..], saying)?))),
            "why" | "how" | "what" | "who" | "where" | "when" | "whether" => {
                Some(GoalObject::Clause(format!("{first} {}", turned(&words[1..], saying)?)))
            }
            "he" | "she" if words.len() > 1 => Some(GoalObject::Fact(turned(words, saying)?)),
            _ if words.len() > 1 && saying.person(words[0]).is_some() => {
                Some(GoalObject::Fact(turned(words, saying)?))
            }
            _ => {
                let thing = topic::noun_phrase(about)?;
                Some(GoalObject::Thing(topic::said_by(&thing, saying.speaker, Some(saying.listener))))
            }
        }
    }

    /// Its words, of whatever kind.
    pub(super) fn text(&self) -> &str {
        match self {
            GoalObject::Thing(words)
            | GoalObject::Deed(words)
            | GoalObject::Fact(words)
            | GoalObject::Clause(words) => words,
        }
    }

    /// What it puts into a slot of its own kind.
    pub(super) fn fills(&self, slot: &str) -> Option<&str> {
        match (self, slot) {
            (GoalObject::Thing(words), "thing")
            | (GoalObject::Deed(words), "deed")
            | (GoalObject::Fact(words), "fact")
            | (GoalObject::Clause(words), "clause") => Some(words),
            _ => None,
        }
    }
}

impl Speakers<'_> {
    fn person(self, name: &str) -> Option<Person> {
        if name == self.speaker {
            Some(Person::Speaker)
        } else {
            (name == self.listener).then_some(Person::Listener)
        }
    }
}

impl Person {
    fn other(self) -> Person {
        if self == Person::Speaker { Person::Listener } else { Person::Speaker }
    }

    fn pick(self, speaker: &'static str, listener: &'static str) -> &'static str {
        if self == Person::Speaker { speaker } else { listener }
    }
}

/// The words with the names and pronouns that the speaker uses.
fn turned(words: &[&str], saying: Speakers<'_>) -> Option<String> {
    let mut said: Vec<String> = Vec::new();
    // "he" or "she", once one of them has been told apart from the other.
    let mut subject: Option<&str> = None;
    let mut verb_of: Option<Person> = None;
    let clause = words.iter().take_while(|word| !WORDS.clause_starts.has(word));
    for (at, word) in clause.enumerate() {
        let bare = word.trim_end_matches(',');
        let owner = bare.strip_suffix("'s").and_then(|name| saying.person(name));
        if let Some(who) = verb_of.take() {
            said.push(inflected(word, who)?);
            continue;
        }
        let new = match bare {
            "he" | "she" => {
                let same = *subject.get_or_insert(bare) == bare;
                let who = if same { saying.of } else { saying.of.other() };
                verb_of = Some(who);
                who.pick("I", "you")
            }
            "her" if is_object(words.get(at + 1)) => saying.of.other().pick("me", "you"),
            "him" => saying.of.other().pick("me", "you"),
            "himself" | "herself" => saying.of.pick("myself", "yourself"),
            "his" | "her" => match subject {
                Some(known) if (known == "he") == (bare == "his") => saying.of.pick("my", "your"),
                Some(_) => saying.of.other().pick("my", "your"),
                // Whose it is cannot be told, and need not be.
                None => "the",
            },
            "their" => "our",
            "they" | "them" | "themselves" | "hers" | "theirs" => return None,
            _ => match (owner, saying.person(bare)) {
                (Some(who), _) => who.pick("my", "your"),
                (None, Some(who)) if at == 0 => {
                    verb_of = Some(who);
                    who.pick("I", "you")
                }
                (None, Some(who)) => who.pick("me", "you"),
                (None, None) => bare,
            },
        };
        said.push(format!("{new}{}", &word[bare.len()..]));
    }
    (!said.is_empty()).then(|| said.join(" ").trim_end_matches(',').to_owned())
}

/// The verb as it goes with "I" or "you"; nothing for one whose other form is not known.
fn inflected(verb: &str, who: Person) -> Option<String> {
    let form = match verb {
        "is" => who.pick("am", "are"),
        "isn't" => who.pick("am not", "aren't"),
        "was" => who.pick("was", "were"),
        "wasn't" => who.pick("wasn't", "weren't"),
        "has" => "have",
        "hasn't" => "haven't",
        "does" => "do",
        "doesn't" => "don't",
        _ if verb.ends_with('s') || verb.ends_with("ly") => return None,
        _ => verb,
    };
    Some(form.to_owned())
}

/// Whether "her" before this word stands for somebody rather than for whose it is.
fn is_object(next: Option<&&str>) -> bool {
    next.is_none_or(|next| WORDS.after_object.has(next.trim_end_matches(',')))
}

#[cfg(test)]
mod tests;
