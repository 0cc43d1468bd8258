//! The report on a run: its log, read and folded.

use enact_drama::{RunId, Seq, report::Format};
use enact_engine::{
    AnyReport, Node, artifacts::recordings::sounds, log::RunSummary, outputs::json_line,
    productions::ReportError,
};
use enact_page::offline::{self, OfflineRun};
use tokio::sync::Semaphore;

use crate::error::ApiError;

/// How many logs are read and folded at once. Some have megabytes, and more at once than there are processors
/// only take memory; the others wait their turn.
const AT_ONCE: usize = 8;

static TURNS: Semaphore = Semaphore::const_new(AT_ONCE);

/// Applies `tell` to the report on a run so far. A run that has not begun and a run of an unknown production
/// have none: both are [unreadable](crate::error::ErrorCode::RunUnreadable).
pub(crate) async fn report<T: Send + 'static>(
    node: &Node,
    run: RunId,
    tell: impl FnOnce(&dyn AnyReport) -> T + Send + 'static,
) -> Result<T, ApiError> {
    let _turn = TURNS.acquire().await;
    let records = node.store().read(run, Seq(0)).await?;
    let productions = node.productions().clone();
    let told = run_blocking(move || Ok(tell(&*productions.report(&records)?))).await;
    told.map_err(|error: ReportError| ApiError::from(error))
}

/// How a run came about so far, for people looking for a fault.
pub(crate) async fn debug_log(node: &Node, run: RunId) -> Result<String, ApiError> {
    let _turn = TURNS.acquire().await;
    let records = node.store().read(run, Seq(0)).await?;
    let productions = node.productions().clone();
    run_blocking(move || productions.debug_log(&records)).await.map_err(ApiError::from)
}

/// A run as one HTML file.
pub(crate) async fn offline_page(node: &Node, run: &RunSummary) -> Result<String, ApiError> {
    let transcript = report(node, run.run, |report| Format::Txt.render(&report.document())).await?;
    let _turn = TURNS.acquire().await;
    let records = node.store().read(run.run, Seq(0)).await?;
    let (name, production, artifacts) =
        (run.name.clone(), run.production.clone(), node.project().artifacts());
    let made = run_blocking(move || {
        let log = records.iter().map(json_line).collect();
        let sounds = artifacts.map(|artifacts| sounds(&artifacts, &records)).unwrap_or_default();
        offline::document(&OfflineRun { name, production, log, transcript, sounds })
    });
    Ok(made.await)
}

/// Runs milliseconds of computation on a thread for blocking work: worker threads also send events, which
/// must not wait.
pub(crate) async fn run_blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        Err(panicked) => std::panic::resume_unwind(panicked.into_panic()),
    }
}
