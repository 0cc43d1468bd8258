//! What a story holds: who did, is, wants, hides and knows what, where that is written, and who may know it.

use super::{
    clause::{self, Clause, Tense, ToldBy},
    lexicon::{WORDS, content_words, stem, verb},
    mouth::Saying,
    people::{Pronoun, StoryPeople},
    sentence::{TokenSentence, WordToken, sentences},
    things,
};
use crate::sheet::Sheet;

/// What kind of thing a fact tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FactKind {
    Did,
    /// How things stand.
    Is,
    Wants,
    Hides,
}

/// Where a fact is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FactSource {
    Prompt,
    Setting,
    Sheet,
    Event,
}

/// Something that is so in the story.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoryFact {
    /// Whom it is about, by place in the cast.
    pub who: Option<usize>,
    pub kind: FactKind,
    pub source: FactSource,
    /// The only one who knows it; nobody in particular where all do.
    pub known_to: Option<usize>,
    /// The stems of what it is about, sorted: by them a fact is known again in other words.
    pub about: Vec<String>,
    clause: Clause,
}

impl StoryFact {
    /// As a sentence of who says it to whom, without its full stop.
    pub fn said(&self, saying: Saying<'_>) -> String {
        self.clause.said(saying)
    }

    /// The same, up to its first pause.
    pub fn said_briefly(&self, saying: Saying<'_>) -> String {
        self.clause.said_briefly(saying)
    }

    /// Whether it names somebody, other than as the owner of something.
    pub fn names(&self, who: usize) -> bool {
        self.clause.words.iter().any(|word| {
            matches!(word, clause::ClauseWord::Person { who: clause::Referent::One(one), case, .. }
                if *one == who && *case != clause::PronounCase::Possessive)
        })
    }

    /// The base of its subject's verb: "see" of "saw it".
    pub fn verb(&self) -> Option<&str> {
        self.clause.verb.as_ref().map(|(_, base, _)| base.as_str())
    }

    /// "did you miss the date", for a question about it.
    pub fn asked(&self, saying: Saying<'_>) -> Option<String> {
        self.clause.asked(saying)
    }
}

/// What stands in a sheet, sorted by what can be done with it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SheetMaterial {
    pub facts: Vec<StoryFact>,
    /// Lines that the author wrote for this character, word for word.
    pub says: Vec<String>,
    /// What the sheet tells of how it talks and is, as written.
    pub manner: Vec<String>,
}

/// A fact that is longer cannot be listened to.
const LONGEST_WORDS: usize = 30;
const SHORTEST_WORDS: usize = 3;

/// The facts of a text that all may read. What its author says that somebody keeps from the others is known to
/// that one alone.
pub(super) fn told_to_all(text: &str, source: FactSource, people: &StoryPeople) -> Vec<StoryFact> {
    let mut before = None;
    let mut facts = Vec::new();
    // A setting begins with the name of a place.
    let from = usize::from(source == FactSource::Setting);
    let mut thing: Option<String> = None;
    for sentence in split(sentences(text)).into_iter().skip(from) {
        let hides = tells_of_hiding(&sentence);
        let sentence = without_silence(named(sentence, thing.as_deref(), people));
        // Of two things it may be either.
        thing = match &things::things(&text_of(&sentence).replace("the same ", "the "), people)[..] {
            [] => thing,
            [only] => Some(only.clone()),
            _ => None,
        };
        let clause = clause::read(&sentence, people, ToldBy::Publicly, before);
        if let Some(clause) = &clause {
            before = clause.subject.or(before);
        }
        let Some(clause) = clause.filter(|clause| is_sayable(clause, &sentence)) else { continue };
        if !is_stage_direction(&clause) {
            let known_to = clause.subject.filter(|_| hides);
            let mut fact = fact(clause, &sentence, source, known_to);
            if known_to.is_some() {
                fact.kind = FactKind::Hides;
            }
            facts.push(fact);
        }
    }
    facts
}

/// "… and has told nobody" is for its reader, and not for whom it is told to.
fn without_silence(mut sentence: TokenSentence) -> TokenSentence {
    let words: Vec<String> = sentence.tokens.iter().map(WordToken::lower).collect();
    let tail = words.windows(3).position(|three| {
        three[0] == "and"
            && matches!(&*three[1], "has" | "have")
            && matches!(&*three[2], "told" | "not" | "never")
    });
    if let Some(end) = tail.filter(|_| tells_of_hiding(&sentence)) {
        sentence.tokens.truncate(end);
    }
    sentence
}

/// A sentence on its own has nobody know what "it" is: the one thing that the
/// sentence before spoke of stands there instead.
fn named(mut sentence: TokenSentence, thing: Option<&str>, people: &StoryPeople) -> TokenSentence {
    let at = sentence.tokens.iter().position(|token| token.lower() == "it");
    let (Some(at), Some(thing)) = (at.filter(|at| *at > 0), thing) else { return sentence };
    let before: Vec<&str> = sentence.tokens[..at].iter().map(|token| token.text.as_str()).collect();
    let object = verb(&sentence.tokens[at - 1].lower()).is_some();
    if !object || !things::things(&before.join(" "), people).is_empty() {
        return sentence;
    }
    let after = std::mem::take(&mut sentence.tokens[at].after);
    let words = thing.split(' ').filter(|word| !matches!(*word, "a" | "an" | "the"));
    let mut tokens: Vec<WordToken> = std::iter::once("the").chain(words).map(WordToken::new).collect();
    if let Some(last) = tokens.last_mut() {
        last.after = after;
    }
    sentence.tokens.splice(at..=at, tokens);
    sentence
}

/// Whether a sentence says of itself that others are not to know it: "… and has told nobody".
fn tells_of_hiding(sentence: &TokenSentence) -> bool {
    let words: Vec<String> = sentence.tokens.iter().map(WordToken::lower).collect();
    let text = format!(" {} ", words.join(" "));
    let is_said = |sign: &String| match sign.contains(' ') {
        true => text.contains(&format!(" {sign} ")),
        false => words.iter().any(|word| stem(word) == stem(sign)),
    };
    WORDS.hiding.iter().any(is_said)
}

/// What a sheet holds for the one it is of.
pub(super) fn told_to_one(sheet: &Sheet, owner: usize, people: &StoryPeople) -> SheetMaterial {
    let mut material = SheetMaterial::default();
    for section in &sheet.sections {
        let heading = section.heading.to_lowercase();
        let is = |parts: &[String]| parts.iter().any(|part| heading.contains(part.as_str()));
        if is(&WORDS.headings.says) && !heading.contains("how") {
            material.says.extend(section.points.iter().filter_map(|point| own_line(point)));
            continue;
        }
        let place = SheetPlace {
            owner,
            people,
            voice: is(&WORDS.headings.voice),
            secret: is(&WORDS.headings.secret),
            wants: is(&WORDS.headings.wants),
        };
        if place.voice {
            material.manner.extend(section.points.iter().cloned());
        }
        let mut before = Some(owner);
        for point in &section.points {
            place.read(point, &mut before, &mut material.facts);
        }
    }
    material
}

/// A line for the character to say, without the quotes it may stand in.
fn own_line(point: &str) -> Option<String> {
    let line = point.trim().trim_matches(['"', '“', '”']).trim();
    let plain = !line.contains(['"', '“', '”', '[', ']', '*', '\n']);
    (plain && line.contains(' ')).then(|| line.to_owned())
}

struct SheetPlace<'a> {
    owner: usize,
    people: &'a StoryPeople,
    voice: bool,
    secret: bool,
    wants: bool,
}

impl SheetPlace<'_> {
    fn read(&self, point: &str, before: &mut Option<usize>, facts: &mut Vec<StoryFact>) {
        let lower = point.to_lowercase();
        // "When angry: speaks faster" is played, not said.
        if lower.starts_with("when ") || lower.starts_with("default ") || lower.starts_with("if ") {
            return;
        }
        let labelled_secret = lower.starts_with("secret");
        for sentence in split(sentences(point)) {
            let sentence = if self.wants { wanted(sentence) } else { sentence };
            let (sentence, uncovered) = uncovered(sentence);
            let Some(clause) = clause::read(&sentence, self.people, ToldBy::OfOwner(self.owner), *before)
            else {
                continue;
            };
            *before = clause.subject.or(*before);
            if !is_sayable(&clause, &sentence) || self.is_played(&clause, &sentence) {
                continue;
            }
            let mut fact = fact(clause, &sentence, FactSource::Sheet, Some(self.owner));
            if self.secret || labelled_secret || uncovered {
                fact.kind = FactKind::Hides;
            }
            facts.push(fact);
        }
    }

    /// Whether this says how somebody is played, rather than what is so.
    fn is_played(&self, clause: &Clause, sentence: &TokenSentence) -> bool {
        let Some((_, base, tense)) = &clause.verb else {
            let first = sentence.tokens.first().map(WordToken::lower).unwrap_or_default();
            let begins = WORDS.determiners.has(&first)
                || matches!(&*first, "there" | "nobody" | "somebody" | "everybody" | "everyone");
            return self.voice || !begins;
        };
        let own = clause.subject == Some(self.owner);
        if self.voice {
            return !(own
                && *tense == Tense::Present
                && matches!(
                    &**base,
                    "want"
                        | "believe"
                        | "hate"
                        | "love"
                        | "fear"
                        | "dislike"
                        | "need"
                        | "owe"
                        | "trust"
                        | "miss"
                ));
        }
        let second = sentence.tokens.first().is_some_and(|token| token.lower() == "you");
        let habit = sentence.tokens.iter().any(|token| token.lower() == "when");
        own && *tense == Tense::Present
            && (WORDS.playing.has(base) && (second || !WORDS.standing.has(base)) || habit)
    }
}

/// "Hides that he sold it" and "Nobody knows that he sold it" hold the same secret: "he sold it".
fn uncovered(sentence: TokenSentence) -> (TokenSentence, bool) {
    const FAR: usize = 6;
    let that = sentence.tokens.iter().take(FAR).position(|token| token.lower() == "that");
    let hides = |at: &usize| {
        let before: Vec<String> = sentence.tokens[..*at].iter().map(WordToken::lower).collect();
        let before = before.join(" ");
        ["hide", "hiding", "conceal", "knows", "told", "secret"].iter().any(|sign| before.contains(sign))
            && WORDS.hiding.iter().any(|sign| before.contains(sign.as_str()))
    };
    match that.filter(hides) {
        Some(at) if at + 2 < sentence.tokens.len() => {
            (TokenSentence { tokens: sentence.tokens[at + 1..].to_vec(), question: false }, true)
        }
        _ => (sentence, false),
    }
}

/// Under "Wants", "To sell the house" and "The house" are what somebody wants.
fn wanted(sentence: TokenSentence) -> TokenSentence {
    let Some(first) = sentence.tokens.first().map(WordToken::lower) else { return sentence };
    let mut tokens = vec![WordToken::new("You"), WordToken::new("want")];
    let rest = sentence.tokens.clone();
    match () {
        () if first == "to" || WORDS.determiners.has(&first) => {}
        () if verb(&first).is_some_and(|(base, _)| base == first) => tokens.push(WordToken::new("to")),
        () => return sentence,
    }
    let mut rest = rest;
    rest[0].text = rest[0].lower();
    tokens.extend(rest);
    TokenSentence { tokens, question: sentence.question }
}

fn fact(clause: Clause, sentence: &TokenSentence, source: FactSource, known_to: Option<usize>) -> StoryFact {
    let text = text_of(sentence).to_lowercase();
    let kind = match &clause.verb {
        _ if known_to.is_some() && tells_of_hiding(sentence) => FactKind::Hides,
        // Whom somebody loves is not said in passing.
        _ if text.contains("in love") || text.contains(" loves ") => FactKind::Hides,
        Some((_, base, _)) if WORDS.wanting.has(base) => FactKind::Wants,
        Some((_, _, Tense::Past)) => FactKind::Did,
        Some(_) if clause.is_perfect() => FactKind::Did,
        _ => FactKind::Is,
    };
    let told: Vec<String> = clause
        .words
        .iter()
        .filter_map(|word| match word {
            clause::ClauseWord::Plain(token) | clause::ClauseWord::Verb { token, .. } => Some(token.lower()),
            clause::ClauseWord::Person { .. } => None,
        })
        .collect();
    let mut about = content_words(&told.join(" "));
    about.sort_unstable();
    about.dedup();
    StoryFact { who: clause.subject, kind, source, known_to, about, clause }
}

fn is_sayable(clause: &Clause, sentence: &TokenSentence) -> bool {
    let words = sentence.tokens.len();
    let plain = sentence
        .tokens
        .iter()
        .all(|token| token.is_plain() && token.after.chars().all(|c| matches!(c, ',' | ':' | '-')));
    let first = sentence.tokens.first().map(WordToken::lower).unwrap_or_default();
    let begins = !matches!(
        &*first,
        "and"
            | "or"
            | "which"
            | "who"
            | "whose"
            | "where"
            | "because"
            | "than"
            | "nor"
            | "if"
            | "when"
            | "once"
            | "unless"
            | "whenever"
    );
    clause.finite
        && plain
        && begins
        && !sentence.question
        && (SHORTEST_WORDS..=LONGEST_WORDS).contains(&words)
}

/// "Alice confronts him" is what will be seen; "Alice runs the bakery" is how things stand.
fn is_stage_direction(clause: &Clause) -> bool {
    match &clause.verb {
        Some((_, base, Tense::Present)) => !WORDS.standing.has(base),
        Some((at, base, Tense::Auxiliary)) => {
            // "Charlie is present as a witness."
            // What somebody is, those who are there know: "Dex is the driver."
            let next = clause.words.get(at + 1);
            let owned = matches!(
                next,
                Some(clause::ClauseWord::Person { case: clause::PronounCase::Possessive, .. })
            );
            base == "be"
                && (owned
                    || matches!(next, Some(clause::ClauseWord::Plain(token)) if matches!(&*token.lower(), "present" | "there" | "here" | "the" | "a" | "an")))
        }
        _ => false,
    }
}

/// Parts that can be said on their own: what stands before and behind a colon or a dash, or "and" with a new subject.
fn split(sentences: Vec<TokenSentence>) -> Vec<TokenSentence> {
    let mut parts = Vec::new();
    for sentence in sentences {
        let mut tokens: Vec<WordToken> = Vec::new();
        let all = sentence.tokens;
        for (at, token) in all.iter().enumerate() {
            let ends = token.after.contains([':', '—', '–']);
            let joins = token.after == ","
                && all.get(at + 1).is_some_and(|next| matches!(&*next.lower(), "and" | "but"))
                && all.get(at + 2).is_some_and(|next| {
                    matches!(&*next.lower(), "he" | "she" | "you" | "they") || next.is_capitalised()
                })
                && at >= 3
                && !all[at + 2..]
                    .iter()
                    .any(|token| matches!(&*token.lower(), "it" | "them" | "they" | "that" | "this"));
            tokens.push(token.clone());
            if ends || joins {
                if let Some(last) = tokens.last_mut() {
                    last.after.clear();
                }
                parts.push(TokenSentence { tokens: std::mem::take(&mut tokens), question: false });
            }
        }
        let joined =
            tokens.first().is_some_and(|token| matches!(&*token.lower(), "and" | "but")) && !parts.is_empty();
        if joined {
            tokens.remove(0);
        }
        if !tokens.is_empty() {
            parts.push(TokenSentence { tokens, question: sentence.question });
        }
    }
    parts
}

fn text_of(sentence: &TokenSentence) -> String {
    let words: Vec<&str> = sentence.tokens.iter().map(|token| token.text.as_str()).collect();
    words.join(" ")
}

/// By which pronoun a sheet speaks of its owner: what its sentences begin with, or else what they say is the owner's, in
/// sentences that name nobody else.
pub(super) fn pronoun_in(sheet: &Sheet, people: &StoryPeople, owner: usize) -> Option<Pronoun> {
    const BEGINS: usize = 3;
    let points = sheet.sections.iter().flat_map(|section| &section.points);
    let own = points.flat_map(|point| sentences(point)).filter(|sentence| {
        let named =
            |at: usize| people.mention(&sentence.tokens, at).is_some_and(|mention| mention.who != owner);
        let outsider =
            |at: usize| at > 0 && sentence.tokens[at].is_capitalised() && sentence.tokens[at].text != "I";
        !(0..sentence.tokens.len()).any(|at| named(at) || outsider(at))
    });
    let mut counts = [0usize; 2];
    for sentence in own {
        for (at, token) in sentence.tokens.iter().enumerate() {
            let lower = token.lower();
            let Some(pronoun) = super::people::pronoun(&lower) else { continue };
            let weight = match &*lower {
                "he" | "she" if at == 0 => BEGINS,
                "his" | "himself" | "herself" => 1,
                "her" => usize::from(super::people::owns_or_acts("her", sentence.tokens.get(at + 1))),
                _ => 0,
            };
            counts[usize::from(pronoun == Pronoun::She)] += weight;
        }
    }
    match counts {
        [he, she] if he > she => Some(Pronoun::He),
        [he, she] if she > he => Some(Pronoun::She),
        _ => None,
    }
}
