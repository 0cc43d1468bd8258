//! What follows from what somebody outside wants.

use super::{EndReason, NoteReason, Said, Scene, SceneEvent, machine::Draft, moderator};
use crate::Steering;

pub(super) fn steered(draft: &mut Draft, wanted: &Steering) {
    match wanted {
        Steering::Cancel => draft.push(SceneEvent::Ended { reason: EndReason::Cancelled, needed: None }),
        Steering::Note { to, text } => {
            let (to, text) = (to.clone(), text.clone());
            draft.push(SceneEvent::Noted { to, text, why: NoteReason::Steered });
        }
        Steering::WorldEvent { text } => {
            draft.push(SceneEvent::LineAdded { said: Said::World { text: text.clone() } });
        }
        Steering::Pause | Steering::Step if !draft.scene.pause.paused => draft.push(SceneEvent::Paused {}),
        Steering::Pause => {}
        Steering::Step => {
            draft.push(SceneEvent::Stepped {});
            go_on(draft);
        }
        Steering::Resume if draft.scene.pause.paused => {
            draft.push(SceneEvent::Continued {});
            go_on(draft);
        }
        Steering::Resume => {}
    }
}

/// Whether a beat that has settled is where the scene stops for now.
pub(super) fn holds_up(scene: &Scene) -> bool {
    scene.pause.paused && scene.pause.steps == 0
}

/// Concludes the beat that was held up; one that is still being played concludes by itself.
fn go_on(draft: &mut Draft) {
    if !draft.scene.beat.open {
        moderator::conclude(draft);
    }
}
