//! What follows from what somebody outside wants.

use super::{
    Command, EndReason, NoteReason, Said, Scene, SceneEvent,
    machine::{self, Draft},
    moderator,
};

/// How many notes and world events a scene takes between two beats. All of them go into every actor's next update: more
/// would drown what the others say.
const MOST_FROM_OUTSIDE: usize = 32;

pub(super) fn steered(draft: &mut Draft, wanted: &Command) {
    let company = draft.scene.company.clone();
    // Whoever posts it has been told what is wrong with it; here it is only kept off the stage.
    let Ok(wanted) = wanted.clone().check(company.players.iter().map(|player| &player.name)) else { return };
    let pause = draft.scene.pause;
    match wanted {
        Command::Cancel => draft.push(SceneEvent::Ended { reason: EndReason::Cancelled, needed: None }),
        Command::Note { .. } | Command::WorldEvent { .. }
            if draft.scene.from_outside >= MOST_FROM_OUTSIDE =>
        {
            ignore(draft);
        }
        Command::Note { to, text } => {
            draft.push(SceneEvent::Noted { to, text, why: NoteReason::Steered });
        }
        Command::WorldEvent { text } => draft.push(SceneEvent::LineAdded { said: Said::World { text } }),
        // Beats that are still wanted are not, once somebody wants a pause.
        Command::Pause if !pause.paused || pause.steps > 0 => draft.push(SceneEvent::Paused {}),
        Command::Step if !pause.paused => draft.push(SceneEvent::Paused {}),
        Command::Step if pause.steps < draft.scene.setup().max_beats => {
            draft.push(SceneEvent::Stepped {});
            go_on(draft);
        }
        Command::Resume if pause.paused => {
            draft.push(SceneEvent::Continued {});
            go_on(draft);
        }
        Command::Pause | Command::Step | Command::Resume => {}
    }
}

/// Whether a beat that has settled is where the scene stops for now.
pub(super) fn holds_up(scene: &Scene) -> bool {
    scene.pause.paused && scene.pause.steps == 0
}

/// Says so the first time: a log that takes a line for everything that is too much would be drowned itself.
fn ignore(draft: &mut Draft) {
    if draft.scene.from_outside == MOST_FROM_OUTSIDE {
        draft.push(SceneEvent::SteeringIgnored { most: MOST_FROM_OUTSIDE });
    }
}

/// Concludes the beat that was held up; one that is still being played concludes by itself.
fn go_on(draft: &mut Draft) {
    if draft.scene.untouched.is_some() {
        machine::take_up(draft);
    } else if !draft.scene.beat.open {
        moderator::conclude(draft);
    }
}
