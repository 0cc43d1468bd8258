//! Tones that can be told from plain words.

/// The words that give a tone away.
const TONES: [(&str, &[&str]); 10] = [
    ("angry", &["angry", "angrily", "anger", "furious", "furiously"]),
    ("frustrated", &["frustrated", "frustrating", "frustration"]),
    ("happy", &["happy", "happily", "glad", "gladly"]),
    ("sad", &["sad", "sadly", "sadness"]),
    ("nervous", &["nervous", "nervously"]),
    ("excited", &["excited", "excitedly", "exciting"]),
    ("calm", &["calm", "calmly"]),
    ("surprised", &["surprised", "surprising", "surprise"]),
    ("confused", &["confused", "confusing", "confusion"]),
    ("worried", &["worried", "worry", "worriedly"]),
];

/// After these, a word says what the tone is not.
const NEGATIONS: [&str; 5] = ["not", "never", "no", "isn't", "don't"];

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
        let negated =
            NEGATIONS.iter().any(|negation| before.eq_ignore_ascii_case(negation)) || before.ends_with("n’t");
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
    TONES
        .iter()
        .find(|(_, signs)| {
            signs.iter().any(|sign| sign.as_bytes()[0] == first && sign.eq_ignore_ascii_case(word))
        })
        .map(|(tone, _)| *tone)
}
