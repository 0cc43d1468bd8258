//! Lines as the judge hears them, one after the other.

use std::{collections::VecDeque, sync::Arc};

use super::{Acts, line_traits::LineTraits};
use crate::reply::Action;

/// A line as the judge sees it: who, what was heard of it, and how.
#[derive(Debug, Clone, Copy)]
pub struct Heard<'a> {
    /// Display name; empty for world events.
    pub speaker: &'a str,
    pub content: &'a str,
    pub tone: Option<&'a str>,
    pub action: Action,
    /// Whom it is addressed to, as written.
    pub target: Option<&'a str>,
    /// Whose line it cut off, if it cut one.
    pub cuts: Option<&'a str>,
    pub acts: &'a Acts,
}

impl Heard<'_> {
    /// Whether somebody says or does something in it.
    pub(super) fn is_something(&self) -> bool {
        self.action != Action::Silent && !self.speaker.trim().is_empty() && !self.content.trim().is_empty()
    }
}

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

/// Where a line stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Spot {
    /// Among the lines said aloud.
    pub(super) at: usize,
    /// In the transcript.
    pub(super) line: usize,
}

/// A line taken apart, and what came before it.
#[derive(Clone, Copy)]
pub(super) struct HeardLine<'a> {
    pub(super) spot: Spot,
    pub(super) heard: Heard<'a>,
    pub(super) traits: &'a LineTraits,
    pub(super) earlier: &'a EarlierLines,
}

impl<'a> HeardLine<'a> {
    /// The lines before it, newest first.
    pub(super) fn before(&self) -> impl Iterator<Item = &'a LineTraits> + Clone {
        self.earlier.lines.iter().map(|line| &**line)
    }

    /// What the others have said since the speaker last spoke, newest first, as far back as an answer reaches.
    pub(super) fn answers(&self) -> impl Iterator<Item = &'a LineTraits> {
        /// How many lines of others an answer can be to: what they answer is not said again.
        const REACH: usize = 3;
        let who = self.traits.who;
        let aloud = self.before().filter(|line| line.aloud).take(REACH);
        aloud.take_while(move |line| line.who != who)
    }
}

/// The last lines, newest first.
#[derive(Debug, Clone, Default)]
pub(super) struct EarlierLines {
    lines: VecDeque<Arc<LineTraits>>,
    /// How many lines were said aloud, of all.
    aloud: usize,
}

/// Lines that say what a line is about.
const LINES_KEPT: usize = 4;

impl EarlierLines {
    /// Where the next line stands.
    pub(super) fn next(&self, line: usize) -> Spot {
        Spot { at: self.aloud, line }
    }

    pub(super) fn push(&mut self, line: Arc<LineTraits>) {
        self.aloud += usize::from(line.aloud);
        self.lines.truncate(LINES_KEPT - 1);
        self.lines.push_front(line);
    }
}
