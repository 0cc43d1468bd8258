//! What runs have cost so far that have not ended. There may be a hundred thousand that rest: what they cost is kept too, and is
//! good until their log grows.

use std::{collections::HashMap, ops::Range};

use enact_drama::RunId;
use enact_engine::{
    Node,
    log::{RunSummary, Status},
    store::{Extract, Listing},
};
use serde::{Deserialize, Serialize};

use super::{Entry, MOST_DERIVED, What, entry, keep};
use crate::{aside::aside, error::ApiError, visibility::Viewer};

/// What is kept of unfinished runs. It is not the kind that is kept of finished ones: a run that ends would otherwise pass for
/// one whose whole log was added up.
const EXTRACT: &str = "costs.unfinished.1";

/// How many runs that are being played one request folds at most: as many as a node plays by default. They have an allowance
/// of their own, because they change all the time: nothing is kept of them, and they must not take the place of others forever.
const MOST_PLAYING: usize = 2_000;

/// How many runs are looked up at a time. Most of a long queue has cost nothing yet, and is passed over.
const LISTED: usize = 1_000;

/// What is kept of an unfinished run.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Kept {
    /// How long its log was. What is kept says nothing of a longer one.
    events: u64,
    #[serde(flatten)]
    what: What,
}

/// How many more logs a request may fold.
struct Allowance {
    playing: usize,
    others: usize,
}

/// What they have cost, and whether that is all of them. The next request goes on where this one had to stop.
pub(super) async fn so_far(
    node: &Node,
    viewer: &Viewer,
    started: &Range<i64>,
) -> Result<(Vec<Entry>, bool), ApiError> {
    let kept = node.store().extracts(EXTRACT, started.clone()).await?;
    let mut kept = aside(move || read(kept)).await;
    let mut allowance = Allowance { playing: MOST_PLAYING, others: MOST_DERIVED };
    let (mut entries, mut complete) = (Vec::new(), true);
    let mut wanted = Listing {
        statuses: vec![Status::Waiting, Status::Playing, Status::Resting, Status::Interrupted],
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
                Some(kept) => entries.push(Entry::of(run, kept.what.costs())),
                None if allowance.take(run.status) => entries.extend(derive(node, run).await?),
                None => complete = false,
            }
        }
        if was_last {
            return Ok((entries, complete));
        }
    }
}

fn read(kept: Vec<Extract>) -> HashMap<RunId, Kept> {
    let read = kept.into_iter().filter_map(|extract| {
        let kept: Kept = serde_json::from_str(&extract.body).ok()?;
        kept.what.is_good().then_some((extract.run, kept))
    });
    read.collect()
}

/// Folds a log, and keeps what came of it unless the run is just being played on.
async fn derive(node: &Node, run: RunSummary) -> Result<Option<Entry>, ApiError> {
    // The log may have grown since: what is kept is then under a length that the run no longer has, and derived anew.
    let (events, is_played) = (run.events, run.status == Status::Playing);
    let Some(entry) = entry(node, run).await? else { return Ok(None) };
    if !is_played {
        keep(node, entry.run, EXTRACT, &Kept { events, what: What::of(entry.costs.clone()) }).await?;
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
