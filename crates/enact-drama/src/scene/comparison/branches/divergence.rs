//! Where two stories that begin alike part.

use serde::Serialize;

use crate::scene::{
    Line,
    report::{Story, line_text},
};

/// The first line that differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Divergence {
    /// How many lines both have said by then.
    pub lines_shared: usize,
    /// The beat in which this one goes its own way.
    pub beat: u32,
    /// What the other one says there; nothing if it is over.
    pub other: Option<String>,
    /// What this one says there.
    pub own: Option<String>,
}

impl Divergence {
    /// Where `story` parts from `other`; nothing if both say the same to the end.
    ///
    /// Lines are compared by what was said, not by how much of it was heard: where somebody is cut off in
    /// only one of them, the line that cuts in is the one that differs.
    pub(super) fn of(other: &Story, story: &Story) -> Option<Divergence> {
        let pairs = story.lines.iter().zip(other.lines.iter());
        let lines_shared = pairs.take_while(|(own, other)| own.said == other.said).count();
        let (own, other_line) = (story.lines.get(lines_shared), other.lines.get(lines_shared));
        let beat = own.or(other_line)?.beat;
        let quoted = |story: &Story, line: Option<&Line>| line.map(|line| line_text(&story.setup, line));
        Some(Divergence { lines_shared, beat, other: quoted(other, other_line), own: quoted(story, own) })
    }
}
