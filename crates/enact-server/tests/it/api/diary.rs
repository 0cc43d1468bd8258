//! A production for tests, with everything that the server knows of one: it is private, has client events,
//! and rests.
//!
//! A diary answers whatever is written into it, and rests until more is.

use axum::{extract::State, http::Method, response::Response};
use enact_drama::{Fact, Name, Problem, RunId, production::*, report::*, request::*, usage::Usage};
use enact_server::{
    ApiState, Route, ServerProduction,
    access::Scope,
    client_events::{self, FollowRequest},
    error::{ApiError, ErrorCode},
    run_request::RunRequest,
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::{OpenApi, ToSchema};
use uuid::Uuid;

/// Answers when it is let, and can be overheard before.
const MODEL: &str = "gated";

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "kind", content = "body", rename_all = "snake_case")]
pub(crate) enum DiaryEvent {
    DiaryBegan { run: RunId },
    Forked { run: RunId, beat: u32 },
    Wrote { call: CallId, text: String },
    Answered { call: CallId, usage: Option<Usage> },
    Closed {},
}

impl Event for DiaryEvent {}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum DiaryCommand {
    Write { text: String },
    Close,
}

#[derive(Debug, Clone)]
pub(crate) struct Diary {
    run: RunId,
    calls: u64,
    pending: Option<CallId>,
    closed: bool,
}

fn dear_diary() -> Name {
    Name::new("diary").unwrap()
}

impl Production for Diary {
    type Event = DiaryEvent;
    type Command = DiaryCommand;
    type Report = Pages;
    type Client = Reader;

    const NAME: &'static str = "diary";
    const BEGINS_WITH: &'static str = "diary_began";
    const REQUIRES_ALL_MODELS: bool = false;
    const PRIVATE: bool = true;

    fn begin(first: &Fact<DiaryEvent>) -> Option<Diary> {
        let DiaryEvent::DiaryBegan { run } = first.event else { return None };
        Some(Diary { run, calls: 0, pending: None, closed: false })
    }

    fn run(&self) -> RunId {
        self.run
    }

    fn players(&self) -> Vec<Player> {
        Player::all(&cards(), Diary::NAME)
    }

    fn check(&self, command: DiaryCommand) -> Result<DiaryCommand, Problem> {
        match &command {
            DiaryCommand::Write { text } if text.is_empty() => Err(Problem::config("an entry needs a text")),
            _ => Ok(command),
        }
    }

    fn cancel() -> DiaryCommand {
        DiaryCommand::Close
    }

    fn decide(&self, input: &Input<DiaryCommand>) -> Vec<DiaryEvent> {
        match &input.what {
            Happened::Commanded(DiaryCommand::Close) => vec![DiaryEvent::Closed {}],
            Happened::Commanded(DiaryCommand::Write { text }) if self.pending.is_none() => {
                vec![DiaryEvent::Wrote { call: CallId(self.calls), text: text.clone() }]
            }
            Happened::Answered { call, answer } if self.pending == Some(*call) => {
                vec![DiaryEvent::Answered { call: *call, usage: answer.usage }]
            }
            _ => Vec::new(),
        }
    }

    fn apply(&mut self, fact: &Fact<DiaryEvent>) {
        match &fact.event {
            DiaryEvent::Wrote { call, .. } => (self.pending, self.calls) = (Some(*call), self.calls + 1),
            DiaryEvent::Answered { .. } => self.pending = None,
            DiaryEvent::Closed {} => (self.pending, self.closed) = (None, true),
            DiaryEvent::DiaryBegan { .. } | DiaryEvent::Forked { .. } => {}
        }
    }

    fn pending(&self) -> Vec<Effect> {
        let ask = |call| Effect::Ask(Ask::new(call, MODEL, &dear_diary(), Purpose::named("answer")));
        self.pending.map(ask).into_iter().collect()
    }

    fn request(&self, ask: &Ask) -> Request {
        Request { max_tokens: 10, timeout_ms: 30_000, ..Request::to(ask) }
    }

    fn ended(&self) -> Option<&'static str> {
        self.closed.then_some("closed")
    }

    fn fork(facts: &[Fact<DiaryEvent>], fork: Fork) -> Result<Vec<Fact<DiaryEvent>>, Problem> {
        let mut forked = facts.to_vec();
        if let DiaryEvent::DiaryBegan { run } = &mut forked[0].event {
            let event = DiaryEvent::Forked { run: std::mem::replace(run, fork.run), beat: fork.point.beat };
            forked.push(Fact { seq: enact_drama::Seq(facts.len() as u64), at: fork.at, event });
        }
        Ok(forked)
    }
}

fn cards() -> Cards {
    Cards::from([(MODEL.to_owned(), enact_drama::model_card::ModelCard::free("a model that waits"))])
}

#[derive(Debug)]
pub(crate) struct Pages(Document, Ledger);

impl Report for Pages {
    type Event = DiaryEvent;

    fn begin(first: &Fact<DiaryEvent>) -> Option<Pages> {
        Some(Pages(Document::new(Diary::NAME, Diary::NAME, first.at), Ledger::default()))
    }

    fn apply(&mut self, fact: &Fact<DiaryEvent>) {
        match &fact.event {
            DiaryEvent::Wrote { call, text } => {
                let (purpose, actor) = (Purpose::named("answer"), Some(dear_diary()));
                self.1.sent(*call, Sent { purpose, actor, model: MODEL.to_owned(), beat: 0 });
                self.0.blocks.push(Block::speech(fact.seq, 0, Speech::new("Me", text)));
            }
            DiaryEvent::Answered { call, usage } => self.1.settle(&cards(), *call, *usage),
            _ => {}
        }
    }

    fn document(&self) -> Document {
        self.0.clone().metadata(&json!({ "pages": self.0.blocks.len() }))
    }

    fn ledger(&self) -> &Ledger {
        &self.1
    }
}

/// Counts what it has told, so that a reader who comes back can be seen to have been told the rest.
#[derive(Debug)]
pub(crate) struct Reader {
    entries: u64,
}

impl ClientEvents for Reader {
    type Event = DiaryEvent;

    fn begin(_: &Fact<DiaryEvent>) -> Option<Reader> {
        Some(Reader { entries: 0 })
    }

    fn on_fact(&mut self, fact: &Fact<DiaryEvent>) -> Option<ClientEvent> {
        let (name, data) = match &fact.event {
            DiaryEvent::DiaryBegan { run } => ("opened", json!({ "diary": run })),
            DiaryEvent::Wrote { text, .. } => {
                self.entries += 1;
                ("entry", json!({ "number": self.entries, "text": text }))
            }
            DiaryEvent::Closed {} => ("closed", json!({})),
            DiaryEvent::Answered { .. } | DiaryEvent::Forked { .. } => return None,
        };
        Some(ClientEvent { name, data })
    }

    fn on_delta(&mut self, delta: &Delta) -> Option<ClientEvent> {
        Some(ClientEvent { name: "sigh", data: json!({ "over": self.entries, "text": delta.text }) })
    }
}

#[derive(OpenApi)]
#[openapi(components(schemas(DiaryMetadata)))]
struct OwnDocument;

#[derive(ToSchema)]
#[expect(dead_code, reason = "it only describes")]
struct DiaryMetadata {
    pages: usize,
}

/// `POST /v1/diaries` begins one and answers with its client events; `GET /v1/diaries/{id}/events` follows
/// it.
#[derive(Debug)]
pub(crate) struct Diaries;

impl ServerProduction for Diaries {
    fn name(&self) -> &'static str {
        Diary::NAME
    }

    fn routes(&self, api: &ApiState) -> Vec<Route> {
        vec![
            Route::new(Method::POST, Scope::Run, "/v1/diaries", open, api).streams(),
            Route::new(Method::GET, Scope::Read, "/v1/diaries/{id}/events", follow, api),
        ]
    }

    fn document(&self) -> utoipa::openapi::OpenApi {
        OwnDocument::openapi()
    }

    fn metadata_schema(&self) -> Option<&'static str> {
        Some("DiaryMetadata")
    }
}

async fn open(State(api): State<ApiState>, request: RunRequest) -> Result<Response, ApiError> {
    let made = request.once(async {
        request.enter_queue().await?;
        let began = DiaryEvent::DiaryBegan { run: RunId(Uuid::now_v7()) };
        Ok(request.submit::<Diary>(began, None).await?)
    });
    client_events::from_beginning::<Diary>(&api, made.await?).await
}

async fn follow(request: FollowRequest) -> Result<Response, ApiError> {
    client_events::follow::<Diary>(request, ErrorCode::WrongProduction).await
}
