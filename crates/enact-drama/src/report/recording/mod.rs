//! The run as audio: who says what after which pause, and where a line is cut.
//!
//! A [`Plan`] says what is to be heard; the recorder knows how long each took, and [`captions()`] tells it
//! with these times. `words` knows what of a text is said aloud.

mod words;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use super::{
    Block, BlockContent, Document, Speech,
    webvtt::{by, escaped, happening, spoken_ms, timestamp},
};
use crate::{
    Seq,
    text::broken_off,
    voice::{Timbre, Utterance},
};

use self::words::Words;

/// The breath between two lines.
const LINE_PAUSE_MS: u64 = 400;

/// Between two beats, and between two turns, everyone has taken in what was said.
const ROUND_PAUSE_MS: u64 = 700;

/// Who interrupts leaves no time for a breath, even where the line they meant lies further back.
const INTERRUPTION_PAUSE_MS: u64 = 100;

/// Who tells of events, for people.
const NARRATOR: &str = "the narrator";

/// Everything that is to be heard, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    pub title: String,
    pub cues: Vec<Cue>,
    /// What a person should know: voices that sheets ask for, and that do not exist.
    pub notes: Vec<String>,
}

/// One line as it is to be heard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cue {
    pub line: Seq,
    /// Whose it is, for people.
    pub who: String,
    /// Silence before it.
    pub pause_ms: u64,
    /// What is said: nothing where that has no sound, as "…" has none.
    pub speech: Option<Arc<Utterance>>,
    /// What is read meanwhile, ready to stand in a caption.
    caption: String,
    /// How long it is shown where it cannot be heard.
    pub reading_ms: u64,
}

impl Plan {
    /// What is to be heard of a run so far: what is said, and events in the narrator's voice. What is only
    /// done, and what is about the performance, is not heard.
    pub fn of(document: &Document) -> Plan {
        let mut cues = Vec::new();
        let mut before: Option<&Block> = None;
        for block in &document.blocks {
            let pause_ms = before.map_or(0, |before| pause_ms(before, block));
            let Some(cue) = Cue::of(block, pause_ms) else { continue };
            cues.push(cue);
            before = Some(block);
        }
        Plan { title: document.title.clone(), cues, notes: document.recording_notes.clone() }
    }
}

impl Cue {
    fn of(block: &Block, pause_ms: u64) -> Option<Cue> {
        let (who, speech, caption, reading_ms) = match &block.content {
            BlockContent::Speech(speech) if speech.aloud && !speech.text.is_empty() => {
                let heard = speech.heard();
                let caption = by(&speech.who, &escaped(&heard));
                let said = utterance(&speech.text, speech.cut, speech.timbre);
                (speech.who.clone(), said, caption, spoken_ms(&heard))
            }
            BlockContent::Event { text, timbre } => {
                (NARRATOR.to_owned(), utterance(text, None, *timbre), happening(text), spoken_ms(text))
            }
            BlockContent::Heading { .. } | BlockContent::Speech(_) | BlockContent::System { .. } => {
                return None;
            }
        };
        let speech = speech.map(Arc::new);
        Some(Cue { line: block.id, who, pause_ms, speech, caption, reading_ms })
    }
}

/// A line that was cut is followed without a pause.
fn pause_ms(before: &Block, block: &Block) -> u64 {
    let was_cut = matches!(before.content, BlockContent::Speech(Speech { cut: Some(_), .. }));
    let interrupts = matches!(block.content, BlockContent::Speech(Speech { interrupts: true, .. }));
    match (was_cut, interrupts) {
        (true, _) => 0,
        (false, true) => INTERRUPTION_PAUSE_MS,
        (false, false) if before.round != block.round => ROUND_PAUSE_MS,
        (false, false) => LINE_PAUSE_MS,
    }
}

fn utterance(text: &str, cut: Option<usize>, Timbre { profile, variant }: Timbre) -> Option<Utterance> {
    let words = Words::of(text);
    let (text, meant) = match words.until(cut.unwrap_or(text.len()))? {
        (heard, None) => (heard, None),
        // Performers know a dash when they see one.
        (heard, Some(_)) => (broken_off(&heard), Some(words.all())),
    };
    Some(Utterance { text, meant, profile, variant })
}

/// When a line was heard, in milliseconds of the recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CueTimes {
    pub start_ms: u64,
    pub end_ms: u64,
}

/// The captions of a recording, as WebVTT: one for each cue of its plan.
pub fn captions(plan: &Plan, heard: &[CueTimes]) -> String {
    let mut text =
        format!("WEBVTT - {}\n\nNOTE These are the times of the recording.\n", escaped(&plan.title));
    for (index, (cue, CueTimes { start_ms, end_ms })) in plan.cues.iter().zip(heard).enumerate() {
        // A caption that ends when it begins is not one.
        let end_ms = *end_ms.max(&(start_ms + 1));
        let (from, to) = (timestamp(*start_ms), timestamp(end_ms));
        text.push_str(&format!("\n{}\n{from} --> {to}\n{}\n", index + 1, cue.caption));
    }
    text
}
