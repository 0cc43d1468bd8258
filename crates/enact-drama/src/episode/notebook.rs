//! Corrections of what characters remember: each is a run of its own, with one fact, so that logs stay the only
//! truth. Memories are read together with them.

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{
    Fact, Name, RunId,
    director::Correction,
    production::{Ask, Effect, Event, Input, NoClientEvents, Player, Production},
    report::{Block, Document, Ledger, Report},
    request::Request,
    row::{Row, RowChange},
};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "body", rename_all = "snake_case")]
pub enum NotebookEvent {
    /// The first and the last.
    MemoriesCorrected { run: RunId, character: Name, corrections: Vec<Correction> },
}

impl Event for NotebookEvent {}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "snake_case", deny_unknown_fields)]
pub enum NotebookCommand {
    Cancel {},
}

/// Corrections that were made together. They are over as soon as they are made.
#[derive(Debug, Clone)]
pub struct Notebook {
    run: RunId,
    character: Name,
    corrections: Vec<Correction>,
}

impl Production for Notebook {
    type Event = NotebookEvent;
    type Command = NotebookCommand;
    type Report = NotebookReport;
    type Client = NoClientEvents<NotebookEvent>;

    const NAME: &'static str = "memory";
    const BEGINS_WITH: &'static str = "memories_corrected";
    const PRIVATE: bool = true;

    fn begin(first: &Fact<NotebookEvent>) -> Option<Notebook> {
        let NotebookEvent::MemoriesCorrected { run, character, corrections } = first.event.clone();
        Some(Notebook { run, character, corrections })
    }

    fn run(&self) -> RunId {
        self.run
    }

    fn title(&self) -> &str {
        self.character.as_str()
    }

    fn players(&self) -> Vec<Player> {
        Vec::new()
    }

    fn cancel() -> NotebookCommand {
        NotebookCommand::Cancel {}
    }

    fn decide(&self, _: &Input<NotebookCommand>) -> Vec<NotebookEvent> {
        Vec::new()
    }

    fn apply(&mut self, _: &Fact<NotebookEvent>) {}

    fn pending(&self) -> Vec<Effect> {
        Vec::new()
    }

    fn request(&self, ask: &Ask) -> Request {
        Request::to(ask)
    }

    fn ended(&self) -> Option<&'static str> {
        Some("completed")
    }

    fn rows(&self, fact: &Fact<NotebookEvent>) -> Vec<RowChange> {
        let put = |correction: &Correction| {
            let body = json!({"character": self.character, "correction": correction});
            RowChange::Put(Row {
                kind: "correction".to_owned(),
                key: format!("{}.{}", correction.run, correction.key),
                sort: fact.at,
                body: body.to_string(),
            })
        };
        self.corrections.iter().map(put).collect()
    }
}

/// Corrections, for people.
#[derive(Debug)]
pub struct NotebookReport {
    document: Document,
    ledger: Ledger,
}

impl Report for NotebookReport {
    type Event = NotebookEvent;

    fn begin(first: &Fact<NotebookEvent>) -> Option<NotebookReport> {
        let NotebookEvent::MemoriesCorrected { character, corrections, .. } = &first.event;
        let mut document = Document::new(Notebook::NAME, character.as_str(), first.at);
        for Correction { run, key, text } in corrections {
            let text = match text {
                Some(text) => format!("Remembered as: {text} ({run}, {key})"),
                None => format!("Forgotten ({run}, {key})"),
            };
            document.blocks.push(Block::event(first.seq, 0, text).at(first.at));
        }
        Some(NotebookReport { document, ledger: Ledger::default() })
    }

    fn apply(&mut self, _: &Fact<NotebookEvent>) {}

    fn document(&self) -> Document {
        self.document.clone().metadata(&json!({ "costs": self.costs() }))
    }

    fn ledger(&self) -> &Ledger {
        &self.ledger
    }
}
