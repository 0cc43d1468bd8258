//! The run as WebVTT captions, one turn after the other, as its recordings are played.

use super::{Audio, Said, Story, wording::speaker};
use crate::show::webvtt::{PAUSE_MS, escaped, spoken_ms, timestamp};

/// Who plays the recordings decides how; this is what the times stand for.
const ORDER: &str = "Turn by turn, in the order of arrival, with a breath between two recordings.";

pub(super) fn webvtt(story: &Story) -> String {
    let mut text = format!("WEBVTT - Chorus\n\nNOTE {ORDER}\n");
    let unheard = story.said().filter(|(_, said)| recorded_ms(said).is_none()).count();
    if unheard > 0 {
        text.push_str(&format!(
            "\nNOTE {unheard} of {} cannot be heard: there the times are estimated.\n",
            story.said().count()
        ));
    }
    let mut start = 0_u64;
    for (index, (_, said)) in story.said().enumerate() {
        let end = start.saturating_add(recorded_ms(said).unwrap_or_else(|| spoken_ms(&said.text)));
        let who = escaped(&speaker(story, said.slot));
        text.push_str(&format!(
            "\n{}\n{} --> {}\n<v {who}>{}</v>\n",
            index + 1,
            timestamp(start),
            timestamp(end),
            escaped(&said.text)
        ));
        start = end.saturating_add(PAUSE_MS);
    }
    text
}

fn recorded_ms(said: &Said) -> Option<u64> {
    said.audio.as_ref().and_then(Audio::spoken).map(|spoken| spoken.duration_ms)
}
