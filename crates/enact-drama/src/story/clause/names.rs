//! Names with what stands around them: "her brother Tom", "the nurse, Ada,", "Helve Brod", "Tom and Ada".

use super::{ClauseReader, ClauseWord, PronounCase, Referent};
use crate::story::{
    lexicon::{WORDS, base_of_third, is_finite, verb},
    sentence::WordToken,
};

impl ClauseReader<'_> {
    /// Whether the one who is named here does what follows.
    pub(super) fn is_subject(&self, tokens: &[WordToken], at: usize, len: usize) -> bool {
        let before = at.checked_sub(1).map(|before| tokens[before].lower());
        let after_preposition = before.as_ref().is_some_and(|before| {
            WORDS.prepositions.has(before) && !WORDS.joints.has(before) || before == "of" || before == "to"
        });
        // "whom everybody calls Ada, …"
        let called =
            before.as_ref().is_some_and(|before| verb(before).is_some() && !WORDS.auxiliaries.has(before));
        if after_preposition || called && tokens[at + len - 1].after == "," {
            return false;
        }
        let mut next = at + len;
        // ", his manager," and "and Tom" stand between a subject and its verb.
        if tokens[next - 1].after == "," {
            let end = tokens[next..].iter().position(|token| token.after == ",").map(|end| next + end + 1);
            next = end.unwrap_or(next);
        }
        while tokens.get(next).is_some_and(|token| WORDS.is_adverb(&token.lower())) {
            next += 1;
        }
        if tokens.get(next).is_some_and(|token| token.lower() == "and")
            && let Some(other) = self.people.mention(tokens, (next + 1).min(tokens.len() - 1))
        {
            next += 1 + other.len;
        }
        let Some(word) = tokens.get(next).map(WordToken::lower) else { return false };
        is_finite(&word) || (at == 0 && base_of_third(&word).is_some())
    }

    /// Whether a name only goes on with one: "Helve Brod", where Brod is her husband's name too, and "the nurse, Ada,".
    pub(super) fn is_more_of_a_name(&mut self, named: usize, token: &WordToken, last: &WordToken) -> bool {
        match self.words.last_mut() {
            Some(ClauseWord::Person { who, name: Some(name), after, .. }) => {
                let other = *who != Referent::One(named);
                let surname = other && after.is_empty() && is_name(name) && token.is_capitalised();
                let again = !other && after == "," && last.after == ",";
                if surname {
                    name.push(' ');
                    name.push_str(&last.text);
                    after.clone_from(&last.after);
                } else if again {
                    after.clear();
                    self.apposed = false;
                    self.apposition = None;
                }
                surname || again
            }
            Some(ClauseWord::Plain(before)) => {
                let surname = before.after.is_empty() && is_name(&before.text) && token.is_capitalised();
                if surname {
                    self.words.push(ClauseWord::Plain(last.clone()));
                }
                surname
            }
            _ => false,
        }
    }

    /// How many words have introduced who is named next: "The archivist, Ada, has …" begins with two.
    pub(super) fn introduced(&self, last: &WordToken) -> usize {
        const LONGEST: usize = 4;
        let plain = |word: &ClauseWord| match word {
            ClauseWord::Plain(token) => Some(token.clone()),
            _ => None,
        };
        let words: Option<Vec<WordToken>> = self.words.iter().map(plain).collect();
        let Some(words) = words.filter(|words| words.len() <= LONGEST) else { return 0 };
        let [first, .., noun] = &words[..] else { return 0 };
        let commas = words.iter().filter(|word| !word.after.is_empty()).count();
        let begins = WORDS.determiners.has(&first.lower()) && noun.after == "," && commas == 1;
        if begins && last.after == "," { words.len() } else { 0 }
    }

    /// How many of the words read last are "her younger brother", said of who is named next.
    pub(super) fn title_before(&self, only_verb: bool) -> usize {
        let plain = |word: &ClauseWord| match word {
            ClauseWord::Plain(token) if token.after.is_empty() => Some(token.lower()),
            _ => None,
        };
        let rank = |word: &&ClauseWord| matches!(word, ClauseWord::Plain(token) if token.is_capitalised() && token.after.is_empty() && WORDS.is_title(&token.lower()));
        let ranks = self.words.iter().rev().take_while(rank).count();
        if ranks > 0 {
            return ranks;
        }
        let mut words = self.words.iter().rev();
        let Some(noun) = words.next().and_then(plain) else { return 0 };
        // "The dragon Skarn has eaten eleven sheep", but not "The sheep Skarn has eaten were mine".
        let named = only_verb && self.words.len() <= 3 && !is_finite(&noun) && !WORDS.determiners.has(&noun);
        if !WORDS.is_kin(&noun) && !named {
            return 0;
        }
        for (adjectives, word) in words.enumerate() {
            let owner = matches!(word, ClauseWord::Person { case: PronounCase::Possessive, .. });
            let word = plain(word).unwrap_or_default();
            match () {
                () if owner || WORDS.determiners.has(&word) => return adjectives + 2,
                () if WORDS.kin_adjectives.has(&word) || named && !word.is_empty() => {}
                () => return 0,
            }
        }
        0
    }

    /// Whether a name goes on with a word that makes a place of it: "Crane House". `next` is where that word stands.
    pub(super) fn is_place(&self, tokens: &[WordToken], next: usize) -> bool {
        let name = &tokens[next - 1];
        name.after.is_empty()
            && !name.is_possessive()
            && tokens.get(next).is_some_and(|token| {
                token.is_capitalised() && token.text != "I" && !WORDS.is_calendar(&token.lower())
            })
            && self.people.mention(tokens, next).is_none()
    }

    /// "and Tom", with how many words that is.
    pub(super) fn pair(&self, tokens: &[WordToken], at: usize) -> Option<(usize, usize)> {
        if tokens.get(at)?.lower() != "and" || at + 1 >= tokens.len() {
            return None;
        }
        let mention = self.people.mention(tokens, at + 1)?;
        (!tokens[at + mention.len].is_possessive()).then_some((mention.who, 1 + mention.len))
    }
}

/// Whether a word can only be somebody's name.
fn is_name(word: &str) -> bool {
    let lower = word.to_lowercase();
    word.starts_with(char::is_uppercase)
        && !WORDS.is_title(&lower)
        && !WORDS.is_calendar(&lower)
        && !WORDS.is_ordinary(&lower)
        && !lower.ends_with("'s")
}
