//! A chorus as a document: a heading for each turn, and what was said in it in the order in which it arrived.

use serde::Serialize;
use serde_json::{Map, json};

use super::{
    ChorusReport, ReportedAudio, ReportedStatement, metadata,
    statistics::statistics,
    wording::{end_text, everybody, failure, label, speech, turn_heading, turn_title},
};
use crate::{
    Production, Seq,
    chorus::{AgentId, Chorus, SlotId, Turn},
    report::{Block, BlockContent, Document, Field, Format},
    voice::VoiceProfile,
};

/// Who plays the recordings decides how; this is what the times stand for.
const ORDER: &str = "Turn by turn, in the order of arrival, with a breath between two recordings.";

/// The chorus as it is told to people.
pub(super) fn document(story: &ChorusReport) -> Document {
    Document {
        head: head(story),
        divided: true,
        blocks: blocks(story),
        end: story.ended.map(|reason| end_text(reason).to_owned()),
        statistics: statistics(story),
        caption_notes: caption_notes(story),
        json_head: Map::from_iter([("message".to_owned(), json!(story.setup.message))]),
        ..Document::new(Chorus::NAME, Chorus::NAME, story.started_at)
    }
    .metadata(&metadata(story))
}

fn head(story: &ChorusReport) -> Vec<Field> {
    let (everybody, message) = (everybody(story), &story.setup.message);
    vec![
        Field::new("Chorus", &everybody).only_in(&[Format::Txt]),
        Field::new("Message", message).only_in(&[Format::Txt, Format::Md, Format::Fountain]),
        Field::new("Voices", &everybody).only_in(&[Format::Md]),
    ]
}

fn caption_notes(story: &ChorusReport) -> Vec<String> {
    let (said, unheard) = story.said().fold((0, 0), |(said, unheard), (_, one)| {
        (said + 1, unheard + usize::from(one.recorded_ms().is_none()))
    });
    let estimated =
        (unheard > 0).then(|| format!("{unheard} of {said} cannot be heard: there the times are estimated."));
    std::iter::once(ORDER.to_owned()).chain(estimated).collect()
}

fn blocks(story: &ChorusReport) -> Vec<Block> {
    let mut blocks = Vec::new();
    for round in &story.rounds {
        let (turn, index) = (round.turn, u32::from(round.turn.index()));
        let (title, short) = (turn_title(turn).to_owned(), turn_heading(turn).to_owned());
        blocks.push(Block::new(round.id, index, BlockContent::Heading { title, short }));
        blocks.extend(round.said.iter().map(|said| {
            let block = Block::speech(said.id, index, speech(story, turn, said));
            block.at(said.at).at_ms(said.at_ms).entry(&entry(story, turn, said))
        }));
        // Programs find these in the metadata.
        blocks.extend(round.failed.iter().map(|failed| {
            let block = Block::system(failed.id, index, failure(story, failed));
            block.at_ms(failed.at_ms).without_entry()
        }));
    }
    blocks
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ChorusEntry<'a> {
    id: Seq,
    turn_index: u8,
    kind: &'static str,
    slot_id: SlotId,
    agent_id: Option<&'a AgentId>,
    /// Where no language model plays the agent: `improviser`. Where a fallback has answered, its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<&'a str>,
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

fn entry<'a>(story: &'a ChorusReport, turn: Turn, said: &'a ReportedStatement) -> ChorusEntry<'a> {
    let spoken = said.audio.as_ref().and_then(ReportedAudio::spoken);
    ChorusEntry {
        id: said.id,
        turn_index: turn.index(),
        kind: turn.kind(),
        slot_id: said.slot,
        agent_id: story.seat(said.slot).map(|seat| &seat.agent.id),
        label: label(story, said),
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
