//! What runs cost, kept so that adding up thousands of them does not fold thousands of logs.

mod unfinished;

use std::{
    collections::{BTreeMap, HashSet},
    ops::Range,
};

use enact_drama::{
    RunId,
    report::{Account, Cost, Ledger},
    usage::Usage,
};
use enact_engine::{
    Node,
    log::{self, RunSummary},
    store::Extract,
};
use serde::{Deserialize, Serialize};
use tokio::sync::{Mutex, Semaphore};

use crate::{
    aside::aside,
    error::{ApiError, Code},
    reports::report,
    visibility::Viewer,
};

/// What is kept of finished runs. Another shape gets another number: what is kept under the old one is then derived anew.
const EXTRACT: &str = "costs.2";

/// What cannot be read is tried again by another version.
const THIS_VERSION: &str = env!("CARGO_PKG_VERSION");

/// How many finished runs are looked up at a time that nothing is kept of yet.
const PAGE: usize = 64;

/// How many finished runs one request folds at most: some seconds of work. The next request goes on.
const MOST_DERIVED: usize = 2_000;

/// How many requests add up at once. Each holds what all runs of its time cost, a KiB for a run.
const AT_ONCE: usize = 2;

/// What one run cost.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RunCosts {
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
    pub(crate) name: String,
    production: String,
    account: String,
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

/// What is kept of a finished run.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Kept {
    name: String,
    production: String,
    account: String,
    #[serde(flatten)]
    what: What,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum What {
    Costs(RunCosts),
    /// The version of enact that could not read it.
    UnreadableBy(String),
}

impl What {
    fn of(costs: Option<RunCosts>) -> What {
        // What is unreadable is kept too, or it would be tried again with every request.
        costs.map_or_else(|| What::UnreadableBy(THIS_VERSION.to_owned()), What::Costs)
    }

    /// Whether it need not be derived anew: another version may read what that one could not.
    fn is_good(&self) -> bool {
        match self {
            What::Costs(_) => true,
            What::UnreadableBy(version) => version == THIS_VERSION,
        }
    }

    fn costs(self) -> Option<RunCosts> {
        match self {
            What::Costs(costs) => Some(costs),
            What::UnreadableBy(_) => None,
        }
    }
}

/// Keeps the accounts of runs.
#[derive(Debug)]
pub(crate) struct Accounts {
    /// Who derives what is not kept yet: two at once would only do it twice.
    deriving: Mutex<()>,
    adding: Semaphore,
}

impl Default for Accounts {
    fn default() -> Accounts {
        Accounts { deriving: Mutex::default(), adding: Semaphore::new(AT_ONCE) }
    }
}

impl Accounts {
    /// Opens the books on all runs that were started within these UTC milliseconds and that the caller may see, and makes
    /// something of them.
    pub(crate) async fn add_up<T: Send + 'static>(
        &self,
        node: &Node,
        viewer: &Viewer,
        started: Range<i64>,
        add_up: impl FnOnce(&Books) -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        let _turn = self.adding.acquire().await;
        let books = self.books(node, viewer, started).await?;
        Ok(aside(move || add_up(&books)).await)
    }

    async fn books(&self, node: &Node, viewer: &Viewer, started: Range<i64>) -> Result<Books, ApiError> {
        // What still goes on comes first: a run that ends meanwhile is then in both, and counted once.
        let (unfinished, all_unfinished) = unfinished::so_far(node, viewer, &started).await?;
        let all_kept = self.derive(node).await?;
        let kept = node.store().extracts(EXTRACT, started).await?;
        let (mut entries, mut stale) = aside(move || read(unfinished, kept)).await;
        let all_read = stale.len() <= MOST_DERIVED;
        stale.truncate(MOST_DERIVED);
        for index in stale {
            let Some(entry) = entries.get_mut(index) else { continue };
            if let Some(derived) = keep_costs(node, entry.run).await? {
                *entry = derived;
            }
        }
        entries.retain(|entry| viewer.sees(&entry.production, &entry.account));
        Ok(Books { entries, complete: all_unfinished && all_kept && all_read })
    }

    /// Keeps what is not kept yet, and says whether that was all of it.
    async fn derive(&self, node: &Node) -> Result<bool, ApiError> {
        let _turn = self.deriving.lock().await;
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

/// Keeps what a finished run cost, or that this version cannot say. Gives nothing for one that is gone.
async fn keep_costs(node: &Node, run: RunId) -> Result<Option<Entry>, ApiError> {
    let found = match node.store().find(run).await {
        Err(log::Error::NotFound(_)) => return Ok(None),
        found => found?,
    };
    let Some(entry) = entry(node, found).await? else { return Ok(None) };
    let kept = Kept {
        name: entry.name.clone(),
        production: entry.production.clone(),
        account: entry.account.clone(),
        what: What::of(entry.costs.clone()),
    };
    keep(node, run, EXTRACT, &kept).await?;
    Ok(Some(entry))
}

/// Keeps something of a run, unless it is gone meanwhile.
async fn keep(node: &Node, run: RunId, kind: &str, kept: &impl Serialize) -> Result<(), ApiError> {
    let body = serde_json::to_string(kept).map_err(|error| log::Error::Storage(error.to_string()))?;
    match node.store().keep_extract(run, kind, &body).await {
        Ok(()) | Err(log::Error::NotFound(_)) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// All entries, newest run first, and which of them another version could not read.
fn read(unfinished: Vec<Entry>, kept: Vec<Extract>) -> (Vec<Entry>, Vec<usize>) {
    let known: HashSet<RunId> = unfinished.iter().map(|entry| entry.run).collect();
    let mut retold = HashSet::new();
    let mut entries = unfinished;
    for extract in kept.into_iter().filter(|extract| !known.contains(&extract.run)) {
        let kept: Option<Kept> = serde_json::from_str(&extract.body).ok();
        if !kept.as_ref().is_some_and(|kept| kept.what.is_good()) {
            retold.insert(extract.run);
        }
        let (name, production, account, costs) = match kept {
            Some(Kept { name, production, account, what }) => (name, production, account, what.costs()),
            // Until it is derived anew it is of no production, and so for administrators only.
            None => Default::default(),
        };
        let (run, started_at) = (extract.run, extract.started_at);
        entries.push(Entry { run, started_at, name, production, account, costs });
    }
    entries.sort_by_key(|entry| std::cmp::Reverse((entry.started_at, entry.run)));
    let stale = entries.iter().enumerate().filter(|(_, entry)| retold.contains(&entry.run));
    let stale = stale.map(|(index, _)| index).collect();
    (entries, stale)
}

/// What a run cost, as far as its log can be read; nothing at all if it is gone.
async fn entry(node: &Node, run: RunSummary) -> Result<Option<Entry>, ApiError> {
    let costs = match report(node, run.run, |report| RunCosts::of(report.ledger())).await {
        Ok(costs) => Some(costs),
        Err(error) if error.code == Code::RunUnreadable => None,
        Err(error) if error.code == Code::RunNotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    Ok(Some(Entry::of(run, costs)))
}

impl Entry {
    fn of(run: RunSummary, costs: Option<RunCosts>) -> Entry {
        let RunSummary { run, started_at, name, production, account, .. } = run;
        Entry { run, started_at, name, production, account, costs }
    }
}

impl RunCosts {
    fn of(ledger: &Ledger) -> RunCosts {
        RunCosts {
            by_character: sums(ledger.by_actor.iter().map(|(name, account)| (name.as_str(), account))),
            hidden: Sum::of(&ledger.hidden),
            by_model: sums(ledger.by_model.iter().map(|(name, account)| (name.as_str(), account))),
            by_purpose: sums(ledger.by_purpose.iter().map(|(purpose, account)| (purpose.as_str(), account))),
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

    fn of(account: &Account) -> Sum {
        Sum {
            calls: account.made(),
            tokens: account.tokens().count(),
            nano_usd: account.known_cost().0,
            unknown: u64::from(account.cost() == Cost::Unknown),
            unaccounted: account.unaccounted,
            usage: account.usage,
        }
    }
}

fn sums<'a>(accounts: impl Iterator<Item = (&'a str, &'a Account)>) -> BTreeMap<String, Sum> {
    accounts.map(|(key, account)| (key.to_owned(), Sum::of(account))).collect()
}
