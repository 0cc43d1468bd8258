//! What programs want to know about a chorus.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{ChorusReport, ReportedAudio};
use crate::{
    Name, RunId,
    chorus::{AgentId, ChorusEnd, NoAnswer, Routed, SlotId},
    model_card::ModelCard,
    report::{Costs, for_programs},
};

/// What has become of a chorus so far.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ChorusMetadata {
    /// Also the id of its session.
    pub run_id: RunId,
    #[cfg_attr(feature = "schema", schema(example = "What do rivers remember?"))]
    pub message: String,
    #[cfg_attr(feature = "schema", schema(format = DateTime))]
    pub started_at: String,
    /// Milliseconds, without the time in which no process played the run.
    pub duration: u64,
    /// Turns whose answers are all in.
    pub turns: usize,
    /// Slots that answered the message.
    pub completed_slots: usize,
    /// Nothing while the run has no end.
    #[cfg_attr(feature = "schema", schema(required))]
    pub reason: Option<ChorusEnd>,
    pub slots: Vec<Slot>,
    pub costs: Costs,
    /// What was said aloud, by who spoke.
    pub speech: BTreeMap<String, SpeechTotals>,
    /// Slots that gave nothing, or could not be heard.
    pub errors: Vec<SlotError>,
    /// Who was told which comments, whether or not a reply came of it; nothing before the second turn is
    /// over.
    pub routes: Vec<Routed>,
    pub counts: ChorusCounts,
    /// What each model says about itself.
    pub models: BTreeMap<String, ModelCard>,
    /// What chance was made of.
    pub seed: u64,
}

/// Who takes a slot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = ChorusSlot))]
pub struct Slot {
    pub slot_id: SlotId,
    pub agent_id: AgentId,
    pub name: String,
    /// Which of the models answers.
    pub model: String,
    /// What stands beside its name where no language model plays it: `improviser`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(example = "improviser"))]
    pub label: Option<String>,
}

/// What was spoken aloud.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = ChorusSpeech))]
pub struct SpeechTotals {
    pub files: u64,
    pub characters: u64,
    /// Milliseconds.
    pub duration: u64,
    pub bytes: u64,
}

/// A slot that gave nothing when it was asked, or could not be heard.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = ChorusError))]
pub struct SlotError {
    #[cfg_attr(feature = "schema", schema(minimum = 1, maximum = 3))]
    pub turn_index: u8,
    pub slot_id: SlotId,
    /// As in the events of a chorus: `timeout`, `tts_error`.
    #[serde(rename = "type")]
    #[cfg_attr(feature = "schema", schema(example = "timeout"))]
    pub kind: String,
    pub error: String,
    /// The model that was asked instead; left out where there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fallback: Option<String>,
}

/// How often things happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ChorusCounts {
    /// Answers, comments and replies as they were asked for.
    pub parsed: u32,
    /// Those that had to be mended.
    pub mended: u32,
    /// Comments without a valid target, which were asked for again.
    pub refused: u32,
    /// Calls that gave nothing.
    pub failed: u32,
    /// Recordings that can be heard.
    pub voiced: u32,
    /// Texts that could not be said aloud.
    pub unvoiced: u32,
    /// Comments that were not passed on, because there were too many on one slot.
    pub dropped: u32,
}

pub fn metadata(story: &ChorusReport) -> ChorusMetadata {
    let setup = &story.setup;
    ChorusMetadata {
        run_id: setup.run,
        message: setup.message.clone(),
        started_at: for_programs(story.started_at),
        duration: story.played_ms,
        turns: story.turns_held(),
        completed_slots: story.completed_slots(),
        reason: story.ended,
        slots: slots(story),
        costs: costs(story),
        speech: speech(story),
        errors: errors(story),
        routes: story.routes.clone(),
        counts: counts(story),
        models: setup.models.clone(),
        seed: setup.seed,
    }
}

/// What it took, by the names of slots.
pub fn costs(story: &ChorusReport) -> Costs {
    let names: Vec<Name> = story.setup.seats.iter().map(|seat| seat.slot.name()).collect();
    Costs::of(&story.ledger, &names)
}

fn slots(story: &ChorusReport) -> Vec<Slot> {
    let slot = |seat: &crate::chorus::Seat| Slot {
        slot_id: seat.slot,
        agent_id: seat.agent.id.clone(),
        name: seat.agent.name.clone(),
        model: seat.model.clone(),
        label: story.setup.label(seat).map(str::to_owned),
    };
    story.setup.seats.iter().map(slot).collect()
}

fn speech(story: &ChorusReport) -> BTreeMap<String, SpeechTotals> {
    let spoken = story.heard.iter().map(|(by, heard)| {
        let speech = SpeechTotals {
            files: heard.files,
            characters: heard.characters,
            duration: heard.duration_ms,
            bytes: heard.bytes,
        };
        (by.clone(), speech)
    });
    spoken.collect()
}

/// Turn by turn, those first that gave nothing, then models that others were asked for, then those whose
/// second try gave nothing.
fn errors(story: &ChorusReport) -> Vec<SlotError> {
    let of_round = |round: &super::ReportedTurn| {
        let turn_index = round.turn.index();
        let failed = round.failed.iter().map(|failed| SlotError {
            turn_index,
            slot_id: failed.slot,
            kind: super::client::kind_of(failed.failure).to_owned(),
            error: failed.error.clone(),
            fallback: None,
        });
        let passed_over = round.passed_over.iter().map(|failed| SlotError {
            turn_index,
            slot_id: failed.slot,
            kind: super::client::kind_of(failed.failure).to_owned(),
            error: failed.error.clone(),
            fallback: failed.fallback.clone(),
        });
        let unanswered = round.said.iter().filter_map(|said| {
            let NoAnswer { error, failure, .. } = said.instead_of.as_ref()?;
            let kind = super::client::kind_of(*failure).to_owned();
            Some(SlotError { turn_index, slot_id: said.slot, kind, error: error.clone(), fallback: None })
        });
        let unheard = round.said.iter().filter_map(|said| {
            let error = said.audio.as_ref().and_then(ReportedAudio::error)?.to_owned();
            let kind = super::client::TTS_ERROR.to_owned();
            Some(SlotError { turn_index, slot_id: said.slot, kind, error, fallback: None })
        });
        failed.chain(passed_over).chain(unanswered).chain(unheard).collect::<Vec<_>>()
    };
    story.rounds.iter().flat_map(of_round).collect()
}

fn counts(story: &ChorusReport) -> ChorusCounts {
    let mut counts = ChorusCounts::default();
    for round in &story.rounds {
        counts.failed += (round.failed.len() + round.passed_over.len()) as u32;
        counts.refused += round.refused;
    }
    for (_, said) in story.said() {
        counts.failed += u32::from(said.instead_of.is_some());
        match said.warnings.is_empty() {
            true => counts.parsed += 1,
            false => counts.mended += 1,
        }
        match said.audio.as_ref().and_then(|audio| audio.outcome.as_ref()) {
            Some(Ok(_)) => counts.voiced += 1,
            Some(Err(_)) => counts.unvoiced += 1,
            None => {}
        }
    }
    counts.dropped = story.routes.iter().map(|routed| routed.dropped.len() as u32).sum();
    counts
}
