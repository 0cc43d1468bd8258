//! Names and announcements in front of what is said: `Alice:`, `**Alice:**`, "Here's Alice's reply:".

/// More words than this are a sentence, not a name.
const MOST_NAME_WORDS: usize = 3;

/// No name with its decoration is longer, so that looking for one costs little.
const LONGEST_PREFIX: usize = 64;

/// Words in front of a colon that people say.
const SAID_BEFORE_COLONS: [&str; 10] =
    ["look", "listen", "note", "remember", "wait", "see", "fine", "okay", "question", "first"];

/// What announcements are about.
const ANNOUNCING: [&str; 5] = ["here's", "here is", "reply", "response", "respond"];

/// The length of a name with its colon at the beginning of a text, decoration and space included.
pub(super) fn prefix(text: &str) -> Option<usize> {
    let window = &text[..text.floor_char_boundary(LONGEST_PREFIX)];
    let undecorated = window.trim_start_matches(is_decoration);
    let start = window.len() - undecorated.len();
    let colon = undecorated.find([':', '：'])?;
    let name = undecorated[..colon].trim_end_matches(is_decoration);
    let behind_colon = &undecorated[colon..];
    let colon_len = behind_colon.chars().next().map_or(1, char::len_utf8);
    let rest = behind_colon[colon_len..].trim_start_matches(is_decoration);
    let decorated = window[..start].contains(['*', '_']);
    let opens = |c: char| super::quote::is_double(c) || super::bracket::is_bracket(c);
    let certain = decorated || rest.starts_with(opens);
    let named = is_name(name) || (certain && is_word(name));
    let said = SAID_BEFORE_COLONS.iter().any(|word| name.eq_ignore_ascii_case(word));
    // `*Alice*: *sighs*` must not lose the asterisk that opens its action.
    let behind = text[start + colon + colon_len..].len();
    let kept = text[start + colon + colon_len..].trim_start_matches(char::is_whitespace);
    let closes_bold = window[..start].chars().rev().take_while(|c| *c == '*').count();
    let bold_inside = undecorated[name.len()..colon].contains('*');
    let kept = if closes_bold > 0 && !bold_inside { strip_stars(kept, closes_bold) } else { kept };
    let kept = kept.trim_start();
    (named && !said).then(|| start + colon + colon_len + (behind - kept.len()))
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
