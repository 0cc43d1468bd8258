//! The lines of a scene so far, folded from its facts.

use std::{ops::Deref, sync::Arc};

use super::{Line, SceneEvent};
use crate::record::Seq;

/// Every line that entered the transcript, in order, cuts included.
///
/// Lines are shared, not copied: the rules look at a draft of the state for every input, and a clone of this costs
/// one pointer a line.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Lines {
    beat: u32,
    lines: Vec<Arc<Line>>,
}

impl Lines {
    /// Folds one fact; most of them say nothing about lines.
    pub fn apply(&mut self, seq: Seq, event: &SceneEvent) {
        match event {
            SceneEvent::BeatOpened { beat, .. } => self.beat = *beat,
            SceneEvent::LineAdded { said } => {
                self.lines.push(Arc::new(Line::new(seq, self.beat, said.clone())));
            }
            SceneEvent::LineCut { line, cut } => {
                if let Some(index) = self.index(*line) {
                    self.lines[index] = Arc::new(self.lines[index].cut(cut.clone()));
                }
            }
            _ => {}
        }
    }

    /// Where a line stands. Ids grow along the transcript.
    pub fn index(&self, id: Seq) -> Option<usize> {
        self.lines.binary_search_by_key(&id, |line| line.id).ok()
    }
}

impl Deref for Lines {
    type Target = [Arc<Line>];

    fn deref(&self) -> &[Arc<Line>] {
        &self.lines
    }
}
