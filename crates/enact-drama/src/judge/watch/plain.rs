//! Plain words of an act: a line that says what the tables say, word by word, or tells the deed itself.

use super::matter::Matter;
use crate::{acts::ActKind, judge::line_traits::LineTraits};

/// The share of a goal's telling words that have to be in a line which does it plainly.
const LEAST_CONTENT: f32 = 0.34;

/// The lines before one that can say what it is about.
const LINES_BEFORE: usize = 2;

/// Whether a line does what a goal asks for in so many words.
pub(super) fn is_plain<'a>(
    line: &LineTraits,
    goal: &Matter,
    before: impl Iterator<Item = &'a LineTraits>,
) -> bool {
    let reading = &goal.reading;
    if goal.is_misdirected(&line.called) {
        return false;
    }
    let touches = |line: &LineTraits| {
        let is_in = |wanted: &&String| line.stems().any(|stem| stem.text == **wanted);
        let shared = reading.content_stems.iter().filter(is_in).count();
        shared as f32 >= LEAST_CONTENT * reading.content_stems.len() as f32
    };
    if let Some(deed) = &reading.deed {
        let tells = line.parts.iter().filter(|part| part.is_gesture() || part.is_own_deed());
        return touches(line) && tells.flat_map(|part| &part.stems).any(|stem| stem.text == *deed);
    }
    // "I promise it": what was spoken of. "I promise to feed the cat" says what is meant.
    let points = line.spoken().any(|part| part.points);
    let mut before = before.take(LINES_BEFORE).filter(|_| points);
    let mut near = || before.any(touches);
    let says = |(act, has_content): &(ActKind, bool)| {
        *act == reading.act && (!has_content || touches(line) || near())
    };
    line.plain.iter().any(says)
}
