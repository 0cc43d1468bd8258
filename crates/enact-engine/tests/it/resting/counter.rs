//! A production that only counts: it asks no model and does only what commands say.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use enact_drama::{
    Ask, Effect, Fact, Happened, Input, Problem, Production, RunId,
    production::{Event, NoClientEvents, Player, Report},
    report::{Document, Ledger},
    request::Request,
    row::{Row, RowChange},
};
use enact_engine::{
    Models, Node, Productions, Store,
    log::Status,
    node::{NodeLimits, ResourceProvider, Submitter},
    store::RowQuery,
};
use enact_testkit::until;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::submitting::first;

/// Often enough that the checkpoints of a long run are many.
pub(crate) const CHECKPOINT_EVERY: u64 = 4;

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "kind", content = "body", rename_all = "snake_case")]
pub(crate) enum CounterEvent {
    CounterBegan { run: RunId },
    Opened {},
    Resumed {},
    Added { number: u64 },
    Ended {},
}

impl Event for CounterEvent {}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum CounterCommand {
    /// Adds a number so many times.
    Add {
        number: u64,
        times: u32,
    },
    Cancel {},
}

pub(crate) fn add(number: u64) -> CounterCommand {
    CounterCommand::Add { number, times: 1 }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Counter {
    run: RunId,
    opened: bool,
    total: u64,
    ended: bool,
}

impl Production for Counter {
    type Event = CounterEvent;
    type Command = CounterCommand;
    type Report = CounterReport;
    type Client = NoClientEvents<CounterEvent>;

    const NAME: &'static str = "counter";
    const BEGINS_WITH: &'static str = "counter_began";
    const CHECKPOINT_EVERY: Option<u64> = Some(CHECKPOINT_EVERY);

    fn begin(first: &Fact<CounterEvent>) -> Option<Counter> {
        let CounterEvent::CounterBegan { run } = first.event else { return None };
        Some(Counter { run, opened: false, total: 0, ended: false })
    }

    fn run(&self) -> RunId {
        self.run
    }

    fn players(&self) -> Vec<Player> {
        Vec::new()
    }

    fn cancel() -> CounterCommand {
        CounterCommand::Cancel {}
    }

    fn decide(&self, input: &Input<CounterCommand>) -> Vec<CounterEvent> {
        match &input.what {
            _ if self.ended => Vec::new(),
            Happened::Commanded(CounterCommand::Cancel {}) => vec![CounterEvent::Ended {}],
            Happened::Commanded(CounterCommand::Add { number, times }) => {
                (0..*times).map(|_| CounterEvent::Added { number: *number }).collect()
            }
            Happened::Started | Happened::Resumed if !self.opened => vec![CounterEvent::Opened {}],
            Happened::Resumed => vec![CounterEvent::Resumed {}],
            _ => Vec::new(),
        }
    }

    fn apply(&mut self, fact: &Fact<CounterEvent>) {
        match fact.event {
            CounterEvent::Opened {} => self.opened = true,
            CounterEvent::Added { number } => self.total += number,
            CounterEvent::Ended {} => self.ended = true,
            CounterEvent::CounterBegan { .. } | CounterEvent::Resumed {} => {}
        }
    }

    fn has_begun(&self) -> bool {
        self.opened
    }

    fn pending(&self) -> Vec<Effect> {
        Vec::new()
    }

    fn request(&self, _: &Ask) -> Request {
        unreachable!("nobody is asked")
    }

    fn ended(&self) -> Option<&'static str> {
        self.ended.then_some("cancelled")
    }

    fn rows(&self, fact: &Fact<CounterEvent>) -> Vec<RowChange> {
        let CounterEvent::Added { .. } = fact.event else { return Vec::new() };
        let (kind, key) = ("total".to_owned(), String::new());
        vec![RowChange::Put(Row { kind, key, sort: 0, body: self.total.to_string() })]
    }

    fn checkpoint(&self) -> Option<String> {
        serde_json::to_string(self).ok()
    }

    fn restore(_: &Fact<CounterEvent>, checkpoint: &str) -> Option<Counter> {
        serde_json::from_str(checkpoint).ok()
    }
}

#[derive(Debug)]
pub(crate) struct CounterReport(Document, Ledger);

impl Report for CounterReport {
    type Event = CounterEvent;

    fn begin(first: &Fact<CounterEvent>) -> Option<CounterReport> {
        let document = Document::new(Counter::NAME, Counter::NAME, first.at);
        Some(CounterReport(document, Ledger::default()))
    }

    fn apply(&mut self, _: &Fact<CounterEvent>) {}

    fn document(&self) -> Document {
        self.0.clone()
    }

    fn ledger(&self) -> &Ledger {
        &self.1
    }
}

/// The counter needs no models.
#[derive(Debug)]
struct NoModels;

#[async_trait]
impl ResourceProvider for NoModels {
    async fn models(&self, _: &[Player]) -> Result<Models, Problem> {
        Ok(Models::new())
    }
}

/// A node that plays counters, so many at once.
pub(crate) fn node(store: &Arc<impl Store + 'static>, runs: usize) -> Node {
    let productions = Productions::default().with::<Counter>();
    Node::start(store.clone(), Arc::new(NoModels), productions, NodeLimits { runs, pace: Duration::ZERO })
}

pub(crate) async fn submit(node: &Node) -> RunId {
    let run = RunId(Uuid::now_v7());
    let began = first::<Counter>(CounterEvent::CounterBegan { run });
    node.submit(began, Submitter::default()).await.unwrap().run
}

pub(crate) async fn post(node: &Node, run: RunId, command: CounterCommand) {
    crate::submitting::post::<Counter>(node, run, &command).await.unwrap();
}

/// Until it waits for a command.
pub(crate) async fn rests(store: &dyn Store, run: RunId) {
    until(async || store.find(run).await.unwrap().status == Status::Resting).await;
}

/// The total as the derived rows have it.
pub(crate) async fn total(store: &dyn Store, run: RunId) -> u64 {
    let wanted = RowQuery { kind: "total".to_owned(), run: Some(run), most: 2, ..RowQuery::default() };
    let rows = store.rows(&wanted).await.unwrap();
    assert!(rows.len() <= 1, "{rows:?}");
    rows.first().map_or(0, |row| row.row.body.parse().unwrap())
}

/// The kinds of a run's records, in order.
pub(crate) async fn kinds(store: &dyn Store, run: RunId) -> Vec<String> {
    let records = store.read(run, enact_drama::Seq(0)).await.unwrap();
    records.into_iter().map(|record| record.kind).collect()
}
