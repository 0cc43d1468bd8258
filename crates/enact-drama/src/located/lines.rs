//! From offsets, which parsers know, to lines and columns, which editors show.

use crate::Place;

#[derive(Debug)]
pub(super) struct Lines<'a> {
    text: &'a str,
    /// Where each line begins; never empty.
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    pub(super) fn of(text: &'a str) -> Lines<'a> {
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(index, _)| index + 1)).collect();
        Lines { text, starts }
    }

    /// Offsets beyond the text, and within a character, are taken back to the nearest that there is.
    pub(super) fn place(&self, offset: usize) -> Place {
        let offset = self.text.floor_char_boundary(offset);
        let line = self.starts.partition_point(|start| *start <= offset);
        let start = self.starts[line - 1];
        Place { line, column: self.text[start..offset].chars().count() + 1 }
    }
}
