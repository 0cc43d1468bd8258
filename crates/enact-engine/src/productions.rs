//! The productions a process can play: a registry that its composition root makes and hands to nodes and
//! servers.
//!
//! Everything that is generic about a run goes through it: playing, reporting, commands, forks, rows,
//! recordings. Nothing but the registry knows a production by name, and a log that begins like none of them
//! is an error.

use std::{any::Any, fmt::Debug, marker::PhantomData, sync::Arc};

use async_trait::async_trait;
use enact_drama::{
    Fact, Happened, Input, Problem, Production, Record, RunId, Seq, json_fault,
    open_ask::OpenAsk,
    production::{ClientEvent, ClientEvents, Fork, Report, fold},
    record::{Unreadable, read_facts, readable_facts},
    recorded_answers::RecordedAnswer,
    report::{self, Costs, Document, Ledger},
    row::RowChange,
    sent_prompts::SentPrompts,
};
use serde_json::Value;

use crate::{
    Store,
    checkpoint::newest_checkpoint,
    node::{self, ClaimedRun, PlayError, PlayOutcome},
    store::PostedCommand,
};

/// The productions of a process.
#[derive(Debug, Clone, Default)]
pub struct Productions {
    all: Vec<Arc<dyn AnyProduction>>,
}

impl Productions {
    /// Registers another one.
    ///
    /// # Panics
    /// If another production has its name or its logs begin with the same kind: their logs could not be told
    /// apart.
    pub fn with<P: Production>(mut self) -> Productions {
        let clash =
            |other: &Arc<dyn AnyProduction>| other.name() == P::NAME || other.begins_with() == P::BEGINS_WITH;
        assert!(!self.all.iter().any(clash), "there is a production like '{}' already", P::NAME);
        self.all.push(Arc::new(Registered::<P>(PhantomData)));
        self
    }

    /// The production whose logs begin with a record like this.
    pub fn of(&self, first: &Record) -> Result<&dyn AnyProduction, UnknownProduction> {
        self.find(|production| production.begins_with() == first.kind)
            .ok_or_else(|| self.unknown(format!("a log that begins with '{}'", first.kind)))
    }

    pub fn named(&self, name: &str) -> Result<&dyn AnyProduction, UnknownProduction> {
        self.find(|production| production.name() == name)
            .ok_or_else(|| self.unknown(format!("the production '{name}'")))
    }

    pub fn all(&self) -> impl Iterator<Item = &dyn AnyProduction> {
        self.all.iter().map(|production| &**production)
    }

    /// Those whose runs every account may see. One that is not registered is not among them: it may be
    /// private elsewhere.
    pub fn public(&self) -> Vec<String> {
        let public = self.all().filter(|production| !production.is_private());
        public.map(|production| production.name().to_owned()).collect()
    }

    /// Folds a whole log for people. One that this version cannot read in full is an error.
    pub fn report(&self, records: &[Record]) -> Result<Box<dyn AnyReport>, ReportError> {
        let first = records.first().ok_or(ReportError::Empty)?;
        self.of(first)?.report(records)?.ok_or(ReportError::Empty)
    }

    /// The same as far as this version can read the log: what it does not know is passed over.
    pub fn readable_report(&self, records: &[Record]) -> Result<Box<dyn AnyReport>, ReportError> {
        let first = records.first().ok_or(ReportError::Empty)?;
        self.of(first)?.readable_report(records).ok_or(ReportError::Empty)
    }

    /// How a run came about, for people looking for a fault, as far as this version can read the log.
    pub fn debug_log(&self, records: &[Record]) -> Result<String, ReportError> {
        let first = records.first().ok_or(ReportError::Empty)?;
        let records = &self.shown(first, records.to_vec());
        Ok(self.of(first)?.debug_log(records).unwrap_or_else(|| report::debug_log(records)))
    }

    /// What the clients of a run were told, each with its time; nothing where they read its log.
    pub fn client_events(&self, records: &[Record]) -> Result<Option<Vec<(i64, ClientEvent)>>, ReportError> {
        let first = records.first().ok_or(ReportError::Empty)?;
        Ok(self.of(first)?.client_events(records)?)
    }

    /// Records with private facts redacted, as clients may see them.
    pub fn shown(&self, first: &Record, records: Vec<Record>) -> Vec<Record> {
        match self.of(first) {
            Ok(production) => production.shown(records),
            Err(_) => records,
        }
    }

    /// What each model of a run was sent, in this version's words.
    pub fn sent_prompts(&self, records: &[Record]) -> Result<String, ReportError> {
        let first = records.first().ok_or(ReportError::Empty)?;
        Ok(self.of(first)?.sent_prompts(&self.shown(first, records.to_vec()))?)
    }

    fn find(&self, wanted: impl Fn(&dyn AnyProduction) -> bool) -> Option<&dyn AnyProduction> {
        self.all().find(|production| wanted(*production))
    }

    fn unknown(&self, what: String) -> UnknownProduction {
        UnknownProduction { what, known: self.all().map(|production| production.name()).collect() }
    }
}

/// A log, or a name, of no production that is registered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what} is not known to this enact, which plays: {}", known.join(", "))]
pub struct UnknownProduction {
    what: String,
    known: Vec<&'static str>,
}

impl From<UnknownProduction> for Problem {
    fn from(unknown: UnknownProduction) -> Problem {
        Problem::config(unknown.to_string())
            .hint("a newer enact, or one built with that production, may know it")
    }
}

/// Why a log could not be told.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    #[error("the log does not say how the run began")]
    Empty,
    #[error(transparent)]
    Unknown(#[from] UnknownProduction),
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
}

/// What a run's first record says of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunHeader {
    pub run: RunId,
    /// What it is called in lists.
    pub title: String,
    /// Below the folder of artifacts, where it leaves any.
    pub artifact_folder: Option<String>,
}

/// A registered production, whatever its types are.
#[async_trait]
pub trait AnyProduction: Debug + Send + Sync {
    fn name(&self) -> &'static str;

    /// The kind of the first record of its logs.
    fn begins_with(&self) -> &'static str;

    fn is_private(&self) -> bool;

    /// Whether its records are not shown as they stand, nor answers while they come.
    fn redacts(&self) -> bool;

    /// A record without what only insight may show; nothing where it can be shown as it is. One that this
    /// version cannot read is shown.
    fn redacted(&self, record: &Record) -> Option<Record>;

    /// Records as they may leave the store.
    fn shown(&self, records: Vec<Record>) -> Vec<Record> {
        if !self.redacts() {
            return records;
        }
        let shown = |record: Record| self.redacted(&record).unwrap_or(record);
        records.into_iter().map(shown).collect()
    }

    /// What a first record says; nothing if it is not how a run of this production begins.
    fn header(&self, first: &Record) -> Result<Option<RunHeader>, Unreadable>;

    /// Why the run of a whole log is over, if it is.
    fn ended(&self, records: &[Record]) -> Result<Option<&'static str>, Unreadable>;

    fn report(&self, records: &[Record]) -> Result<Option<Box<dyn AnyReport>>, Unreadable>;

    fn readable_report(&self, records: &[Record]) -> Option<Box<dyn AnyReport>>;

    /// How a run came about, for people looking for a fault; nothing if the production has no words of its
    /// own for it.
    fn debug_log(&self, records: &[Record]) -> Option<String>;

    /// What its clients were told, each with its time; nothing where they read its log.
    fn client_events(&self, records: &[Record]) -> Result<Option<Vec<(i64, ClientEvent)>>, Unreadable>;

    /// What each of its models was sent.
    fn sent_prompts(&self, records: &[Record]) -> Result<String, Unreadable>;

    /// A command as it is to be stored, if a run that begins with this record can take it.
    fn check_command(&self, first: &Record, command: &str) -> Result<String, Problem>;

    /// Whether a run as it stands in a store, and with the commands that wait for it, can take one more. Most
    /// commands do not depend on that: [`depends_on_log`](AnyProduction::depends_on_log) says which do.
    async fn check_command_now(
        &self,
        store: &dyn Store,
        run: RunId,
        command: &str,
        at: i64,
    ) -> Result<(), node::Error>;

    /// Whether a command has to be checked against the whole log.
    fn depends_on_log(&self, command: &str) -> bool;

    /// What people have been asked and not answered, after a whole log.
    fn open_asks(&self, records: &[Record]) -> Result<Vec<OpenAsk>, Unreadable>;

    /// The command that ends a run.
    fn cancel(&self) -> String;

    /// The records a fork begins with.
    fn fork(&self, records: &[Record], fork: Fork) -> Result<Vec<Record>, Problem>;

    /// What a whole log does to the derived rows of its run.
    fn rows(&self, records: &[Record]) -> Result<Vec<RowChange>, Unreadable>;

    /// Every answer that models gave.
    fn answers(&self, records: &[Record]) -> Result<Vec<RecordedAnswer>, Unreadable>;

    /// Plays a run that a node has claimed, until it ends, rests or the node stops.
    async fn play(&self, run: ClaimedRun<'_>) -> Result<PlayOutcome, PlayError>;
}

/// A report, whatever production it is of.
pub trait AnyReport: Send + Sync {
    fn document(&self) -> Document;
    fn metadata(&self) -> Value;
    fn ledger(&self) -> &Ledger;
    /// One of its conversations, in productions that have several.
    fn conversation(&self, id: &str) -> Option<Document>;
    fn costs(&self) -> Costs;
    /// The report itself, for callers that know its type.
    fn as_any(&self) -> &dyn Any;
}

impl<R: Report> AnyReport for R {
    fn document(&self) -> Document {
        Report::document(self)
    }

    fn metadata(&self) -> Value {
        Report::metadata(self)
    }

    fn ledger(&self) -> &Ledger {
        Report::ledger(self)
    }

    fn conversation(&self, id: &str) -> Option<Document> {
        Report::conversation(self, id)
    }

    fn costs(&self) -> Costs {
        Report::costs(self)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// Makes an [`AnyProduction`] of a [`Production`].
struct Registered<P>(PhantomData<fn() -> P>);

impl<P: Production> Debug for Registered<P> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(P::NAME)
    }
}

#[async_trait]
impl<P: Production> AnyProduction for Registered<P> {
    fn name(&self) -> &'static str {
        P::NAME
    }

    fn begins_with(&self) -> &'static str {
        P::BEGINS_WITH
    }

    fn is_private(&self) -> bool {
        P::PRIVATE
    }

    fn redacts(&self) -> bool {
        P::REDACTS
    }

    fn redacted(&self, record: &Record) -> Option<Record> {
        let fact: Fact<P::Event> = record.fact().ok().filter(|_| P::REDACTS)?;
        Some(Record::of(&Fact { event: P::redacted(&fact.event)?, ..fact }))
    }

    fn header(&self, first: &Record) -> Result<Option<RunHeader>, Unreadable> {
        let production = P::begin(&first.fact()?);
        Ok(production.map(|production| RunHeader {
            run: production.run(),
            title: production.title().to_owned(),
            artifact_folder: production.artifact_folder(),
        }))
    }

    fn ended(&self, records: &[Record]) -> Result<Option<&'static str>, Unreadable> {
        Ok(fold::<P>(&read_facts(records)?).and_then(|production| production.ended()))
    }

    fn report(&self, records: &[Record]) -> Result<Option<Box<dyn AnyReport>>, Unreadable> {
        let report = P::Report::of(&read_facts(records)?);
        Ok(report.map(|report| Box::new(report) as Box<dyn AnyReport>))
    }

    fn readable_report(&self, records: &[Record]) -> Option<Box<dyn AnyReport>> {
        let report = P::Report::of(&readable_facts(records));
        report.map(|report| Box::new(report) as Box<dyn AnyReport>)
    }

    fn debug_log(&self, records: &[Record]) -> Option<String> {
        P::Report::debug_log(&readable_facts(records))
    }

    fn client_events(&self, records: &[Record]) -> Result<Option<Vec<(i64, ClientEvent)>>, Unreadable> {
        let facts = read_facts(records)?;
        let Some(mut client) = facts.first().and_then(P::Client::begin) else { return Ok(None) };
        let told = |fact: &Fact<P::Event>| Some((fact.at, client.on_fact(fact)?));
        Ok(Some(facts.iter().filter_map(told).collect()))
    }

    fn sent_prompts(&self, records: &[Record]) -> Result<String, Unreadable> {
        Ok(SentPrompts::<P>::of(&read_facts(records)?))
    }

    fn check_command(&self, first: &Record, command: &str) -> Result<String, Problem> {
        let command: P::Command = json_fault::read(command.as_bytes()).map_err(|fault| {
            let reason = match command.trim_start().starts_with('{') {
                // The only choice a command has is its name, which serde does not say.
                true => fault.message.replace("the whole must be", "command must be"),
                false => "it is no object".to_owned(),
            };
            Problem::config(format!("this is no command of a {}: {reason}", P::NAME)).hint(
                fault.hint.unwrap_or_else(|| "a command is an object with its name as 'command'".into()),
            )
        })?;
        let begun = first.fact().map_err(|unreadable| Problem::config(unreadable.to_string()))?;
        let production = P::begin(&begun)
            .ok_or_else(|| Problem::config(format!("the log does not begin like that of a {}", P::NAME)))?;
        Ok(json(&production.check(command)?))
    }

    async fn check_command_now(
        &self,
        store: &dyn Store,
        run: RunId,
        command: &str,
        at: i64,
    ) -> Result<(), node::Error> {
        let command: P::Command =
            serde_json::from_str(command).map_err(|error| Box::new(Problem::config(error.to_string())))?;
        let (first, unread) = tokio::try_join!(store.read_some(run, Seq(0), 1), store.inbox(run))?;
        let Some(first) = first.first() else { return Ok(()) };
        let known = newest_checkpoint::<P>(store, run, first).await?;
        let covered = known.as_ref().map_or(Seq(0), |(_, next)| *next);
        let facts: Vec<Fact<P::Event>> = read_facts(&store.read(run, covered).await?)?;
        // Folding may simulate, which is no work for a thread that serves requests.
        let checked = tokio::task::spawn_blocking(move || {
            let next = Seq(covered.0 + facts.len() as u64);
            let production = match known {
                Some((mut production, _)) => {
                    facts.iter().for_each(|fact| production.apply(fact));
                    Some(production)
                }
                None => fold::<P>(&facts),
            };
            production.map_or(Ok(()), |known| after_commands(known, next, &unread, at).check_now(&command))
        });
        let checked =
            checked.await.unwrap_or_else(|panicked| std::panic::resume_unwind(panicked.into_panic()));
        Ok(checked.map_err(Box::new)?)
    }

    fn depends_on_log(&self, command: &str) -> bool {
        serde_json::from_str(command).is_ok_and(|command| P::depends_on_state(&command))
    }

    fn open_asks(&self, records: &[Record]) -> Result<Vec<OpenAsk>, Unreadable> {
        let production = fold::<P>(&read_facts(records)?);
        Ok(production.map(|production| production.open_asks()).unwrap_or_default())
    }

    fn cancel(&self) -> String {
        json(&P::cancel())
    }

    fn fork(&self, records: &[Record], fork: Fork) -> Result<Vec<Record>, Problem> {
        let facts = read_facts(records).map_err(|unreadable| Problem::config(unreadable.to_string()))?;
        Ok(P::fork(&facts, fork)?.iter().map(Record::of).collect())
    }

    fn rows(&self, records: &[Record]) -> Result<Vec<RowChange>, Unreadable> {
        let facts = read_facts(records)?;
        let Some((first, rest)) = facts.split_first() else { return Ok(Vec::new()) };
        let Some(mut production) = P::begin(first) else { return Ok(Vec::new()) };
        let mut rows = production.rows(first);
        for fact in rest {
            production.apply(fact);
            rows.extend(production.rows(fact));
        }
        Ok(rows)
    }

    fn answers(&self, records: &[Record]) -> Result<Vec<RecordedAnswer>, Unreadable> {
        Ok(P::answers(&read_facts(records)?))
    }

    async fn play(&self, run: ClaimedRun<'_>) -> Result<PlayOutcome, PlayError> {
        run.play::<P>().await
    }
}

/// A run as it will be once it has read these commands, as far as they can be read. `next` is the seq of its
/// next record.
pub(crate) fn after_commands<P: Production>(
    mut production: P,
    mut next: Seq,
    unread: &[PostedCommand],
    at: i64,
) -> P {
    let read = |posted: &PostedCommand| serde_json::from_str::<P::Command>(&posted.command).ok();
    for what in unread.iter().filter_map(read) {
        for event in production.decide(&Input { at, what: Happened::Commanded(what) }) {
            production.apply(&Fact { seq: next, at, event });
            next = next.next();
        }
    }
    production
}

/// A command as inboxes hold it.
pub(crate) fn json<C: serde::Serialize>(command: &C) -> String {
    serde_json::to_string(command).expect("commands are plain data")
}
