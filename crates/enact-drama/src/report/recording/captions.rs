//! Captions with the times of a recording.

use super::{
    super::webvtt::{escaped, timestamp},
    Plan,
};

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
