//! Single characters: which have a sound, and which are only there for the eyes.

/// What becomes of a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sound {
    Itself,
    None,
    Like(&'static str),
}

/// What becomes of a character between its neighbours.
pub(super) fn sound(c: char, before: Option<char>, after: Option<char>) -> Sound {
    let within = |kind: fn(char) -> bool| before.is_some_and(kind) && after.is_some_and(kind);
    match c {
        '*' if within(|c| c.is_ascii_digit()) => Sound::Like(" times "),
        '_' if within(char::is_alphanumeric) => Sound::Like(" "),
        '*' | '_' | '`' => Sound::None,
        '\\' if after.is_some_and(|c| c.is_ascii_punctuation()) => Sound::None,
        '|' => Sound::Like(", "),
        _ if c.is_control() || c.is_whitespace() => Sound::Like(" "),
        _ if is_invisible(c) => Sound::None,
        _ if is_picture(c) => Sound::Like(" "),
        _ => Sound::Itself,
    }
}

/// Hyphens that only show at the end of a line, joiners, marks of direction, and what chooses how a picture looks.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{1f3fb}'..='\u{1f3ff}' | '\u{20e3}' | '\u{e0000}'..='\u{e0fff}')
}

/// Emoji, arrows, stars, boxes, and what no font agrees upon.
fn is_picture(c: char) -> bool {
    matches!(c,
        '\u{2190}'..='\u{21ff}' | '\u{2300}'..='\u{23ff}' | '\u{2500}'..='\u{27bf}' | '\u{2900}'..='\u{297f}'
        | '\u{2b00}'..='\u{2bff}' | '\u{e000}'..='\u{f8ff}' | '\u{fff0}'..='\u{ffff}' | '\u{1f000}'..='\u{1faff}'
        | '\u{f0000}'..='\u{10ffff}')
}
