//! What is answered when something cannot be done: one shape, with codes that stay.

use std::time::Duration;

use axum::{
    Json,
    http::{HeaderValue, StatusCode, header::RETRY_AFTER},
    response::{IntoResponse, Response},
};
use enact_drama::{Problem, RunId};
use enact_engine::{
    log, node,
    productions::{ReportError, UnknownProduction},
};
use serde_json::{Map, Value, json};

use crate::discreet::discreet;

/// How soon it is worth asking a store again that could not be reached.
const UNTIL_STORE_IS_BACK: Duration = Duration::from_secs(1);

/// How soon it is worth posting again to a run with a full inbox: commands are taken between two lines.
const UNTIL_COMMANDS_ARE_TAKEN: Duration = Duration::from_secs(1);

/// Everything that can be wrong with a request, or with the server, by its name on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Code {
    InvalidJson,
    InvalidRequest,
    InvalidParameter,
    InvalidCursor,
    InvalidCommand,
    InvalidConfig,
    CharacterLoadError,
    IdempotencyKeyReused,
    BeatNotPlayed,
    NoSuchRoute,
    RunNotFound,
    AudioNotFound,
    MethodNotAllowed,
    RunEnded,
    RunIdle,
    RunPlaying,
    ConversationBusy,
    WrongProduction,
    RunUnreadable,
    TooLarge,
    NotJson,
    RangeNotSatisfiable,
    QueueFull,
    InboxFull,
    StoreUnavailable,
    InvalidHost,
    InvalidBody,
    Unauthorized,
    Forbidden,
    OriginNotAllowed,
    RequestTimeout,
    UriTooLong,
    HostNotAllowed,
    RateLimited,
    TooManyReaders,
    Internal,
    Busy,
    Timeout,
    /// One that only a production has.
    Own(&'static OwnCode),
}

/// A code of a production.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct OwnCode {
    pub name: &'static str,
    pub status: StatusCode,
    /// For those who read the OpenAPI document.
    pub meaning: &'static str,
}

impl Code {
    /// Those that every server has.
    pub const ALL: [Code; 38] = [
        Code::InvalidJson,
        Code::InvalidRequest,
        Code::InvalidParameter,
        Code::InvalidCursor,
        Code::InvalidCommand,
        Code::InvalidConfig,
        Code::CharacterLoadError,
        Code::IdempotencyKeyReused,
        Code::BeatNotPlayed,
        Code::NoSuchRoute,
        Code::RunNotFound,
        Code::AudioNotFound,
        Code::MethodNotAllowed,
        Code::RunEnded,
        Code::RunIdle,
        Code::RunPlaying,
        Code::ConversationBusy,
        Code::WrongProduction,
        Code::RunUnreadable,
        Code::TooLarge,
        Code::NotJson,
        Code::RangeNotSatisfiable,
        Code::QueueFull,
        Code::InboxFull,
        Code::StoreUnavailable,
        Code::InvalidHost,
        Code::InvalidBody,
        Code::Unauthorized,
        Code::Forbidden,
        Code::OriginNotAllowed,
        Code::RequestTimeout,
        Code::UriTooLong,
        Code::HostNotAllowed,
        Code::RateLimited,
        Code::TooManyReaders,
        Code::Internal,
        Code::Busy,
        Code::Timeout,
    ];

    pub fn as_str(self) -> &'static str {
        self.entry().0
    }

    pub fn status(self) -> StatusCode {
        self.entry().1
    }

    /// For those who read the OpenAPI document.
    pub fn meaning(self) -> &'static str {
        self.entry().2
    }

    #[rustfmt::skip]
    fn entry(self) -> (&'static str, StatusCode, &'static str) {
        use StatusCode as S;
        match self {
            Code::Own(own) =>             (own.name, own.status, own.meaning),
            Code::InvalidJson =>          ("INVALID_JSON",           S::BAD_REQUEST,            "The body is no JSON."),
            Code::InvalidRequest =>       ("INVALID_REQUEST",        S::UNPROCESSABLE_ENTITY,   "The body is JSON, but not what this route takes."),
            Code::InvalidParameter =>     ("INVALID_PARAMETER",      S::BAD_REQUEST,            "A query parameter or a header is not what this route takes."),
            Code::InvalidCursor =>        ("INVALID_CURSOR",         S::BAD_REQUEST,            "`Last-Event-ID` or `from` is no place in this run's log."),
            Code::InvalidCommand =>       ("INVALID_COMMAND",        S::BAD_REQUEST,            "The run's production knows no such command, or cannot take it."),
            Code::InvalidConfig =>        ("INVALID_CONFIG",         S::UNPROCESSABLE_ENTITY,   "The run cannot be played as it is described."),
            Code::CharacterLoadError =>   ("CHARACTER_LOAD_ERROR",   S::UNPROCESSABLE_ENTITY,   "A character has no sheet, or one that cannot be read."),
            Code::IdempotencyKeyReused => ("IDEMPOTENCY_KEY_REUSED", S::UNPROCESSABLE_ENTITY,   "This `Idempotency-Key` came before with another request."),
            Code::BeatNotPlayed =>        ("BEAT_NOT_PLAYED",        S::UNPROCESSABLE_ENTITY,   "The run cannot be forked there: the beat has not been played to its end."),
            Code::NoSuchRoute =>          ("NO_SUCH_ROUTE",          S::NOT_FOUND,              "There is nothing at this path."),
            Code::RunNotFound =>          ("RUN_NOT_FOUND",          S::NOT_FOUND,              "There is no run with this id."),
            Code::AudioNotFound =>        ("AUDIO_NOT_FOUND",        S::NOT_FOUND,              "There is no audio at this path, or no longer."),
            Code::MethodNotAllowed =>     ("METHOD_NOT_ALLOWED",     S::METHOD_NOT_ALLOWED,     "The path exists; `Allow` says by which methods."),
            Code::RunEnded =>             ("RUN_ENDED",              S::CONFLICT,               "The run is over: it takes no commands any more."),
            Code::RunIdle =>              ("RUN_IDLE",               S::CONFLICT,               "The run is played by no process and is in no queue: nothing would take a command."),
            Code::RunPlaying =>           ("RUN_PLAYING",            S::CONFLICT,               "The run is being played: cancel it first."),
            Code::ConversationBusy =>     ("CONVERSATION_BUSY",      S::CONFLICT,               "The conversation is still at an earlier message."),
            Code::WrongProduction =>      ("WRONG_PRODUCTION",       S::CONFLICT,               "The run is of another production than this route is for: `/v1/runs/{id}/events` tells it."),
            Code::RunUnreadable =>        ("RUN_UNREADABLE",         S::CONFLICT,               "The log holds what this version of enact does not know. Its events can still be read."),
            Code::TooLarge =>             ("TOO_LARGE",              S::PAYLOAD_TOO_LARGE,      "The body is larger than this server takes."),
            Code::NotJson =>              ("NOT_JSON",               S::UNSUPPORTED_MEDIA_TYPE, "The body has to be sent as `Content-Type: application/json`."),
            Code::RangeNotSatisfiable =>  ("RANGE_NOT_SATISFIABLE",  S::RANGE_NOT_SATISFIABLE,  "The file is shorter than the range that is wanted; `Content-Range` says how long it is."),
            Code::QueueFull =>            ("QUEUE_FULL",             S::TOO_MANY_REQUESTS,      "Too many runs wait to be played. `Retry-After` says when to ask again."),
            Code::InboxFull =>            ("INBOX_FULL",             S::TOO_MANY_REQUESTS,      "Too many commands wait to be taken by this run. `Retry-After` says when to ask again."),
            Code::StoreUnavailable =>     ("STORE_UNAVAILABLE",      S::SERVICE_UNAVAILABLE,    "The database cannot be reached. `Retry-After` says when to ask again."),
            Code::InvalidHost =>          ("INVALID_HOST",           S::BAD_REQUEST,            "There must be one `Host` header, and it must be a host."),
            Code::InvalidBody =>          ("INVALID_BODY",           S::BAD_REQUEST,            "The body did not arrive as it was announced."),
            Code::Unauthorized =>         ("UNAUTHORIZED",           S::UNAUTHORIZED,           "A token is missing, or it is none of this server's."),
            Code::Forbidden =>            ("FORBIDDEN",              S::FORBIDDEN,              "The token is good, but not for this: `context.scope` is what it lacks."),
            Code::OriginNotAllowed =>     ("ORIGIN_NOT_ALLOWED",     S::FORBIDDEN,              "The request comes from another site's page."),
            Code::RequestTimeout =>       ("REQUEST_TIMEOUT",        S::REQUEST_TIMEOUT,        "The body took too long to arrive."),
            Code::UriTooLong =>           ("URI_TOO_LONG",           S::URI_TOO_LONG,           "Path and query are longer than this server takes."),
            Code::HostNotAllowed =>       ("HOST_NOT_ALLOWED",       S::MISDIRECTED_REQUEST,    "This server does not answer to that name."),
            Code::RateLimited =>          ("RATE_LIMITED",           S::TOO_MANY_REQUESTS,      "Too many requests, or too many wrong tokens. `Retry-After` says when to ask again."),
            Code::TooManyReaders =>       ("TOO_MANY_READERS",       S::TOO_MANY_REQUESTS,      "Too many event streams are open. `Retry-After` says when to ask again."),
            Code::Internal =>             ("INTERNAL",               S::INTERNAL_SERVER_ERROR,  "A fault of this server; its log says which."),
            Code::Busy =>                 ("BUSY",                   S::SERVICE_UNAVAILABLE,    "Too many requests are being answered. `Retry-After` says when to ask again."),
            Code::Timeout =>              ("TIMEOUT",                S::SERVICE_UNAVAILABLE,    "The answer took too long. `Retry-After` says when to ask again."),
        }
    }
}

/// An answer that something cannot be done: `{"error": {"code", "message", "context"}}`.
#[derive(Debug, Clone, PartialEq)]
pub struct Refusal {
    pub code: Code,
    /// What is wrong, for people.
    pub message: String,
    /// The same for programs, and a `hint` what to do about it where there is one. Boxed, because every handler's result
    /// carries the room for it.
    pub context: Box<Map<String, Value>>,
    pub retry_after: Option<Duration>,
}

impl Refusal {
    pub fn new(code: Code, message: impl Into<String>) -> Refusal {
        Refusal { code, message: message.into(), context: Box::default(), retry_after: None }
    }

    /// A run that is not there, by whatever name it was asked for.
    pub fn no_run(asked_for: &str) -> Refusal {
        /// Enough to recognise an id; what is longer is none.
        const LONGEST_SHOWN: usize = 80;
        let shown: String = asked_for.escape_debug().take(LONGEST_SHOWN).collect();
        Refusal::new(Code::RunNotFound, format!("there is no run '{shown}'")).with("run", shown)
    }

    pub fn with(mut self, key: &str, value: impl Into<Value>) -> Refusal {
        self.context.insert(key.to_owned(), value.into());
        self
    }

    pub fn hint(self, hint: impl Into<String>) -> Refusal {
        self.with("hint", hint.into())
    }

    pub fn retry_after(mut self, after: Duration) -> Refusal {
        self.retry_after = Some(after);
        self
    }

    /// Something that cannot be wanted, or not of this run.
    pub fn unwanted(error: node::Error) -> Refusal {
        match error {
            node::Error::Problem(problem) if problem.code == enact_drama::Code::InvalidConfig => {
                Refusal::rejected(Code::InvalidRequest, *problem)
            }
            error => Refusal::from(error),
        }
    }

    /// Input that the rules cannot take, under a code of the route it came through.
    pub fn rejected(code: Code, problem: Problem) -> Refusal {
        Refusal { code, ..Refusal::from(problem) }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let body = json!({ "error": {
            "code": self.code.as_str(), "message": self.message, "context": *self.context,
        }});
        let mut response = (self.code.status(), Json(body)).into_response();
        if let Some(after) = self.retry_after {
            // Rounded up: whoever comes back a moment early would be refused again.
            let seconds = after.as_millis().div_ceil(1_000).max(1) as u64;
            response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

impl From<Problem> for Refusal {
    fn from(mut problem: Problem) -> Refusal {
        // Where the operator keeps their files is nobody else's business; what they are called helps.
        let told = Problem {
            message: discreet(&problem.message),
            file: problem.file.as_ref().map(|file| match file.rsplit(['/', '\\']).next() {
                Some(name) => name.to_owned(),
                None => file.clone(),
            }),
            hint: problem.hint.as_deref().map(discreet),
            ..problem.clone()
        };
        if told != problem {
            tracing::warn!(%problem, hint = problem.hint, "a request was refused; the caller was told less");
            problem = told;
        }
        let code = match problem.code {
            enact_drama::Code::InvalidConfig => Code::InvalidConfig,
            enact_drama::Code::CharacterLoadError => Code::CharacterLoadError,
            enact_drama::Code::BeatNotPlayed => Code::BeatNotPlayed,
        };
        let context = match problem.to_json()["error"]["context"].take() {
            Value::Object(context) => context,
            _ => Map::new(),
        };
        Refusal { context: Box::new(context), ..Refusal::new(code, problem.message) }
    }
}

impl From<log::Error> for Refusal {
    fn from(error: log::Error) -> Refusal {
        let of = |code, run: RunId, what: &str| {
            Refusal::new(code, format!("run {run} {what}")).with("run", run.to_string())
        };
        match error {
            log::Error::NotFound(run) => Refusal::no_run(&run.to_string()),
            log::Error::Ended(run) => of(Code::RunEnded, run, "has ended"),
            log::Error::Idle(run) => of(Code::RunIdle, run, "is played by nobody and is in no queue")
                .hint("it can be resumed with the command line"),
            log::Error::Full(run) => {
                Refusal::new(Code::InboxFull, format!("too many commands wait for run {run}"))
                    .with("run", run.to_string())
                    .retry_after(UNTIL_COMMANDS_ARE_TAKEN)
            }
            log::Error::Busy(run) | log::Error::Conflict(run) => {
                of(Code::RunPlaying, run, "is being played").hint("cancel it first")
            }
            log::Error::Storage(reason) => {
                // It may say where the database is: that is for the operator.
                tracing::error!(%reason, "the store could not be reached");
                Refusal::new(Code::StoreUnavailable, "the store cannot be reached right now")
                    .retry_after(UNTIL_STORE_IS_BACK)
            }
        }
    }
}

impl From<node::Error> for Refusal {
    fn from(error: node::Error) -> Refusal {
        match error {
            node::Error::Problem(problem) => Refusal::from(*problem),
            node::Error::Log(error) => Refusal::from(error),
            node::Error::Unreadable(unreadable) => Refusal::from(unreadable),
            node::Error::Unknown(unknown) => Refusal::from(unknown),
            node::Error::NoBeginning(_) => Refusal::new(Code::RunUnreadable, error.to_string()),
            node::Error::Unplayable(reason) => {
                tracing::error!(reason, "a run could not be made");
                Refusal::new(Code::Internal, "the run could not be made; the server's log says why")
            }
            node::Error::ConversationBusy(run) => {
                let refusal =
                    Refusal::new(Code::ConversationBusy, "this conversation is still at an earlier message");
                refusal
                    .with("runId", run.to_string())
                    .hint("wait for its end, cancel it, or use another conversationId")
            }
            node::Error::KeyReused => Refusal::new(Code::IdempotencyKeyReused, error.to_string())
                .hint("use a new key for a new request"),
        }
    }
}

impl From<enact_drama::record::Unreadable> for Refusal {
    fn from(unreadable: enact_drama::record::Unreadable) -> Refusal {
        Refusal::new(Code::RunUnreadable, unreadable.to_string())
            .with("seq", unreadable.seq.0)
            .with("kind", unreadable.kind)
    }
}

impl From<UnknownProduction> for Refusal {
    fn from(unknown: UnknownProduction) -> Refusal {
        Refusal::rejected(Code::RunUnreadable, unknown.into())
    }
}

impl From<ReportError> for Refusal {
    fn from(error: ReportError) -> Refusal {
        match error {
            ReportError::Unknown(unknown) => Refusal::from(unknown),
            ReportError::Unreadable(unreadable) => Refusal::from(unreadable),
            ReportError::Empty => Refusal::new(Code::RunUnreadable, error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn codes_are_distinct_and_none_is_missing() {
        let names: BTreeSet<&str> = Code::ALL.iter().map(|code| code.as_str()).collect();
        assert_eq!(names.len(), Code::ALL.len());
        assert!(Code::ALL.iter().all(|code| !code.status().is_success()));
    }

    #[test]
    fn where_files_lie_is_not_told() {
        let problem = Problem::config("it is empty").in_file("/home/somebody/.claude/agents/alice.md");
        assert_eq!(Refusal::from(problem).context["file"], "alice.md");
        let problem = Problem::config("it would send the key to https://elsewhere.example/v1")
            .in_file("/home/somebody/enact.toml")
            .hint("if you trust it, name it: --config /home/somebody/enact.toml");
        let refusal = Refusal::from(problem);
        assert_eq!(refusal.message, "it would send the key to its address");
        assert_eq!(refusal.context["hint"], "if you trust it, name it: --config enact.toml");
        assert!(!format!("{refusal:?}").contains("somebody"), "{refusal:?}");
    }

    #[test]
    fn what_the_store_says_is_for_the_operator() {
        let refusal = Refusal::from(log::Error::Storage("postgres://user:password@host".into()));
        assert!(!format!("{refusal:?}").contains("password"));
        let response = refusal.into_response();
        assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(response.headers()[RETRY_AFTER], "1");
    }
}
