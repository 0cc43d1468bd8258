//! The costs of runs that have not ended. A hundred thousand may rest: their costs are cached too, and valid
//! until the log grows.

use std::{collections::HashMap, ops::Range};

use enact_drama::RunId;
use enact_engine::{
    Node,
    log::{RunSummary, Status},
    run_blocking,
    store::{Extract, Listing},
};
use serde::{Deserialize, Serialize};

use super::{CachedResult, CostEntry, MOST_DERIVED, entry, keep};
use crate::{error::ApiError, visibility::Viewer};

/// The kind of extract for unfinished runs. It differs from that of finished ones: a run that ends must not
/// pass for one whose whole log was added up.
const EXTRACT: &str = "costs.unfinished.1";

/// How many runs that are being played one request folds at most: as many as a node plays by default. They
/// have a limit of their own: they change all the time, so that nothing is cached, and must not use up the
/// limit of the others each time.
const MOST_PLAYING: usize = 2_000;

/// How many runs are listed at a time. Most of a long queue has cost nothing yet, and is skipped.
const LISTED: usize = 1_000;

/// What the store has cached of an unfinished run.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct CachedUnfinished {
    /// How long its log was. The entry is not valid for a longer one.
    events: u64,
    #[serde(flatten)]
    what: CachedResult,
}

/// How many more logs a request may fold.
struct Allowance {
    playing: usize,
    others: usize,
}

/// Their costs so far, and whether those are all. The next request goes on where this one had to stop.
pub(super) async fn so_far(
    node: &Node,
    viewer: &Viewer,
    started: &Range<i64>,
) -> Result<(Vec<CostEntry>, bool), ApiError> {
    let kept = node.store().extracts(EXTRACT, started.clone()).await?;
    let mut kept = run_blocking(move || read(kept)).await;
    let mut allowance = Allowance { playing: MOST_PLAYING, others: MOST_DERIVED };
    let (mut entries, mut complete) = (Vec::new(), true);
    let mut wanted = Listing {
        statuses: vec![
            Status::Waiting,
            Status::Playing,
            Status::Resting,
            Status::Paused,
            Status::Interrupted,
        ],
        visible: viewer.visible(),
        most: LISTED,
        ..Listing::default()
    };
    loop {
        let page = node.store().list(&wanted).await?;
        wanted.before = page.last().map(|run| run.run);
        let was_last = page.len() < LISTED;
        // No model was asked yet where there is nothing but the beginning.
        for run in page.into_iter().filter(|run| run.events > 1 && started.contains(&run.started_at)) {
            match kept.remove(&run.run).filter(|kept| kept.events == run.events) {
                Some(kept) => entries.push(CostEntry::of(run, kept.what.costs())),
                None if allowance.take(run.status) => entries.extend(derive(node, run).await?),
                None => complete = false,
            }
        }
        if was_last {
            return Ok((entries, complete));
        }
    }
}

fn read(kept: Vec<Extract>) -> HashMap<RunId, CachedUnfinished> {
    let read = kept.into_iter().filter_map(|extract| {
        let kept: CachedUnfinished = serde_json::from_str(&extract.body).ok()?;
        kept.what.is_good().then_some((extract.run, kept))
    });
    read.collect()
}

/// Folds a log, and caches the costs unless the run is being played.
async fn derive(node: &Node, run: RunSummary) -> Result<Option<CostEntry>, ApiError> {
    // The log may have grown since: the entry then has a length that the run no longer has, and is derived
    // again.
    let (events, is_played) = (run.events, run.status == Status::Playing);
    let Some(entry) = entry(node, run).await? else { return Ok(None) };
    if !is_played {
        keep(
            node,
            entry.run,
            EXTRACT,
            &CachedUnfinished { events, what: CachedResult::of(entry.costs.clone()) },
        )
        .await?;
    }
    Ok(Some(entry))
}

impl Allowance {
    fn take(&mut self, status: Status) -> bool {
        let left = if status == Status::Playing { &mut self.playing } else { &mut self.others };
        let is_left = *left > 0;
        *left = left.saturating_sub(1);
        is_left
    }
}
