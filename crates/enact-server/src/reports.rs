//! The report on a run: its log, read and folded.

use std::time::Duration;

use enact_drama::{RunId, Seq, report::recording::Plan, voice::VoiceChain};
use enact_engine::{
    AnyReport, Node,
    artifacts::recordings::sounds,
    log::RunSummary,
    productions::ReportError,
    recording::{SpokenLines, lines_to_speak, record_lines},
    run_blocking,
};
use enact_page::offline;
use tokio::{
    runtime::Handle,
    sync::Semaphore,
    time::{Instant, timeout_at},
};

use crate::{error::ApiError, offline_file};

/// How many logs are read and folded at once. Some have megabytes, and more at once than there are processors
/// only take memory; the others wait their turn.
const MAX_CONCURRENT_REPORTS: usize = 8;

/// The voice of recordings: the embedded one is free, so that the scope `read` is enough to listen. Paid services are
/// only used while a run is played.
pub(crate) const EMBEDDED: &str = "embedded";

/// How many files are spoken at once: it is computation, which transcripts and players need too.
const MAX_CONCURRENT_SPEAKING: usize = 2;

/// Timeout for speaking the lines of a run while a client waits for the file: half of what an answer may take. What is
/// not spoken by then is missing, and the file says so.
const SPEAKING: Duration = Duration::from_secs(15);

static PERMITS: Semaphore = Semaphore::const_new(MAX_CONCURRENT_REPORTS);
static SPEAKING_PERMITS: Semaphore = Semaphore::const_new(MAX_CONCURRENT_SPEAKING);

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

/// A run as one HTML file. It is spoken without a permit for reports: transcripts must not wait for voices.
pub(crate) async fn offline_page(node: &Node, run: &RunSummary) -> Result<String, ApiError> {
    let spoken = match offline::SPOKEN.contains(&&*run.production) {
        true => {
            let plan = report(node, run.run, |report| Plan::of(&report.document())).await?;
            spoken_lines(node, run.run, plan).await
        }
        false => SpokenLines::default(),
    };
    let _permit = PERMITS.acquire().await;
    let records = node.store().read(run.run, Seq(0)).await?;
    let (run, productions, artifacts) = (run.clone(), node.productions().clone(), node.project().artifacts());
    let made = run_blocking(move || {
        let sounds = artifacts.map(|artifacts| sounds(&artifacts, &records)).unwrap_or_default();
        offline_file(&productions, &run, records, sounds, spoken)
    });
    made.await.map_err(ApiError::from)
}

/// The lines of a run, spoken by the embedded voice, as far as there is time. Without a voice the page is made
/// without sound, and says so.
async fn spoken_lines(node: &Node, run: RunId, plan: Plan) -> SpokenLines {
    let missing = lines_to_speak(&plan);
    speak(node, plan).await.unwrap_or_else(|error| {
        let error = error.fault.as_ref().map_or(&*error.message, |fault| fault.as_str());
        tracing::warn!(%run, error, "an HTML file was made without sound");
        SpokenLines { lines: Vec::new(), missing }
    })
}

async fn speak(node: &Node, plan: Plan) -> Result<SpokenLines, ApiError> {
    let until = Instant::now() + SPEAKING;
    let failed =
        |why: String| ApiError::internal("the lines could not be spoken; the server's log says why", why);
    let waited = timeout_at(until, SPEAKING_PERMITS.acquire()).await;
    let _permit = waited.map_err(|_| failed("timeout: too many files are being spoken".to_owned()))?;
    let speaker = node.project().speech(&VoiceChain(vec![EMBEDDED.to_owned()])).await?;
    let runtime = Handle::current();
    // Speaking is computation.
    let lines = run_blocking(move || {
        runtime.block_on(record_lines(&plan, speaker.voice, offline::MOST_SOUND_BYTES, Some(until)))
    });
    lines.await.map_err(|error| failed(error.to_string()))
}
