//! The run as WebVTT captions. A log has no sound, so the times are estimates, and the file says so: a recording has captions of its own.

use super::{
    Shown, Story,
    clean::one_line,
    wording::{display, gesture, title},
};
use crate::{
    Name,
    reply::{Action, Reply},
    scene::{Line, Said, Setup},
};

/// How fast people speak in a conversation: about 160 words a minute.
const WORD_MS: u64 = 1_000 * 10 / 27;

/// Shorter captions cannot be read.
const SHORTEST_MS: u64 = 800;

/// How long something that is seen or heard, but not said, stays on the screen.
const GESTURE_MS: u64 = 1_500;

/// The breath between two lines. Who interrupts takes none.
pub(super) const PAUSE_MS: u64 = 400;

/// One caption; the time it takes decides when the next one begins.
struct Caption {
    text: String,
    takes_ms: u64,
    cuts_in: bool,
}

pub fn webvtt(story: &Story) -> String {
    let mut text = format!("WEBVTT - {}\n\n", escaped(&title(&story.setup.name)));
    text.push_str("NOTE These times are estimated from the length of what is said. A recording has captions of its own.\n");
    let captions = story.shown().into_iter().filter_map(|shown| caption(&story.setup, shown));
    let mut now = 0;
    for (index, caption) in captions.enumerate() {
        let start = if index == 0 || caption.cuts_in { now } else { now + PAUSE_MS };
        now = start + caption.takes_ms;
        let Caption { text: words, .. } = caption;
        text.push_str(&format!("\n{}\n{} --> {}\n{words}\n", index + 1, timestamp(start), timestamp(now)));
    }
    text
}

/// System lines are about the performance, not part of it: they have no caption.
fn caption(setup: &Setup, shown: Shown<'_>) -> Option<Caption> {
    match shown {
        Shown::Line(line) => match &line.said {
            Said::Actor { who, reply } => said(setup, line, who, reply),
            Said::World { text } => Some(unspoken(happening(text))),
            Said::System { .. } => None,
        },
        Shown::Silence(silence) => Some(acted(setup, &silence.who, &silence.gesture)),
    }
}

fn said(setup: &Setup, line: &Line, who: &Name, reply: &Reply) -> Option<Caption> {
    let heard = line.heard();
    if reply.action == Action::React || heard.is_empty() {
        return gesture(reply).map(|gesture| acted(setup, who, &gesture));
    }
    Some(Caption {
        text: voiced(setup, who, &escaped(&heard)),
        takes_ms: spoken_ms(&heard),
        cuts_in: reply.action == Action::Interrupt,
    })
}

fn acted(setup: &Setup, who: &Name, gesture: &str) -> Caption {
    unspoken(voiced(setup, who, &format!("<i>({})</i>", escaped(gesture))))
}

fn unspoken(text: String) -> Caption {
    Caption { text, takes_ms: GESTURE_MS, cuts_in: false }
}

fn voiced(setup: &Setup, who: &Name, text: &str) -> String {
    by(&display(setup, who), text)
}

/// What somebody says, as a caption.
pub(super) fn by(who: &str, text: &str) -> String {
    format!("<v {}>{text}</v>", escaped(who))
}

/// Something that happens, as a caption.
pub(super) fn happening(text: &str) -> String {
    format!("<i>[{}]</i>", escaped(text))
}

/// How long it takes to say something, about.
pub(super) fn spoken_ms(text: &str) -> u64 {
    (half_words(text) * WORD_MS / 2).max(SHORTEST_MS)
}

/// The length of a text in halves of a word. Scripts without spaces have about two characters to the word.
fn half_words(text: &str) -> u64 {
    text.split_whitespace()
        .map(|word| {
            let unspaced = word.chars().filter(|c| is_unspaced(*c)).count() as u64;
            let spaced = word.chars().any(|c| c.is_alphanumeric() && !is_unspaced(c));
            unspaced + if spaced { 2 } else { 0 }
        })
        .sum()
}

/// Thai, kana, Han and Hangul: each of their characters takes about half as long as an English word.
pub(super) fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{0e00}'..='\u{0e7f}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}')
}

pub(super) fn timestamp(ms: u64) -> String {
    let (seconds, minutes, hours) = (ms / 1_000 % 60, ms / 60_000 % 60, ms / 3_600_000);
    format!("{hours:02}:{minutes:02}:{seconds:02}.{:03}", ms % 1_000)
}

/// Without `>` there is no `-->` either, which would be read as a time.
pub(super) fn escaped(text: &str) -> String {
    one_line(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
