//! Text in the letters that an English voice can read.

use any_ascii::any_ascii_char;

/// The text in plain English letters, or nothing if most of it would get lost on the way: half a sentence is not what
/// was said.
pub(super) fn to_english(text: &str) -> Option<String> {
    let mut said = String::with_capacity(text.len());
    let (mut kept, mut lost) = (0, 0);
    for c in text.chars() {
        let before = said.len();
        push(c, &mut said);
        match c.is_alphanumeric() {
            true if said.len() > before => kept += 1,
            true => lost += 1,
            false => {}
        }
    }
    (kept > lost && said.contains(|c: char| c.is_ascii_alphanumeric())).then_some(said)
}

fn push(c: char, said: &mut String) {
    match c {
        // A pause, which belongs to the word before it.
        '–' | '—' | '―' | '、' => {
            said.truncate(said.trim_end().len());
            said.push_str(", ");
        }
        // Letters and marks of full width, as they stand among Chinese ones.
        '\u{ff01}'..='\u{ff5e}' => any_ascii_char(c).chars().for_each(|narrow| push(narrow, said)),
        _ => match symbol(c) {
            Some(words) => said.push_str(words),
            None if c.is_ascii() => said.push(c),
            None if is_readable(c) => push_letter(c, said),
            None => {}
        },
    }
}

/// Latin, Greek and Cyrillic letters have sounds that English letters can stand for.
fn is_readable(c: char) -> bool {
    c.is_alphabetic() && matches!(c, '\u{80}'..='\u{52f}' | '\u{1e00}'..='\u{1fff}')
}

/// Spells a letter as an English reader would, in capitals if it is one.
fn push_letter(c: char, said: &mut String) {
    let small = c.to_lowercase().next().unwrap_or(c);
    let sound = match small {
        'ä' => "ae",
        'ö' => "oe",
        'ü' => "ue",
        'č' | 'ћ' => "ch",
        'š' | 'ş' => "sh",
        'ž' => "zh",
        'є' => "ye",
        'ё' => "yo",
        'ї' => "yi",
        'ј' => "y",
        'ђ' | 'џ' => "j",
        'љ' => "ly",
        'њ' => "ny",
        'χ' => "kh",
        'µ' => "m",
        _ => return said.push_str(any_ascii_char(c)),
    };
    let (first, rest) = sound.split_at(1);
    said.push_str(&if small == c { first.to_owned() } else { first.to_ascii_uppercase() });
    said.push_str(rest);
}

/// What is said for a mark. The synthesiser spells out or skips most of those in ASCII.
fn symbol(c: char) -> Option<&'static str> {
    Some(match c {
        '&' => " and ",
        '%' => " percent",
        '@' => " at ",
        '+' => " plus ",
        '=' => " equals ",
        '#' => " number ",
        '<' => " less than ",
        '>' => " greater than ",
        '~' => " about ",
        '^' | '\\' | '|' | '_' | '{' | '}' | '[' | ']' | '¿' | '¡' | '·' | '©' | '®' | '™' => " ",
        '‘' | '’' | 'ʼ' | '′' => "'",
        '“' | '”' | '„' | '«' | '»' | '″' => "\"",
        '‐' | '‑' | '−' => "-",
        '…' => "... ",
        '。' => ". ",
        '€' => " euros ",
        '£' => " pounds ",
        '¥' => " yen ",
        '¢' => " cents ",
        '°' => " degrees ",
        '×' => " times ",
        '÷' => " divided by ",
        '±' => " plus or minus ",
        '½' => " one half ",
        '¼' => " one quarter ",
        '¾' => " three quarters ",
        '²' => " squared ",
        '³' => " cubed ",
        '§' => " section ",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_from_elsewhere_are_spelled() {
        for (written, said) in [
            ("Plain, isn't it?", Some("Plain, isn't it?")),
            ("Café Zürich, Ångström", Some("Cafe Zuerich, Angstroem")),
            ("“Don’t” – she said…", Some("\"Don't\",  she said... ")),
            ("Łódź, Škoda, Đorđe", Some("Lodz, Shkoda, Dorde")),
            ("Привет, мир", Some("Privet, mir")),
            ("Щука", Some("Shchuka")),
            ("Ёлка, Київ, Њујорк", Some("Yolka, Kiyiv, Nyuyork")),
            ("Καλημέρα", Some("Kalimera")),
            ("R&D at 10% #1", Some("R and D at 10 percent  number 1")),
            ("20°", Some("20 degrees ")),
            ("ＡＢＣ＆", Some("ABC and ")),
            ("e\u{301}te\u{301}", Some("ete")),
            // One name in a sentence may get lost, the sentence may not.
            ("The name is 東京 in Japan", Some("The name is  in Japan")),
            ("私は Rust が好きです", None),
            ("你好", None),
            ("שלום", None),
            ("…", None),
        ] {
            assert_eq!(to_english(written).as_deref(), said, "{written:?}");
        }
    }
}
