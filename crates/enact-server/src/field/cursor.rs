//! Where a reader of a field begins: events have ticks as ids.

use axum::http::HeaderMap;
use enact_drama::{Seq, field::FieldEvent};
use enact_engine::{Store, log::RunSummary};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::{
    error::{ApiError, ErrorCode},
    event_stream::LAST_EVENT_ID,
    extract::header,
};

/// Records read at a time.
const PAGE: usize = 64;

/// Where the stream of a field begins, and how fast it goes.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub(super) struct FieldStreamQuery {
    /// The first tick that is wanted; 0 is the beginning. Without it, and without `Last-Event-ID`, the stream begins
    /// with how the field stands.
    #[param(value_type = Option<u32>, example = 0)]
    pub(super) from: Option<String>,
    /// Show what has happened with the pauses it came with, this many times as fast: 0.1 to 1,000. All at
    /// once by default.
    #[param(value_type = Option<f64>, minimum = 0.1, maximum = 1000, example = 4.0)]
    pub(super) speed: Option<String>,
}

/// What a reader has seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FieldCursor {
    /// Nothing, and wants to know how it stands.
    Now,
    /// Nothing, and wants all from this tick on.
    From(u32),
    /// The event of this tick and number.
    After(u32, u64),
}

impl FieldCursor {
    pub(super) fn read(headers: &HeaderMap, query: &FieldStreamQuery) -> Result<FieldCursor, ApiError> {
        let wrong = |what: &str, text: &str| {
            let message = format!("{what} must be a tick of the field, like 120 or 120.2");
            ApiError { code: ErrorCode::InvalidCursor, ..ApiError::parameter(what, text, message) }
        };
        match (header(headers, LAST_EVENT_ID)?, &query.from) {
            (Some(seen), _) if !seen.is_empty() => {
                let (tick, number) = seen.split_once('.').unwrap_or((seen, "0"));
                let cursor = whole(tick).zip(whole(number));
                let cursor = cursor.ok_or_else(|| wrong("Last-Event-ID", seen))?;
                Ok(FieldCursor::After(cursor.0, cursor.1))
            }
            (_, Some(from)) => whole(from).map(FieldCursor::From).ok_or_else(|| wrong("from", from)),
            _ => Ok(FieldCursor::Now),
        }
    }

    /// The seq of the first record that is wanted, if not all is that is to come.
    pub(super) async fn find(self, store: &dyn Store, run: &RunSummary) -> Result<Option<Seq>, ApiError> {
        let (tick, number) = match self {
            FieldCursor::Now => return Ok(None),
            FieldCursor::From(0) => return Ok(Some(Seq(0))),
            FieldCursor::From(tick) => (tick, None),
            FieldCursor::After(0, number) => return Ok(Some(Seq((number + 1).min(run.events)))),
            FieldCursor::After(tick, number) => (tick, Some(number)),
        };
        let found = first_at(store, run, tick).await?.ok_or_else(|| {
            // A tick that is to come is of another run, or of a log that a backup replaced: waiting would hide that.
            let message = format!("run {} has not come to tick {tick} yet", run.run);
            ApiError::new(ErrorCode::InvalidCursor, message)
        })?;
        Ok(Some(match (found, number) {
            ((seq, at), Some(number)) if at == tick => Seq((seq.0 + number + 1).min(run.events)),
            // Ticks that passed together have one event, with the last of them as its id.
            ((seq, _), _) => seq,
        }))
    }
}

/// Only digits: Rust also takes `+1`.
fn whole<T: std::str::FromStr>(text: &str) -> Option<T> {
    text.parse().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The first record by which a field came to a tick, or past it: its seq, and the tick. Ticks only grow, so that few
/// records have to be read.
async fn first_at(store: &dyn Store, run: &RunSummary, tick: u32) -> Result<Option<(Seq, u32)>, ApiError> {
    let (mut low, mut high) = (0, run.events);
    let mut found = None;
    while high > low {
        let middle = if high - low > PAGE as u64 { low + (high - low) / 2 } else { low };
        match next_advance(store, run, middle, high).await? {
            Some((seq, to)) if to < tick => low = seq.0 + 1,
            later => {
                found = later.or(found);
                high = middle;
            }
        }
    }
    Ok(found)
}

/// The next record of passed ticks from a seq on, and before another.
async fn next_advance(
    store: &dyn Store,
    run: &RunSummary,
    mut from: u64,
    before: u64,
) -> Result<Option<(Seq, u32)>, ApiError> {
    while from < before {
        let records = store.read_some(run.run, Seq(from), PAGE).await?;
        let Some(last) = records.last() else { break };
        from = last.seq.0 + 1;
        for record in records.iter().filter(|record| record.seq.0 < before) {
            if let Ok(FieldEvent::Advanced { to, .. }) = record.fact().map(|fact| fact.event) {
                return Ok(Some((record.seq, to)));
            }
        }
    }
    Ok(None)
}
