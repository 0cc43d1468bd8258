//! The run as one JSON document. Texts are given as they are in the log: JSON needs no cleaning.

use serde::Serialize;

use super::{Audio, Metadata, Said, Story, metadata};
use crate::{
    Seq,
    chorus::{AgentId, SlotId, Turn},
    voice::VoiceProfile,
};

pub(super) fn json(story: &Story) -> String {
    let document = Document {
        message: &story.setup.message,
        lines: story.said().map(|(turn, said)| line(story, turn, said)).collect(),
        metadata: metadata(story),
    };
    let mut text = serde_json::to_string_pretty(&document).expect("the document has only string keys");
    text.push('\n');
    text
}

#[derive(Serialize)]
struct Document<'a> {
    message: &'a str,
    /// In the order in which they arrived.
    lines: Vec<Line<'a>>,
    metadata: Metadata,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Line<'a> {
    id: Seq,
    turn_index: u8,
    kind: &'static str,
    slot_id: SlotId,
    agent_id: Option<&'a AgentId>,
    target_slot_id: Option<SlotId>,
    /// Whose comments a reply answers.
    received_from: &'a [SlotId],
    text: &'a str,
    voice_profile: VoiceProfile,
    /// There only if it can be heard.
    audio_path: Option<&'a str>,
    audio_ms: Option<u64>,
    spoken_by: Option<&'a str>,
    warnings: &'a [String],
}

fn line<'a>(story: &'a Story, turn: Turn, said: &'a Said) -> Line<'a> {
    let spoken = said.audio.as_ref().and_then(Audio::spoken);
    Line {
        id: said.id,
        turn_index: turn.index(),
        kind: turn.kind(),
        slot_id: said.slot,
        agent_id: story.seat(said.slot).map(|seat| &seat.agent.id),
        target_slot_id: said.target,
        received_from: if turn == Turn::Reply { story.told(said.slot) } else { &[] },
        text: &said.text,
        voice_profile: said.profile,
        audio_path: spoken.and(said.audio.as_ref()).map(|audio| audio.path.as_str()),
        audio_ms: spoken.map(|spoken| spoken.duration_ms),
        spoken_by: spoken.map(|spoken| spoken.by.as_str()),
        warnings: &said.warnings,
    }
}
