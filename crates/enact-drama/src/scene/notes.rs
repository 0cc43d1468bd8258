//! What is whispered to actors, from the fact that says so to the update that carries it.

use std::sync::Arc;

use super::{NoteReason, state::Scene};

/// Maximum number of outside notes in one update; the newest are kept.
const MOST_STEERED: usize = 16;

/// A whisper on its way.
#[derive(Debug, Clone)]
pub(super) struct Note {
    /// `None` for everyone.
    pub(super) to: Option<usize>,
    pub(super) text: Arc<str>,
    /// Whether it came from outside. The moderator's own notes are about the moment and are not kept for
    /// later.
    pub(super) steered: bool,
}

impl Note {
    pub(super) fn new(to: Option<usize>, text: &str, why: NoteReason) -> Note {
        Note { to, text: text.into(), steered: why == NoteReason::Steered }
    }

    fn is_for(&self, actor: usize) -> bool {
        self.to.is_none_or(|to| to == actor)
    }
}

/// Those of some notes that an update to this actor carries.
pub(super) fn told_to(notes: &[Note], actor: usize) -> impl Iterator<Item = &Note> {
    let mine = move |note: &&Note| note.is_for(actor);
    let steered = notes.iter().filter(mine).filter(|note| note.steered).count();
    let mut too_many = steered.saturating_sub(MOST_STEERED);
    notes.iter().filter(mine).filter(move |note| {
        let left_out = note.steered && too_many > 0;
        too_many -= usize::from(left_out);
        !left_out
    })
}

/// The notes from outside that actors have missed, because they were not asked in this beat or gave nothing
/// that could be taken. Their next update carries them, as many as one update holds.
pub(super) fn missed(scene: &Scene) -> Vec<Note> {
    let beat = &scene.beat;
    let heard = |actor: &usize| {
        let thread = &scene.actors[*actor].thread;
        thread.last().is_some_and(|exchange| exchange.beat == beat.number)
    };
    let deaf = (0..scene.actors.len()).filter(|actor| !heard(actor));
    let missed = deaf.flat_map(|actor| {
        let steered = told_to(&beat.notes, actor).filter(|note| note.steered);
        steered.map(move |note| Note { to: Some(actor), ..note.clone() })
    });
    missed.collect()
}
