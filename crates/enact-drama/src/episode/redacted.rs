//! What of an episode's log leaves the store: everything but what the character thinks.

use super::{EpisodeEvent, answer::without_internal};

/// A fact without what the character thinks; nothing where it holds no such thing.
pub(super) fn redacted(event: &EpisodeEvent) -> Option<EpisodeEvent> {
    match event {
        EpisodeEvent::Thought { turn, internal } if !internal.is_empty() => {
            Some(EpisodeEvent::Thought { turn: *turn, internal: String::new() })
        }
        EpisodeEvent::Answered { raw, answer, .. } => {
            let shown = without_internal(raw, answer)?;
            let mut event = event.clone();
            if let EpisodeEvent::Answered { raw, .. } = &mut event {
                *raw = shown;
            }
            Some(event)
        }
        _ => None,
    }
}
