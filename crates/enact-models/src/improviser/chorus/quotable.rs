//! A few words out of a text, to be said back.

use enact_drama::dice::Dice;

/// Fewer words say nothing, more are no longer an echo.
const WORDS: std::ops::RangeInclusive<usize> = 4..=8;
const LONGEST: usize = 48;

/// A clause of a text that is short enough to be repeated; not always the same one, so that not all slots
/// repeat the same.
pub(super) fn quotable(text: &str, dice: &mut Dice) -> Option<String> {
    dice.pick(&clauses(text)).cloned()
}

fn clauses(text: &str) -> Vec<String> {
    // What stands between two quotes is quoted already, and the clauses around it are torn.
    let whole =
        text.split_inclusive(['.', '!', '?', '…']).filter(|sentence| !sentence.contains(['"', '“', '”']));
    let clauses = whole.flat_map(|sentence| sentence.split([',', ';', ':', '.', '!', '?', '…', '\u{2014}']));
    let clauses = clauses.map(|clause| {
        let clause = clause.trim();
        ["and ", "but ", "or ", "so "].iter().find_map(|joint| clause.strip_prefix(joint)).unwrap_or(clause)
    });
    let fits = |clause: &&str| {
        WORDS.contains(&clause.split_whitespace().count())
            && clause.len() <= LONGEST
            && !clause.contains(char::is_control)
    };
    clauses.filter(fits).map(first_lowered).collect()
}

/// Words from the beginning of a sentence, within another. "I" stays, and so does what is not written like a
/// common word.
fn first_lowered(text: &str) -> String {
    let word = text.split([' ', '\'', '’']).next().unwrap_or_default();
    let common = word.chars().skip(1).all(char::is_lowercase) && !matches!(word, "I");
    let mut letters = text.chars();
    match letters.next() {
        Some(first) if common => first.to_lowercase().chain(letters).collect(),
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_words_are_few() {
        for (text, expected) in [
            ("Let it stay unfinished a little.", vec!["let it stay unfinished a little"]),
            (
                "You put the sea into the room, and the room got larger.",
                vec!["you put the sea into the room", "the room got larger"],
            ),
            ("\"Sea\" has a long shadow. I'd like to sit in it.", vec!["I'd like to sit in it"]),
            ("NASA would like to know.", vec!["NASA would like to know"]),
            ("Yes, and that includes me.", vec![]),
            ("Rain… Only softer than that is.", vec!["only softer than that is"]),
            ("He said \"come here now please\".", vec![]),
            ("", vec![]),
            ("a b c\u{0} d", vec![]),
        ] {
            assert_eq!(clauses(text), expected, "{text}");
        }
    }
}
