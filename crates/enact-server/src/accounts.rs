//! What runs cost, kept so that adding up thousands of them does not fold thousands of logs.

use std::{
    collections::{BTreeMap, HashSet},
    ops::Range,
};

use enact_drama::{
    RunId,
    production::Purpose,
    show::{AccountCosts, Metadata, metadata},
    usage::Usage,
};
use enact_engine::{
    Store,
    log::{self, Status},
    store::Listing,
};
use serde::{Deserialize, Serialize};

use crate::{error::Refusal, stories};

/// What is kept of a finished run. Another shape gets another number: what is kept under the old one is then derived anew.
const EXTRACT: &str = "costs.1";

/// How many finished runs are looked up at a time that nothing is kept of yet.
const PAGE: usize = 64;

/// How many finished runs one request folds at most: some seconds of work. The next request goes on.
const MOST_DERIVED: usize = 2_000;

/// How many unfinished runs one request folds at most: as many as a node plays by default.
const MOST_UNFINISHED: usize = 2_000;

/// What one run cost.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RunCosts {
    pub(crate) name: String,
    pub(crate) by_character: BTreeMap<String, Sum>,
    /// Hidden calls, which are no character's.
    pub(crate) hidden: Sum,
    pub(crate) by_model: BTreeMap<String, Sum>,
    pub(crate) by_purpose: BTreeMap<String, Sum>,
}

/// Accounts added up. What is unknown is counted apart and never taken for zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Sum {
    pub(crate) calls: u64,
    /// Nothing when there were calls and none told.
    pub(crate) tokens: Option<u64>,
    /// In whole nano-USD, so that sums of many small costs stay exact.
    pub(crate) nano_usd: u64,
    /// Accounts whose cost is unknown.
    pub(crate) unknown: u64,
    pub(crate) unaccounted: u64,
    pub(crate) usage: Usage,
}

/// A run and what it cost.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) run: RunId,
    pub(crate) started_at: i64,
    /// Nothing where the log cannot be read by this version.
    pub(crate) costs: Option<RunCosts>,
}

/// What all runs cost that were started within a time.
#[derive(Debug)]
pub(crate) struct Books {
    /// Newest run first.
    pub(crate) entries: Vec<Entry>,
    /// Whether every run is in it: there is a bound to how many one request folds.
    pub(crate) complete: bool,
}

/// Keeps the accounts of finished runs.
#[derive(Debug, Default)]
pub(crate) struct Accounts {
    /// Who derives what is not kept yet: two at once would only do it twice.
    deriving: tokio::sync::Mutex<()>,
}

impl Accounts {
    /// Opens the books on all runs that were started within these UTC milliseconds.
    pub(crate) async fn books(&self, store: &dyn Store, started: Range<i64>) -> Result<Books, Refusal> {
        // What still goes on comes first: a run that ends meanwhile is then in both, and counted once.
        let (unfinished, all_unfinished) = unfinished(store, &started).await?;
        let all_kept = self.derive(store).await?;
        let mut entries = unfinished;
        let known: HashSet<RunId> = entries.iter().map(|entry| entry.run).collect();
        let kept = store.extracts(EXTRACT, started).await?.into_iter();
        entries.extend(kept.filter(|extract| !known.contains(&extract.run)).map(|extract| Entry {
            run: extract.run,
            started_at: extract.started_at,
            costs: serde_json::from_str(&extract.body).ok().flatten(),
        }));
        entries.sort_by_key(|entry| std::cmp::Reverse((entry.started_at, entry.run)));
        Ok(Books { entries, complete: all_unfinished && all_kept })
    }

    /// Keeps what is not kept yet, and says whether that was all of it.
    async fn derive(&self, store: &dyn Store) -> Result<bool, Refusal> {
        let _turn = self.deriving.lock().await;
        let mut derived = 0;
        loop {
            let runs = store.without_extract(EXTRACT, PAGE).await?;
            if runs.is_empty() || derived >= MOST_DERIVED {
                return Ok(runs.is_empty());
            }
            derived += runs.len();
            for run in runs {
                let Some(costs) = costs_of(store, run).await? else { continue };
                // What cannot be read is kept as nothing, or it would be tried again with every request.
                let body = serde_json::to_string(&costs).unwrap_or_else(|_| "null".to_owned());
                match store.keep_extract(run, EXTRACT, &body).await {
                    Ok(()) | Err(log::Error::NotFound(_)) => {}
                    Err(error) => return Err(error.into()),
                }
            }
        }
    }
}

/// What runs cost so far that have not ended, and whether that is all of them.
async fn unfinished(store: &dyn Store, started: &Range<i64>) -> Result<(Vec<Entry>, bool), Refusal> {
    let wanted = Listing {
        statuses: vec![Status::Waiting, Status::Playing, Status::Interrupted],
        most: MOST_UNFINISHED + 1,
        ..Listing::default()
    };
    let mut runs = store.list(&wanted).await?;
    let all = runs.len() <= MOST_UNFINISHED;
    runs.truncate(MOST_UNFINISHED);
    let mut entries = Vec::with_capacity(runs.len());
    for run in runs.into_iter().filter(|run| started.contains(&run.started_at)) {
        if let Some(costs) = costs_of(store, run.run).await? {
            entries.push(Entry { run: run.run, started_at: run.started_at, costs });
        }
    }
    Ok((entries, all))
}

/// What a run cost, as far as its log can be read; nothing at all if it is gone.
async fn costs_of(store: &dyn Store, run: RunId) -> Result<Option<Option<RunCosts>>, Refusal> {
    use crate::error::Code;
    match stories::tell(store, run, |story| RunCosts::of(&metadata(story))).await {
        Ok(costs) => Ok(Some(costs)),
        Err(refusal) if refusal.code == Code::RunUnreadable => Ok(Some(None)),
        Err(refusal) if refusal.code == Code::RunNotFound => Ok(None),
        Err(refusal) => Err(refusal),
    }
}

impl RunCosts {
    pub(crate) fn of(metadata: &Metadata) -> RunCosts {
        let costs = &metadata.costs;
        let by_purpose = costs.by_purpose.iter();
        let hidden = by_purpose.clone().filter(|(purpose, _)| **purpose != Purpose::Reply);
        RunCosts {
            name: metadata.name.to_string(),
            by_character: sums(costs.by_character.iter().map(|(name, account)| (name.as_str(), account))),
            hidden: hidden.fold(Sum::default(), |sum, (_, account)| sum.plus(&Sum::of(account))),
            by_model: sums(costs.by_model.iter().map(|(name, account)| (name.as_str(), account))),
            by_purpose: sums(by_purpose.map(|(purpose, account)| (purpose.as_str(), account))),
        }
    }

    /// All calls. Each stands in the account of one model.
    pub(crate) fn total(&self) -> Sum {
        self.by_model.values().fold(Sum::default(), Sum::plus)
    }
}

impl Sum {
    pub(crate) fn plus(self, other: &Sum) -> Sum {
        let mut usage = self.usage;
        usage += other.usage;
        Sum {
            calls: self.calls.saturating_add(other.calls),
            tokens: match (self.tokens, other.tokens) {
                (Some(one), Some(another)) => Some(one.saturating_add(another)),
                (one, another) => one.or(another),
            },
            nano_usd: self.nano_usd.saturating_add(other.nano_usd),
            unknown: self.unknown.saturating_add(other.unknown),
            unaccounted: self.unaccounted.saturating_add(other.unaccounted),
            usage,
        }
    }

    fn of(account: &AccountCosts) -> Sum {
        Sum {
            calls: account.calls,
            tokens: account.total_tokens,
            // Made from nano-USD, and still exact below nine million dollars.
            nano_usd: account.estimated_usd.map_or(0, |usd| (usd * 1e9).round() as u64),
            unknown: u64::from(account.estimated_usd.is_none()),
            unaccounted: account.unaccounted,
            usage: account.usage,
        }
    }
}

fn sums<'a>(accounts: impl Iterator<Item = (&'a str, &'a AccountCosts)>) -> BTreeMap<String, Sum> {
    accounts.map(|(key, account)| (key.to_owned(), Sum::of(account))).collect()
}
