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
use enact_engine::{Store, log::Error};
use futures::stream;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::{
    error::{ApiError, ErrorCode},
    extract::{Query, Run},
    reports::report,
    routes::ApiState,
};

/// How many records are read from the log at a time.
const PAGE: usize = 256;

/// The format of a transcript.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub(crate) struct TranscriptQuery {
    /// `txt` (the default), `md`, `json`, `fountain` (a screenplay) or `vtt` (captions; the times are
    /// those of the recordings where there are any, and estimated elsewhere).
    #[param(example = "md")]
    format: Option<String>,
}

/// What was said and done
///
/// The transcript in one of five formats. Of a run that goes on: what there is of it so far.
#[utoipa::path(
    get, path = "/v1/runs/{id}/transcript", operation_id = "getTranscript", tag = "runs",
    params(("id" = String, Path, format = "uuid", description = "The run."), TranscriptQuery),
    responses((status = 200, description = "The transcript.", content(
        (String = "text/plain"), (String = "text/markdown"), (Object = "application/json"),
        (String = "text/vnd.fountain"), (String = "text/vtt"),
    ))),
)]
pub(crate) async fn transcript(
    State(api): State<ApiState>,
    Run(run): Run,
    Query(query): Query<TranscriptQuery>,
) -> Result<Response, ApiError> {
    let format: Format = match query.format.as_deref() {
        None => Format::Txt,
        Some(name) => name.parse().map_err(|_| {
            ApiError::new(ErrorCode::InvalidParameter, "format must be txt, md, json, fountain or vtt")
        })?,
    };
    let rendered = report(&api.node, run.run, move |report| {
        let document = report.document();
        (format.render(&document), document.name)
    });
    let (text, name) = rendered.await?;
    Ok(document(content_type(format), &format!("{name}.{}", format.extension()), Body::from(text)))
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
    let (store, run) = (api.node.store().clone(), run.run);
    let pages = stream::try_unfold((store, Seq(0)), move |(store, from)| next_page(store, run, from));
    Ok(document("application/x-ndjson", &format!("{run}.jsonl"), Body::from_stream(pages)))
}

/// The next lines of a log. It is read on only when the last page has been sent.
async fn next_page(
    store: Arc<dyn Store>,
    run: RunId,
    from: Seq,
) -> Result<Option<(Bytes, (Arc<dyn Store>, Seq))>, Error> {
    let page = store.read_some(run, from, PAGE).await?;
    let Some(last) = page.last() else { return Ok(None) };
    let next = last.seq.next();
    Ok(Some((lines(&page), (store, next))))
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

fn content_type(format: Format) -> &'static str {
    match format {
        Format::Txt => "text/plain; charset=utf-8",
        Format::Md => "text/markdown; charset=utf-8",
        Format::Json | Format::Metadata => "application/json",
        Format::Fountain => "text/vnd.fountain; charset=utf-8",
        Format::Vtt => "text/vtt; charset=utf-8",
    }
}

/// Browsers show it, or save it under its name. Names are plain: they need no quoting.
fn document(content_type: &'static str, name: &str, body: Body) -> Response {
    let mut response = ([(CONTENT_TYPE, content_type)], body).into_response();
    if let Ok(disposition) = HeaderValue::from_str(&format!("inline; filename=\"{name}\"")) {
        response.headers_mut().insert(CONTENT_DISPOSITION, disposition);
    }
    response
}
