//! Where a chorus leaves what can be heard, below the folder of artifacts.

use super::{ChorusSetup, SlotId, Turn};
use crate::{RunId, voice::VoiceProfile};

/// The folder of a run: `tts/sessions/<run>`.
pub fn folder_of(run: RunId) -> String {
    format!("tts/sessions/{run}")
}

/// The list of everything in it: `tts/sessions/<run>/session.json`.
pub fn manifest_of(run: RunId) -> String {
    format!("{}/session.json", folder_of(run))
}

/// Where something that is said in a turn is going to lie. A comment has a target.
pub(super) fn of_speech(
    setup: &ChorusSetup,
    seat: usize,
    turn: Turn,
    target: Option<SlotId>,
    profile: VoiceProfile,
) -> String {
    let (slot, agent) = (setup.seats[seat].slot, setup.seats[seat].agent.id.slug());
    let what = match (turn, target) {
        (Turn::Comment, Some(target)) => format!("comment_to_slot-{target}_"),
        (Turn::Comment, None) => "comment_".to_owned(),
        (Turn::Reply, _) => "reply_".to_owned(),
        (Turn::Respond, _) => String::new(),
    };
    let folder = folder_of(setup.run);
    format!("{folder}/turn_{}/slot-{slot}_{what}{agent}_{}.wav", turn.index(), profile.as_str())
}

#[cfg(test)]
mod tests;
