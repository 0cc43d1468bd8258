//! Error responses: one shape, with codes that stay.

use std::time::Duration;

use axum::{
    Json,
    extract::{Request, State},
    http::{HeaderValue, StatusCode, header::RETRY_AFTER},
    middleware::Next,
    response::{IntoResponse, Response},
};
use enact_drama::{Problem, RunId, text};
use enact_engine::{
    Node, log, node,
    productions::{ReportError, UnknownProduction},
};
use serde_json::{Map, Value, json};

use crate::redact::redact_paths_and_urls;

/// The key of an error's context under which stands what was sent, where that is at fault.
pub(crate) const PROVIDED: &str = "provided";

/// How much of what was sent an error repeats: enough to recognise it, however much was sent.
const LONGEST_PROVIDED_CHARS: usize = 200;
const MOST_PROVIDED_ITEMS: usize = 20;
const DEEPEST_PROVIDED: usize = 4;

/// How soon it is worth asking again when the store could not be reached.
const STORE_RETRY_AFTER: Duration = Duration::from_secs(1);

/// How soon it is worth posting again to a run with a full inbox: commands are taken between two lines.
const INBOX_RETRY_AFTER: Duration = Duration::from_secs(1);

/// Defines [`ErrorCode`] from one table: name, name on the wire, status, meaning.
macro_rules! codes {
    ($($code:ident $name:literal $status:ident $meaning:literal)*) => {
        /// Everything that can be wrong with a request, or with the server, by its name on the wire.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum ErrorCode {
            $($code,)*
            /// One that only a production has.
            Own(&'static OwnCode),
        }

        impl ErrorCode {
            /// Those that every server has.
            pub const ALL: &'static [ErrorCode] = &[$(ErrorCode::$code),*];

            fn entry(self) -> (&'static str, StatusCode, &'static str) {
                match self {
                    $(ErrorCode::$code => ($name, StatusCode::$status, $meaning),)*
                    ErrorCode::Own(own) => (own.name, own.status, own.meaning),
                }
            }
        }
    };
}

codes! {
    InvalidJson          "INVALID_JSON"           BAD_REQUEST            "The body is no JSON."
    InvalidRequest       "INVALID_REQUEST"        UNPROCESSABLE_ENTITY   "The body is JSON, but not what this route takes."
    InvalidParameter     "INVALID_PARAMETER"      BAD_REQUEST            "A query parameter or a header is not what this route takes."
    InvalidCursor        "INVALID_CURSOR"         BAD_REQUEST            "`Last-Event-ID` or `from` is no place in this run's log."
    InvalidCommand       "INVALID_COMMAND"        BAD_REQUEST            "The run's production knows no such command, or cannot take it."
    InvalidConfig        "INVALID_CONFIG"         UNPROCESSABLE_ENTITY   "The run cannot be played as it is described."
    CharacterLoadError   "CHARACTER_LOAD_ERROR"   UNPROCESSABLE_ENTITY   "A character has no sheet, or one that cannot be read."
    IdempotencyKeyReused "IDEMPOTENCY_KEY_REUSED" UNPROCESSABLE_ENTITY   "This `Idempotency-Key` came before with another request."
    BeatNotPlayed        "BEAT_NOT_PLAYED"        UNPROCESSABLE_ENTITY   "The run cannot be forked there: the beat has not been played to its end, or has no such line."
    NoSuchRoute          "NO_SUCH_ROUTE"          NOT_FOUND              "There is nothing at this path."
    RunNotFound          "RUN_NOT_FOUND"          NOT_FOUND              "There is no run with this id."
    AudioNotFound        "AUDIO_NOT_FOUND"        NOT_FOUND              "There is no audio at this path, or no longer."
    AudioExpired         "AUDIO_EXPIRED"          GONE                   "The audio was removed: it was older than audio is kept here. What was said is still in the run."
    MethodNotAllowed     "METHOD_NOT_ALLOWED"     METHOD_NOT_ALLOWED     "The path exists; `Allow` says by which methods."
    RunEnded             "RUN_ENDED"              CONFLICT               "The run is over: it takes no commands any more."
    AskNotOpen           "ASK_NOT_OPEN"           CONFLICT               "The answer is to an ask that is not open, or not any more: it was answered, or its time is up."
    SessionBusy          "SESSION_BUSY"           CONFLICT               "Another message of the session is being answered."
    RunIdle              "RUN_IDLE"               CONFLICT               "The run is played by no process and is in no queue: nothing would take a command."
    RunPlaying           "RUN_PLAYING"            CONFLICT               "The run is being played: cancel it first."
    ConversationBusy     "CONVERSATION_BUSY"      CONFLICT               "The conversation is still at an earlier message."
    WrongProduction      "WRONG_PRODUCTION"       CONFLICT               "The run is of another production than this route is for: `/v1/runs/{id}/events` tells it."
    RunUnfinished        "RUN_UNFINISHED"         CONFLICT               "The run is not over: it has no result yet."
    RunUnreadable        "RUN_UNREADABLE"         CONFLICT               "The log holds what this version of enact does not know. Its events can still be read."
    TooLarge             "TOO_LARGE"              PAYLOAD_TOO_LARGE      "The body is larger than this server takes."
    NotJson              "NOT_JSON"               UNSUPPORTED_MEDIA_TYPE "The body has to be sent as `Content-Type: application/json`."
    RangeNotSatisfiable  "RANGE_NOT_SATISFIABLE"  RANGE_NOT_SATISFIABLE  "The file is shorter than the range that is wanted; `Content-Range` says how long it is."
    QueueFull            "QUEUE_FULL"             TOO_MANY_REQUESTS      "Too many runs wait to be played. `Retry-After` says when to ask again."
    InboxFull            "INBOX_FULL"             TOO_MANY_REQUESTS      "Too many commands wait to be taken by this run. `Retry-After` says when to ask again."
    StoreUnavailable     "STORE_UNAVAILABLE"      SERVICE_UNAVAILABLE    "The database cannot be reached. `Retry-After` says when to ask again."
    InvalidHost          "INVALID_HOST"           BAD_REQUEST            "There must be one `Host` header, and it must be a host."
    InvalidBody          "INVALID_BODY"           BAD_REQUEST            "The body did not arrive as it was announced."
    Unauthorized         "UNAUTHORIZED"           UNAUTHORIZED           "A token is missing, or it is none of this server's."
    Forbidden            "FORBIDDEN"              FORBIDDEN              "The token is good, but not for this: `context.scope` is what it lacks."
    OriginNotAllowed     "ORIGIN_NOT_ALLOWED"     FORBIDDEN              "The request comes from another site's page."
    RequestTimeout       "REQUEST_TIMEOUT"        REQUEST_TIMEOUT        "The body took too long to arrive."
    UriTooLong           "URI_TOO_LONG"           URI_TOO_LONG           "Path and query are longer than this server takes."
    HostNotAllowed       "HOST_NOT_ALLOWED"       MISDIRECTED_REQUEST    "This server does not answer to that name."
    RateLimited          "RATE_LIMITED"           TOO_MANY_REQUESTS      "Too many requests, or too many wrong tokens. `Retry-After` says when to ask again."
    TooManyReaders       "TOO_MANY_READERS"       TOO_MANY_REQUESTS      "Too many event streams are open. `Retry-After` says when to ask again."
    Internal             "INTERNAL"               INTERNAL_SERVER_ERROR  "A fault of this server; its log says which."
    Busy                 "BUSY"                   SERVICE_UNAVAILABLE    "Too many requests are being answered. `Retry-After` says when to ask again."
    Timeout              "TIMEOUT"                SERVICE_UNAVAILABLE    "The answer took too long. `Retry-After` says when to ask again."
}

/// A code of a production.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct OwnCode {
    pub name: &'static str,
    pub status: StatusCode,
    /// For the OpenAPI document.
    pub meaning: &'static str,
}

impl ErrorCode {
    pub fn as_str(self) -> &'static str {
        self.entry().0
    }

    pub fn status(self) -> StatusCode {
        self.entry().1
    }

    /// For the OpenAPI document.
    pub fn meaning(self) -> &'static str {
        self.entry().2
    }
}

/// Why the store failed, for the operator's log alone: it may say where the database is. An extension of the
/// response.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct StoreFailure(String);

impl std::fmt::Debug for StoreFailure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("StoreFailure")
    }
}

/// What of the server is at fault, for the operator's log alone: it may say where files are. An extension of
/// the response, which the line of its request tells, so that a fault is one line with a request id.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct ServerFault(String);

impl ServerFault {
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for ServerFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ServerFault")
    }
}

/// Has the node log requests that the store let down, with everything else that it does: a line a minute.
pub(crate) async fn report_store_failure(State(node): State<Node>, request: Request, next: Next) -> Response {
    let response = next.run(request).await;
    if let Some(StoreFailure(reason)) = response.extensions().get() {
        node.report_outage("requests could not be answered", reason);
    }
    response
}

/// An error response: `{"success": false, "error": {"code", "message", "context"}}`.
#[derive(Debug, Clone, PartialEq)]
pub struct ApiError {
    pub code: ErrorCode,
    /// What is wrong, for people.
    pub message: String,
    /// The same for programs, and a `hint` what to do about it where there is one. Boxed, because every
    /// handler's result carries the room for it.
    pub context: Box<Map<String, Value>>,
    pub retry_after: Option<Duration>,
    /// Boxed, as the context is.
    pub(crate) store_failure: Option<Box<StoreFailure>>,
    pub(crate) fault: Option<Box<ServerFault>>,
}

impl ApiError {
    pub fn new(code: ErrorCode, message: impl Into<String>) -> ApiError {
        let message = message.into();
        ApiError {
            code,
            message,
            context: Box::default(),
            retry_after: None,
            store_failure: None,
            fault: None,
        }
    }

    /// There is no run with this id; the id is shown as it was sent.
    pub fn run_not_found(asked_for: &str) -> ApiError {
        /// Longer texts are not ids; enough is shown to recognise it.
        const LONGEST_SHOWN: usize = 80;
        let shown: String = asked_for.escape_debug().take(LONGEST_SHOWN).collect();
        ApiError::new(ErrorCode::RunNotFound, format!("there is no run '{shown}'")).with("run", shown)
    }

    /// A query parameter or a header is not what the route takes; `message` says what it takes.
    pub(crate) fn parameter(name: &str, provided: &str, message: impl Into<String>) -> ApiError {
        ApiError::new(ErrorCode::InvalidParameter, message).with("parameter", name).with(PROVIDED, provided)
    }

    pub fn with(mut self, key: &str, value: impl Into<Value>) -> ApiError {
        self.context.insert(key.to_owned(), value.into());
        self
    }

    pub fn hint(self, hint: impl Into<String>) -> ApiError {
        self.with("hint", hint.into())
    }

    pub fn retry_after(mut self, after: Duration) -> ApiError {
        self.retry_after = Some(after);
        self
    }

    /// A fault of the server: the caller is told `message`, and the log why.
    pub(crate) fn internal(message: &str, why: impl Into<String>) -> ApiError {
        let fault = Some(Box::new(ServerFault(why.into())));
        ApiError { fault, ..ApiError::new(ErrorCode::Internal, message) }
    }

    /// A request that the rules refuse is the fault of its body: `INVALID_REQUEST`.
    pub fn invalid_request(error: node::Error) -> ApiError {
        match error {
            node::Error::Problem(problem) if problem.code == enact_drama::Code::InvalidConfig => {
                ApiError::with_code(ErrorCode::InvalidRequest, *problem)
            }
            error => ApiError::from(error),
        }
    }

    /// A problem under the code of the route that its input came through.
    pub fn with_code(code: ErrorCode, problem: Problem) -> ApiError {
        ApiError { code, ..ApiError::from(problem) }
    }
}

impl IntoResponse for ApiError {
    fn into_response(mut self) -> Response {
        if let Some(provided) = self.context.get_mut(PROVIDED) {
            shorten(provided, DEEPEST_PROVIDED);
        }
        let body = json!({
            "success": false,
            "error": { "code": self.code.as_str(), "message": self.message, "context": *self.context },
        });
        let mut response = (self.code.status(), Json(body)).into_response();
        if let Some(after) = self.retry_after {
            // Rounded up: a client that comes back a moment early would be refused again.
            let seconds = after.as_millis().div_ceil(1_000).max(1) as u64;
            response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(seconds));
        }
        if let Some(failure) = self.store_failure {
            response.extensions_mut().insert(*failure);
        }
        if let Some(fault) = self.fault {
            response.extensions_mut().insert(*fault);
        }
        response
    }
}

/// Shortens texts, lists and objects, and leaves out what is nested too deeply.
fn shorten(value: &mut Value, depth: usize) {
    match value {
        Value::String(text) => *text = text::shortened(text, LONGEST_PROVIDED_CHARS).into_owned(),
        Value::Array(_) | Value::Object(_) if depth == 0 => *value = "…".into(),
        Value::Array(items) => {
            items.truncate(MOST_PROVIDED_ITEMS);
            items.iter_mut().for_each(|item| shorten(item, depth - 1));
        }
        Value::Object(fields) => {
            if fields.len() > MOST_PROVIDED_ITEMS {
                *fields = std::mem::take(fields).into_iter().take(MOST_PROVIDED_ITEMS).collect();
            }
            fields.values_mut().for_each(|field| shorten(field, depth - 1));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

impl From<Problem> for ApiError {
    fn from(mut problem: Problem) -> ApiError {
        // Callers need the names of the operator's files, and not where they are.
        let redacted = Problem {
            message: redact_paths_and_urls(&problem.message),
            file: problem.file.as_ref().map(|file| match file.rsplit(['/', '\\']).next() {
                Some(name) => name.to_owned(),
                None => file.clone(),
            }),
            hint: problem.hint.as_deref().map(redact_paths_and_urls),
            ..problem.clone()
        };
        if redacted != problem {
            tracing::warn!(%problem, hint = problem.hint, "a request was refused; paths and addresses were redacted");
            problem = redacted;
        }
        let code = match problem.code {
            enact_drama::Code::InvalidConfig => ErrorCode::InvalidConfig,
            enact_drama::Code::CharacterLoadError => ErrorCode::CharacterLoadError,
            enact_drama::Code::BeatNotPlayed => ErrorCode::BeatNotPlayed,
            enact_drama::Code::AskNotOpen => ErrorCode::AskNotOpen,
            enact_drama::Code::SessionBusy => ErrorCode::SessionBusy,
        };
        let context = match problem.to_json()["error"]["context"].take() {
            Value::Object(context) => context,
            _ => Map::new(),
        };
        ApiError { context: Box::new(context), ..ApiError::new(code, problem.message) }
    }
}

impl From<log::Error> for ApiError {
    fn from(error: log::Error) -> ApiError {
        let of = |code, run: RunId, what: &str| {
            ApiError::new(code, format!("run {run} {what}")).with("run", run.to_string())
        };
        match error {
            log::Error::NotFound(run) => ApiError::run_not_found(&run.to_string()),
            log::Error::Ended(run) => of(ErrorCode::RunEnded, run, "has ended"),
            log::Error::Idle(run) => {
                of(ErrorCode::RunIdle, run, "is played by no process and is in no queue")
                    .hint("it can be resumed with the command line")
            }
            log::Error::Full(run) => {
                ApiError::new(ErrorCode::InboxFull, format!("too many commands wait for run {run}"))
                    .with("run", run.to_string())
                    .retry_after(INBOX_RETRY_AFTER)
            }
            log::Error::Busy(run) | log::Error::Conflict(run) | log::Error::Unread(run) => {
                of(ErrorCode::RunPlaying, run, "is being played").hint("cancel it first")
            }
            error @ log::Error::Storage(_) => {
                let message = "the store is unreachable right now";
                ApiError {
                    store_failure: Some(Box::new(StoreFailure(error.to_string()))),
                    ..ApiError::new(ErrorCode::StoreUnavailable, message).retry_after(STORE_RETRY_AFTER)
                }
            }
        }
    }
}

impl From<node::Error> for ApiError {
    fn from(error: node::Error) -> ApiError {
        match error {
            node::Error::Problem(problem) => ApiError::from(*problem),
            node::Error::Log(error) => ApiError::from(error),
            node::Error::Unreadable(unreadable) => ApiError::from(unreadable),
            node::Error::Unknown(unknown) => ApiError::from(unknown),
            node::Error::NoBeginning(_) => ApiError::new(ErrorCode::RunUnreadable, error.to_string()),
            node::Error::Unplayable(reason) => {
                ApiError::internal("the run could not be made; the server's log says why", reason)
            }
            node::Error::ConversationBusy(run) => {
                let error = ApiError::new(
                    ErrorCode::ConversationBusy,
                    "this conversation is still at an earlier message",
                );
                error
                    .with("runId", run.to_string())
                    .hint("wait for its end, reset it (POST /v1/reset), or use another conversationId")
            }
            node::Error::KeyReused => ApiError::new(ErrorCode::IdempotencyKeyReused, error.to_string())
                .hint("use a new key for a new request"),
        }
    }
}

impl From<enact_drama::record::Unreadable> for ApiError {
    fn from(unreadable: enact_drama::record::Unreadable) -> ApiError {
        ApiError::new(ErrorCode::RunUnreadable, unreadable.to_string())
            .with("seq", unreadable.seq.0)
            .with("kind", unreadable.kind)
    }
}

impl From<UnknownProduction> for ApiError {
    fn from(unknown: UnknownProduction) -> ApiError {
        ApiError::with_code(ErrorCode::RunUnreadable, unknown.into())
    }
}

impl From<ReportError> for ApiError {
    fn from(error: ReportError) -> ApiError {
        match error {
            ReportError::Unknown(unknown) => ApiError::from(unknown),
            ReportError::Unreadable(unreadable) => ApiError::from(unreadable),
            ReportError::Empty => ApiError::new(ErrorCode::RunUnreadable, error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn codes_are_distinct_and_none_is_missing() {
        let names: BTreeSet<&str> = ErrorCode::ALL.iter().map(|code| code.as_str()).collect();
        assert_eq!(names.len(), ErrorCode::ALL.len());
        assert!(ErrorCode::ALL.iter().all(|code| !code.status().is_success()));
    }

    #[test]
    fn paths_and_addresses_are_redacted() {
        let problem = Problem::config("it is empty").in_file("/home/somebody/.claude/agents/alice.md");
        assert_eq!(ApiError::from(problem).context["file"], "alice.md");
        let problem = Problem::config("it would send the key to https://elsewhere.example/v1")
            .in_file("/home/somebody/enact.toml")
            .hint("if you trust it, name it: --config /home/somebody/enact.toml");
        let error = ApiError::from(problem);
        assert_eq!(error.message, "it would send the key to its address");
        assert_eq!(error.context["hint"], "if you trust it, name it: --config enact.toml");
        assert!(!format!("{error:?}").contains("somebody"), "{error:?}");
    }

    #[test]
    fn what_the_store_says_is_for_the_operator() {
        let error = ApiError::from(log::Error::Storage("postgres://user:password@host".into()));
        assert!(!format!("{error:?}").contains("password"));
        let response = error.into_response();
        assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(response.headers()[RETRY_AFTER], "1");
    }
}
