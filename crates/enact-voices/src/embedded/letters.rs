//! Letters that an English voice can read, in place of those it cannot.

/// The text in plain English letters, or nothing if most of it would get lost on the way: half a sentence is not what was said.
pub(super) fn english(text: &str) -> Option<String> {
    let mut said = String::with_capacity(text.len());
    let (mut kept, mut lost) = (0, 0);
    for c in text.chars() {
        let before = said.len();
        if c.is_ascii() {
            ascii(c, &mut said);
        } else {
            spell(c, &mut said);
        }
        match c.is_alphanumeric() {
            true if said.len() > before => kept += 1,
            true => lost += 1,
            false => {}
        }
    }
    (kept > lost && said.contains(|c: char| c.is_ascii_alphanumeric())).then_some(said)
}

/// What is left of ASCII after the synthesiser has had its way with it: it spells out or skips most marks.
fn ascii(c: char, said: &mut String) {
    let word = match c {
        '&' => " and ",
        '%' => " percent",
        '@' => " at ",
        '+' => " plus ",
        '=' => " equals ",
        '#' => " number ",
        '<' => " less than ",
        '>' => " greater than ",
        '~' => " about ",
        '^' | '\\' | '|' | '_' | '{' | '}' | '[' | ']' => " ",
        other => return said.push(other),
    };
    said.push_str(word);
}

/// A letter from elsewhere, as an English reader would spell it. In capitals where it is one.
fn spell(c: char, said: &mut String) {
    // A pause, which belongs to the word before it.
    if matches!(c, '–' | '—' | '―' | '、') {
        said.truncate(said.trim_end().len());
        return said.push_str(", ");
    }
    if let Some(words) = mark(c) {
        return said.push_str(words);
    }
    // Letters of full width, as they stand among Chinese ones.
    if let Some(narrow) = (c as u32).checked_sub(0xfee0).and_then(char::from_u32)
        && narrow.is_ascii_graphic()
    {
        return ascii(narrow, said);
    }
    let small = c.to_lowercase().next().unwrap_or(c);
    let Some(letters) = latin(small).or_else(|| cyrillic(small)).or_else(|| greek(small)) else { return };
    let mut letters = letters.chars();
    if let Some(first) = letters.next() {
        said.push(if small == c { first } else { first.to_ascii_uppercase() });
        said.extend(letters);
    }
}

fn mark(c: char) -> Option<&'static str> {
    Some(match c {
        '‘' | '’' | 'ʼ' | '′' => "'",
        '“' | '”' | '„' | '«' | '»' | '″' => "\"",
        '‐' | '‑' | '−' => "-",
        '…' => "... ",
        '¿' | '¡' | '·' => " ",
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
        '©' | '®' | '™' => " ",
        _ => return None,
    })
}

/// Western, northern, central and eastern European letters, Turkish and Vietnamese ones.
fn latin(c: char) -> Option<&'static str> {
    Some(match c {
        'à' | 'á' | 'â' | 'ã' | 'å' | 'ā' | 'ă' | 'ą' | 'ǎ' | 'ạ'..='ặ' => "a",
        'ä' | 'æ' => "ae",
        'ç' | 'ć' | 'ĉ' | 'ċ' => "c",
        'č' => "ch",
        'ď' | 'đ' | 'ð' => "d",
        'è' | 'é' | 'ê' | 'ë' | 'ē' | 'ĕ' | 'ė' | 'ę' | 'ě' | 'ẹ'..='ệ' => "e",
        'ĝ' | 'ğ' | 'ġ' | 'ģ' => "g",
        'ĥ' | 'ħ' => "h",
        'ì' | 'í' | 'î' | 'ï' | 'ĩ' | 'ī' | 'ĭ' | 'į' | 'ı' | 'ỉ' | 'ị' => "i",
        'ĵ' => "j",
        'ķ' => "k",
        'ĺ' | 'ļ' | 'ľ' | 'ł' => "l",
        'ñ' | 'ń' | 'ņ' | 'ň' => "n",
        'ò' | 'ó' | 'ô' | 'õ' | 'ø' | 'ō' | 'ŏ' | 'ő' | 'ơ' | 'ọ'..='ợ' => "o",
        'ö' | 'œ' => "oe",
        'ŕ' | 'ŗ' | 'ř' => "r",
        'ś' | 'ŝ' | 'ș' => "s",
        'š' | 'ş' => "sh",
        'ß' => "ss",
        'ţ' | 'ť' | 'ŧ' | 'ț' => "t",
        'þ' => "th",
        'ù' | 'ú' | 'û' | 'ũ' | 'ū' | 'ŭ' | 'ů' | 'ű' | 'ų' | 'ư' | 'ụ'..='ự' => "u",
        'ü' => "ue",
        'ŵ' => "w",
        'ý' | 'ÿ' | 'ŷ' | 'ỳ'..='ỹ' => "y",
        'ź' | 'ż' => "z",
        'ž' => "zh",
        _ => return None,
    })
}

/// Russian, Ukrainian, Serbian and Bulgarian letters. Soft and hard signs have no sound, and are said to have been read.
fn cyrillic(c: char) -> Option<&'static str> {
    Some(match c {
        'а' => "a",
        'б' => "b",
        'в' => "v",
        'г' | 'ґ' => "g",
        'д' => "d",
        'е' | 'э' => "e",
        'є' => "ye",
        'ё' => "yo",
        'ж' => "zh",
        'з' => "z",
        'и' | 'і' => "i",
        'ї' => "yi",
        'й' | 'ј' => "y",
        'к' => "k",
        'л' => "l",
        'м' => "m",
        'н' => "n",
        'о' => "o",
        'п' => "p",
        'р' => "r",
        'с' => "s",
        'т' => "t",
        'у' => "u",
        'ф' => "f",
        'х' => "kh",
        'ц' => "ts",
        'ч' | 'ћ' => "ch",
        'ш' => "sh",
        'щ' => "shch",
        'ы' => "y",
        'ъ' | 'ь' => "'",
        'ю' => "yu",
        'я' => "ya",
        'ђ' | 'џ' => "j",
        'љ' => "ly",
        'њ' => "ny",
        _ => return None,
    })
}

fn greek(c: char) -> Option<&'static str> {
    Some(match c {
        'α' | 'ά' => "a",
        'β' => "v",
        'γ' => "g",
        'δ' => "d",
        'ε' | 'έ' => "e",
        'ζ' => "z",
        'η' | 'ή' | 'ι' | 'ί' | 'ϊ' | 'ΐ' => "i",
        'θ' => "th",
        'κ' => "k",
        'λ' => "l",
        'μ' | 'µ' => "m",
        'ν' => "n",
        'ξ' => "x",
        'ο' | 'ό' | 'ω' | 'ώ' => "o",
        'π' => "p",
        'ρ' => "r",
        'σ' | 'ς' => "s",
        'τ' => "t",
        'υ' | 'ύ' | 'ϋ' | 'ΰ' => "y",
        'φ' => "f",
        'χ' => "kh",
        'ψ' => "ps",
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
            ("Καλημέρα", Some("Kalimera")),
            ("R&D at 10% #1", Some("R and D at 10 percent  number 1")),
            ("20°", Some("20 degrees ")),
            ("ＡＢＣ", Some("ABC")),
            ("e\u{301}te\u{301}", Some("ete")),
            // One name in a sentence may get lost, the sentence may not.
            ("The name is 東京 in Japan", Some("The name is  in Japan")),
            ("私は Rust が好きです", None),
            ("你好", None),
            ("שלום", None),
            ("…", None),
        ] {
            assert_eq!(english(written).as_deref(), said, "{written:?}");
        }
    }
}
