//! Clauses in somebody's mouth: "Bob missed the date" is "I missed the date" when Bob says it, and "You missed the
//! date" when it is said to him.

use super::{
    clause::{Clause, ClauseWord, PronounCase, Referent, Tense},
    lexicon::{VerbForm, WORDS, verb},
    people::StoryPeople,
    sentence::WordToken,
};

/// Who says something, to whom.
#[derive(Debug, Clone, Copy)]
pub struct Saying<'a> {
    pub people: &'a StoryPeople,
    pub speaker: usize,
    pub listener: Option<usize>,
}

/// How somebody stands to who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stand {
    I,
    You,
    We,
    They,
    /// Neither speaks nor is spoken to.
    Other,
}

impl Saying<'_> {
    fn stand(&self, who: &Referent) -> Stand {
        match who {
            Referent::One(who) if *who == self.speaker => Stand::I,
            Referent::One(who) if Some(*who) == self.listener => Stand::You,
            Referent::One(_) => Stand::Other,
            Referent::Both(all) if all.contains(&self.speaker) => Stand::We,
            Referent::Both(all) if self.listener.is_some_and(|who| all.contains(&who)) => Stand::You,
            Referent::Both(_) => Stand::They,
        }
    }

    /// What somebody is called in front of the listener.
    fn name(&self, who: usize) -> String {
        let person = self.people.get(who);
        // "The Stranger" is "the stranger" within a sentence.
        person.short.clone().unwrap_or_else(|| person.display.replacen("The ", "the ", 1))
    }
}

impl Clause {
    /// The clause as a sentence without its full stop, its first letter as it would stand within one.
    pub(super) fn said(&self, saying: Saying<'_>) -> String {
        self.part(saying, 0..self.words.len())
    }

    /// Only what stands before the first pause.
    pub(super) fn said_briefly(&self, saying: Saying<'_>) -> String {
        self.part(saying, 0..self.first_pause())
    }

    /// "Why did you miss the date?", without its mark.
    pub(super) fn asked(&self, saying: Saying<'_>) -> Option<String> {
        let (at, base, tense) = self.verb.as_ref()?;
        let who = match self.words.first()? {
            ClauseWord::Person { who, case: PronounCase::Subject, .. } => who,
            _ => return None,
        };
        let subject = self.part(saying, 0..*at);
        let joins = |word: &ClauseWord| matches!(word, ClauseWord::Plain(token) if matches!(&*token.lower(), "and" | "but"));
        let end = (at + 1..self.first_pause().max(at + 1))
            .find(|at| joins(&self.words[*at]))
            .unwrap_or(self.first_pause());
        let rest = self.part(saying, at + 1..end.max(at + 1));
        let ClauseWord::Verb { token, .. } = &self.words[*at] else { return None };
        let stand = saying.stand(who);
        // "had paint on his sleeve" owns something; "had painted it" helps another verb.
        let helps = self.is_perfect();
        let tense = match &*token.lower() {
            "had" if !helps => Tense::Past,
            "has" | "have" if !helps => Tense::Present,
            _ => *tense,
        };
        if rest.is_empty() {
            return None;
        }
        Some(match tense {
            Tense::Past => format!("did {subject} {base} {rest}"),
            Tense::Present if stand == Stand::Other => format!("does {subject} {base} {rest}"),
            Tense::Present => format!("do {subject} {base} {rest}"),
            Tense::Auxiliary => format!("{} {subject} {rest}", agreed(&token.lower(), stand)),
        })
    }

    /// "I never missed the date", for what was done.
    pub(super) fn denied(&self, saying: Saying<'_>) -> Option<String> {
        let (at, _, tense) = self.verb.as_ref()?;
        let begins =
            matches!(self.words.first(), Some(ClauseWord::Person { case: PronounCase::Subject, .. }));
        let (subject, rest) = (self.part(saying, 0..*at), self.part(saying, *at..self.first_pause()));
        (begins && *tense == Tense::Past && *at == 1).then(|| format!("{subject} never {rest}"))
    }

    fn first_pause(&self) -> usize {
        let floor = self.verb.as_ref().map_or(3, |(at, ..)| at + 2);
        let pauses = |word: &ClauseWord| match word {
            ClauseWord::Plain(token) => token.after.contains([',', ':', ')']),
            ClauseWord::Person { after, .. } => after.contains([',', ':']),
            ClauseWord::Verb { token, .. } => token.after.contains(','),
        };
        let joins = |word: &ClauseWord| matches!(word, ClauseWord::Plain(token) if matches!(&*token.lower(), "because" | "although" | "but" | "which" | "causing" | "so"));
        (floor..self.words.len())
            .find_map(|at| match () {
                () if joins(&self.words[at]) => Some(at),
                () if pauses(&self.words[at]) => Some(at + 1),
                () => None,
            })
            .unwrap_or(self.words.len())
    }

    fn part(&self, saying: Saying<'_>, range: std::ops::Range<usize>) -> String {
        let mut said = String::new();
        let mut named: Vec<usize> = Vec::new();
        // "I, your manager, …" is not how people speak.
        let apposed = self.apposition.clone().unwrap_or(0..0);
        let before = apposed.start.checked_sub(1).and_then(|at| self.words.get(at));
        // Those who are there know who "Tobias, the mate," is.
        let own = matches!(before, Some(ClauseWord::Person { .. }));
        let mut hidden = vec![if own { apposed } else { 0..0 }];
        // Nor is "my brother I".
        for (at, word) in self.words.iter().enumerate() {
            if let ClauseWord::Person { who, titled, .. } = word
                && saying.stand(who) != Stand::Other
            {
                hidden.push(at - titled..at);
            }
        }
        let is_hidden = |at: usize| hidden.iter().any(|range| range.contains(&at));
        for (at, word) in self.words.iter().enumerate() {
            let (text, after) = match word {
                ClauseWord::Plain(token) => (plain(token, at == 0), token.after.as_str()),
                ClauseWord::Verb { of, token } => {
                    (agreed(&token.text, saying.stand(of)), token.after.as_str())
                }
                ClauseWord::Person { who, case, name, after, .. } => {
                    let again = matches!(who, Referent::One(one) if named.contains(one));
                    if let Referent::One(one) = who {
                        named.push(*one);
                    }
                    (person(saying, who, *case, name.as_deref(), again), after.as_str())
                }
            };
            if !range.contains(&at) || is_hidden(at) {
                continue;
            }
            // The commas of "The nurse, Ada, is …" go with "the nurse".
            let alone = after == "," && at.checked_sub(1).is_some_and(&is_hidden);
            let after = if is_hidden(at + 1) || alone { "" } else { after };
            if !said.is_empty() && !text.is_empty() {
                said.push(' ');
            }
            said.push_str(&text);
            said.push_str(after);
        }
        said.trim_end_matches([',', ':', ' ', '-']).to_owned()
    }
}

/// A word of the text as it stands within a sentence.
fn plain(token: &WordToken, first: bool) -> String {
    const NUMBERS: [&str; 11] =
        ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
    let lower = token.lower();
    if let Some(number) = lower.parse::<usize>().ok().and_then(|number| NUMBERS.get(number.checked_sub(2)?)) {
        return (*number).to_owned();
    }
    if first && token.text != "I" && WORDS.is_ordinary(&lower) { lower } else { token.text.clone() }
}

fn person(saying: Saying<'_>, who: &Referent, case: PronounCase, name: Option<&str>, again: bool) -> String {
    let pick = |forms: [&str; 5]| {
        let form = match case {
            PronounCase::Subject => forms[0],
            PronounCase::Object => forms[1],
            PronounCase::Possessive => forms[2],
            PronounCase::Reflexive => forms[3],
            PronounCase::Alone => forms[4],
        };
        form.to_owned()
    };
    let other = match (saying.stand(who), who) {
        (Stand::I, _) => return pick(["I", "me", "my", "myself", "mine"]),
        (Stand::You, _) => return pick(["you", "you", "your", "yourself", "yours"]),
        (Stand::We, _) => return pick(["we", "us", "our", "ourselves", "ours"]),
        (Stand::They, _) if name.is_some() && case != PronounCase::Possessive => {
            return name.unwrap_or_default().to_owned();
        }
        (Stand::They, _) | (Stand::Other, Referent::Both(_)) => {
            return pick(["they", "them", "their", "themselves", "theirs"]);
        }
        (Stand::Other, Referent::One(other)) => *other,
    };
    match name {
        // "The fox" is "the fox" within a sentence.
        Some(name) if case == PronounCase::Possessive => possessive(&name.replacen("The ", "the ", 1)),
        Some(name) => name.replacen("The ", "the ", 1),
        None if again || case == PronounCase::Reflexive => match saying.people.get(other).pronoun {
            Some(super::people::Pronoun::He) => pick(["he", "him", "his", "himself", "his"]),
            Some(super::people::Pronoun::She) => pick(["she", "her", "her", "herself", "hers"]),
            None => pick(["they", "them", "their", "themselves", "theirs"]),
        },
        None if matches!(case, PronounCase::Possessive | PronounCase::Alone) => {
            possessive(&saying.name(other))
        }
        None => saying.name(other),
    }
}

fn possessive(name: &str) -> String {
    if name.ends_with('s') { format!("{name}'") } else { format!("{name}'s") }
}

/// A verb as it goes with who does it.
fn agreed(word: &str, stand: Stand) -> String {
    let lower = word.to_lowercase();
    let pick = |i: &str, you: &str, other: &str| match stand {
        Stand::I => i.to_owned(),
        Stand::You | Stand::We | Stand::They => you.to_owned(),
        Stand::Other => other.to_owned(),
    };
    match &*lower {
        "is" | "are" | "am" => pick("am", "are", "is"),
        "was" | "were" => pick("was", "were", "was"),
        "isn't" | "aren't" => pick("am not", "aren't", "isn't"),
        "wasn't" | "weren't" => pick("wasn't", "weren't", "wasn't"),
        "has" | "have" => pick("have", "have", "has"),
        "hasn't" | "haven't" => pick("haven't", "haven't", "hasn't"),
        "does" | "do" => pick("do", "do", "does"),
        "doesn't" | "don't" => pick("don't", "don't", "doesn't"),
        _ if stand == Stand::Other => lower,
        _ => match verb(&lower) {
            Some((base, VerbForm::Third)) => base,
            Some(_) => lower,
            None if WORDS.auxiliaries.has(&lower) => lower,
            None => super::lexicon::base_of_third(&lower).unwrap_or(lower),
        },
    }
}

/// Spoken rather than written: "I am" is "I'm".
pub fn contracted(text: &str) -> String {
    const PAIRS: [(&str, &str); 20] = [
        ("I am ", "I'm "),
        ("I will ", "I'll "),
        ("I have been ", "I've been "),
        ("I have had ", "I've had "),
        ("I have never ", "I've never "),
        ("ou are ", "ou're "),
        ("ou will ", "ou'll "),
        ("ou have been ", "ou've been "),
        ("do not ", "don't "),
        ("does not ", "doesn't "),
        ("did not ", "didn't "),
        ("will not ", "won't "),
        ("would not ", "wouldn't "),
        ("could not ", "couldn't "),
        ("cannot ", "can't "),
        ("is not ", "isn't "),
        ("are not ", "aren't "),
        ("was not ", "wasn't "),
        ("have not ", "haven't "),
        ("we are ", "we're "),
    ];
    PAIRS.iter().fold(text.to_owned(), |text, (long, short)| text.replace(long, short))
}

/// A text with its first letter as at the beginning of a sentence.
pub fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| first.to_uppercase().chain(chars).collect())
}
