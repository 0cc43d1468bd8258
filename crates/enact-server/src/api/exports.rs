//! `GET /v1/runs/{id}/transcript` and `…/log`: a run as a document.

use std::sync::Arc;

use axum::{
    body::Body,
    extract::State,
    http::{
        HeaderValue,
        header::{CONTENT_DISPOSITION, CONTENT_TYPE},
    },
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use enact_drama::{Record, RunId, Seq, report::Format};
use enact_engine::{Productions, Store, log::Error};
use futures::stream;
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use crate::{
    error::ApiError,
    extract::{Query, Run},
    openapi::{RunMetadata, RunTranscript},
    reports::{debug_log, offline_page, report},
    routes::ApiState,
};

/// How many records are read from the log at a time.
const PAGE: usize = 256;

/// The format of a transcript.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub(crate) struct TranscriptQuery {
    /// `txt` is the default. `fountain` is a screenplay; `vtt` are captions, whose times are those of the
    /// recordings where there are any, and estimated elsewhere; `metadata` is what programs want to know;
    /// `debug` tells how the run came about, one JSON object a line; `html` is one file that replays it in a
    /// browser, without a server.
    #[param(value_type = Option<TranscriptFormat>, example = "md")]
    format: Option<String>,
}

/// What a run can be read as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ToSchema)]
#[schema(rename_all = "lowercase")]
#[expect(dead_code, reason = "describes what `RunFormat` reads")]
pub(crate) enum TranscriptFormat {
    Txt,
    Md,
    Json,
    Fountain,
    Vtt,
    Metadata,
    Debug,
    Html,
}

/// What is answered in JSON: the document of the format `json`, or that of `metadata`.
#[derive(ToSchema)]
#[schema(as = TranscriptJson)]
#[serde(untagged)]
#[expect(dead_code, reason = "it only describes")]
pub(crate) enum JsonTranscript {
    Transcript(RunTranscript),
    Metadata(RunMetadata),
}

/// A format, whether it is made from the document of a run or from its log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RunFormat {
    Rendered(Format),
    Debug,
    /// The page, the log and the sound in one file.
    Html,
}

impl RunFormat {
    const DEBUG: &str = "debug";
    const HTML: &str = "html";

    fn read(name: &str) -> Result<RunFormat, ApiError> {
        if name.eq_ignore_ascii_case(RunFormat::DEBUG) {
            return Ok(RunFormat::Debug);
        }
        if name.eq_ignore_ascii_case(RunFormat::HTML) {
            return Ok(RunFormat::Html);
        }
        name.parse().map(RunFormat::Rendered).map_err(|_| {
            let known = Format::ALL.map(Format::name).join(", ");
            ApiError::parameter(
                "format",
                name,
                format!("format must be {known}, {} or {}", RunFormat::DEBUG, RunFormat::HTML),
            )
        })
    }

    /// What its files end in, without the dot.
    fn extension(self) -> &'static str {
        match self {
            RunFormat::Rendered(format) => format.extension(),
            RunFormat::Debug => "debug.log",
            RunFormat::Html => "html",
        }
    }

    fn content_type(self) -> &'static str {
        match self {
            RunFormat::Rendered(Format::Txt) => "text/plain; charset=utf-8",
            RunFormat::Rendered(Format::Md) => "text/markdown; charset=utf-8",
            RunFormat::Rendered(Format::Json | Format::Metadata) => "application/json",
            RunFormat::Rendered(Format::Fountain) => "text/vnd.fountain; charset=utf-8",
            RunFormat::Rendered(Format::Vtt) => "text/vtt; charset=utf-8",
            RunFormat::Debug => "application/x-ndjson",
            RunFormat::Html => "text/html; charset=utf-8",
        }
    }
}

/// What was said and done
///
/// The transcript in one of several formats, the metadata, or how it came about. Of a run that goes on: what
/// there is of it so far.
#[utoipa::path(
    get, path = "/v1/runs/{id}/transcript", operation_id = "getTranscript", tag = "runs",
    params(("id" = String, Path, format = "uuid", description = "The run."), TranscriptQuery),
    responses((status = 200, description = "The transcript.", content(
        (String = "text/plain"), (String = "text/markdown"), (JsonTranscript = "application/json"),
        (String = "text/vnd.fountain"), (String = "text/vtt"), (String = "application/x-ndjson"),
        (String = "text/html"),
    ))),
)]
pub(crate) async fn transcript(
    State(api): State<ApiState>,
    Run(run): Run,
    Query(query): Query<TranscriptQuery>,
) -> Result<Response, ApiError> {
    let format = query.format.as_deref().map_or(Ok(RunFormat::Rendered(Format::Txt)), RunFormat::read)?;
    let (text, name) = match format {
        RunFormat::Rendered(format) => {
            let rendered = report(&api.node, run.run, move |report| {
                let document = report.document();
                (format.render(&document), document.name)
            });
            rendered.await?
        }
        RunFormat::Debug => (debug_log(&api.node, run.run).await?, run.name),
        RunFormat::Html => (offline_page(&api.node, &run).await?, run.name),
    };
    Ok(document(format.content_type(), &format!("{name}.{}", format.extension()), Body::from(text)))
}

/// The log
///
/// Every event so far, one JSON object a line: `{"seq", "at", "kind", "v", "body"}`. It is everything there
/// is to know of a run, and what `enact import` takes.
#[utoipa::path(
    get, path = "/v1/runs/{id}/log", operation_id = "getLog", tag = "runs",
    params(("id" = String, Path, format = "uuid", description = "The run.")),
    responses((status = 200, description = "The log as it is now.", body = String,
               content_type = "application/x-ndjson")),
)]
pub(crate) async fn log(State(api): State<ApiState>, Run(run): Run) -> Result<Response, ApiError> {
    let (store, productions) = (api.node.store().clone(), api.node.productions().clone());
    let (production, run) = (run.production.clone(), run.run);
    let pages = stream::try_unfold((store, Seq(0)), move |(store, from)| {
        let (productions, production) = (productions.clone(), production.clone());
        async move {
            let page = next_page(store, run, from).await?;
            Ok::<_, Error>(page.map(|(page, next)| (lines(&shown(&productions, &production, page)), next)))
        }
    });
    Ok(document("application/x-ndjson", &format!("{run}.jsonl"), Body::from_stream(pages)))
}

/// The next lines of a log. It is read on only when the last page has been sent.
async fn next_page(
    store: Arc<dyn Store>,
    run: RunId,
    from: Seq,
) -> Result<Option<(Vec<Record>, (Arc<dyn Store>, Seq))>, Error> {
    let page = store.read_some(run, from, PAGE).await?;
    let Some(last) = page.last() else { return Ok(None) };
    let next = last.seq.next();
    Ok(Some((page, (store, next))))
}

/// Records as they may be shown, of a run of this production.
fn shown(productions: &Productions, production: &str, records: Vec<Record>) -> Vec<Record> {
    match productions.named(production) {
        Ok(production) => production.shown(records),
        Err(_) => records,
    }
}

fn lines(records: &[Record]) -> Bytes {
    let mut text = Vec::new();
    for record in records {
        // Writing to a vector cannot fail, and records hold nothing that JSON cannot.
        let _ = serde_json::to_writer(&mut text, record);
        text.push(b'\n');
    }
    Bytes::from(text)
}

/// Browsers show it, or save it under its name. Names are plain: they need no quoting.
fn document(content_type: &'static str, name: &str, body: Body) -> Response {
    let mut response = ([(CONTENT_TYPE, content_type)], body).into_response();
    // A page of its own cannot be shown here: the policy of every answer lets it run and load nothing.
    let shown = if content_type.starts_with("text/html") { "attachment" } else { "inline" };
    if let Ok(disposition) = HeaderValue::from_str(&format!("{shown}; filename=\"{name}\"")) {
        response.headers_mut().insert(CONTENT_DISPOSITION, disposition);
    }
    response
}

#[cfg(test)]
mod tests {
    use utoipa::PartialSchema;

    use super::*;

    #[test]
    fn every_format_is_described() {
        let described = serde_json::to_value(TranscriptFormat::schema()).unwrap();
        let names: Vec<&str> =
            described["enum"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
        let known: Vec<&str> =
            Format::ALL.map(Format::name).into_iter().chain([RunFormat::DEBUG, RunFormat::HTML]).collect();
        assert_eq!(names, known);
        for name in names {
            assert!(RunFormat::read(name).is_ok(), "{name}");
        }
    }
}
