//! `GET /v1/runs/{id}/recording`: a run, or one line of it, spoken by the embedded voice.

use std::{io, sync::Arc};

use axum::{
    extract::State,
    http::header::CONTENT_TYPE,
    response::{IntoResponse, Response},
};
use enact_drama::{Seq, report::recording::Plan, voice::VoiceChain};
use enact_engine::{Voice, recording::record, run_blocking};
use serde::Deserialize;
use tokio::runtime::Handle;
use utoipa::IntoParams;

use crate::{
    error::{ApiError, ErrorCode},
    extract::{Query, Run},
    reports::{EMBEDDED, report},
    routes::ApiState,
};

/// Which part is spoken.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub(crate) struct RecordingQuery {
    /// Only this line: the `seq` of its event. Without one, all that has been said so far.
    #[param(value_type = Option<u64>, example = 12)]
    line: Option<LineSeq>,
}

/// A line's `seq` as a parameter.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(try_from = "String")]
struct LineSeq(Seq);

impl TryFrom<String> for LineSeq {
    type Error = &'static str;

    fn try_from(text: String) -> Result<LineSeq, &'static str> {
        text.parse().map(|seq| LineSeq(Seq(seq))).map_err(|_| "must be the seq of a line")
    }
}

/// Listen to it
///
/// What was heard, spoken by the embedded voice: a WAV file, made when it is asked for. A line that was cut
/// off ends where it was.
#[utoipa::path(
    get, path = "/v1/runs/{id}/recording", operation_id = "getRecording", tag = "runs",
    params(("id" = String, Path, format = "uuid", description = "The run."), RecordingQuery),
    responses((status = 200, description = "The recording.", body = Vec<u8>, content_type = "audio/wav")),
)]
pub(crate) async fn recording(
    State(api): State<ApiState>,
    Run(run): Run,
    Query(query): Query<RecordingQuery>,
) -> Result<Response, ApiError> {
    let mut plan = report(&api.node, run.run, |report| Plan::of(&report.document())).await?;
    if let Some(LineSeq(line)) = query.line {
        plan.cues.retain(|cue| cue.line == line && cue.speech.is_some());
        plan.cues.iter_mut().for_each(|cue| cue.pause_ms = 0);
    }
    if plan.cues.is_empty() {
        let message = "there is nothing to be heard: what is only done has no sound";
        return Err(ApiError::new(ErrorCode::AudioNotFound, message));
    }
    let speaker = api.node.project().speech(&VoiceChain(vec![EMBEDDED.to_owned()])).await?;
    let runtime = Handle::current();
    // Speaking is computation, and its file is read and written with calls that block.
    let spoken = run_blocking(move || speak(&plan, speaker.voice, &runtime)).await;
    let sound = spoken.map_err(|error| {
        ApiError::internal("the recording could not be made; the server's log says why", error.to_string())
    })?;
    Ok(([(CONTENT_TYPE, "audio/wav")], sound).into_response())
}

fn speak(plan: &Plan, voice: Arc<dyn Voice>, runtime: &Handle) -> io::Result<Vec<u8>> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("recording.wav");
    runtime.block_on(record(plan, voice, &file, |_| {})).map_err(io::Error::other)?;
    std::fs::read(file)
}
