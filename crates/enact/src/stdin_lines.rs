//! What users type or pipe in, a line at a time.

use std::io::{BufRead, Read};

/// The longest line that is kept: more than an answer, a message or a command may have.
pub(crate) const LONGEST_LINE_BYTES: usize = 64 << 10;

/// A line without its end.
#[derive(Debug)]
pub(crate) struct InputLine {
    pub(crate) bytes: Vec<u8>,
    /// There was more of it, which is passed over: the rest of a line is no line of its own.
    pub(crate) is_cut: bool,
}

impl InputLine {
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }
}

/// The next line; nothing at the end of input, or of what can be read of it.
pub(crate) fn read_line(input: &mut dyn BufRead) -> Option<InputLine> {
    let mut bytes = Vec::new();
    match Read::take(&mut *input, LONGEST_LINE_BYTES as u64).read_until(b'\n', &mut bytes) {
        Ok(0) | Err(_) => return None,
        Ok(_) => {}
    }
    let is_full = bytes.len() == LONGEST_LINE_BYTES && !bytes.ends_with(b"\n");
    let is_cut = is_full && skip_rest(input);
    while bytes.pop_if(|byte| matches!(byte, b'\n' | b'\r')).is_some() {}
    Some(InputLine { bytes, is_cut })
}

/// Passes over what is left of a line. Returns whether there was any.
fn skip_rest(input: &mut dyn BufRead) -> bool {
    let mut was_any = false;
    loop {
        let Ok(buffer) = input.fill_buf() else { return was_any };
        let end = buffer.iter().position(|byte| *byte == b'\n');
        was_any |= end != Some(0) && !buffer.is_empty();
        let (length, ends) = end.map_or((buffer.len(), buffer.is_empty()), |end| (end + 1, true));
        input.consume(length);
        if ends {
            return was_any;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_one_at_a_time_and_bounded() {
        let [long, full] = [200_000, LONGEST_LINE_BYTES].map(|length| "x".repeat(length));
        let text = format!("Hello\r\n\n{long}\n{full}\n\u{e9} last");
        let mut input = std::io::BufReader::with_capacity(7, text.as_bytes());
        let lines: Vec<InputLine> = std::iter::from_fn(|| read_line(&mut input)).collect();
        let read: Vec<_> = lines.iter().map(|line| (line.bytes.len(), line.is_cut)).collect();
        let most = LONGEST_LINE_BYTES;
        assert_eq!(read, [(5, false), (0, false), (most, true), (most, false), (7, false)]);
        assert_eq!((lines[0].text(), lines[4].text()), ("Hello".to_owned(), "é last".to_owned()));
        assert_eq!(read_line(&mut &b"\xff\n"[..]).map(|line| line.text()).as_deref(), Some("\u{fffd}"));
    }
}
