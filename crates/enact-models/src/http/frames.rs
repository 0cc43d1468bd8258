//! Splits the body of an answer into frames of JSON, whatever it turns out to be: events, lines or one whole.
//!
//! Every byte is looked at once and chunks may end anywhere. What is kept is bounded: a line or an event
//! that does not end is an error, not memory.

#[cfg(test)]
mod tests;

use serde_json::{Deserializer, value::RawValue};

use super::error::Error;

/// Many times what the longest answer takes as JSON.
pub(super) const LONGEST_FRAME: usize = 8 * 1024 * 1024;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// One piece of JSON of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct JsonFrame<'a> {
    pub(super) json: &'a [u8],
    /// Whether it came as an event that is called `error`.
    pub(super) is_error_event: bool,
}

/// What a body consists of. Its first byte says so: servers name the wrong type, and some answer in one piece
/// although they were asked for a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BodyFormat {
    /// Server-sent events.
    Events,
    /// A JSON value in each line.
    Lines,
    /// One JSON value, or a list of them, which is read when it is complete.
    Whole,
    /// A web page: something else answered.
    Page,
}

impl BodyFormat {
    fn of(first: u8, in_lines: bool) -> BodyFormat {
        match first {
            b'{' if in_lines => BodyFormat::Lines,
            b'{' | b'[' => BodyFormat::Whole,
            b'<' => BodyFormat::Page,
            _ => BodyFormat::Events,
        }
    }
}

/// Takes in a body chunk by chunk and gives its frames.
#[derive(Debug, Default)]
pub(super) struct FrameSplitter {
    /// Whether a body that begins with an object has one in each line.
    in_lines: bool,
    format: Option<BodyFormat>,
    /// What has come of a line that has not ended, or of a whole that has not.
    unfinished: Vec<u8>,
    /// Whether the last line ended in a carriage return, to which a line feed may still belong.
    after_return: bool,
    /// The data of the event that is being read.
    data: Vec<u8>,
    is_error_event: bool,
}

impl FrameSplitter {
    pub(super) fn new(in_lines: bool) -> FrameSplitter {
        FrameSplitter { in_lines, ..FrameSplitter::default() }
    }

    /// What the body is, once that is known.
    pub(super) fn format(&self) -> Option<BodyFormat> {
        self.format
    }

    /// Takes in a chunk, and calls `each` with every frame that is complete by now.
    pub(super) fn push(
        &mut self,
        chunk: &[u8],
        each: &mut impl FnMut(JsonFrame<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        match self.format {
            Some(BodyFormat::Page) => Ok(()),
            Some(BodyFormat::Whole) => self.keep(chunk),
            Some(BodyFormat::Events | BodyFormat::Lines) => self.push_lines(chunk, each),
            None => {
                self.keep(chunk)?;
                let begins = self.unfinished.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&self.unfinished);
                let begins = begins.trim_ascii_start();
                if begins.is_empty() || BYTE_ORDER_MARK.starts_with(begins) {
                    return Ok(());
                }
                self.format = Some(BodyFormat::of(begins[0], self.in_lines));
                let begins = begins.to_vec();
                self.unfinished.clear();
                self.push(&begins, each)
            }
        }
    }

    /// The body has ended: calls `each` with what was not known to be complete.
    pub(super) fn finish(
        mut self,
        each: &mut impl FnMut(JsonFrame<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        match self.format {
            None => Ok(()),
            Some(BodyFormat::Page) => Err(Error::Garbled),
            Some(BodyFormat::Whole) => read_whole(&self.unfinished, each),
            Some(BodyFormat::Events | BodyFormat::Lines) => {
                // The last event counts without the empty line after it.
                self.push_lines(b"\n\n", each)
            }
        }
    }

    fn push_lines(
        &mut self,
        mut chunk: &[u8],
        each: &mut impl FnMut(JsonFrame<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        if self.after_return && !chunk.is_empty() {
            self.after_return = false;
            chunk = chunk.strip_prefix(b"\n").unwrap_or(chunk);
        }
        while let Some(end) = chunk.iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
            let (line, rest) = chunk.split_at(end);
            chunk = match rest {
                [b'\r', b'\n', rest @ ..] => rest,
                [b'\r'] => {
                    self.after_return = true;
                    &[]
                }
                _ => &rest[1..],
            };
            if self.unfinished.is_empty() {
                self.line(line, each)?;
            } else {
                self.keep(line)?;
                let mut line = std::mem::take(&mut self.unfinished);
                self.line(&line, each)?;
                // Its memory serves the next line.
                line.clear();
                self.unfinished = line;
            }
        }
        self.keep(chunk)
    }

    fn line(
        &mut self,
        line: &[u8],
        each: &mut impl FnMut(JsonFrame<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        if self.format == Some(BodyFormat::Lines) {
            let json = line.trim_ascii();
            return if json.is_empty() { Ok(()) } else { each(JsonFrame { json, is_error_event: false }) };
        }
        if line.is_empty() {
            return self.event(each);
        }
        let colon = line.iter().position(|byte| *byte == b':').unwrap_or(line.len());
        let (field, value) = line.split_at(colon);
        let value = value.strip_prefix(b":").unwrap_or(value);
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match field {
            b"data" => {
                if !self.data.is_empty() {
                    self.data.push(b'\n');
                }
                within_limit(self.data.len() + value.len())?;
                self.data.extend_from_slice(value);
            }
            b"event" => self.is_error_event = value == b"error",
            // Ids, times to try again, comments and what is not known.
            _ => {}
        }
        Ok(())
    }

    fn event(&mut self, each: &mut impl FnMut(JsonFrame<'_>) -> Result<(), Error>) -> Result<(), Error> {
        let is_error_event = std::mem::take(&mut self.is_error_event);
        let json = self.data.trim_ascii();
        let outcome = if json.is_empty() { Ok(()) } else { each(JsonFrame { json, is_error_event }) };
        self.data.clear();
        outcome
    }

    fn keep(&mut self, bytes: &[u8]) -> Result<(), Error> {
        within_limit(self.unfinished.len() + bytes.len())?;
        self.unfinished.extend_from_slice(bytes);
        Ok(())
    }
}

fn within_limit(bytes: usize) -> Result<(), Error> {
    match bytes > LONGEST_FRAME {
        true => Err(Error::TooLong { limit: LONGEST_FRAME }),
        false => Ok(()),
    }
}

/// The values of a whole body: mostly one, but Gemini without `alt=sse` sends its frames as one list, and
/// lines may come under another name. Those before the point where it breaks off count.
fn read_whole(body: &[u8], each: &mut impl FnMut(JsonFrame<'_>) -> Result<(), Error>) -> Result<(), Error> {
    let mut rest = body.trim_ascii();
    let is_open_list = rest.starts_with(b"[") && !rest.ends_with(b"]");
    loop {
        while let [b'[' | b']' | b',' | b' ' | b'\n' | b'\r' | b'\t', after @ ..] = rest {
            rest = after;
        }
        let mut values = Deserializer::from_slice(rest).into_iter::<&RawValue>();
        match values.next() {
            Some(Ok(value)) => each(JsonFrame { json: value.get().as_bytes(), is_error_event: false })?,
            Some(Err(error)) if error.is_eof() => return Err(Error::Truncated),
            Some(Err(_)) => return Err(Error::Garbled),
            None if is_open_list => return Err(Error::Truncated),
            None => return Ok(()),
        }
        rest = &rest[values.byte_offset()..];
    }
}
