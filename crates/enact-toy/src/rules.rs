//! An echo: a visitor calls into a valley, a model answers, and the run rests until the next call.

use std::collections::BTreeMap;

use enact_drama::{Fact, Name, Problem, RunId, production::*, report::*, request::*, row::*, usage::Usage};
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "kind", content = "body", rename_all = "snake_case")]
pub enum EchoEvent {
    EchoBegan { run: RunId, valley: Name, models: Cards },
    Forked { run: RunId, beat: u32 },
    Called { call: CallId, text: String },
    Answered { call: CallId, text: String, usage: Option<Usage> },
    Ended {},
}

impl Event for EchoEvent {}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "snake_case", deny_unknown_fields)]
pub enum EchoCommand {
    Call { text: String },
    Cancel {},
}

#[derive(Debug, Clone)]
pub struct Echo {
    run: RunId,
    valley: Name,
    models: Cards,
    calls: u32,
    pending: Vec<(CallId, String)>,
    ended: bool,
}

impl Production for Echo {
    type Event = EchoEvent;
    type Command = EchoCommand;
    type Report = EchoReport;
    type Client = NoClientEvents<EchoEvent>;

    const NAME: &'static str = "echo";
    const BEGINS_WITH: &'static str = "echo_began";
    const PRIVATE: bool = true;

    fn begin(first: &Fact<EchoEvent>) -> Option<Echo> {
        let EchoEvent::EchoBegan { run, valley, models } = first.event.clone() else { return None };
        Some(Echo { run, valley, models, calls: 0, pending: vec![], ended: false })
    }
    fn run(&self) -> RunId {
        self.run
    }
    fn players(&self) -> Vec<Player> {
        Player::all(&self.models, Echo::NAME)
    }
    fn cancel() -> EchoCommand {
        EchoCommand::Cancel {}
    }
    fn decide(&self, input: &Input<EchoCommand>) -> Vec<EchoEvent> {
        let (call, text, usage) = match &input.what {
            _ if self.ended => return vec![],
            Happened::Commanded(EchoCommand::Cancel {}) => return vec![EchoEvent::Ended {}],
            Happened::Commanded(EchoCommand::Call { text }) => {
                return vec![EchoEvent::Called { call: CallId(self.calls.into()), text: text.clone() }];
            }
            Happened::Answered { call, answer } => (*call, answer.text.clone(), answer.usage),
            Happened::Failed { call, failure } => (*call, "…".to_owned(), failure.usage),
            _ => return vec![],
        };
        let is_pending = self.pending.iter().any(|(pending, _)| *pending == call);
        if is_pending { vec![EchoEvent::Answered { call, text, usage }] } else { vec![] }
    }
    fn apply(&mut self, fact: &Fact<EchoEvent>) {
        match &fact.event {
            EchoEvent::Called { call, text } => {
                self.pending.push((*call, text.clone()));
                self.calls += 1;
            }
            EchoEvent::Answered { call, .. } => self.pending.retain(|(pending, _)| pending != call),
            EchoEvent::Ended {} => (self.pending, self.ended) = (vec![], true),
            EchoEvent::EchoBegan { .. } | EchoEvent::Forked { .. } => {}
        }
    }
    fn pending(&self) -> Vec<Effect> {
        let model = self.models.keys().next().map_or("", String::as_str);
        let ask =
            |(call, _): &(CallId, String)| Ask::new(*call, model, &self.valley, Purpose::named("answer"));
        self.pending.iter().map(ask).map(Effect::Ask).collect()
    }
    fn request(&self, ask: &Ask) -> Request {
        let text = self.pending.iter().find(|(call, _)| *call == ask.call).map_or("", |(_, text)| text);
        let thread = vec![Message { role: MessageRole::User, text: text.into() }];
        Request { thread, beat: Some(self.calls), max_tokens: 100, timeout_ms: 30_000, ..Request::to(ask) }
    }
    fn ended(&self) -> Option<&'static str> {
        self.ended.then_some("cancelled")
    }
    fn rows(&self, fact: &Fact<EchoEvent>) -> Vec<RowChange> {
        let EchoEvent::Called { text, .. } = &fact.event else { return vec![] };
        let (kind, key) = ("call".to_owned(), self.calls.to_string());
        vec![RowChange::Put(Row { kind, key, sort: fact.at, body: json!({ "text": text }).to_string() })]
    }
    fn fork(facts: &[Fact<EchoEvent>], fork: Fork) -> Result<Vec<Fact<EchoEvent>>, Problem> {
        if fork.point.line.is_some() {
            return Err(Problem::config("an echo has no lines to fork at"));
        }
        let mut answers = facts.iter().filter(|fact| matches!(fact.event, EchoEvent::Answered { .. }));
        let last = answers.nth(fork.point.beat.saturating_sub(1) as usize);
        let last = last.ok_or_else(|| Problem::config("there were not so many answers"))?.seq;
        let mut forked = facts[..=last.0 as usize].to_vec();
        if let EchoEvent::EchoBegan { run, .. } = &mut forked[0].event {
            let event = EchoEvent::Forked { run: std::mem::replace(run, fork.run), beat: fork.point.beat };
            forked.push(Fact { seq: last.next(), at: fork.at, event });
        }
        Ok(forked)
    }
}

#[derive(Debug)]
pub struct EchoReport(Document, Cards, Ledger, BTreeMap<CallId, Sent>);

impl Report for EchoReport {
    type Event = EchoEvent;
    fn begin(first: &Fact<EchoEvent>) -> Option<EchoReport> {
        let EchoEvent::EchoBegan { valley, models, .. } = first.event.clone() else { return None };
        let document = Document::new(Echo::NAME, valley.as_str(), first.at);
        Some(EchoReport(document, models, Ledger::default(), BTreeMap::new()))
    }
    fn apply(&mut self, fact: &Fact<EchoEvent>) {
        let EchoReport(document, models, ledger, pending) = self;
        let said = match &fact.event {
            EchoEvent::Called { call, text } => {
                let (model, actor) = (models.keys().next().cloned(), Name::new(&*document.name).ok());
                let (purpose, model) = (Purpose::named("answer"), model.unwrap_or_default());
                let sent = Sent { purpose, actor, model, beat: call.0 as u32 };
                pending.insert(*call, sent.clone());
                ledger.sent(*call, sent);
                Speech::new("Visitor", text)
            }
            EchoEvent::Answered { call, text, usage } => {
                pending.remove(call);
                ledger.settle(models, *call, *usage);
                Speech::new("Echo", text)
            }
            EchoEvent::Forked { .. } => {
                ledger.hand_down();
                // What was under way then is asked once more, by the fork.
                return pending.iter().for_each(|(call, sent)| ledger.sent(*call, sent.clone()));
            }
            EchoEvent::Ended {} => return document.end = Some("ECHO END - The visitor left".to_owned()),
            EchoEvent::EchoBegan { .. } => return,
        };
        document.blocks.push(Block::speech(fact.seq, 0, said).at(fact.at));
    }
    fn document(&self) -> Document {
        self.0.clone().metadata(&json!({ "costs": self.costs() }))
    }
    fn ledger(&self) -> &Ledger {
        &self.2
    }
}
