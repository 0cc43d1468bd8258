//! A sentence with everybody in it told apart: who is meant by names and pronouns, and which verbs belong to them.
//!
//! Pronouns go by their role: "he" and "his" are the clause's subject where that can be, "him" is not. What stays
//! unsure makes the clause unsayable, unless it is about people outside anyway.

mod names;
mod pronouns;

use pronouns::{Resolved, case_of, names_several, plural, spread};

use super::{
    lexicon::{VerbForm, WORDS, base_of_third, is_finite, verb},
    people::{Pronoun, StoryPeople, kin_pronoun, pronoun},
    sentence::{TokenSentence, WordToken},
};

/// Somebody of the cast, or two of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Referent {
    One(usize),
    Both(Vec<usize>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PronounCase {
    Subject,
    Object,
    Possessive,
    /// "the house is hers"
    Alone,
    Reflexive,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ClauseWord {
    Plain(WordToken),
    Person {
        who: Referent,
        case: PronounCase,
        /// As written, where it is no pronoun.
        name: Option<String>,
        /// So many words before it say who that is ("her brother" Tom): left out where "I" or "you" stand for it.
        titled: usize,
        after: String,
    },
    /// A verb that agrees with a person.
    Verb {
        of: Referent,
        token: WordToken,
    },
}

/// How a clause tells what it tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tense {
    Past,
    Present,
    /// "has sold", "is failing", "must go".
    Auxiliary,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Clause {
    pub(super) words: Vec<ClauseWord>,
    /// Who the sentence begins with, if that is one of the cast.
    pub(super) subject: Option<usize>,
    /// Where the subject's verb stands, its base, and its tense.
    pub(super) verb: Option<(usize, String, Tense)>,
    pub(super) finite: bool,
    /// ", his manager,": left out where "I" or "you" stand before it.
    pub(super) apposition: Option<std::ops::Range<usize>>,
}

impl Clause {
    /// Whether its "has" helps another verb: "has sold", not "has a house".
    pub(super) fn is_perfect(&self) -> bool {
        let Some((at, base, Tense::Auxiliary)) = &self.verb else { return false };
        let next = self.words[at + 1..].iter().find_map(|word| match word {
            ClauseWord::Plain(token) => Some(token.lower()).filter(|word| !WORDS.is_adverb(word)),
            _ => Some(String::new()),
        });
        base == "have"
            && next.is_some_and(|word| {
                word == "been"
                    || word.ends_with("ed")
                    || verb(&word)
                        .is_some_and(|(_, form)| matches!(form, VerbForm::Past | VerbForm::Participle))
            })
    }
}

/// Whose text a sentence stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ToldBy {
    /// Everybody's: there is no "you" in it.
    Publicly,
    /// A sheet's: "you", and a sentence without a subject, are its owner.
    OfOwner(usize),
}

/// Reads a sentence. `before` is who the sentence before it was about.
pub(super) fn read(
    sentence: &TokenSentence,
    people: &StoryPeople,
    told: ToldBy,
    before: Option<usize>,
) -> Option<Clause> {
    read_of(sentence, people, told, before, None)
}

/// Reads words that somebody does without being named in them: "marry her", "losing his key".
pub(super) fn read_of(
    sentence: &TokenSentence,
    people: &StoryPeople,
    told: ToldBy,
    before: Option<usize>,
    implied: Option<usize>,
) -> Option<Clause> {
    let mut tokens = spread(&sentence.tokens);
    let mut reader = ClauseReader {
        people,
        told,
        before,
        words: Vec::new(),
        seen: implied.into_iter().collect(),
        outsiders: false,
        subject: implied.map(Referent::One),
        expects: None,
        first: None,
        verb: None,
        finite: false,
        below: false,
        rivals: Vec::new(),
        addressed: false,
        apposed: false,
        apposition: None,
    };
    reader.begin(&tokens)?;
    if let (Some(_), Some(first)) = (reader.first, tokens.first_mut()) {
        // The subject that the author left out stands before it now.
        first.text = first.lower();
    }
    let mut at = 0;
    while at < tokens.len() {
        at += reader.take(&tokens, at)?;
    }
    let ClauseReader { words, first, verb, finite, apposition, .. } = reader;
    Some(Clause { words, subject: first, verb, finite, apposition })
}

struct ClauseReader<'a> {
    people: &'a StoryPeople,
    told: ToldBy,
    before: Option<usize>,
    words: Vec<ClauseWord>,
    /// Who was named so far.
    seen: Vec<usize>,
    /// Whether somebody outside the cast was.
    outsiders: bool,
    /// The subject of the clause we are in.
    subject: Option<Referent>,
    /// Whose verb comes next.
    expects: Option<Referent>,
    first: Option<usize>,
    verb: Option<(usize, String, Tense)>,
    finite: bool,
    /// Behind "after", "that" or "which", up to the next comma: a verb there is not the sentence's.
    below: bool,
    /// Of which of them a pronoun tells: "his father's silence … his shouting".
    rivals: Vec<Pronoun>,
    /// The owner is "you" here, and so neither "he" nor "she".
    addressed: bool,
    /// We are between the commas of "Alice, his manager, …".
    apposed: bool,
    apposition: Option<std::ops::Range<usize>>,
}

impl ClauseReader<'_> {
    /// A sentence without a subject is about the owner of its sheet.
    fn begin(&mut self, tokens: &[WordToken]) -> Option<()> {
        let first = tokens.first()?.lower();
        let owner = match self.told {
            ToldBy::OfOwner(owner) => owner,
            ToldBy::Publicly => return (!matches!(&*first, "it" | "this" | "these" | "those")).then_some(()),
        };
        let lead = tokens.iter().map(WordToken::lower).find(|word| !WORDS.is_adverb(word))?;
        let known = verb(&lead).filter(|(_, form)| *form != VerbForm::Participle);
        // "Broke his leg" tells what was done, "broke" alone what somebody is.
        let owns_next =
            tokens.get(1).is_some_and(|next| WORDS.determiners.has(&next.lower())) && known.is_some();
        let (begins, helper) = match () {
            () if self.people.mention(tokens, 0).is_some() || matches!(&*first, "you" | "he" | "she") => {
                (false, "")
            }
            // "Both are true."
            () if WORDS.determiners.has(&first) => (false, ""),
            // "Learned, vain, frightened" is a list.
            () if tokens[0].after.contains(',') => (false, ""),
            () if (WORDS.states.has(&first) || WORDS.states.has(&lead)) && !owns_next => (true, "am"),
            () if WORDS.happened.has(&lead) && known.as_ref().is_none_or(|_| passive(tokens)) => {
                (true, "was")
            }
            () if known.is_some_and(|(_, form)| matches!(form, VerbForm::Third | VerbForm::Past)) => {
                (true, "")
            }
            () => (false, ""),
        };
        if matches!(&*first, "it" | "this" | "that" | "these" | "those" | "they") {
            return None;
        }
        if begins {
            let me = Referent::One(owner);
            self.person(me.clone(), PronounCase::Subject, None, String::new());
            if helper.is_empty() {
                self.expects = Some(me);
            } else {
                self.verb = Some((self.words.len(), "be".to_owned(), Tense::Auxiliary));
                self.words.push(ClauseWord::Verb { of: me, token: WordToken::new(helper) });
                self.finite = true;
            }
        }
        Some(())
    }

    fn person(&mut self, who: Referent, case: PronounCase, name: Option<String>, after: String) {
        if let Referent::One(one) = who {
            if self.words.is_empty() && case == PronounCase::Subject {
                self.first = Some(one);
            }
            if !self.seen.contains(&one) {
                self.seen.push(one);
            }
        }
        if case == PronounCase::Subject {
            self.subject = Some(who.clone());
            self.expects = Some(who.clone());
            self.apposed = after == ",";
            if self.apposed && self.apposition.is_none() {
                let from = self.words.len() + 1;
                self.apposition = Some(from..from);
            }
        }
        self.words.push(ClauseWord::Person { who, case, name, titled: 0, after });
    }

    /// Reads on at a token; says how many were read, or nothing if it cannot be told who is meant.
    fn take(&mut self, tokens: &[WordToken], at: usize) -> Option<usize> {
        let token = &tokens[at];
        let lower = token.lower();
        if let Some(mention) = self.people.mention(tokens, at) {
            let last = &tokens[at + mention.len - 1];
            if self.is_more_of_a_name(mention.who, token, last) {
                return Some(mention.len);
            }
            if self.is_place(tokens, at + mention.len) {
                for word in &tokens[at..=at + mention.len] {
                    self.words.push(ClauseWord::Plain(word.clone()));
                }
                return Some(mention.len + 1);
            }
            let name: Vec<&str> =
                tokens[at..at + mention.len].iter().map(|token| token.text.as_str()).collect();
            let introduced = self.introduced(last);
            let case = match () {
                () if last.is_possessive() => PronounCase::Possessive,
                () if introduced > 0 || self.is_subject(tokens, at, mention.len) => PronounCase::Subject,
                () => PronounCase::Object,
            };
            if let Some((other, len)) = self
                .pair(tokens, at + mention.len)
                .filter(|_| case != PronounCase::Possessive && last.after.is_empty())
            {
                let both = Referent::Both(vec![mention.who, other]);
                let names: Vec<&str> =
                    tokens[at..at + mention.len + len].iter().map(|token| token.text.as_str()).collect();
                let after = tokens[at + mention.len + len - 1].after.clone();
                let case = if self.is_subject(tokens, at, mention.len + len) {
                    PronounCase::Subject
                } else {
                    PronounCase::Object
                };
                for who in [mention.who, other] {
                    if !self.seen.contains(&who) {
                        self.seen.push(who);
                    }
                }
                self.person(both, case, Some(names.join(" ")), after);
                return Some(mention.len + len);
            }
            // "Priyanka from human resources has …": the verb is too far away to be sure of.
            if at == 0 && case == PronounCase::Object && self.subject.is_none() {
                return None;
            }
            // "to Maud, his housekeeper": what somebody is, up to the next comma.
            let next = tokens.get(at + mention.len).map(WordToken::lower).unwrap_or_default();
            if case == PronounCase::Object
                && last.after == ","
                && (matches!(&*next, "the" | "a" | "an") || pronoun(&next).is_some())
                && self.apposition.is_none()
            {
                let from = self.words.len() + 1;
                self.apposition = Some(from..from);
                self.apposed = true;
            }
            let name = name.join(" ");
            let name = if case == PronounCase::Possessive {
                let bare = name.strip_suffix("'s").or(name.strip_suffix("’s"));
                bare.unwrap_or(name.trim_end_matches(['\'', '’'])).to_owned()
            } else {
                name
            };
            let later = tokens[at + mention.len..].iter().filter(|token| is_finite(&token.lower())).count();
            let title = introduced.max(self.title_before(later == 1));
            self.person(Referent::One(mention.who), case, Some(name), last.after.clone());
            self.apposed &= introduced == 0;
            if let Some(ClauseWord::Person { titled, .. }) = self.words.last_mut() {
                *titled = title;
            }
            return Some(mention.len);
        }
        if let (ToldBy::OfOwner(owner), Some(case)) = (self.told, self.second_person(tokens, at)) {
            self.addressed = true;
            self.person(Referent::One(owner), case, None, token.after.clone());
            return Some(1);
        }
        if lower.starts_with("you") && self.told == ToldBy::Publicly && matches!(&*lower, "you" | "your") {
            return None;
        }
        if let Some(gender) = pronoun(&lower) {
            let before = at.checked_sub(1).map(|before| tokens[before].lower());
            let case = case_of(&lower, token, &tokens[at + 1..], before.as_deref());
            let resolved = match self.relieved(gender, case) {
                Some(who) => Resolved::To(Referent::One(who)),
                None => self.resolve(gender, case),
            };
            match resolved {
                Resolved::To(who) => self.person(who, case, None, token.after.clone()),
                Resolved::Outside => self.plain(token, &lower, false),
                Resolved::Unsure => return None,
            }
            return Some(1);
        }
        if let Some(case) = plural(&lower) {
            let everybody = self.people.len() == 2 && self.told == ToldBy::Publicly;
            let both = self
                .words
                .iter()
                .any(|word| matches!(word, ClauseWord::Person { who: Referent::Both(_), .. }));
            if everybody && (at == 0 || both || self.seen.len() == 2) {
                self.person(Referent::Both(vec![0, 1]), case, None, token.after.clone());
                return Some(1);
            }
            // "their father" of people the sentence does not name may be anybody's.
            let somebodys = !self.seen.is_empty() || matches!(self.told, ToldBy::OfOwner(_));
            if at == 0 || somebodys && !names_several(&tokens[..at]) {
                return None;
            }
        }
        // "her brother Tom": who that is stands next.
        let titles = token.after.is_empty()
            && WORDS.is_kin(&lower)
            && at + 1 < tokens.len()
            && self.people.mention(tokens, at + 1).is_some();
        self.plain(token, &lower, titles);
        Some(1)
    }

    fn plain(&mut self, token: &WordToken, lower: &str, titles: bool) {
        let finite = is_finite(lower) && !self.below;
        let joint = WORDS.joints.has(lower) && !matches!(lower, "and" | "but" | "or" | "then" | "so" | "yet");
        self.below = (self.below || joint || lower == "which") && !token.after.contains(',');
        let bare = lower.strip_suffix("'s").unwrap_or(lower);
        // "The last governess left without her trunk."
        let begins = self.first.is_none() && self.words.len() < 4 && WORDS.persons.has(bare);
        if !titles && (at_name(token, self.words.is_empty()) || WORDS.is_kin(bare) || begins) {
            self.outsiders = true;
            self.rivals.extend(kin_pronoun(bare));
        }
        if self.apposed {
            self.apposed = !token.after.contains(',');
            self.words.push(ClauseWord::Plain(token.clone()));
            if let Some(apposition) = &mut self.apposition {
                apposition.end = self.words.len();
            }
            return;
        }
        // The clause's verb, perhaps behind an adverb.
        if let Some(of) = self.expects.clone() {
            let third = is_finite(lower) || base_of_third(lower).is_some() && !WORDS.is_adverb(lower);
            let you_form = matches!(self.told, ToldBy::OfOwner(_)) && verb(lower).is_some();
            if third || you_form {
                if self.verb.is_none() && self.first.is_some() {
                    self.verb = Some((self.words.len(), base(lower), tense(lower)));
                }
                self.finite = true;
                self.expects = None;
                self.words.push(ClauseWord::Verb { of, token: token.clone() });
                return;
            }
            if !WORDS.is_adverb(lower) {
                self.expects = None;
            }
        }
        self.finite |= finite;
        // "to you, who were not told"
        if let ("who", Some(ClauseWord::Person { who, .. })) = (lower, self.words.last()) {
            self.expects = Some(who.clone());
            self.words.push(ClauseWord::Plain(token.clone()));
            return;
        }
        // "… and runs the mill": a second verb of the same subject.
        let joined = match self.words.last() {
            Some(ClauseWord::Plain(last)) => {
                matches!(&*last.lower(), "and" | "but" | "or" | "then" | "who") || last.after == ","
            }
            Some(
                ClauseWord::Person { after, .. } | ClauseWord::Verb { token: WordToken { after, .. }, .. },
            ) => after == ",",
            None => false,
        };
        let third = verb(lower).is_some_and(|(_, form)| form == VerbForm::Third)
            || matches!(
                lower,
                "has" | "is" | "was" | "were" | "wasn't" | "weren't" | "isn't" | "hasn't" | "doesn't"
            );
        let of = self.subject.clone().or_else(|| self.first.filter(|_| self.resumes()).map(Referent::One));
        if joined
            && third
            && let Some(of) = of
        {
            self.words.push(ClauseWord::Verb { of, token: token.clone() });
            return;
        }
        // Another subject, that is none of the cast, has verbs of its own. ("before," joins nothing.)
        if WORDS.joints.has(lower)
            && token.after.is_empty()
            && !matches!(lower, "and" | "but" | "or" | "then")
            || (joined && WORDS.determiners.has(lower))
        {
            self.subject = None;
        }
        self.words.push(ClauseWord::Plain(token.clone()));
    }

    /// Behind ", and" the sentence's own subject goes on, whoever it spoke of in between.
    fn resumes(&self) -> bool {
        let mut last = self.words.iter().rev();
        let joint = last.next().is_some_and(
            |word| matches!(word, ClauseWord::Plain(token) if matches!(&*token.lower(), "and" | "but")),
        );
        let comma = last.next().is_some_and(|word| match word {
            ClauseWord::Plain(token) | ClauseWord::Verb { token, .. } => token.after == ",",
            ClauseWord::Person { after, .. } => after == ",",
        });
        joint && comma
    }
}

/// Whether a word names somebody outside the cast.
fn at_name(token: &WordToken, first: bool) -> bool {
    !first && token.is_capitalised() && token.text != "I" && !WORDS.is_calendar(&token.lower())
}

fn base(lower: &str) -> String {
    verb(lower).map(|(base, _)| base).or_else(|| base_of_third(lower)).unwrap_or_else(|| lower.to_owned())
}

fn tense(lower: &str) -> Tense {
    match verb(lower) {
        _ if WORDS.auxiliaries.has(lower) => Tense::Auxiliary,
        Some((_, VerbForm::Past | VerbForm::Participle)) => Tense::Past,
        _ => Tense::Present,
    }
}

fn passive(tokens: &[WordToken]) -> bool {
    let next = tokens.get(1).map(WordToken::lower).unwrap_or_default();
    matches!(
        &*next,
        "by" | "in" | "at" | "from" | "for" | "up" | "on" | "as" | "to" | "with" | "over" | "that"
    )
}
