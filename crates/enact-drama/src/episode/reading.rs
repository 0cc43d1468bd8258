//! A model reads along: it is asked after each exchange, and nothing waits for its answer.

use super::{EpisodeEvent, director, machine::EpisodeDraft};
use crate::{
    CallId,
    production::{Answer, Failure},
};

/// Timeout of a reading. Nothing waits for it, but a run does not rest while a call is under way.
pub(super) const READING_TIMEOUT_MS: u64 = 30_000;

/// Asks a model to read the exchange that is complete, where there is one. While one reading is under way no
/// other is asked for: the next covers the same messages.
pub(super) fn ask(draft: &mut EpisodeDraft, turn: u32) {
    if draft.episode.reading.is_some() {
        return;
    }
    if let Some(model) = draft.episode.setup.director.clone() {
        let call = draft.next_call();
        draft.push(EpisodeEvent::ReadingAsked { call, turn, model, deadline: CallId(call.0 + 1) });
    }
}

/// A model gave its reading.
pub(super) fn given(draft: &mut EpisodeDraft, answer: &Answer) {
    let Some(asked) = draft.episode.reading else { return };
    match director::read_reading(&draft.episode, &answer.text) {
        Some(reading) => draft.push(EpisodeEvent::ReadingGiven {
            call: asked.call,
            turn: asked.turn,
            reading,
            usage: answer.usage,
            took_ms: answer.took_ms,
        }),
        None => {
            let failure = Failure {
                usage: answer.usage,
                took_ms: answer.took_ms,
                ..Failure::new("the reading could not be read")
            };
            failed(draft, &failure);
        }
    }
}

pub(super) fn failed(draft: &mut EpisodeDraft, failure: &Failure) {
    let Some(asked) = draft.episode.reading else { return };
    draft.push(EpisodeEvent::ReadingFailed {
        call: asked.call,
        turn: asked.turn,
        error: failure.error.clone(),
        failure: failure.kind,
        usage: failure.usage,
        took_ms: failure.took_ms,
    });
}
