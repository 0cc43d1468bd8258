//! What was said, as the director reads it: sentences, and their words without marks and capitals.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::LazyLock,
};

use serde::Deserialize;

/// How many words before a phrase can deny it.
const DENIAL_REACH: usize = 3;

/// One sentence.
#[derive(Debug)]
pub(crate) struct SaidSentence<'a> {
    /// As it stands.
    pub(crate) text: &'a str,
    pub(crate) words: Vec<SaidWord>,
    pub(crate) asks: bool,
    /// Whether it only asks to be agreed with: "You took it, didn't you?"
    pub(crate) is_tagged: bool,
}

#[derive(Debug)]
pub(crate) struct SaidWord {
    pub(crate) text: String,
    /// Whether a clause begins with it.
    pub(crate) opens: bool,
}

#[derive(Deserialize)]
struct WordFile {
    abbreviations: BTreeMap<String, String>,
    lists: BTreeMap<String, BTreeSet<String>>,
}

static WORDS: LazyLock<WordFile> =
    LazyLock::new(|| toml::from_str(include_str!("words.toml")).expect("words.toml can be read"));

/// The words of a list of `words.toml`.
pub(crate) fn words_of(list: &str) -> Vec<String> {
    WORDS.lists.get(list).into_iter().flatten().cloned().collect()
}

/// Whether a list of `words.toml` holds a word.
pub(crate) fn is_one_of(list: &str, word: &str) -> bool {
    WORDS.lists.get(list).is_some_and(|words| words.contains(word))
}

/// The sentences of a text. A full stop after an abbreviation, an initial or within a number ends none.
pub(crate) fn sentences(text: &str) -> Vec<SaidSentence<'_>> {
    let mut sentences = Vec::new();
    let mut from = 0;
    for (at, mark) in text.char_indices().filter(|(_, next)| matches!(next, '.' | '!' | '?' | '\n' | '…')) {
        let to = at + mark.len_utf8();
        if mark == '.' && !ends_sentence(&text[from..at], &text[to..]) {
            continue;
        }
        sentences.extend(SaidSentence::of(&text[from..to]));
        from = to;
    }
    sentences.extend(SaidSentence::of(&text[from..]));
    sentences
}

fn ends_sentence(before: &str, after: &str) -> bool {
    if after.starts_with(|next: char| next.is_alphanumeric()) {
        return false;
    }
    let last = before.rsplit(|next: char| !next.is_alphanumeric()).next().unwrap_or_default();
    let goes_on = after.trim_start().starts_with(char::is_alphanumeric);
    let initial = last.len() == 1 && last != "I" && last.chars().all(char::is_uppercase);
    // "No. 7" is a number; "No. I won't." is not.
    let number =
        last.eq_ignore_ascii_case("no") && after.trim_start().starts_with(|c: char| c.is_ascii_digit());
    let known = WORDS.abbreviations.contains_key(&last.to_lowercase())
        && !matches!(last.to_lowercase().as_str(), "no" | "etc");
    !(goes_on && (initial || known) || number)
}

impl SaidSentence<'_> {
    fn of(text: &str) -> Option<SaidSentence<'_>> {
        let text = text.trim();
        let words = said_words(text);
        let asks = text.ends_with('?');
        (!words.is_empty()).then(|| SaidSentence { text, asks, is_tagged: asks && has_tag(&words), words })
    }

    /// Where the clause begins that a word belongs to.
    pub(crate) fn clause_of(&self, at: usize) -> usize {
        (0..=at).rev().find(|at| self.words[*at].opens).unwrap_or(0)
    }

    /// Whether something shortly before a word, in the same clause, denies what begins there.
    pub(crate) fn is_denied(&self, at: usize) -> bool {
        let from = self.clause_of(at).max(at.saturating_sub(DENIAL_REACH));
        self.words[from..at].iter().any(|word| is_one_of("denials", &word.text))
    }

    /// Whether it speaks to a machine rather than to somebody: it has the marks of a program, or asks for what
    /// only a program has.
    pub(crate) fn is_for_machine(&self) -> bool {
        let marked = WORDS.lists["machine_marks"].iter().any(|mark| self.text.contains(mark.as_str()));
        // `accusation_made` is a name in a program; _stay_ is only said with emphasis.
        let letters: Vec<char> = self.text.chars().collect();
        let named = letters
            .windows(3)
            .any(|three| three[1] == '_' && three[0].is_alphanumeric() && three[2].is_alphanumeric());
        let words: Vec<&str> = self.words.iter().map(|word| word.text.as_str()).collect();
        let line = format!(" {} ", words.join(" "));
        marked || named || WORDS.lists["machine"].iter().any(|phrase| line.contains(&format!(" {phrase} ")))
    }

    /// Where a phrase begins that nothing denies.
    pub(crate) fn position(&self, phrase: &[String]) -> Option<usize> {
        let fits = |at: &usize| {
            let window = &self.words[*at..];
            let is_there = window.len() >= phrase.len()
                && window.iter().zip(phrase).all(|(word, own)| word.text == *own);
            // "Should I accuse him?" asks for advice; "is there a letter?" speaks of a letter.
            let advice = phrase.first().is_some_and(|first| first == "i")
                && *at > 0
                && is_one_of("unreal", &self.words[*at - 1].text);
            is_there && !advice && !self.is_denied(*at)
        };
        (!phrase.is_empty()).then(|| (0..self.words.len()).find(fits))?
    }
}

/// Whether the last clause is nothing but "didn't you" or "right".
fn has_tag(words: &[SaidWord]) -> bool {
    let from = words.iter().rposition(|word| word.opens).unwrap_or(0);
    let tag: Vec<&str> = words[from..].iter().map(|word| word.text.as_str()).collect();
    from > 0
        && match tag[..] {
            [word] => is_one_of("tags", word),
            [verb, whom] => is_one_of("tag_verbs", verb) && is_one_of("pronouns", whom),
            _ => false,
        }
}

/// The words of a text, without marks and case, abbreviations written out.
pub(crate) fn words(text: &str) -> Vec<String> {
    said_words(text).into_iter().map(|word| word.text).collect()
}

fn said_words(text: &str) -> Vec<SaidWord> {
    let plain = text.to_lowercase().replace(['\'', '’'], "");
    let mut words: Vec<SaidWord> = Vec::new();
    let (mut word, mut opens) = (String::new(), true);
    for next in plain.chars().chain([' ']) {
        if next.is_alphanumeric() {
            word.push(next);
            continue;
        }
        if !word.is_empty() {
            let text = std::mem::take(&mut word);
            let text = WORDS.abbreviations.get(&text).cloned().unwrap_or(text);
            words.push(SaidWord { text, opens: std::mem::take(&mut opens) });
        }
        opens |= matches!(next, ',' | ';' | ':' | '—' | '–' | '(' | ')' | '"' | '“' | '”' | '!' | '?' | '.');
    }
    // A full stop after an abbreviation opens no clause.
    let mut after_title = false;
    for word in &mut words {
        word.opens &= !after_title;
        after_title = WORDS.abbreviations.values().any(|long| *long == word.text && long != "no");
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_stop_ends_a_sentence_unless_it_belongs_to_a_word() {
        let cases: [(&str, &[&str]); 7] = [
            ("I accuse Dr. Vale. He did it.", &["I accuse Dr. Vale.", "He did it."]),
            ("Mr. and Mrs. Hale? Both!", &["Mr. and Mrs. Hale?", "Both!"]),
            ("It costs 3.50 a day.", &["It costs 3.50 a day."]),
            ("No. I won't.", &["No.", "I won't."]),
            ("Room No. 7 is empty.", &["Room No. 7 is empty."]),
            ("Ask J. Marsh, not I. Ever.", &["Ask J. Marsh, not I.", "Ever."]),
            ("She saw the dr.", &["She saw the dr."]),
        ];
        for (text, expected) in cases {
            let read: Vec<&str> = sentences(text).iter().map(|sentence| sentence.text).collect();
            assert_eq!(read, expected, "{text}");
        }
    }

    #[test]
    fn titles_are_the_same_word_long_or_short() {
        assert_eq!(words("I accuse Dr. Vale"), words("i accuse doctor vale"));
    }

    #[test]
    fn a_question_that_asks_to_be_agreed_with_says_something() {
        for (text, tagged) in [
            ("You took it, didn't you?", true),
            ("It was him, right?", true),
            ("Did you take it?", false),
            ("Tell me, did you?", true),
            ("Well, who was it?", false),
            ("Right?", false),
        ] {
            assert_eq!(sentences(text)[0].is_tagged, tagged, "{text}");
        }
    }

    #[test]
    fn a_phrase_is_denied_within_its_clause_alone() {
        let found = |text: &str| sentences(text).iter().any(|one| one.position(&words("letter")).is_some());
        assert!(found("No, the letter was open."));
        assert!(found("Is there a letter?"));
        assert!(!found("There was no letter."));
        assert!(!found("I never saw a letter"));
    }
}
