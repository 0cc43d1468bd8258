//! Names and announcements in front of what is said: `Alice:`, `**Alice:**`, "Here's Alice's reply:".

use super::{bracket, quote, word_lists::WORDS};

/// More words than this are a sentence, not a name.
const MOST_NAME_WORDS: usize = 3;

/// No name with its decoration is longer, so that looking for one costs little.
const LONGEST_PREFIX: usize = 64;

/// A name in front of what is said.
#[derive(Debug, Clone, Copy)]
pub(super) struct Prefix<'a> {
    pub(super) name: &'a str,
    /// `calm` in `Alice (calm):` and `Alice: (calm)`.
    pub(super) aside: Option<&'a str>,
    /// With decoration, colon and the space behind it.
    pub(super) length: usize,
}

/// The name at the beginning of a text: `**Alice** (calm):`, or over what is said as screenplays have it.
pub(super) fn prefix(text: &str) -> Option<Prefix<'_>> {
    let window = &text[..text.floor_char_boundary(LONGEST_PREFIX)];
    let line = window.lines().next()?;
    match line.split_once([':', '：']) {
        Some((before_colon, behind_colon)) => with_colon(text, before_colon, line.len() - behind_colon.len()),
        None => cue(text, line, window),
    }
}

fn with_colon<'a>(text: &'a str, before_colon: &'a str, behind_colon: usize) -> Option<Prefix<'a>> {
    let (before_aside, aside) = split_aside(before_colon);
    let name = before_aside.trim_matches(is_decoration);
    let (opening, closing) = before_aside.split_once(name)?;
    let stars = opening.bytes().filter(|b| *b == b'*').count();
    let rest = text[behind_colon..].trim_start();
    // The colon may stand inside the asterisks or behind them; in `*Alice*: *sighs*` the later ones are an
    // action's.
    let rest = if closing.contains('*') { rest } else { strip_stars(rest, stars).trim_start() };
    let certain = stars > 0 || rest.starts_with(|c: char| quote::is_double(c) || bracket::is_bracket(c));
    let named = is_name(name) || (certain && is_word(name));
    let said = WORDS.said_before_colons.iter().any(|word| name.eq_ignore_ascii_case(word));
    let (aside, rest) = if aside.is_some() { (aside, rest) } else { leading_aside(rest) };
    (named && !said).then(|| Prefix { name, aside, length: text.len() - rest.len() })
}

/// `(calm)` in front of what is said, and what is said; whole sentences in parentheses are said, too.
fn leading_aside(text: &str) -> (Option<&str>, &str) {
    let window = &text[..text.floor_char_boundary(LONGEST_PREFIX)];
    let aside = window.strip_prefix('(').and_then(|text| text.split_once(')')).map(|(aside, _)| aside);
    let short = |aside: &&str| {
        aside.starts_with(char::is_lowercase) && aside.split_whitespace().count() <= MOST_NAME_WORDS
    };
    match aside.filter(short) {
        Some(aside) => (Some(aside), text[aside.len() + 2..].trim_start()),
        None => (None, text),
    }
}

/// `ALICE (angry)` on a line of its own, or on two. Without the aside it may be a shout.
fn cue<'a>(text: &'a str, line: &'a str, window: &'a str) -> Option<Prefix<'a>> {
    let name = line.split('(').next()?.trim_matches(is_decoration);
    if !is_name(name) || name.contains(char::is_lowercase) {
        return None;
    }
    let (before, rest) = window.split_once(')')?;
    let (named, aside) = before.split_once('(')?;
    let rest = &text[window.len() - rest.len()..];
    let alone = rest.trim_start_matches(|c| is_decoration(c) && c != '\n').starts_with('\n');
    let length = text.len() - rest.trim_start_matches(is_decoration).len();
    (alone && named.trim_matches(is_decoration) == name).then_some(Prefix {
        name,
        aside: Some(aside),
        length,
    })
}

/// What stands in parentheses at the end of a text, and what stands before them.
fn split_aside(text: &str) -> (&str, Option<&str>) {
    let aside = text.trim_end_matches(is_decoration).strip_suffix(')').and_then(|text| text.rsplit_once('('));
    aside.map_or((text, None), |(before, aside)| (before, Some(aside)))
}

/// Whether these words could be a name.
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
    let announces = WORDS.announcing.iter().any(|word| lower.contains(word));
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
