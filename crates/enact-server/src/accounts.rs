//! What runs cost, kept so that adding up thousands of them does not fold thousands of logs.

use std::{
    collections::{BTreeMap, HashSet},
    ops::Range,
};

use enact_drama::{
    RunId,
    show::{Account, Cost, Told},
    usage::Usage,
};
use enact_engine::{
    Store,
    log::{self, Status},
    store::{Extract, Listing},
};
use serde::{Deserialize, Serialize};
use tokio::sync::{Mutex, Semaphore};

use crate::{aside::aside, error::Refusal, stories};

/// What is kept of finished runs. Another shape gets another number: what is kept under the old one is then derived anew.
const EXTRACT: &str = "costs.1";

/// What cannot be read is tried again by another version.
const THIS_VERSION: &str = env!("CARGO_PKG_VERSION");

/// How many finished runs are looked up at a time that nothing is kept of yet.
const PAGE: usize = 64;

/// How many finished runs one request folds at most: some seconds of work. The next request goes on.
const MOST_DERIVED: usize = 2_000;

/// How many unfinished runs one request folds at most: as many as a node plays by default.
const MOST_UNFINISHED: usize = 2_000;

/// How many unfinished runs are looked up at a time. Most of a long queue has cost nothing yet, and is passed over.
const LISTED: usize = 1_000;

/// How many requests add up at once. Each holds what all runs of its time cost, a KiB for a run.
const AT_ONCE: usize = 2;

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

/// What is kept of a finished run.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum Kept {
    Costs(RunCosts),
    Unreadable {
        /// The version of enact that could not read it.
        #[serde(rename = "unreadableBy")]
        by: String,
    },
}

/// Keeps the accounts of finished runs.
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
    /// Opens the books on all runs that were started within these UTC milliseconds, and makes something of them.
    pub(crate) async fn add_up<T: Send + 'static>(
        &self,
        store: &dyn Store,
        started: Range<i64>,
        add_up: impl FnOnce(&Books) -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        let _turn = self.adding.acquire().await;
        let books = self.books(store, started).await?;
        Ok(aside(move || add_up(&books)).await)
    }

    async fn books(&self, store: &dyn Store, started: Range<i64>) -> Result<Books, Refusal> {
        // What still goes on comes first: a run that ends meanwhile is then in both, and counted once.
        let (unfinished, all_unfinished) = unfinished(store, &started).await?;
        let all_kept = self.derive(store).await?;
        let kept = store.extracts(EXTRACT, started).await?;
        let (mut entries, mut stale) = aside(move || read(unfinished, kept)).await;
        let all_read = stale.len() <= MOST_DERIVED;
        stale.truncate(MOST_DERIVED);
        for index in stale {
            let Some(entry) = entries.get_mut(index) else { continue };
            entry.costs = keep_costs(store, entry.run).await?;
        }
        Ok(Books { entries, complete: all_unfinished && all_kept && all_read })
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
                keep_costs(store, run).await?;
            }
        }
    }
}

/// Keeps what a finished run cost, or that this version cannot say.
async fn keep_costs(store: &dyn Store, run: RunId) -> Result<Option<RunCosts>, Refusal> {
    let Some(costs) = costs_of(store, run).await? else { return Ok(None) };
    let kept = match costs.clone() {
        Some(costs) => Kept::Costs(costs),
        // Or it would be tried again with every request.
        None => Kept::Unreadable { by: THIS_VERSION.to_owned() },
    };
    let body = serde_json::to_string(&kept).map_err(|error| log::Error::Storage(error.to_string()))?;
    match store.keep_extract(run, EXTRACT, &body).await {
        Ok(()) | Err(log::Error::NotFound(_)) => Ok(costs),
        Err(error) => Err(error.into()),
    }
}

/// All entries, newest run first, and which of them another version could not read.
fn read(unfinished: Vec<Entry>, kept: Vec<Extract>) -> (Vec<Entry>, Vec<usize>) {
    let known: HashSet<RunId> = unfinished.iter().map(|entry| entry.run).collect();
    let mut retold = HashSet::new();
    let mut entries = unfinished;
    for extract in kept.into_iter().filter(|extract| !known.contains(&extract.run)) {
        let costs = match serde_json::from_str(&extract.body) {
            Ok(Kept::Costs(costs)) => Some(costs),
            Ok(Kept::Unreadable { by }) if by == THIS_VERSION => None,
            Ok(Kept::Unreadable { .. }) | Err(_) => {
                retold.insert(extract.run);
                None
            }
        };
        entries.push(Entry { run: extract.run, started_at: extract.started_at, costs });
    }
    entries.sort_by_key(|entry| std::cmp::Reverse((entry.started_at, entry.run)));
    let stale = entries.iter().enumerate().filter(|(_, entry)| retold.contains(&entry.run));
    let stale = stale.map(|(index, _)| index).collect();
    (entries, stale)
}

/// What runs cost so far that have not ended, and whether that is all of them.
async fn unfinished(store: &dyn Store, started: &Range<i64>) -> Result<(Vec<Entry>, bool), Refusal> {
    let mut entries = Vec::new();
    let mut wanted = Listing {
        statuses: vec![Status::Waiting, Status::Playing, Status::Interrupted],
        most: LISTED,
        ..Listing::default()
    };
    loop {
        let page = store.list(&wanted).await?;
        wanted.before = page.last().map(|run| run.run);
        let was_last = page.len() < LISTED;
        // Nobody was asked yet where there is nothing but the beginning.
        for run in page.into_iter().filter(|run| run.events > 1 && started.contains(&run.started_at)) {
            if entries.len() == MOST_UNFINISHED {
                return Ok((entries, false));
            }
            if let Some(costs) = costs_of(store, run.run).await? {
                entries.push(Entry { run: run.run, started_at: run.started_at, costs });
            }
        }
        if was_last {
            return Ok((entries, true));
        }
    }
}

/// What a run cost, as far as its log can be read; nothing at all if it is gone.
async fn costs_of(store: &dyn Store, run: RunId) -> Result<Option<Option<RunCosts>>, Refusal> {
    use crate::error::Code;
    match stories::tell(store, run, RunCosts::of).await {
        Ok(costs) => Ok(Some(costs)),
        Err(refusal) if refusal.code == Code::RunUnreadable => Ok(Some(None)),
        Err(refusal) if refusal.code == Code::RunNotFound => Ok(None),
        Err(refusal) => Err(refusal),
    }
}

impl RunCosts {
    fn of(story: &Told) -> RunCosts {
        let ledger = story.ledger();
        let hidden = ledger.by_purpose.iter().filter(|(purpose, _)| purpose.is_hidden());
        RunCosts {
            name: story.name().to_owned(),
            by_character: sums(ledger.by_actor.iter().map(|(name, account)| (name.as_str(), account))),
            hidden: hidden.fold(Sum::default(), |sum, (_, account)| sum.plus(&Sum::of(account))),
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
