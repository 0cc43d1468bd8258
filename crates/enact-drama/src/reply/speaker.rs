//! Names and announcements in front of what is said: `Alice:`, `**Alice:**`, "Here's Alice's reply:".

use super::{bracket, quote};

/// More words than this are a sentence, not a name.
const MOST_NAME_WORDS: usize = 3;

/// No name with its decoration is longer, so that looking for one costs little.
const LONGEST_PREFIX: usize = 64;

/// Words in front of a colon that people say.
const SAID_BEFORE_COLONS: [&str; 10] =
    ["look", "listen", "note", "remember", "wait", "see", "fine", "okay", "question", "first"];

/// What announcements are about.
const ANNOUNCING: [&str; 5] = ["here's", "here is", "reply", "response", "respond"];

/// The length of a name with its colon at the beginning of a text, decoration and the space behind it included.
pub(super) fn prefix(text: &str) -> Option<usize> {
    let window = &text[..text.floor_char_boundary(LONGEST_PREFIX)];
    let line = window.lines().next()?;
    let (before_colon, behind_colon) = line.split_once([':', '：'])?;
    let name = before_colon.trim_matches(is_decoration);
    let (opening, closing) = before_colon.split_once(name)?;
    let stars = opening.bytes().filter(|b| *b == b'*').count();
    let rest = text[line.len() - behind_colon.len()..].trim_start();
    // The colon may stand inside the asterisks or behind them; in `*Alice*: *sighs*` the later ones are an action's.
    let rest = if closing.contains('*') { rest } else { strip_stars(rest, stars).trim_start() };
    let certain = stars > 0 || rest.starts_with(|c: char| quote::is_double(c) || bracket::is_bracket(c));
    let named = is_name(name) || (certain && is_word(name));
    let said = SAID_BEFORE_COLONS.iter().any(|word| name.eq_ignore_ascii_case(word));
    (named && !said).then(|| text.len() - rest.len())
}

/// Whether these words could be what somebody is called.
pub(super) fn is_name(words: &str) -> bool {
    let mut count = 0;
    let mut parts = words.split_whitespace();
    let named = parts.all(|part| {
        count += 1;
        count <= MOST_NAME_WORDS
            && is_word(part)
            && part.starts_with(|c: char| c.is_alphabetic() && !c.is_lowercase())
    });
    named && count > 0 && words.len() <= LONGEST_PREFIX
}

/// Whether an answer's first line only announces what follows: "Sure! Here's Alice's reply:".
pub(super) fn announcement(text: &str) -> Option<usize> {
    let (line, rest) = text.split_once('\n')?;
    let line = line.trim_end().trim_end_matches('*');
    let lower = line.to_ascii_lowercase().replace('’', "'");
    let announces = ANNOUNCING.iter().any(|word| lower.contains(word));
    (line.ends_with([':', '：']) && announces && !rest.trim().is_empty()).then(|| text.len() - rest.len())
}

fn is_word(part: &str) -> bool {
    !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || matches!(c, '\'' | '’' | '.' | '-' | '_'))
}

fn is_decoration(c: char) -> bool {
    c.is_whitespace() || matches!(c, '*' | '_' | '#' | '>' | '`')
}

fn strip_stars(text: &str, most: usize) -> &str {
    let stars = text.bytes().take(most).take_while(|b| *b == b'*').count();
    &text[stars..]
}
