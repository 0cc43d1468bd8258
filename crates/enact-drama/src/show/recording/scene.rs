//! What is heard of a scene: actors in their own voices, world events in the narrator's. What is only done, and what the
//! moderator says about the performance, is not heard.

use std::sync::Arc;

use super::{
    super::{
        Story,
        webvtt::{by, escaped, happening, spoken_ms},
        wording::{display, title},
    },
    Cue, LINE_PAUSE_MS, Plan, ROUND_PAUSE_MS,
    words::Words,
};
use crate::{
    reply::Action,
    scene::{Line, Said},
    voice::{
        Utterance,
        casting::{Timbre, Voices},
    },
};

/// Who interrupts leaves no time for a breath, even where the line they meant lies further back.
const INTERRUPTION_PAUSE_MS: u64 = 100;

/// What is to be heard of a scene so far.
pub(super) fn plan(story: &Story) -> Plan {
    let voices = Voices::of(&story.setup);
    let mut cues = Vec::new();
    let mut before: Option<&Line> = None;
    for line in story.lines.iter() {
        let (who, timbre, caption) = match &line.said {
            Said::Actor { who, .. } if line.spoken().is_some() => {
                let display = display(&story.setup, who);
                let caption = by(&display, &escaped(&line.heard()));
                (display, voices.timbre(who), caption)
            }
            Said::World { text } => ("the narrator".to_owned(), voices.narrator(), happening(text)),
            Said::Actor { .. } | Said::System { .. } => continue,
        };
        let (pause_ms, reading_ms) = (pause_ms(before, line), spoken_ms(&line.heard()));
        cues.push(Cue { line: line.id, who, pause_ms, speech: speech(line, timbre), caption, reading_ms });
        before = Some(line);
    }
    Plan { title: title(&story.setup.name), cues, notes: voices.notes }
}

/// A line that was cut ends where the next begins, whoever that is.
fn pause_ms(before: Option<&Line>, line: &Line) -> u64 {
    let interrupts = line.actor().is_some_and(|(_, reply)| reply.action == Action::Interrupt);
    match before {
        None => 0,
        Some(before) if before.cut.is_some() => 0,
        Some(_) if interrupts => INTERRUPTION_PAUSE_MS,
        Some(before) if before.beat != line.beat => ROUND_PAUSE_MS,
        Some(_) => LINE_PAUSE_MS,
    }
}

fn speech(line: &Line, Timbre { profile, shade }: Timbre) -> Option<Arc<Utterance>> {
    let text = match &line.said {
        Said::Actor { reply, .. } => reply.content.as_str(),
        Said::World { text } | Said::System { text } => text.as_str(),
    };
    let words = Words::of(text);
    let cut = line.cut.as_ref().map_or(text.len(), |cut| cut.at);
    let (text, meant) = match words.until(cut)? {
        (heard, None) => (heard, None),
        (heard, Some(_)) => (broken_off(&heard), Some(words.all())),
    };
    Some(Arc::new(Utterance { text, meant, profile, shade }))
}

/// Performers know a dash when they see one.
fn broken_off(words: &str) -> String {
    format!("{}—", words.trim_end_matches(|c: char| !c.is_alphanumeric()))
}
