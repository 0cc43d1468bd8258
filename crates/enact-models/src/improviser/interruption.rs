//! Where to cut a line off so that it sounds like it.

use enact_drama::{Name, scene::Lines};

use super::{read_so_far::newest, words::WORDS};

/// How many words the phrase has that names the point of the cut: enough to be found at one place only.
const PHRASE: usize = 4;
/// A line of fewer words is over before another can cut in.
const SHORTEST: usize = 12;

/// The words after which to interrupt a character's line of the previous beat: in its middle, and where
/// possible after a word that leaves a sentence hanging.
pub(super) fn phrase(lines: &Lines, beat: u32, whom: &Name) -> Option<String> {
    let line = newest(lines, beat).rev().find(|line| {
        line.beat + 1 == beat && line.is_by(whom) && line.cut.is_none() && line.spoken().is_some()
    })?;
    middle(line.spoken()?)
}

fn middle(text: &str) -> Option<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    if words.len() < SHORTEST {
        return None;
    }
    let (from, until) = (words.len() * 2 / 5, words.len() * 4 / 5);
    let open = |at: &usize| words[*at].ends_with(char::is_alphanumeric);
    let hanging = |at: &usize| WORDS.hanging.has(&words[*at].to_lowercase());
    let last = (from..until).rev().filter(open).find(hanging).or_else(|| (from..until).rev().find(open))?;
    let phrase = &words[(last + 1).saturating_sub(PHRASE)..=last];
    // A phrase with quotes in it would end its own quotation.
    let phrase = phrase.join(" ");
    (!phrase.contains(['"', '“', '”', '[', ']'])).then_some(phrase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_fall_in_the_middle_and_leave_the_sentence_hanging() {
        let line = "The files came in two days late, and I really thought that if I just worked the weekend through, I \
                    could still get it all done.";
        assert_eq!(middle(line).as_deref(), Some("the weekend through, I"));
        assert_eq!(middle("Too short to be cut off."), None);
        assert_eq!(middle("one two three four five six \"seven\" eight nine ten eleven twelve"), None);
    }
}
