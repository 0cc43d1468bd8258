//! A log folded for people: what a production gives to be told.

use serde_json::Value;

use super::{Costs, Document, Ledger};
use crate::{Fact, record::Event};

/// A log folded for people.
pub trait Report: Sized + Send + Sync + 'static {
    type Event: Event;

    /// The report after a run's first fact, or nothing if that is not how such a run begins.
    fn begin(first: &Fact<Self::Event>) -> Option<Self>;

    /// Folds one more fact.
    fn apply(&mut self, fact: &Fact<Self::Event>);

    /// What happened, as blocks: every format, the replay and the recording are made of it.
    fn document(&self) -> Document;

    /// What programs want to know of it; each production has its own shape.
    fn metadata(&self) -> Value {
        self.document().metadata
    }

    fn ledger(&self) -> &Ledger;

    /// One of its conversations as a document of its own, by its id, in productions that have several.
    fn conversation(&self, id: &str) -> Option<Document> {
        let _ = id;
        None
    }

    /// What it used and cost. By default only those are listed who were asked.
    fn costs(&self) -> Costs {
        Costs::of(self.ledger(), self.ledger().by_actor.keys())
    }

    /// How it came about, for people looking for a fault; nothing where the log itself is plain enough, and
    /// the [debug log of any run](super::debug_log) is told.
    fn debug_log(facts: &[Fact<Self::Event>]) -> Option<String> {
        let _ = facts;
        None
    }

    /// Folds a whole log. Gives nothing if it does not begin like one of this production.
    fn of<'a>(facts: impl IntoIterator<Item = &'a Fact<Self::Event>>) -> Option<Self> {
        let mut facts = facts.into_iter();
        let mut report = Self::begin(facts.next()?)?;
        facts.for_each(|fact| report.apply(fact));
        Some(report)
    }
}
