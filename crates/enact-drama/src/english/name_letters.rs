//! Names as they are compared: by their letters and digits; accents, case, hyphens and spaces aside. "Ines" is Inès,
//! "Juno 9" is Juno-9.

use std::{collections::HashMap, sync::LazyLock};

use super::words::Word;

/// Plain letters by those with accents, read from `folded_letters.txt`.
static PLAIN: LazyLock<HashMap<char, &'static str>> = LazyLock::new(|| {
    let rows = include_str!("folded_letters.txt").lines().filter(|row| !row.starts_with('#'));
    let rows = rows.filter_map(|row| row.split_once(' '));
    rows.flat_map(|(plain, others)| others.chars().map(move |other| (other, plain))).collect()
});

/// Whether two names have the same letters.
pub(crate) fn same_name(one: &str, other: &str) -> bool {
    // Every word of a scene is compared with every name: most differ in their first letter.
    match (one.as_bytes().first(), other.as_bytes().first()) {
        (Some(one), Some(other))
            if is_plain(*one) && is_plain(*other) && !one.eq_ignore_ascii_case(other) =>
        {
            false
        }
        _ => letters(one).eq(letters(other)),
    }
}

/// Whether one of two names begins with the other.
pub(crate) fn begins_alike(one: &str, other: &str) -> bool {
    letters(one).zip(letters(other)).all(|(one, other)| one == other)
}

/// By how many words a text begins with a name, however either is joined: "Jean Luc", "Jean-Luc".
pub(crate) fn name_len(name: &[&str], words: &[Word<'_>]) -> Option<usize> {
    let mut left = name.iter().flat_map(|part| letters(part)).peekable();
    left.peek()?;
    for (at, word) in words.iter().enumerate() {
        if !letters(&word.text).all(|letter| left.next() == Some(letter)) {
            return None;
        }
        if left.peek().is_none() {
            // "Jame's" is not James.
            return (word.text != "'s").then_some(at + 1);
        }
    }
    None
}

/// The letters and digits that a name is known by.
fn letters(name: &str) -> impl Iterator<Item = char> {
    name.chars().flat_map(char::to_lowercase).flat_map(|letter| {
        let folded = if letter.is_ascii() { None } else { PLAIN.get(&letter) };
        let own = folded.is_none() && letter.is_alphanumeric();
        folded.map_or("", |plain| plain).chars().chain(own.then_some(letter))
    })
}

fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::english::words::Text;

    #[test]
    fn accents_case_and_hyphens_do_not_tell_names_apart() {
        for (one, other) in [
            ("Inès", "INES"),
            ("Ine\u{300}s", "inès"),
            ("Juno-9", "juno 9"),
            ("Jean\u{2010}Luc", "Jean-Luc"),
            ("Ægir", "Aegir"),
            ("Łukasz", "lukasz"),
        ] {
            assert!(same_name(one, other), "{one} {other}");
        }
        for (one, other) in [("Inès", "Inez"), ("Bob", "Bo"), ("Юля", "Оля")] {
            assert!(!same_name(one, other), "{one} {other}");
        }
    }

    #[test]
    fn a_name_is_found_however_it_is_joined() {
        let len = |name: &[&str], text: &str| name_len(name, &Text::read(text).words);
        assert_eq!(len(&["Jean-Luc"], "Jean Luc leaves"), Some(2));
        assert_eq!(len(&["Old", "Kell"], "old-kell leaves"), Some(1));
        assert_eq!(len(&["Gatekeeper's", "Daughter"], "gatekeeper's daughter"), Some(3));
        assert_eq!(len(&["Ann"], "Anna leaves"), None);
        assert_eq!(len(&["Anna"], "Ann"), None);
        assert_eq!(len(&[""], "Ann"), None);
        assert_eq!(len(&["James"], "Jame's hat"), None);
    }
}
