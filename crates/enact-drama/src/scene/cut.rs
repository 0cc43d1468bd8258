//! Where an interruption cuts a line.

use super::{Cut, Line, Lines, SceneEvent, machine::SceneDraft};
use crate::{Name, record::Seq};

/// Cuts the line an interruption hits, before the interrupter's own line follows.
pub(super) fn interrupt(draft: &mut SceneDraft, by: &Name, phrase: Option<&str>) {
    let phrase = phrase.unwrap_or_default();
    match find_cut_point(&draft.scene.lines, draft.scene.beat.number, by, phrase) {
        Some((line, at)) => draft.push(SceneEvent::LineCut { line, cut: Cut { at, by: by.clone() } }),
        None => draft.push(SceneEvent::CutMissed { by: by.clone(), phrase: phrase.to_owned() }),
    }
}

/// The line an interruption hits, and how many bytes of it were heard.
///
/// Actors cannot see the lines of their own beat, so most interruptions hit a line of the beat before: the
/// newest line by another character that contains the phrase, first among those that already arrived in this
/// beat, then back through the previous one. A line is cut at most once.
fn find_cut_point(lines: &Lines, beat: u32, interrupter: &Name, phrase: &str) -> Option<(Seq, usize)> {
    let phrase = Folded::new(phrase);
    if phrase.letters.is_empty() {
        return None;
    }
    lines
        .iter()
        .rev()
        .take_while(|line| line.beat + 1 >= beat)
        .filter(|line| line.cut.is_none() && !line.is_by(interrupter))
        .find_map(|line| Some((line.id, end_of(&phrase, line.spoken()?)?)))
}

/// Whose line an interrupting line cut off: the newest earlier one that was cut by its speaker right after
/// its phrase.
pub(super) fn interrupted_speaker<'a>(lines: &'a Lines, interruption: &Line) -> Option<&'a Name> {
    let (interrupter, reply) = interruption.actor()?;
    let phrase = Folded::new(reply.interrupt_after.as_deref()?);
    let until = lines.index(interruption.id)?;
    lines.range(0..until).rev().take_while(|line| line.beat + 1 >= interruption.beat).find_map(|line| {
        let cut = line.cut.as_ref().filter(|cut| cut.by == *interrupter)?;
        let at = end_of(&phrase, line.spoken()?)?;
        (at == cut.at).then_some(line.actor()?.0)
    })
}

/// Whether a text contains a phrase, whatever its case, punctuation and spacing.
pub(super) fn contains(text: &str, phrase: &str) -> bool {
    let phrase = Folded::new(phrase);
    !phrase.letters.is_empty() && end_of(&phrase, text).is_some()
}

/// Where a phrase ends in a text, in bytes: productions without beats cut lines as scenes do.
pub(crate) fn end_of_phrase(phrase: &str, text: &str) -> Option<usize> {
    let phrase = Folded::new(phrase);
    if phrase.letters.is_empty() { None } else { end_of(&phrase, text) }
}

/// Where in a text the phrase ends. Whole words are looked for first; failing that, a phrase may end inside a
/// word ("I can expl"), because models stop people anywhere.
fn end_of(phrase: &Folded, text: &str) -> Option<usize> {
    let text = Folded::new(text);
    let mut inside_a_word = None;
    for start in 0..text.letters.len().checked_sub(phrase.letters.len() - 1)? {
        let end = start + phrase.letters.len();
        if !text.letters[start].starts_word || !text.matches(phrase, start) {
            continue;
        }
        if text.letters.get(end).is_none_or(|letter| letter.starts_word) {
            return Some(text.letters[end - 1].end);
        }
        inside_a_word.get_or_insert(text.letters[end - 1].end);
    }
    inside_a_word
}

/// A text reduced to its letters and digits in lower case, so that case, punctuation and spacing do not
/// matter.
struct Folded {
    letters: Vec<Letter>,
}

struct Letter {
    folded: char,
    /// Nothing alphanumeric stands right before it, or it belongs to a script that writes without spaces.
    starts_word: bool,
    /// Byte offset just after it in the original text.
    end: usize,
}

impl Folded {
    fn new(text: &str) -> Folded {
        let mut letters = Vec::with_capacity(text.len());
        let mut in_word = false;
        for (at, c) in text.char_indices() {
            if c.is_alphanumeric() {
                let starts_word = !in_word || writes_without_spaces(c);
                let end = at + c.len_utf8();
                letters.extend(c.to_lowercase().map(|folded| Letter { folded, starts_word, end }));
                in_word = true;
            } else {
                // Apostrophes stay inside their word, whichever way they are written: "don't" is one word.
                in_word &= matches!(c, '\'' | '’' | 'ʼ' | '\u{300}'..='\u{36f}');
            }
        }
        Folded { letters }
    }

    fn matches(&self, phrase: &Folded, start: usize) -> bool {
        self.letters[start..].iter().zip(&phrase.letters).all(|(a, b)| a.folded == b.folded)
    }
}

fn writes_without_spaces(c: char) -> bool {
    matches!(c, '\u{0e00}'..='\u{0eff}' | '\u{1000}'..='\u{109f}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests;
