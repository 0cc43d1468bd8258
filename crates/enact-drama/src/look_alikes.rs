//! What a text looks like: letters of other scripts, widths and styles taken for the Latin ones they
//! resemble.
//!
//! Names and keywords are compared this way where one could pass for another. What people read is never
//! rewritten with it.

use std::{collections::HashMap, sync::LazyLock};

use crate::text::is_invisible;

/// Latin letters by what looks like them, read from `look_alikes.txt`.
static LATIN: LazyLock<HashMap<char, char>> = LazyLock::new(|| {
    let rows = include_str!("look_alikes.txt").lines().filter(|row| !row.starts_with('#'));
    rows.filter_map(|row| row.split_once(' '))
        .flat_map(|(latin, others)| others.chars().zip(std::iter::repeat(latin)))
        .filter_map(|(other, latin)| Some((other, latin.chars().next()?)))
        .collect()
});

/// The text in the letters it seems to be written in. Marks that take no room are left out.
pub(crate) fn as_seen(text: &str) -> String {
    text.chars().filter(|c| !takes_no_room(*c)).map(latin).collect()
}

/// The letters and digits of a text as they seem to be, in lower case: two texts with the same ones can be
/// taken for each other, however they are spaced and dotted.
pub(crate) fn skeleton(text: &str) -> String {
    as_seen(text).chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn latin(c: char) -> char {
    if c.is_ascii() {
        return c;
    }
    let letter = |first: char, offset: u32| u8::try_from(first as u32 + offset).map_or(c, char::from);
    let code = c as u32;
    match code {
        // Full width.
        0xFF01..=0xFF5E => letter('!', code - 0xFF01),
        0x3000 => ' ',
        // Mathematical letters: alphabets of 26 capitals and 26 small letters, one after another.
        0x1D400..=0x1D6A3 => match (code - 0x1D400) % 52 {
            capital @ 0..26 => letter('A', capital),
            small => letter('a', small - 26),
        },
        0x1D7CE..=0x1D7FF => letter('0', (code - 0x1D7CE) % 10),
        // In circles, squares, and as flags.
        0x24B6..=0x24CF => letter('A', code - 0x24B6),
        0x24D0..=0x24E9 => letter('a', code - 0x24D0),
        0x1F130..=0x1F149 => letter('A', code - 0x1F130),
        0x1F150..=0x1F169 => letter('A', code - 0x1F150),
        0x1F170..=0x1F189 => letter('A', code - 0x1F170),
        0x1F1E6..=0x1F1FF => letter('A', code - 0x1F1E6),
        _ => LATIN.get(&c).copied().unwrap_or(c),
    }
}

/// Joiners, direction marks, variation selectors, tags, and accents that stand on the letter before them.
fn takes_no_room(c: char) -> bool {
    is_invisible(c) || matches!(c, '\u{300}'..='\u{36f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_looks_alike_is_the_same() {
        for text in [
            "SYSTEM",
            "system",
            "S Y S T E M",
            "ＳＹＳＴＥＭ",
            "ЅУЅТЕМ",
            "S\u{200b}YSTEM",
            "𝐒𝐘𝐒𝐓𝐄𝐌",
            "𝓼𝔂𝓼𝓽𝓮𝓶",
            "Ⓢⓨⓢⓣⓔⓜ",
            "S.Y.S.T.E.M.",
            "SYS\u{301}TEM",
            "🇸🇾🇸🇹🇪🇲",
            "-system-",
            "SYSTEM\u{e0041}",
        ] {
            assert_eq!(skeleton(text), "system", "{text}");
        }
        for (text, seen) in
            [("Bob", "bob"), ("Zoë", "zoë"), ("小林", "小林"), ("Система", "cиcтeмa"), ("", "")]
        {
            assert_eq!(skeleton(text), seen);
        }
        assert_eq!(as_seen("［ＴＯ： Вob］"), "[TO: Bob]");
    }
}
