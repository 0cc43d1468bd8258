//! What a model says about the scene rather than in it: notes, offers to go on, alternatives.

use super::word_lists::WORDS;

/// What is said where such words were found.
pub(super) const LEFT_OUT: &str = "text about the scene: left out";

/// More of a line is not looked at.
const LONGEST_OPENING: usize = 96;

/// How many dashes, asterisks or underscores make a rule across the page.
const RULE: usize = 3;

/// Whether these words, set apart from what is said, are a note.
pub(super) fn is_note(words: &str) -> bool {
    let words = opening(words);
    WORDS.notes.iter().any(|note| begins_with(words, note))
}

/// Whether a line after words in quotes is about the scene.
pub(super) fn is_comment(line: &str) -> bool {
    let words = opening(line);
    let offers = || {
        let lower = words.to_ascii_lowercase();
        WORDS.offered.iter().any(|what| lower.contains(what))
    };
    is_note(words) || (WORDS.offers.iter().any(|offer| begins_with(words, offer)) && offers())
}

/// Whether a line only parts a reply from what follows: `---`, `* * *`, `OR`.
pub(super) fn is_divider(line: &str) -> bool {
    let line = first_line(line);
    let marks = line.chars().filter(|c| matches!(c, '-' | '*' | '_' | '—')).count();
    let rest = line.trim_matches(|c: char| !c.is_alphanumeric());
    (rest.is_empty() && marks >= RULE) || rest.eq_ignore_ascii_case("or")
}

fn opening(text: &str) -> &str {
    first_line(text).trim_start_matches(|c: char| !c.is_alphanumeric())
}

fn first_line(text: &str) -> &str {
    let window = &text[..text.floor_char_boundary(LONGEST_OPENING)];
    window.lines().next().unwrap_or_default()
}

fn begins_with(words: &str, beginning: &str) -> bool {
    words.get(..beginning.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(beginning))
}
