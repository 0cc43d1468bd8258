//! The shape of the log: facts as productions know them, records as stores keep them.

use std::fmt;

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::value::RawValue;
use uuid::Uuid;

mod tagged;

pub use tagged::Tagged;

/// Which performance. A UUIDv7, so that ids sort by when the run began.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(value_type = String, format = "uuid", example = "0199f2a4-6a3e-7cc1-8a55-0f4c9b1d2e3f"))]
pub struct RunId(pub Uuid);

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The place of a fact in its run's log, counted from 0 without gaps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seq(pub u64);

impl Seq {
    pub fn next(self) -> Seq {
        Seq(self.0 + 1)
    }
}

/// An event with its place and time: what rules fold.
#[derive(Debug, Clone, PartialEq)]
pub struct Fact<E> {
    pub seq: Seq,
    /// UTC milliseconds.
    pub at: i64,
    pub event: E,
}

/// The kind of the record that makes a log a fork: all before it was played by another run.
pub const FORKED: &str = "forked";
/// The kind of the record with which another process takes a run over.
pub const RESUMED: &str = "resumed";

/// What the facts of a production are: an enum tagged by `kind` with its content in `body`. Two kinds mean
/// the same in every production, because readers of any log go by them: before [`RESUMED`] and [`FORKED`] no
/// process played the run.
pub trait Event: Clone + Send + Sync + Serialize + DeserializeOwned + std::fmt::Debug + 'static {
    /// The version its records are written with. A production whose bodies change gets a new number and keeps
    /// reading the old.
    const VERSION: u32 = 1;

    /// Takes the event apart.
    ///
    /// An implementer with many kinds repeats these two one-line bodies. What reads and writes its events is then
    /// compiled once, in its own crate, instead of in each crate that plays it.
    ///
    /// # Panics
    /// If the event does not serialise to `{"kind": …, "body": …}`, which is a mistake in its definition.
    fn tagged(&self) -> Tagged {
        Tagged::of(self)
    }

    /// Puts an event together.
    fn read(kind: &str, body: &RawValue) -> Result<Self, serde_json::Error> {
        Tagged::read(kind, body)
    }
}

/// A fact as it is stored and exported: `{seq, at, kind, v, body}`.
///
/// Stores keep records without understanding them, so that a log written by a newer enact can still be kept,
/// listed and exported by an older one.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Record {
    pub seq: Seq,
    pub at: i64,
    pub kind: String,
    pub v: u32,
    pub body: Box<RawValue>,
}

/// Why a record could not be read as an event.
#[derive(Debug, Clone, thiserror::Error)]
#[error("event {} ('{kind}' v{v}) is not known to this version of enact: {reason}", .seq.0)]
pub struct Unreadable {
    pub seq: Seq,
    pub kind: String,
    pub v: u32,
    pub reason: String,
}

impl Record {
    /// Writes a fact down.
    pub fn of<E: Event>(fact: &Fact<E>) -> Record {
        let Tagged { kind, body } = fact.event.tagged();
        Record { seq: fact.seq, at: fact.at, kind, v: E::VERSION, body }
    }

    /// Reads the fact back.
    pub fn fact<E: Event>(&self) -> Result<Fact<E>, Unreadable> {
        let unreadable =
            |reason: String| Unreadable { seq: self.seq, kind: self.kind.clone(), v: self.v, reason };
        if self.v > E::VERSION {
            return Err(unreadable("its version is newer".to_owned()));
        }
        let event = E::read(&self.kind, &self.body).map_err(|e| unreadable(e.to_string()))?;
        Ok(Fact { seq: self.seq, at: self.at, event })
    }
}

/// Reads a whole log back; one that this version cannot read in full cannot be played on.
pub fn read_facts<E: Event>(records: &[Record]) -> Result<Vec<Fact<E>>, Unreadable> {
    records.iter().map(Record::fact).collect()
}

/// What can be understood of a log: telling it goes on past what a newer version wrote.
pub fn readable_facts<E: Event>(records: &[Record]) -> Vec<Fact<E>> {
    records.iter().filter_map(|record| record.fact().ok()).collect()
}

#[cfg(test)]
mod tests;
