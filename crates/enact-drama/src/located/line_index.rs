//! From offsets, which parsers know, to lines and columns, which editors show.

use std::cell::Cell;

use crate::Place;

/// The lines of a text.
#[derive(Debug)]
pub struct LineIndex<'a> {
    text: &'a str,
    /// Where each line begins; never empty.
    starts: Vec<usize>,
    /// The offset that was last asked for, and its column. Programs write everything on one line, and readers
    /// ask for one place after the other: counting from the start of the line each time would take a minute
    /// for a megabyte.
    last: Cell<(usize, usize)>,
}

impl<'a> LineIndex<'a> {
    pub fn of(text: &'a str) -> LineIndex<'a> {
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(index, _)| index + 1)).collect();
        LineIndex { text, starts, last: Cell::new((0, 1)) }
    }

    /// Offsets beyond the text, and within a character, are taken back to the nearest that there is.
    pub fn place(&self, offset: usize) -> Place {
        let offset = self.text.floor_char_boundary(offset);
        let line = self.starts.partition_point(|start| *start <= offset);
        let start = self.starts[line - 1];
        let (from, before) = match self.last.get() {
            (last, column) if (start..=offset).contains(&last) => (last, column),
            _ => (start, 1),
        };
        let column = before + self.text[from..offset].chars().count();
        self.last.set((offset, column));
        Place { line, column }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn places_are_the_same_in_whichever_order_they_are_asked_for(
            text in "[ab\u{e9}\u{1f600}\n]{0,40}",
            offsets in prop::collection::vec(0_usize..120, 0..20),
        ) {
            let lines = LineIndex::of(&text);
            for offset in offsets {
                prop_assert_eq!(lines.place(offset), LineIndex::of(&text).place(offset));
            }
        }
    }
}
