//! How what was said reads: the same words in the transcript and on the terminal.

use super::{ChorusReport, ReportedFailure, ReportedStatement};
use crate::{
    chorus::{ChorusEnd, SlotId, Turn},
    report::{BlockContent, Speech},
    text::bracketed,
    voice::Timbre,
};

/// One thing that was said, without a line break:
/// `GPT-4o (improviser) [ABOUT: Gemini 3, VOICE: calm_soothing] "Why?"`.
pub fn said_text(story: &ChorusReport, turn: Turn, said: &ReportedStatement) -> String {
    BlockContent::Speech(speech(story, turn, said)).text()
}

/// That a slot gave nothing: `[SYSTEM: GPT-4o unable to respond: the model is overloaded]`.
pub fn failed_text(story: &ChorusReport, failed: &ReportedFailure) -> String {
    BlockContent::System { text: failure(story, failed) }.text()
}

/// What was said, as a part of a document.
pub(super) fn speech(story: &ChorusReport, turn: Turn, said: &ReportedStatement) -> Speech {
    let mut speech = Speech::new(&labelled(story, said), said.text.as_str());
    speech.timbre = Timbre { profile: said.profile, variant: 0 };
    speech.recorded_ms = said.recorded_ms();
    match (said.target, turn, story.told(said.slot)) {
        (Some(target), ..) => {
            let whom = speaker(story, target);
            speech = speech.attribute("ABOUT", &whom).manner(format!("about {whom}"));
        }
        (None, Turn::Reply, from @ [_, ..]) => {
            let whom = speakers(story, from);
            speech = speech.attribute("TO", &whom).manner(format!("to {whom}"));
        }
        _ => {}
    }
    speech.attribute("VOICE", said.profile.as_str())
}

/// That a slot gave nothing, and why.
pub(super) fn failure(story: &ChorusReport, failed: &ReportedFailure) -> String {
    format!("{} unable to respond: {}", speaker(story, failed.slot), failed.error)
}

/// What a turn is called: `TURN 2 - COMMENTS`.
pub fn turn_title(turn: Turn) -> &'static str {
    match turn {
        Turn::Respond => "TURN 1 - RESPONSES",
        Turn::Comment => "TURN 2 - COMMENTS",
        Turn::Reply => "TURN 3 - REPLIES",
    }
}

/// The same where it stands as a heading: `Comments`.
pub(super) fn turn_heading(turn: Turn) -> &'static str {
    match turn {
        Turn::Respond => "Responses",
        Turn::Comment => "Comments",
        Turn::Reply => "Replies",
    }
}

/// What an agent is called. Where the same one has two slots, they are told apart: `GPT-4o (2)`.
pub fn speaker(story: &ChorusReport, slot: SlotId) -> String {
    let Some(seat) = story.seat(slot) else { return format!("Slot {slot}") };
    let name = bracketed(&seat.agent.name);
    if name.is_empty() {
        return format!("Slot {slot}");
    }
    let alone = story.setup.seats.iter().filter(|other| other.agent.name == seat.agent.name).count() == 1;
    if alone { name } else { format!("{name} ({slot})") }
}

/// The same beside an answer: `GPT-4o (improviser)` where no language model plays it, or the fallback that
/// has answered.
fn labelled(story: &ChorusReport, said: &ReportedStatement) -> String {
    let name = speaker(story, said.slot);
    match label(story, said) {
        Some(label) => format!("{name} ({})", bracketed(label)),
        None => name,
    }
}

/// What stands beside the name of the agent that has said this.
pub(super) fn label<'a>(story: &'a ChorusReport, said: &'a ReportedStatement) -> Option<&'a str> {
    story.setup.label_of(story.seat(said.slot)?, said.answered_by.as_deref())
}

/// Everybody who takes part, in the order of their slots.
pub(super) fn everybody(story: &ChorusReport) -> String {
    let slots: Vec<SlotId> = story.setup.seats.iter().map(|seat| seat.slot).collect();
    speakers(story, &slots)
}

/// How it ended.
pub(super) fn end_text(reason: ChorusEnd) -> &'static str {
    match reason {
        ChorusEnd::Completed => "CHORUS END",
        ChorusEnd::Failed => "CHORUS END - Nobody answered",
        ChorusEnd::Cancelled => "CHORUS END - Cancelled",
        ChorusEnd::BudgetExceeded => "CHORUS END - Budget used up",
    }
}

pub(super) fn speakers(story: &ChorusReport, slots: &[SlotId]) -> String {
    slots.iter().map(|slot| speaker(story, *slot)).collect::<Vec<_>>().join(", ")
}
