//! One attempt: a request goes out, and its answer is read to its end.

use std::time::Duration;

use enact_http::{BodyRead, read_body};
use futures::FutureExt;
use reqwest::{Response, header::CONTENT_TYPE};
use tokio::{
    task::yield_now,
    time::{Instant, timeout, timeout_at},
};

use super::{
    answer::IncomingAnswer,
    classify::ModelErrors,
    error::{AttemptError, Error},
    frames::{BodyFormat, FrameSplitter, JsonFrame},
    live_text::LiveFilter,
    optional::OmittedParameters,
    unpack::Unpacker,
    usage::Attempt,
    wire::WireFormat,
};

/// Errors are a few lines of JSON, or a page of HTML that is not read.
const LONGEST_ERROR: usize = 64 * 1024;
const ERROR_TIMEOUT: Duration = Duration::from_secs(10);

/// How long more is waited for, in all, once the model has said why it stopped: usage and the end mark follow
/// at once, but some servers send neither and keep the connection, or keep it alive with comments.
const TAIL_TIMEOUT: Duration = Duration::from_secs(3);

/// How long and how far a body is read beyond its last frame, so that its connection can be used again.
const DRAIN_TIMEOUT: Duration = Duration::from_millis(250);
const DRAIN_BYTES: usize = 64 * 1024;

/// How often other tasks go first before a body is drained beside the answer.
const DRAIN_TURNS: usize = 3;

/// What marks the end of a stream in OpenAI's format.
const DONE: &[u8] = b"[DONE]";

/// Statuses of proxies that have given up waiting. The model behind them may have answered, and be paid for
/// that.
const PROXY_TIMEOUTS: [u16; 3] = [504, 522, 524];

/// What the answer to a request may be, and how it is read.
#[derive(Debug, Clone, Copy)]
pub(super) struct ExpectedAnswer<'a> {
    pub(super) wire: WireFormat,
    pub(super) max_tokens: u32,
    /// What the request does without already, and cannot be refused for.
    pub(super) left_out: OmittedParameters,
    pub(super) errors: &'a ModelErrors,
}

/// Sends a request and reads until the answer has ended, passing on live text meanwhile. Dropping the future
/// closes the connection.
pub(super) async fn ask(
    http: &reqwest::Client,
    request: reqwest::Request,
    expected: ExpectedAnswer<'_>,
    attempt: &mut Attempt<'_>,
    mut filter: LiveFilter<'_>,
) -> Result<String, AttemptError> {
    let response = match http.execute(request).await {
        Ok(response) if response.status().is_success() => response,
        Ok(response) => {
            if !PROXY_TIMEOUTS.contains(&response.status().as_u16()) {
                attempt.reject();
            }
            // `x-should-retry: false`: OpenAI and Anthropic say that a retry cannot help.
            let in_vain = response.headers().get("x-should-retry").is_some_and(|retry| retry == "false");
            return Err(AttemptError { error: rejection(response, expected).await, is_final: in_vain });
        }
        Err(error) => {
            let error = expected.errors.http.classify_network(&error);
            if error != enact_http::Error::Dropped {
                attempt.reject();
            }
            return Err(AttemptError::of(error));
        }
    };
    let outcome = match read(response, expected, &mut attempt.answer, &mut filter).await {
        Ok(()) => attempt.answer.said(expected.max_tokens),
        Err(error) => Err(error),
    };
    if outcome.is_ok() {
        filter.finish();
    }
    // What a server has answered, however badly, it may have charged for. Not so if the connection broke
    // before anything of the answer came, or if all that came is the word that there is no room now.
    let answer = &attempt.answer;
    outcome.map_err(|error| AttemptError {
        is_final: match &error {
            Error::Http(enact_http::Error::Dropped) => answer.has_begun(),
            Error::Http(enact_http::Error::RateLimited { .. } | enact_http::Error::Overloaded { .. }) => {
                answer.is_recognised()
            }
            _ => true,
        },
        error,
    })
}

/// Why there is no answer.
async fn rejection(response: Response, expected: ExpectedAnswer<'_>) -> Error {
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    // The status says enough where there is no body, or no end of it.
    let packed = match timeout(ERROR_TIMEOUT, read_body(response, LONGEST_ERROR)).await {
        Ok(Ok(BodyRead::Complete(body) | BodyRead::TooLong(body))) => body,
        Ok(Err(_)) | Err(_) => Vec::new(),
    };
    let mut body = Vec::new();
    let unpacked = Unpacker::of(&headers).and_then(|mut unpacker| {
        unpacker.push(&packed, &mut |bytes| {
            body.extend_from_slice(bytes);
            if body.len() > LONGEST_ERROR { Err(Error::Garbled) } else { Ok(()) }
        })
    });
    let body = unpacked.map_or(Vec::new(), |()| body);
    expected.errors.classify_status(status, &body, &headers, expected.left_out)
}

/// Reads the body of an answer. It is complete if there is no error.
async fn read(
    mut response: Response,
    expected: ExpectedAnswer<'_>,
    answer: &mut IncomingAnswer,
    filter: &mut LiveFilter<'_>,
) -> Result<(), Error> {
    let content_type =
        response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let is_stream = content_type.starts_with("text/event-stream");
    // Ollama's streams have a value in each line.
    let in_lines = content_type.contains("ndjson") || content_type.contains("jsonl");
    let mut frames = FrameSplitter::new(in_lines);
    let mut unpacker = Unpacker::of(response.headers())?;
    let mut any_frame = false;
    let mut each = |answer: &mut IncomingAnswer, frame: JsonFrame<'_>| {
        any_frame = true;
        read_frame(frame, expected, answer, filter)
    };
    let mut tail_until = None;
    loop {
        if answer.is_complete() {
            tail_until.get_or_insert_with(|| Instant::now() + TAIL_TIMEOUT);
        }
        let chunk = match tail_until {
            None => response.chunk().await,
            Some(until) => match timeout_at(until, response.chunk()).await {
                Ok(chunk) => chunk,
                Err(_) => return Ok(()),
            },
        };
        match chunk {
            Ok(Some(chunk)) => {
                let pushed =
                    unpacker.push(&chunk, &mut |bytes| frames.push(bytes, &mut |frame| each(answer, frame)));
                // Whatever follows a complete answer, it stays one.
                if tail_until.is_some() && pushed.is_err() {
                    return Ok(());
                }
                pushed?;
                if matches!(frames.format(), Some(BodyFormat::Events | BodyFormat::Lines)) {
                    answer.note_arrival();
                }
            }
            Ok(None) => break,
            // The connection broke, but all there is was said.
            Err(_) if answer.is_complete() => return Ok(()),
            Err(error) => {
                // Half of an answer in one piece is half of an answer.
                if frames.format() == Some(BodyFormat::Whole) {
                    answer.begin();
                }
                return Err(expected.errors.http.classify_network(&error).into());
            }
        }
        if answer.is_over() {
            drain(response).await;
            return Ok(());
        }
    }
    let format = frames.format();
    match frames.finish(&mut |frame| each(answer, frame)) {
        Err(Error::Truncated | Error::Garbled) if answer.is_complete() => return Ok(()),
        finished => finished?,
    }
    match format {
        None => Err(Error::Empty),
        Some(BodyFormat::Whole) => answer.end_of_whole(),
        Some(_) if !any_frame && !is_stream => Err(Error::Garbled),
        _ => Ok(()),
    }
}

/// Reads one frame, and passes on what it says.
fn read_frame(
    JsonFrame { json, is_error_event }: JsonFrame<'_>,
    ExpectedAnswer { wire, errors, left_out, .. }: ExpectedAnswer<'_>,
    answer: &mut IncomingAnswer,
    filter: &mut LiveFilter<'_>,
) -> Result<(), Error> {
    let (said, was_complete) = (answer.text.len(), answer.is_complete());
    match json {
        // Nothing of interest comes after the end.
        _ if answer.is_over() => return Ok(()),
        DONE => answer.end(),
        _ => match wire.read(json, answer) {
            Ok(()) => {}
            // What comes after the reason for stopping is about the answer, and no part of it.
            Err(_) if is_error_event || was_complete => {}
            Err(error) if error.is_eof() => return Err(Error::Truncated),
            Err(_) => return Err(Error::Garbled),
        },
    }
    filter.push(&answer.text[said..]);
    answer.check_length()?;
    match answer.take_error() {
        Some(error) if !was_complete => Err(errors.classify_stream(&error, left_out)),
        None if is_error_event && !was_complete => {
            Err(errors.classify_stream(&serde_json::from_slice(json).unwrap_or_default(), left_out))
        }
        _ => Ok(()),
    }
}

/// Reads what is left of a body, so that its connection can be used again. The end mostly is there already,
/// and read within a turn or two of other tasks; the answer does not wait for one that is not.
async fn drain(mut response: Response) {
    let rest = async move {
        let mut bytes = 0;
        while let Ok(Some(chunk)) = response.chunk().await {
            bytes += chunk.len();
            if bytes > DRAIN_BYTES {
                return;
            }
        }
    };
    let mut rest = Box::pin(timeout(DRAIN_TIMEOUT, rest));
    for _ in 0..DRAIN_TURNS {
        if rest.as_mut().now_or_never().is_some() {
            return;
        }
        yield_now().await;
    }
    tokio::spawn(rest);
}
