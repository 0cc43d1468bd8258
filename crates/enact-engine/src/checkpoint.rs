//! Reading a run: from its newest checkpoint on, which is its state beside the log, compressed. Short logs
//! are folded as they are.

use std::io::{Read, Write};

use enact_drama::{
    Fact, Production, Record, RunId, Seq,
    production::{Event, fold},
    record::read_facts,
};
use flate2::{Compression, read::DeflateDecoder, write::DeflateEncoder};
use serde::{Deserialize, Serialize};

use crate::{
    Store,
    log::{self, Checkpoint},
    run_loop::Error,
};

/// How many records are read before a checkpoint is looked for: most runs are not longer.
pub(crate) const FIRST_PAGE: usize = 256;

/// The largest state that is read back: one that claims to be larger is a mistake, or an attack with a tiny
/// file.
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

/// The state that a checkpoint holds. Nothing, if it cannot be read: the log is then folded from its first
/// record.
fn state<P: Production>(first: &Record, checkpoint: &Checkpoint) -> Option<P> {
    let mut text = Vec::new();
    DeflateDecoder::new(&*checkpoint.body).take(LARGEST_STATE_BYTES).read_to_end(&mut text).ok()?;
    let envelope: Envelope = serde_json::from_slice(&text).ok()?;
    if envelope.production != P::NAME || envelope.v != P::Event::VERSION {
        return None;
    }
    P::restore(&first.fact().ok()?, &envelope.state)
}

/// The state of a run at its newest checkpoint, and the seq of the first record that is not in it. Nothing if it has
/// none that can be read.
pub async fn newest_checkpoint<P: Production>(
    store: &dyn Store,
    run: RunId,
    first: &Record,
) -> Result<Option<(P, Seq)>, log::Error> {
    if P::CHECKPOINT_EVERY.is_none() {
        return Ok(None);
    }
    let checkpoint = store.checkpoint(run).await?;
    Ok(checkpoint.and_then(|checkpoint| Some((state(first, &checkpoint)?, checkpoint.next))))
}

/// A run as its log has left it.
pub(crate) struct Loaded<P> {
    pub(crate) production: P,
    /// The seq of the next record.
    pub(crate) next: Seq,
    /// What its newest checkpoint covers, as far as that was looked at.
    pub(crate) checkpointed: Seq,
}

impl<P: Production> Loaded<P> {
    /// Reads a run of which these are the [first](FIRST_PAGE) records.
    pub(crate) async fn read(
        store: &dyn Store,
        run: RunId,
        mut records: Vec<Record>,
    ) -> Result<Loaded<P>, Error> {
        let is_whole = records.len() < FIRST_PAGE;
        if !is_whole
            && P::CHECKPOINT_EVERY.is_some()
            && let Some(loaded) = Loaded::read_checkpoint(store, run, &records).await?
        {
            return Ok(loaded);
        }
        if !is_whole {
            records.extend(store.read(run, Seq(records.len() as u64)).await?);
        }
        let production = fold(&read_facts(&records)?).ok_or(Error::NoBeginning)?;
        Ok(Loaded { production, next: Seq(records.len() as u64), checkpointed: Seq(0) })
    }

    /// A run that was known up to a seq, and of which these are the [first](FIRST_PAGE) records since.
    pub(crate) async fn go_on(
        store: &dyn Store,
        (mut production, from): (P, Seq),
        mut records: Vec<Record>,
    ) -> Result<Loaded<P>, Error> {
        if records.len() >= FIRST_PAGE {
            records.extend(store.read(production.run(), Seq(from.0 + records.len() as u64)).await?);
        }
        let facts: Vec<Fact<P::Event>> = read_facts(&records)?;
        facts.iter().for_each(|fact| production.apply(fact));
        Ok(Loaded { production, next: Seq(from.0 + records.len() as u64), checkpointed: Seq(0) })
    }

    /// A run from its newest checkpoint on. Nothing if it has none, or one that covers more than the log
    /// holds.
    async fn read_checkpoint(
        store: &dyn Store,
        run: RunId,
        records: &[Record],
    ) -> Result<Option<Loaded<P>>, Error> {
        let Some(checkpoint) = store.checkpoint(run).await? else { return Ok(None) };
        let (next, Some(first)) = (checkpoint.next, records.first()) else { return Ok(None) };
        let Some(mut production) = state::<P>(first, &checkpoint) else { return Ok(None) };
        if next.0 < records.len() as u64 {
            return Ok(None);
        }
        // From the last record that it covers.
        let rest = store.read(run, Seq(next.0 - 1)).await?;
        let Some((_, after)) = rest.split_first() else { return Ok(None) };
        let facts: Vec<Fact<P::Event>> = read_facts(after)?;
        facts.iter().for_each(|fact| production.apply(fact));
        let next = Seq(next.0 + after.len() as u64);
        Ok(Some(Loaded { production, next, checkpointed: checkpoint.next }))
    }

    /// Whether nothing was under way, so that only a command sets it going: then it need not be resumed, and
    /// its models were checked when it began.
    pub(crate) fn wakes(&self) -> bool {
        self.next > Seq(1) && self.production.has_begun() && self.production.pending().is_empty()
    }
}
