//! Which line, and with which words in it.

use enact_drama::dice::Dice;

use crate::improviser::template::capitalised;

/// What is taken up of what others said.
pub(super) const TAKEN_UP: [&str; 6] = ["{topic}", "{word}", "{feeling}", "{whom}", "{quote}", "{own}"];
/// How much likelier a line is that takes something up.
const ATTENTION: usize = 2;
/// The same where nothing is known but the words that were said.
pub(super) const CURIOSITY: usize = 5;

/// What may stand in a line, by the name of its placeholder; without what is not known.
#[derive(Debug, Default)]
pub(super) struct Fillings(Vec<(&'static str, String)>);

impl Fillings {
    pub(super) fn with(mut self, name: &'static str, word: Option<String>) -> Fillings {
        self.0.extend(word.map(|word| (name, word)));
        self
    }

    /// The line with all its words, if all of them are known.
    pub(super) fn fill(&self, line: &str) -> Option<String> {
        let mut text = String::with_capacity(line.len());
        let mut rest = line;
        // In one pass: what is filled in may hold braces too, and they stay as they are.
        while let Some((before, after)) = rest.split_once('{') {
            let (name, after) = after.split_once('}')?;
            let (_, word) = self.0.iter().find(|(known, _)| *known == name)?;
            text.push_str(before);
            text.push_str(word);
            rest = after;
        }
        text.push_str(rest);
        // A line may begin with a name, or with something that was said.
        Some(capitalised(&text))
    }
}

/// One of the lines: one that has not been said before, or else the one that was said longest ago. Lines that
/// take up something that was said are likelier.
pub(super) fn choose(lines: &[String], said_before: &[String], words: &Fillings, dice: &mut Dice) -> String {
    choose_with(ATTENTION, lines, said_before, words, dice)
}

/// The same, where a line that takes something up is likelier by this much.
pub(super) fn choose_with(
    attention: usize,
    lines: &[String],
    said_before: &[String],
    words: &Fillings,
    dice: &mut Dice,
) -> String {
    let filled =
        lines.iter().filter_map(|line| Some((last_said(line, said_before), line, words.fill(line)?)));
    let filled: Vec<(Option<usize>, &String, String)> = filled.collect();
    let longest_ago = filled.iter().map(|(said, ..)| *said).min().flatten();
    let fresh = filled.iter().filter(|(said, ..)| *said == longest_ago);
    let tickets = fresh.flat_map(|(_, line, text)| {
        let takes_up = TAKEN_UP.iter().any(|word| line.contains(word));
        std::iter::repeat_n(text, if takes_up { attention } else { 1 })
    });
    dice.pick(&tickets.collect::<Vec<_>>()).map(|text| (*text).clone()).unwrap_or_default()
}

/// Which of the earlier answers last had a line in it, whatever words stood there.
fn last_said(line: &str, said_before: &[String]) -> Option<usize> {
    let own = own_words(line);
    said_before.iter().rposition(|said| said.contains(own))
}

/// Whether some of the lines have not been said yet.
pub(super) fn has_fresh(lines: &[String], said_before: &[String]) -> bool {
    lines.iter().any(|line| last_said(line, said_before).is_none())
}

/// Whether an answer has one of some lines in it.
pub(super) fn has_one_of(lines: &[String], said: &str) -> bool {
    lines.iter().any(|line| said.contains(own_words(line)))
}

/// The longest part of a line that is always the same.
pub(super) fn own_words(line: &str) -> &str {
    let parts = line.split('{').map(|part| part.split_once('}').map_or(part, |(_, after)| after));
    parts.max_by_key(|part| part.len()).unwrap_or(line)
}
