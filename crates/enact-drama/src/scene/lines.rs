//! The lines of a scene so far, folded from its facts.

use std::ops::{Index, Range};

use rpds::VectorSync;

use super::{Line, SceneEvent};
use crate::{record::Seq, test_counter::looked_at};

/// Every line that entered the transcript, in order, cuts included.
///
/// Copies share their lines, so that a copy costs the same however long the scene is: the rules copy the state for every
/// input, and every actor of every beat gets a copy of the transcript.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Lines {
    beat: u32,
    lines: VectorSync<Line>,
}

impl Lines {
    /// Folds one fact; most of them say nothing about lines.
    pub fn apply(&mut self, seq: Seq, event: &SceneEvent) {
        match event {
            SceneEvent::BeatOpened { beat, .. } => self.beat = *beat,
            SceneEvent::LineAdded { said } => {
                self.lines.push_back_mut(Line::new(seq, self.beat, said.clone()));
            }
            SceneEvent::LineCut { line, cut } => {
                if let Some(index) = self.index(*line) {
                    let cut = self[index].cut(cut.clone());
                    self.lines.set_mut(index, cut);
                }
            }
            _ => {}
        }
    }

    /// Where a line stands. Ids grow along the transcript.
    pub fn index(&self, id: Seq) -> Option<usize> {
        let index = self.partition_point(|line| line.id < id);
        (self.get(index)?.id == id).then_some(index)
    }

    /// How many lines there were at the end of a beat.
    pub(super) fn through(&self, beat: u32) -> usize {
        self.partition_point(|line| line.beat <= beat)
    }

    pub fn len(&self) -> usize {
        self.lines.len()
    }

    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    pub fn get(&self, index: usize) -> Option<&Line> {
        looked_at(1);
        self.lines.get(index)
    }

    pub fn first(&self) -> Option<&Line> {
        self.get(0)
    }

    pub fn last(&self) -> Option<&Line> {
        self.get(self.len().checked_sub(1)?)
    }

    pub fn iter(&self) -> LineIter<'_> {
        self.range(0..self.len())
    }

    /// Some lines that follow each other, as far as they are there.
    pub fn range(&self, range: Range<usize>) -> LineIter<'_> {
        let end = range.end.min(self.len());
        LineIter { lines: self, range: range.start.min(end)..end }
    }

    /// The last so many lines.
    pub(super) fn newest(&self, count: usize) -> LineIter<'_> {
        self.range(self.len().saturating_sub(count)..self.len())
    }

    fn partition_point(&self, comes_before: impl Fn(&Line) -> bool) -> usize {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low + (high - low) / 2;
            if comes_before(&self[middle]) { low = middle + 1 } else { high = middle }
        }
        low
    }
}

impl Index<usize> for Lines {
    type Output = Line;

    fn index(&self, index: usize) -> &Line {
        looked_at(1);
        &self.lines[index]
    }
}

impl<'a> IntoIterator for &'a Lines {
    type Item = &'a Line;
    type IntoIter = LineIter<'a>;

    fn into_iter(self) -> LineIter<'a> {
        self.iter()
    }
}

/// Lines that follow each other.
#[derive(Debug, Clone)]
pub struct LineIter<'a> {
    lines: &'a Lines,
    range: Range<usize>,
}

impl<'a> Iterator for LineIter<'a> {
    type Item = &'a Line;

    fn next(&mut self) -> Option<&'a Line> {
        self.lines.get(self.range.next()?)
    }

    fn nth(&mut self, skipped: usize) -> Option<&'a Line> {
        self.lines.get(self.range.nth(skipped)?)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.range.size_hint()
    }
}

impl<'a> DoubleEndedIterator for LineIter<'a> {
    fn next_back(&mut self) -> Option<&'a Line> {
        self.lines.get(self.range.next_back()?)
    }
}

impl ExactSizeIterator for LineIter<'_> {}
