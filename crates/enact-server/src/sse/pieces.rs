//! Records as text, made piece by piece as it is sent: a reader who takes nothing then holds one piece of
//! it, and of a long record only a share in what all readers of the run hold together.

use std::{sync::Arc, vec};

use bytes::Bytes;
use enact_drama::Record;

use super::{EVENT_OVERHEAD_BYTES, RECORD_END, push_record_head, without_line_breaks};

/// How long a piece becomes. hyper takes more of them until its buffer is full, so it need not be long.
const PIECE_BYTES: usize = 8 * 1024;

/// The text of records that came together. None of its pieces is empty.
#[derive(Debug)]
pub(crate) struct RecordPieces {
    records: vec::IntoIter<Arc<Record>>,
    /// What is left of a long body.
    body: Bytes,
}

impl RecordPieces {
    pub(crate) fn of(records: Vec<Arc<Record>>) -> RecordPieces {
        RecordPieces { records: records.into_iter(), body: Bytes::new() }
    }

    /// The next piece of a long body, and what ends it.
    fn next_of_body(&mut self) -> Bytes {
        let piece = self.body.split_to(PIECE_BYTES.min(self.body.len()));
        let has_line_breaks = piece.iter().any(|byte| matches!(byte, b'\n' | b'\r'));
        if !self.body.is_empty() && !has_line_breaks {
            return piece;
        }
        let mut copy = piece.to_vec();
        without_line_breaks(&mut copy);
        if self.body.is_empty() {
            copy.extend_from_slice(RECORD_END);
        }
        Bytes::from(copy)
    }
}

impl Iterator for RecordPieces {
    type Item = Bytes;

    fn next(&mut self) -> Option<Bytes> {
        if !self.body.is_empty() {
            return Some(self.next_of_body());
        }
        let mut text = Vec::new();
        while let Some(record) = self.records.as_slice().first() {
            let length = EVENT_OVERHEAD_BYTES + record.body.get().len();
            if !text.is_empty() && text.len() + length > PIECE_BYTES {
                break;
            }
            let Some(record) = self.records.next() else { break };
            text.reserve(length.min(PIECE_BYTES));
            push_record_head(&mut text, &record);
            if length > PIECE_BYTES {
                self.body = Bytes::from_owner(RecordBody(record));
                break;
            }
            let from = text.len();
            text.extend_from_slice(record.body.get().as_bytes());
            without_line_breaks(&mut text[from..]);
            text.extend_from_slice(RECORD_END);
        }
        (!text.is_empty()).then(|| Bytes::from(text))
    }
}

/// The body of a record, shared with all who hold the record.
struct RecordBody(Arc<Record>);

impl AsRef<[u8]> for RecordBody {
    fn as_ref(&self) -> &[u8] {
        self.0.body.get().as_bytes()
    }
}
