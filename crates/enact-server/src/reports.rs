//! The report on a run: its log, read and folded.

use std::time::Duration;

use enact_drama::{
    Record, RunId, Seq,
    report::{Format, recording::Plan},
    voice::VoiceChain,
};
use enact_engine::{
    AnyReport, Node, artifacts::recordings::sounds, log::RunSummary, outputs::json_line,
    productions::ReportError, recording::record_lines,
};
use enact_page::offline::{self, OfflineRun};
use tokio::{runtime::Handle, sync::Semaphore, time::timeout};

use crate::error::ApiError;

/// How many logs are read and folded at once. Some have megabytes, and more at once than there are processors
/// only take memory; the others wait their turn.
const MAX_CONCURRENT_REPORTS: usize = 8;

/// The voice of recordings: the embedded one is free, so that the scope `read` is enough to listen. Paid services are
/// only used while a run is played.
pub(crate) const EMBEDDED: &str = "embedded";

/// Timeout for speaking the lines of a run while a client waits for the file: half of what an answer may take.
const SPEAKING: Duration = Duration::from_secs(15);

static PERMITS: Semaphore = Semaphore::const_new(MAX_CONCURRENT_REPORTS);

/// Applies `tell` to the report on a run so far. A run that has not begun and a run of an unknown production
/// have none: both are [unreadable](crate::error::ErrorCode::RunUnreadable).
pub(crate) async fn report<T: Send + 'static>(
    node: &Node,
    run: RunId,
    tell: impl FnOnce(&dyn AnyReport) -> T + Send + 'static,
) -> Result<T, ApiError> {
    let _permit = PERMITS.acquire().await;
    let records = node.store().read(run, Seq(0)).await?;
    let productions = node.productions().clone();
    let told = run_blocking(move || Ok(tell(&*productions.report(&records)?))).await;
    told.map_err(|error: ReportError| ApiError::from(error))
}

/// How a run came about so far, for people looking for a fault.
pub(crate) async fn debug_log(node: &Node, run: RunId) -> Result<String, ApiError> {
    let _permit = PERMITS.acquire().await;
    let records = node.store().read(run, Seq(0)).await?;
    let productions = node.productions().clone();
    run_blocking(move || productions.debug_log(&records)).await.map_err(ApiError::from)
}

/// A run as one HTML file.
pub(crate) async fn offline_page(node: &Node, run: &RunSummary) -> Result<String, ApiError> {
    let told =
        |report: &dyn AnyReport| (Format::Txt.render(&report.document()), report.metadata().to_string());
    let (transcript, metadata) = report(node, run.run, told).await?;
    let _permit = PERMITS.acquire().await;
    let records = node.store().read(run.run, Seq(0)).await?;
    let (name, production, artifacts) =
        (run.name.clone(), run.production.clone(), node.project().artifacts());
    let spoken = match offline::SPOKEN.contains(&&*production) {
        // Where nobody can speak, it is still to be read.
        true => spoken_lines(node, &records).await.unwrap_or_else(|error| {
            tracing::warn!(run = %run.run, error = error.fault.as_ref().map_or(&*error.message, |fault| fault.as_str()), "an HTML file was made without sound");
            Vec::new()
        }),
        false => Vec::new(),
    };
    let made = run_blocking(move || {
        let log = records.iter().map(json_line).collect();
        let mut sounds = artifacts.map(|artifacts| sounds(&artifacts, &records)).unwrap_or_default();
        sounds.extend(spoken);
        offline::document(&OfflineRun { name, production, log, transcript, metadata, sounds })
    });
    Ok(made.await)
}

/// Every line of a run, spoken by the embedded voice, by what it is called in the file.
async fn spoken_lines(node: &Node, records: &[Record]) -> Result<Vec<(String, Vec<u8>)>, ApiError> {
    let plan = Plan::of(&node.productions().report(records)?.document());
    let speaker = node.project().speech(&VoiceChain(vec![EMBEDDED.to_owned()])).await?;
    let runtime = Handle::current();
    // Speaking is computation.
    let lines = run_blocking(move || {
        let lines = record_lines(&plan, speaker.voice, offline::MOST_SOUND_BYTES);
        runtime.block_on(timeout(SPEAKING, lines))
    });
    let failed =
        |why: String| ApiError::internal("the lines could not be spoken; the server's log says why", why);
    let lines = match lines.await {
        Ok(lines) => lines.map_err(|error| failed(error.to_string()))?,
        Err(_) => return Err(failed(format!("timeout: it takes longer than {} s", SPEAKING.as_secs()))),
    };
    Ok(lines.into_iter().map(|(seq, sound)| (offline::line_sound(seq.0), sound)).collect())
}

/// Runs milliseconds of computation on a thread for blocking work: worker threads also send events, which
/// must not wait.
pub(crate) async fn run_blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        Err(panicked) => std::panic::resume_unwind(panicked.into_panic()),
    }
}
