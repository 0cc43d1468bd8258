//! What was said aloud, and by whom of the cast.

use super::Heard;
use crate::{judge::names, reply::Action};

/// The spoken lines. Events, reactions and silences do nothing with words: a nod is no promise.
#[derive(Debug)]
pub(super) struct Stage<'a> {
    pub(super) cast: &'a [&'a str],
    pub(super) lines: Vec<Spoken<'a>>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Spoken<'a> {
    /// Where the speaker stands in the cast; nothing for strangers.
    pub(super) who: Option<usize>,
    pub(super) heard: &'a Heard<'a>,
}

impl<'a> Stage<'a> {
    pub(super) fn new(cast: &'a [&'a str], lines: &'a [Heard<'a>]) -> Stage<'a> {
        let spoken = |line: &&Heard<'_>| {
            matches!(line.action, Action::Speak | Action::Interrupt)
                && !line.speaker.trim().is_empty()
                && !line.content.trim().is_empty()
        };
        let who = |line: &Heard<'_>| names::index_of(line.speaker, cast);
        Stage {
            cast,
            lines: lines.iter().filter(spoken).map(|heard| Spoken { who: who(heard), heard }).collect(),
        }
    }

    /// The last few lines.
    pub(super) fn last(&self, count: usize) -> &[Spoken<'a>] {
        &self.lines[self.lines.len().saturating_sub(count)..]
    }
}
