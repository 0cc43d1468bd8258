//! Plain words of an act: a line that says what the tables say, word by word, or tells the deed itself.

use super::{line_traits::LineTraits, matter::Matter, sentences::LinePart};
use crate::acts::ActKind;

/// The share of a goal's telling words that have to be in a line which does it plainly.
const LEAST_CONTENT: f32 = 0.34;

/// The lines before one that can say what it is about.
const LINES_BEFORE: usize = 2;

/// The acts that are said in the very words of the tables, and whether those words have a content.
pub(super) fn acts_in(parts: &[LinePart<'_>]) -> Vec<(ActKind, bool)> {
    let said = || parts.iter().filter(|part| !part.gesture).map(|part| (&part.words[..], part.asks));
    let mut found: Vec<(ActKind, bool)> = Vec::new();
    for act in ActKind::all().filter(|act| *act != ActKind::deed()) {
        let heard = act.said().iter().filter(|template| template.is_heard_in(said()));
        // Words without a content of their own do it whatever the goal is about.
        if let Some(bare) = heard.map(|template| template.has_content()).min() {
            found.push((act, bare));
        }
    }
    found
}

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
        let shared = reading.content_stems.iter().filter(|wanted| line.stems.contains(wanted)).count();
        shared as f32 >= LEAST_CONTENT * reading.content_stems.len() as f32
    };
    if let Some(deed) = &reading.deed {
        return touches(line) && line.parts.iter().any(|part| part.stems.contains(deed) && part.is_deed);
    }
    let mut before = before.take(LINES_BEFORE);
    let mut near = || before.any(touches);
    let says = |(act, has_content): &(ActKind, bool)| {
        *act == reading.act && (!has_content || touches(line) || near())
    };
    line.plain.iter().any(says)
}
