//! Checkpoints: a run's state as it lies beside its log, compressed, so that waking the run need not read its log from the
//! beginning.

use std::io::{Read, Write};

use enact_drama::{Production, Record, Seq, production::Event};
use flate2::{Compression, read::DeflateDecoder, write::DeflateEncoder};
use serde::{Deserialize, Serialize};

use crate::log::Checkpoint;

/// The largest state that is read back: one that claims to be larger is a mistake, or an attack with a tiny file.
const LARGEST_STATE_BYTES: u64 = 256 << 20;

/// What is compressed. A checkpoint of another production or version is not read.
#[derive(Serialize, Deserialize)]
struct Envelope {
    production: String,
    v: u32,
    state: String,
}

/// The state of a run before its record `next`, or nothing if its production has no checkpoints.
pub(crate) fn write<P: Production>(production: &P, next: Seq) -> Option<Checkpoint> {
    let envelope =
        Envelope { production: P::NAME.to_owned(), v: P::Event::VERSION, state: production.checkpoint()? };
    let mut body = DeflateEncoder::new(Vec::new(), Compression::fast());
    body.write_all(&serde_json::to_vec(&envelope).ok()?).ok()?;
    Some(Checkpoint { next, body: body.finish().ok()? })
}

/// The state that a checkpoint holds. Nothing, if it cannot be read: the log is then folded from its first record.
pub(crate) fn read<P: Production>(first: &Record, checkpoint: &Checkpoint) -> Option<P> {
    let mut text = Vec::new();
    DeflateDecoder::new(&*checkpoint.body).take(LARGEST_STATE_BYTES).read_to_end(&mut text).ok()?;
    let envelope: Envelope = serde_json::from_slice(&text).ok()?;
    if envelope.production != P::NAME || envelope.v != P::Event::VERSION {
        return None;
    }
    P::restore(&first.fact().ok()?, &envelope.state)
}
