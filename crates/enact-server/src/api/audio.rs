//! `GET /v1/audio/…`: what runs have said aloud, as files.

use std::{
    fs, io,
    path::PathBuf,
    time::{Duration, SystemTime},
};

use axum::{
    body::Body,
    extract::{Path, Request, State},
    http::{
        HeaderMap, HeaderValue, Method, StatusCode,
        header::{
            ACCEPT_RANGES, CACHE_CONTROL, CONTENT_RANGE, CONTENT_SECURITY_POLICY, CONTENT_TYPE,
            IF_MODIFIED_SINCE, IF_RANGE, LAST_MODIFIED, RANGE,
        },
    },
    response::{IntoResponse, Response},
};
use enact_drama::RunId;
use enact_engine::{artifacts, run_blocking};
use jiff::{Timestamp, fmt::rfc2822};
use tower_http::services::ServeFile;
use uuid::{Uuid, fmt::Hyphenated};

use crate::{
    error::{ApiError, ErrorCode},
    routes::ApiState,
    visibility::Viewer,
};

/// Audio never changes once it was announced. Not for shared caches, which know nothing of tokens.
const IMMUTABLE: &str = "private, max-age=31536000, immutable";
/// The list of a session's files grows several times a second while it is played, and dates have seconds: no
/// cached copy can be known to be the newest.
const NO_STORE: &str = "no-store";

/// A browser that opens audio by its address makes a page around it: that page may play what it was made for.
/// It looks as the browser styles it, and does nothing else.
const PLAYER_POLICY: &str = "default-src 'none'; media-src 'self'; style-src 'unsafe-inline'; \
                             frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/// What may be fetched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FileKind {
    Audio,
    /// `session.json`.
    Manifest,
}

/// Fetch audio
///
/// A file that an event of a run has named. Parts of it can be fetched (`Range`, one at a time), and
/// `If-Modified-Since` and `If-Range` are understood.
///
/// Or the list of all files of a run that says things aloud: `tts/sessions/{id}/session.json`. It grows while
/// the run is played, so it is always sent whole and must not be cached.
///
/// Where the server needs a token, a page cannot put the address into an `<audio>` element, which sends none:
/// fetch it with the header `Authorization` and play the blob. An allowed page of another origin sets the
/// attribute `crossorigin`.
#[utoipa::path(
    get, path = "/v1/audio/{path}", operation_id = "getAudio", tag = "runs",
    params(("path" = String, Path, description = "The `audioPath` of an event; its slashes stay as they are.",
            example = "tts/sessions/0199f2a4-6a3e-7cc1-8a55-0f4c9b1d2e3f/turn_1/slot-1_gpt-4o_calm_soothing.wav"),
           ("Range" = Option<String>, Header, description = "Only these bytes: `bytes=0-1023`.")),
    responses(
        (status = 200, description = "The file.", content((Vec<u8> = "audio/wav"), (Object = "application/json"))),
        (status = 206, description = "A part of it.", body = Vec<u8>, content_type = "audio/wav",
            headers(("Content-Range" = String, description = "Which part, and of how much."))),
        (status = 304, description = "It has not changed since."),
        (status = 410, description = "It was removed: it was older than audio is kept here (`AUDIO_EXPIRED`)."),
    ),
)]
pub(crate) async fn fetch(
    State(api): State<ApiState>,
    viewer: Viewer,
    path: Result<Path<String>, axum::extract::rejection::PathRejection>,
    method: Method,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    // A path that is not even text names no file either.
    let path = path.map_or_else(|_| String::new(), |Path(path)| path);
    let kind = FileKind::of(&path).ok_or_else(not_found)?;
    check_visible(&viewer, &path).await?;
    let kept = api.node.project().artifacts().ok_or_else(not_found)?;
    let found = match kind {
        FileKind::Audio => kept.fetch(&path).await,
        FileKind::Manifest => kept.fetch_newest(&path).await,
    };
    let (place, meta) = match found {
        Ok(place) => run_blocking(move || with_meta(place)).await.ok_or_else(not_found)?,
        Err(artifacts::Error::Io { error, .. }) => return Err(io_error(error)),
        Err(_) => return Err(missing(&viewer, &path, kind, kept.kept_for()).await),
    };
    let request = match kind {
        FileKind::Audio => file_request(method, &headers, &meta),
        FileKind::Manifest => whole_file_request(method),
    };
    let response = ServeFile::new(place).try_call(request).await.map_err(io_error)?;
    match response.status() {
        StatusCode::NOT_FOUND => Err(not_found()),
        StatusCode::RANGE_NOT_SATISFIABLE => Ok(range_not_satisfiable(response.headers())),
        _ => Ok(with_headers(response.map(Body::new), kind)),
    }
}

/// Files belong to the run whose id is in their path, and are seen by those who see it. What belongs to no
/// run that is still there is for administrators.
async fn check_visible(viewer: &Viewer, path: &str) -> Result<(), ApiError> {
    if viewer.sees_all() {
        return Ok(());
    }
    let runs = runs_in(path);
    if runs.is_empty() {
        return Err(not_found());
    }
    for run in runs {
        viewer.find(run).await.map_err(|error| match error.code {
            ErrorCode::RunNotFound => not_found(),
            _ => error,
        })?;
    }
    Ok(())
}

/// Every id in a path, whatever is written around it.
fn runs_in(path: &str) -> Vec<RunId> {
    let ids = path.as_bytes().windows(Hyphenated::LENGTH);
    ids.filter_map(|text| Uuid::try_parse_ascii(text).ok().map(RunId)).collect()
}

impl FileKind {
    /// Nothing else is served.
    fn of(path: &str) -> Option<FileKind> {
        match path.rsplit_once('.')?.1 {
            "wav" => Some(FileKind::Audio),
            "json" => Some(FileKind::Manifest),
            _ => None,
        }
    }
}

/// What ranges and dates are compared with.
struct FileMeta {
    changed: SystemTime,
    bytes: u64,
}

/// A file, when it last changed and how long it is. Blocks.
fn with_meta(place: PathBuf) -> Option<(PathBuf, FileMeta)> {
    let found = fs::metadata(&place).ok()?;
    let meta = FileMeta { changed: found.modified().ok()?, bytes: found.len() };
    Some((place, meta))
}

/// All of a file, as it is now.
fn whole_file_request(method: Method) -> Request {
    let mut request = Request::new(Body::empty());
    *request.method_mut() = method;
    request
}

/// What is asked of a file that does not change: only what is understood here.
fn file_request(method: Method, headers: &HeaderMap, meta: &FileMeta) -> Request {
    let mut request = whole_file_request(method);
    let asked = request.headers_mut();
    if let Some(since) = headers.get(IF_MODIFIED_SINCE) {
        asked.insert(IF_MODIFIED_SINCE, since.clone());
    }
    if let Some(range) = headers.get(RANGE).filter(|range| is_one_range(range))
        && headers.get(IF_RANGE).is_none_or(|seen| is_unchanged(seen, meta.changed))
    {
        asked.insert(RANGE, clamp_suffix_range(range, meta.bytes));
    }
    request
}

/// Whether this is `bytes=0-1`, `bytes=0-` or `bytes=-1`. Several ranges at once, unknown units and malformed
/// ranges are answered with the whole file.
fn is_one_range(range: &HeaderValue) -> bool {
    let range = range.to_str().ok().and_then(|range| range.strip_prefix("bytes=")?.split_once('-'));
    // Only digits: `+1` is a number to Rust.
    let number = |text: &str| text.parse::<u64>().ok().filter(|_| !text.starts_with('+'));
    match range {
        Some((first, "")) => number(first).is_some(),
        Some(("", length)) => number(length).is_some(),
        Some((first, last)) => number(first).zip(number(last)).is_some_and(|(first, last)| first <= last),
        None => false,
    }
}

/// A suffix that is longer than the file is the whole file.
fn clamp_suffix_range(range: &HeaderValue, bytes: u64) -> HeaderValue {
    let end = range.to_str().ok().and_then(|range| range.strip_prefix("bytes=-")?.parse::<u64>().ok());
    match end {
        Some(end) if end > bytes => HeaderValue::from_static("bytes=0-"),
        _ => range.clone(),
    }
}

/// Whether `If-Range` is the `Last-Modified` of the file, to the letter.
fn is_unchanged(seen: &HeaderValue, changed: SystemTime) -> bool {
    let changed = Timestamp::try_from(changed).ok();
    let changed =
        changed.and_then(|at| rfc2822::DateTimePrinter::new().timestamp_to_rfc9110_string(&at).ok());
    changed.is_some_and(|changed| seen.as_bytes() == changed.as_bytes())
}

fn with_headers(mut response: Response, kind: FileKind) -> Response {
    let (content_type, ranges, caching) = match kind {
        FileKind::Audio => ("audio/wav", "bytes", IMMUTABLE),
        FileKind::Manifest => ("application/json", "none", NO_STORE),
    };
    let is_there = response.status() != StatusCode::NOT_MODIFIED;
    let headers = response.headers_mut();
    if is_there {
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
        headers.insert(ACCEPT_RANGES, HeaderValue::from_static(ranges));
    }
    match kind {
        FileKind::Audio => {
            headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(PLAYER_POLICY));
        }
        FileKind::Manifest => {
            headers.remove(LAST_MODIFIED);
        }
    }
    headers.insert(CACHE_CONTROL, HeaderValue::from_static(caching));
    response
}

/// Why a file is not there: it may have been older than audio is kept.
async fn missing(viewer: &Viewer, path: &str, kind: FileKind, kept_for: Option<Duration>) -> ApiError {
    let Some(keep) = kept_for.filter(|_| kind == FileKind::Audio) else { return not_found() };
    for run in runs_in(path) {
        let Ok(found) = viewer.find(run).await else { continue };
        let age_ms = Timestamp::now().as_millisecond().saturating_sub(found.started_at);
        if u128::try_from(age_ms).is_ok_and(|age_ms| age_ms > keep.as_millis()) {
            return ApiError::new(
                ErrorCode::AudioExpired,
                "this audio was removed: it was older than audio is kept",
            )
            .with("keptSeconds", keep.as_secs())
            .hint("what was said is still in the run: GET /v1/runs/{id}/transcript");
        }
    }
    not_found()
}

fn not_found() -> ApiError {
    ApiError::new(ErrorCode::AudioNotFound, "there is no audio at this path")
        .hint("use the audioPath of an event as it is")
}

/// A range that begins behind the end of its file.
fn range_not_satisfiable(headers: &HeaderMap) -> Response {
    let error = ApiError::new(ErrorCode::RangeNotSatisfiable, "the file has no such bytes");
    let mut response = error.into_response();
    if let Some(length) = headers.get(CONTENT_RANGE) {
        response.headers_mut().insert(CONTENT_RANGE, length.clone());
    }
    response
}

fn io_error(error: io::Error) -> ApiError {
    let why = format!("an audio file could not be read: {error}");
    ApiError::internal("the file could not be read; the server's log says why", why)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_found_wherever_they_stand_in_a_path() {
        let (one, two) = ("0199f2a4-6a3e-7cc1-8a55-0f4c9b1d2e3f", "0199F2A4-6A3E-7CC1-8A55-0F4C9B1D2E40");
        for (path, found) in [
            (format!("tts/sessions/{one}/turn_1/slot-1.wav"), vec![one]),
            (format!("games/game-{one}.wav"), vec![one]),
            (format!("{one}/{two}.json"), vec![one, two]),
            (format!("é{two}é"), vec![two]),
            ("tts/sessions/hum.wav".to_owned(), vec![]),
            (one.replace('-', ""), vec![]),
            (String::new(), vec![]),
        ] {
            let found: Vec<RunId> = found.iter().map(|id| RunId(Uuid::parse_str(id).unwrap())).collect();
            assert_eq!(runs_in(&path), found, "{path}");
        }
    }
}
