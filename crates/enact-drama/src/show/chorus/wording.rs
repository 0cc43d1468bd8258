//! How what was said reads: the same words in the transcript and on the terminal.

use super::{Failed, Said, Story};
use crate::{
    chorus::{EndReason, SlotId, Turn},
    show::clean::{bracketed, one_line},
};

/// One thing that was said, without a line break: `GPT-4o [ABOUT: Gemini 3, VOICE: calm_soothing] "Why?"`.
pub fn said_text(story: &Story, turn: Turn, said: &Said) -> String {
    let about = said.target.map(|target| format!("ABOUT: {}, ", speaker(story, target)));
    let to = match (turn, story.told(said.slot)) {
        (Turn::Reply, from @ [_, ..]) => Some(format!("TO: {}, ", speakers(story, from))),
        _ => None,
    };
    format!(
        "{} [{}VOICE: {}] \"{}\"",
        speaker(story, said.slot),
        about.or(to).unwrap_or_default(),
        said.profile.as_str(),
        one_line(&said.text)
    )
}

/// That a slot gave nothing: `[SYSTEM: GPT-4o unable to respond: the model is overloaded]`.
pub fn failed_text(story: &Story, failed: &Failed) -> String {
    format!("[SYSTEM: {} unable to respond: {}]", speaker(story, failed.slot), bracketed(&failed.error))
}

/// What a turn is called: `TURN 2 - COMMENTS`.
pub fn turn_title(turn: Turn) -> &'static str {
    match turn {
        Turn::Respond => "TURN 1 - RESPONSES",
        Turn::Comment => "TURN 2 - COMMENTS",
        Turn::Reply => "TURN 3 - REPLIES",
    }
}

/// What an agent is called. Where the same one has two slots, they are told apart: `GPT-4o (2)`.
pub fn speaker(story: &Story, slot: SlotId) -> String {
    let Some(seat) = story.seat(slot) else { return format!("Slot {slot}") };
    let name = bracketed(&seat.agent.name);
    if name.is_empty() {
        return format!("Slot {slot}");
    }
    let alone = story.setup.seats.iter().filter(|other| other.agent.name == seat.agent.name).count() == 1;
    if alone { name } else { format!("{name} ({slot})") }
}

/// Everybody who takes part, in the order of their slots.
pub(super) fn everybody(story: &Story) -> String {
    let slots: Vec<SlotId> = story.setup.seats.iter().map(|seat| seat.slot).collect();
    speakers(story, &slots)
}

pub(super) fn end_text(story: &Story) -> &'static str {
    match story.ended {
        None => "CHORUS UNFINISHED - This run has no end yet",
        Some(EndReason::Completed) => "CHORUS END",
        Some(EndReason::Failed) => "CHORUS END - Nobody answered",
        Some(EndReason::Cancelled) => "CHORUS END - Cancelled",
        Some(EndReason::BudgetExceeded) => "CHORUS END - Budget used up",
    }
}

pub(super) fn speakers(story: &Story, slots: &[SlotId]) -> String {
    slots.iter().map(|slot| speaker(story, *slot)).collect::<Vec<_>>().join(", ")
}
