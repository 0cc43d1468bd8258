//! Lines as the judge goes through them: those said aloud, one after the other.

use std::collections::VecDeque;

use super::Heard;
use crate::{judge::names, reply::Action};

/// A transcript in which the judge looks lines up by their place.
pub trait LineSource {
    /// A line of the cast; nothing for events and system lines, and where there is no line.
    fn heard(&self, line: usize) -> Option<Heard<'_>>;
}

impl LineSource for &[Heard<'_>] {
    fn heard(&self, line: usize) -> Option<Heard<'_>> {
        self.get(line).copied()
    }
}

/// A line said aloud. Events, reactions and silences do nothing with words: a nod is no promise.
#[derive(Clone, Copy)]
pub(super) struct SpokenLine<'a> {
    pub(super) spot: Spot,
    /// The speaker's place in the cast; nothing for strangers.
    pub(super) who: Option<usize>,
    pub(super) heard: Heard<'a>,
    pub(super) cast: &'a [String],
    recent: &'a Recent,
    source: &'a dyn LineSource,
}

/// Where a line stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::judge) struct Spot {
    /// Among the lines said aloud.
    pub(in crate::judge) at: usize,
    /// In the transcript.
    pub(in crate::judge) line: usize,
}

/// The last lines said aloud, newest first: their speakers, and where they stand in the transcript.
#[derive(Debug, Clone, Default)]
pub(super) struct Recent {
    lines: VecDeque<(Option<usize>, usize)>,
    count: usize,
}

impl Recent {
    /// How many lines of others an answer can be to: what they answer is not said again.
    const REACH: usize = 3;

    pub(super) fn next<'a>(
        &'a self,
        source: &'a dyn LineSource,
        line: usize,
        cast: &'a [String],
    ) -> Option<SpokenLine<'a>> {
        let heard = source.heard(line)?;
        let aloud = matches!(heard.action, Action::Speak | Action::Interrupt)
            && !heard.speaker.trim().is_empty()
            && !heard.content.trim().is_empty();
        let who = || names::index_of(heard.speaker, cast);
        let spot = Spot { at: self.count, line };
        aloud.then(|| SpokenLine { spot, who: who(), heard, cast, recent: self, source })
    }

    /// How many lines were said aloud.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    pub(super) fn push(&mut self, who: Option<usize>, line: usize) {
        self.count += 1;
        self.lines.truncate(Self::REACH - 1);
        self.lines.push_front((who, line));
    }
}

impl<'a> SpokenLine<'a> {
    /// What the others have said since the speaker last spoke, newest first, as far back as an answer
    /// reaches.
    pub(super) fn answers(&self) -> impl Iterator<Item = &'a str> {
        let (who, source) = (self.who, self.source);
        let others = self.recent.lines.iter().take_while(move |(other, _)| *other != who);
        others.filter_map(move |(_, line)| Some(source.heard(*line)?.content))
    }
}
