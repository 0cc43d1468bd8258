//! An index of what runs cost: the costs of each run are cached in the store, so that adding up thousands of
//! runs does not fold thousands of logs.

mod unfinished;

use std::{
    collections::{BTreeMap, HashSet},
    ops::Range,
};

use enact_drama::{
    RunId,
    report::{CallTotals, Cost, Ledger},
    usage::Usage,
};
use enact_engine::{
    Node,
    log::{self, RunSummary},
    run_blocking,
    store::Extract,
};
use serde::{Deserialize, Serialize};
use tokio::sync::{Mutex, Semaphore};

use crate::{
    error::{ApiError, ErrorCode},
    reports::report,
    visibility::Viewer,
};

/// The kind of extract for finished runs. Another shape gets another number, and everything is derived again.
const EXTRACT: &str = "costs.2";

/// A log that one version cannot read is tried again by another.
const THIS_VERSION: &str = env!("CARGO_PKG_VERSION");

/// How many finished runs without cached costs are looked up at a time.
const PAGE: usize = 64;

/// How many finished runs one request folds at most: some seconds of work. The next request goes on.
const MOST_DERIVED: usize = 2_000;

/// How many requests add up at once. Each holds the costs of all its runs, a KiB for a run.
const MAX_CONCURRENT_TOTALS: usize = 2;

/// What one run cost.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CostsByKey {
    pub(crate) by_character: BTreeMap<String, CostSum>,
    /// Hidden calls, which are no character's.
    pub(crate) hidden: CostSum,
    pub(crate) by_model: BTreeMap<String, CostSum>,
    pub(crate) by_purpose: BTreeMap<String, CostSum>,
}

/// Costs added up. What is unknown is counted apart and never taken for zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CostSum {
    pub(crate) calls: u64,
    /// Nothing when there were calls and none told.
    pub(crate) tokens: Option<u64>,
    /// In whole nano-USD, so that sums of many small costs stay exact.
    pub(crate) nano_usd: u64,
    /// Accounts of the ledger whose cost is unknown.
    pub(crate) unknown: u64,
    pub(crate) unaccounted: u64,
    pub(crate) usage: Usage,
}

/// A run and what it cost.
#[derive(Debug, Clone)]
pub(crate) struct CostEntry {
    pub(crate) run: RunId,
    pub(crate) started_at: i64,
    pub(crate) name: String,
    production: String,
    account: String,
    /// Nothing where the log cannot be read by this version.
    pub(crate) costs: Option<CostsByKey>,
}

/// The costs of all runs that were started within a time.
#[derive(Debug)]
pub(crate) struct CostReport {
    /// Newest run first.
    pub(crate) entries: Vec<CostEntry>,
    /// Whether every run is in it: one request folds a limited number of logs.
    pub(crate) complete: bool,
}

/// What the store has cached of a finished run.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct CachedCosts {
    name: String,
    production: String,
    account: String,
    #[serde(flatten)]
    what: CachedResult,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum CachedResult {
    Costs(CostsByKey),
    /// The version of enact that could not read it.
    UnreadableBy(String),
}

impl CachedResult {
    fn of(costs: Option<CostsByKey>) -> CachedResult {
        // That it is unreadable is cached too, or every request would try again.
        costs.map_or_else(|| CachedResult::UnreadableBy(THIS_VERSION.to_owned()), CachedResult::Costs)
    }

    /// Whether it is still valid: another version may read what that one could not.
    fn is_good(&self) -> bool {
        match self {
            CachedResult::Costs(_) => true,
            CachedResult::UnreadableBy(version) => version == THIS_VERSION,
        }
    }

    fn costs(self) -> Option<CostsByKey> {
        match self {
            CachedResult::Costs(costs) => Some(costs),
            CachedResult::UnreadableBy(_) => None,
        }
    }
}

/// Caches and adds up what runs cost.
#[derive(Debug)]
pub(crate) struct CostIndex {
    /// Held while missing costs are derived: two requests at once would do it twice.
    backfilling: Mutex<()>,
    adding: Semaphore,
}

impl Default for CostIndex {
    fn default() -> CostIndex {
        CostIndex { backfilling: Mutex::default(), adding: Semaphore::new(MAX_CONCURRENT_TOTALS) }
    }
}

impl CostIndex {
    /// Applies `add_up` to the costs of all runs that were started within these UTC milliseconds and that the
    /// caller may see.
    pub(crate) async fn totals<T: Send + 'static>(
        &self,
        node: &Node,
        viewer: &Viewer,
        started: Range<i64>,
        add_up: impl FnOnce(&CostReport) -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        let _turn = self.adding.acquire().await;
        let report = self.report(node, viewer, started).await?;
        Ok(run_blocking(move || add_up(&report)).await)
    }

    async fn report(
        &self,
        node: &Node,
        viewer: &Viewer,
        started: Range<i64>,
    ) -> Result<CostReport, ApiError> {
        // Unfinished runs come first: a run that ends meanwhile is in both lists, and counted once.
        let (unfinished, all_unfinished) = unfinished::so_far(node, viewer, &started).await?;
        let all_kept = self.backfill(node).await?;
        let kept = node.store().extracts(EXTRACT, started).await?;
        let (mut entries, mut stale) = run_blocking(move || read(unfinished, kept)).await;
        let all_read = stale.len() <= MOST_DERIVED;
        stale.truncate(MOST_DERIVED);
        for index in stale {
            let Some(entry) = entries.get_mut(index) else { continue };
            if let Some(derived) = keep_costs(node, entry.run).await? {
                *entry = derived;
            }
        }
        entries.retain(|entry| viewer.sees(&entry.production, &entry.account));
        Ok(CostReport { entries, complete: all_unfinished && all_kept && all_read })
    }

    /// Derives and caches what is missing, and says whether that was all of it.
    async fn backfill(&self, node: &Node) -> Result<bool, ApiError> {
        let _turn = self.backfilling.lock().await;
        let mut derived = 0;
        loop {
            let runs = node.store().without_extract(EXTRACT, PAGE).await?;
            if runs.is_empty() || derived >= MOST_DERIVED {
                return Ok(runs.is_empty());
            }
            derived += runs.len();
            for run in runs {
                keep_costs(node, run).await?;
            }
        }
    }
}

/// Derives and caches the costs of a finished run. `None` if the run is gone.
async fn keep_costs(node: &Node, run: RunId) -> Result<Option<CostEntry>, ApiError> {
    let found = match node.store().find(run).await {
        Err(log::Error::NotFound(_)) => return Ok(None),
        found => found?,
    };
    let Some(entry) = entry(node, found).await? else { return Ok(None) };
    let kept = CachedCosts {
        name: entry.name.clone(),
        production: entry.production.clone(),
        account: entry.account.clone(),
        what: CachedResult::of(entry.costs.clone()),
    };
    keep(node, run, EXTRACT, &kept).await?;
    Ok(Some(entry))
}

/// Caches something of a run, unless it is gone meanwhile.
async fn keep(node: &Node, run: RunId, kind: &str, kept: &impl Serialize) -> Result<(), ApiError> {
    let body = serde_json::to_string(kept).map_err(|error| log::Error::Storage(error.to_string()))?;
    match node.store().keep_extract(run, kind, &body).await {
        Ok(()) | Err(log::Error::NotFound(_)) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// All entries, newest run first, and which of them another version could not read.
fn read(unfinished: Vec<CostEntry>, kept: Vec<Extract>) -> (Vec<CostEntry>, Vec<usize>) {
    let known: HashSet<RunId> = unfinished.iter().map(|entry| entry.run).collect();
    let mut retold = HashSet::new();
    let mut entries = unfinished;
    for extract in kept.into_iter().filter(|extract| !known.contains(&extract.run)) {
        let kept: Option<CachedCosts> = serde_json::from_str(&extract.body).ok();
        if !kept.as_ref().is_some_and(|kept| kept.what.is_good()) {
            retold.insert(extract.run);
        }
        let (name, production, account, costs) = match kept {
            Some(CachedCosts { name, production, account, what }) => {
                (name, production, account, what.costs())
            }
            // Until it is derived again it has no production, so that only administrators see it.
            None => Default::default(),
        };
        let (run, started_at) = (extract.run, extract.started_at);
        entries.push(CostEntry { run, started_at, name, production, account, costs });
    }
    entries.sort_by_key(|entry| std::cmp::Reverse((entry.started_at, entry.run)));
    let stale = entries.iter().enumerate().filter(|(_, entry)| retold.contains(&entry.run));
    let stale = stale.map(|(index, _)| index).collect();
    (entries, stale)
}

/// What a run cost, as far as its log can be read; `None` if it is gone.
async fn entry(node: &Node, run: RunSummary) -> Result<Option<CostEntry>, ApiError> {
    let costs = match report(node, run.run, |report| CostsByKey::of(report.ledger())).await {
        Ok(costs) => Some(costs),
        Err(error) if error.code == ErrorCode::RunUnreadable => None,
        Err(error) if error.code == ErrorCode::RunNotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    Ok(Some(CostEntry::of(run, costs)))
}

impl CostEntry {
    fn of(run: RunSummary, costs: Option<CostsByKey>) -> CostEntry {
        let RunSummary { run, started_at, name, production, account, .. } = run;
        CostEntry { run, started_at, name, production, account, costs }
    }
}

impl CostsByKey {
    fn of(ledger: &Ledger) -> CostsByKey {
        CostsByKey {
            by_character: sums(ledger.by_actor.iter().map(|(name, account)| (name.as_str(), account))),
            hidden: CostSum::of(&ledger.hidden),
            by_model: sums(ledger.by_model.iter().map(|(name, account)| (name.as_str(), account))),
            by_purpose: sums(ledger.by_purpose.iter().map(|(purpose, account)| (purpose.as_str(), account))),
        }
    }

    /// All calls. Each stands in the account of one model.
    pub(crate) fn total(&self) -> CostSum {
        self.by_model.values().fold(CostSum::default(), CostSum::plus)
    }
}

impl CostSum {
    pub(crate) fn plus(self, other: &CostSum) -> CostSum {
        let mut usage = self.usage;
        usage += other.usage;
        CostSum {
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

    fn of(account: &CallTotals) -> CostSum {
        CostSum {
            calls: account.made(),
            tokens: account.tokens().count(),
            nano_usd: account.known_cost().0,
            unknown: u64::from(account.cost() == Cost::Unknown),
            unaccounted: account.unaccounted,
            usage: account.usage,
        }
    }
}

fn sums<'a>(accounts: impl Iterator<Item = (&'a str, &'a CallTotals)>) -> BTreeMap<String, CostSum> {
    accounts.map(|(key, account)| (key.to_owned(), CostSum::of(account))).collect()
}
