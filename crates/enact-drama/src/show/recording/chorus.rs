//! What is heard of a chorus: one turn after the other, in the order of arrival, as its files sound.

use std::sync::Arc;

use super::{
    super::{
        chorus::{Story, speaker},
        webvtt::{by, escaped, spoken_ms},
    },
    Cue, LINE_PAUSE_MS, Plan, ROUND_PAUSE_MS,
    words::Words,
};
use crate::{chorus::Turn, voice::Utterance};

/// What is to be heard of a chorus so far.
pub(super) fn plan(story: &Story) -> Plan {
    let mut before: Option<Turn> = None;
    let cues = story.said().map(|(turn, said)| {
        let who = speaker(story, said.slot);
        let pause_ms = match before.replace(turn) {
            None => 0,
            Some(before) if before != turn => ROUND_PAUSE_MS,
            Some(_) => LINE_PAUSE_MS,
        };
        let text = Words::of(&said.text).until(said.text.len()).map(|(text, _)| text);
        let speech =
            text.map(|text| Arc::new(Utterance { text, meant: None, profile: said.profile, shade: 0 }));
        let caption = by(&who, &escaped(&said.text));
        Cue { line: said.id, who, pause_ms, speech, caption, reading_ms: spoken_ms(&said.text) }
    });
    Plan { title: "Chorus".to_owned(), cues: cues.collect(), notes: Vec::new() }
}
