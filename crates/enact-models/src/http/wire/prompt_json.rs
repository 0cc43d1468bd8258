//! Bodies as JSON, with prompts written fast. `serde_json` looks at each byte of a text on its own; prompts
//! are most of what is sent, and every request repeats its whole conversation.
//!
//! What looks at many bytes at once has to be a formatter's, and formatters are not asked about texts, but
//! about bytes. So a prompt is serialized as bytes, and bytes are written as the text they are.

use std::io;

use serde::{Serialize, Serializer};
use serde_json::ser::{CharEscape, Formatter};

/// As many bytes as are looked at together.
const CHUNK: usize = size_of::<u64>();

/// For fields that hold a prompt; only [`to_vec`] writes it as a text.
pub(in super::super) fn serialize<S: Serializer>(prompt: &str, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_bytes(prompt.as_bytes())
}

/// A body of about so many bytes.
pub(super) fn to_vec(body: &impl Serialize, about_bytes: usize) -> serde_json::Result<Vec<u8>> {
    let mut json = Vec::with_capacity(about_bytes);
    body.serialize(&mut serde_json::Serializer::with_formatter(&mut json, PromptFormatter))?;
    Ok(json)
}

struct PromptFormatter;

impl Formatter for PromptFormatter {
    fn write_byte_array<W: ?Sized + io::Write>(&mut self, writer: &mut W, text: &[u8]) -> io::Result<()> {
        self.begin_string(writer)?;
        let mut rest = text;
        loop {
            let (plain, after) = rest.split_at(plain_bytes(rest));
            writer.write_all(plain)?;
            let Some((byte, after)) = after.split_first() else { break };
            self.write_char_escape(writer, escape(*byte))?;
            rest = after;
        }
        self.end_string(writer)
    }
}

/// How many bytes stand before the first that cannot stand as it is.
fn plain_bytes(text: &[u8]) -> usize {
    let (chunks, rest) = text.as_chunks::<CHUNK>();
    for (place, chunk) in chunks.iter().enumerate() {
        let escaped = first_escaped(u64::from_le_bytes(*chunk));
        if escaped < CHUNK {
            return CHUNK * place + escaped;
        }
    }
    text.len() - rest.len() + rest.iter().take_while(|byte| !is_escaped(**byte)).count()
}

/// Which of eight bytes is the first that [is escaped](is_escaped); eight if none is. Written with whole numbers,
/// because what the compiler makes of a loop over single bytes takes three times as long.
///
/// Subtracting from every byte sets the highest bit of those that are too small. It also borrows from the byte above,
/// but then one below it was found already.
fn first_escaped(chunk: u64) -> usize {
    const ONE_EACH: u64 = u64::MAX / 0xff;
    const HIGHEST_BITS: u64 = ONE_EACH << 7;
    let all = |byte: u8| ONE_EACH * u64::from(byte);
    let is_zero_in = |bytes: u64| bytes.wrapping_sub(ONE_EACH);
    let control = chunk.wrapping_sub(all(b' '));
    let found = control | is_zero_in(chunk ^ all(b'"')) | is_zero_in(chunk ^ all(b'\\'));
    // Bytes with that bit of their own are parts of letters beyond ASCII.
    (found & !chunk & HIGHEST_BITS).trailing_zeros() as usize / 8
}

fn is_escaped(byte: u8) -> bool {
    (byte < b' ') | (byte == b'"') | (byte == b'\\')
}

fn escape(byte: u8) -> CharEscape {
    match byte {
        b'"' => CharEscape::Quote,
        b'\\' => CharEscape::ReverseSolidus,
        b'\n' => CharEscape::LineFeed,
        b'\r' => CharEscape::CarriageReturn,
        b'\t' => CharEscape::Tab,
        0x08 => CharEscape::Backspace,
        0x0c => CharEscape::FormFeed,
        control => CharEscape::AsciiControl(control),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[derive(Serialize)]
    struct Prompt<'a>(#[serde(serialize_with = "serialize")] &'a str);

    fn written(text: &str) -> String {
        String::from_utf8(to_vec(&Prompt(text), 0).unwrap()).unwrap()
    }

    #[test]
    fn every_ascii_character_is_written_as_usual_wherever_it_stands() {
        for character in '\0'..='\u{7f}' {
            for before in 0..2 * CHUNK {
                let text = format!("{}{character}é{character}{}", "a".repeat(before), "b".repeat(CHUNK));
                assert_eq!(written(&text), serde_json::to_string(&text).unwrap());
            }
        }
    }

    proptest! {
        #[test]
        fn any_text_is_written_as_usual(text in r#"([\x00-\x7f]|[a-z é漢😀"\\\n]){0,100}"#) {
            prop_assert_eq!(written(&text), serde_json::to_string(&text).unwrap());
        }
    }
}
