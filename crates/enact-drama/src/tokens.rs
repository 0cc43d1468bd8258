//! How many tokens a text has, estimated without a tokenizer: every provider has its own, and most keep it to
//! themselves. The estimate is meant to be a little too high for each of them.

use std::sync::LazyLock;

/// Word lengths up to this cost the same.
const SHORT_WORD_LETTERS: u64 = 5;
/// The weights are hundredths.
const WHOLE: u64 = 100;

/// What each part of a text counts with, from `tokens/weights.txt`.
static WEIGHTS: LazyLock<TokenWeights> =
    LazyLock::new(|| TokenWeights::read(include_str!("tokens/weights.txt")));

/// The most tokens that a text is likely to have.
pub(crate) fn tokens_in(text: &str) -> u64 {
    let weights = &*WEIGHTS;
    let mut sum = 0_u64;
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let class = Class::of(character);
        let mut run = 1_u64;
        if class.comes_in_runs() {
            let mut accented = u64::from(is_accented(character));
            while let Some(next) = characters.next_if(|next| Class::of(*next) == class) {
                run += 1;
                accented += u64::from(is_accented(next));
            }
            sum += accented * weights.accented_letter;
        }
        sum += match class {
            Class::Letter => {
                weights.word + run.saturating_sub(SHORT_WORD_LETTERS) * weights.letter_beyond_the_fifth
            }
            Class::Space => {
                if run > 1 {
                    weights.indentation
                } else {
                    0
                }
            }
            Class::LineBreak => weights.line_break,
            Class::Digit => weights.digit,
            Class::Sign => weights.sign,
            Class::CyrillicOrGreek => weights.cyrillic_or_greek,
            Class::TwoByte => weights.two_byte,
            Class::Cjk => weights.cjk,
            Class::Hangul => weights.hangul,
            Class::ThreeByte => weights.three_byte,
            Class::FourByte => weights.four_byte,
        };
    }
    sum.div_ceil(WHOLE)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    /// A Latin letter, with or without an accent.
    Letter,
    Space,
    LineBreak,
    Digit,
    Sign,
    CyrillicOrGreek,
    TwoByte,
    Cjk,
    Hangul,
    ThreeByte,
    FourByte,
}

impl Class {
    fn of(character: char) -> Class {
        match character {
            'a'..='z' | 'A'..='Z' => Class::Letter,
            ' ' | '\t' => Class::Space,
            '\n' | '\r' => Class::LineBreak,
            '0'..='9' => Class::Digit,
            '\0'..='\x7f' => Class::Sign,
            '\u{c0}'..='\u{24f}' => Class::Letter,
            '\u{370}'..='\u{52f}' => Class::CyrillicOrGreek,
            '\u{80}'..='\u{7ff}' => Class::TwoByte,
            '\u{3000}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}' | '\u{ff00}'..='\u{ffef}' => Class::Cjk,
            '\u{ac00}'..='\u{d7af}' => Class::Hangul,
            '\u{800}'..='\u{ffff}' => Class::ThreeByte,
            _ => Class::FourByte,
        }
    }

    fn comes_in_runs(self) -> bool {
        matches!(self, Class::Letter | Class::Space | Class::LineBreak)
    }
}

fn is_accented(character: char) -> bool {
    !character.is_ascii()
}

/// Hundredths of a token.
#[derive(Debug)]
struct TokenWeights {
    word: u64,
    letter_beyond_the_fifth: u64,
    accented_letter: u64,
    digit: u64,
    sign: u64,
    line_break: u64,
    indentation: u64,
    cyrillic_or_greek: u64,
    two_byte: u64,
    cjk: u64,
    hangul: u64,
    three_byte: u64,
    four_byte: u64,
}

impl TokenWeights {
    /// A row that is missing or no number weighs as much as can be, which the test of known counts notices.
    fn read(table: &str) -> TokenWeights {
        let rows = || table.lines().filter(|row| !row.starts_with('#')).filter_map(|row| row.split_once(' '));
        let weight = |name: &str| {
            let number =
                rows().find(|(row, _)| *row == name).and_then(|(_, number)| number.trim().parse().ok());
            number.unwrap_or(u64::from(u16::MAX))
        };
        TokenWeights {
            word: weight("word"),
            letter_beyond_the_fifth: weight("letter_beyond_the_fifth"),
            accented_letter: weight("accented_letter"),
            digit: weight("digit"),
            sign: weight("sign"),
            line_break: weight("line_break"),
            indentation: weight("indentation"),
            cyrillic_or_greek: weight("cyrillic_or_greek"),
            two_byte: weight("two_byte"),
            cjk: weight("cjk"),
            hangul: weight("hangul"),
            three_byte: weight("three_byte"),
            four_byte: weight("four_byte"),
        }
    }
}

#[cfg(test)]
mod tests;
