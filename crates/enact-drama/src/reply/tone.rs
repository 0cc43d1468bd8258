//! Tones that can be told from plain words.

use super::word_lists::WORDS;

/// Whether this is, as a whole, one of the tones people write without saying `TONE:`.
pub(super) fn is_known(text: &str) -> bool {
    of_word(text.trim()).is_some()
}

/// The tone that words give away, if they do; the first one counts.
pub(super) fn guess(text: &str) -> Option<&'static str> {
    let words =
        text.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’').filter(|word| !word.is_empty());
    let mut before = "";
    for word in words {
        let negated = WORDS.negations.iter().any(|negation| before.eq_ignore_ascii_case(negation))
            || before.ends_with("n’t");
        match of_word(word) {
            Some(tone) if !negated => return Some(tone),
            _ => before = word,
        }
    }
    None
}

fn of_word(word: &str) -> Option<&'static str> {
    // Most words are no tone, and their first letter says so.
    let first = word.bytes().next()?.to_ascii_lowercase();
    WORDS
        .tones
        .iter()
        .find(|(_, signs)| {
            signs.iter().any(|sign| sign.as_bytes()[0] == first && sign.eq_ignore_ascii_case(word))
        })
        .map(|(tone, _)| tone.as_str())
}
