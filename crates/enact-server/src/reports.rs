//! A run's log, read and folded for people.

use enact_drama::{RunId, Seq};
use enact_engine::{AnyReport, Node, productions::ReportError};
use tokio::sync::Semaphore;

use crate::{aside::aside, error::ApiError};

/// How many logs are read and folded at once. Some have megabytes, and more at once than there are processors only take
/// memory; the others wait their turn.
const AT_ONCE: usize = 8;

static TURNS: Semaphore = Semaphore::const_new(AT_ONCE);

/// Makes something of the report on a run so far. A run that has not begun has none, and neither has one of a production that
/// this server does not know: both are [unreadable](crate::error::Code::RunUnreadable).
pub(crate) async fn report<T: Send + 'static>(
    node: &Node,
    run: RunId,
    tell: impl FnOnce(&dyn AnyReport) -> T + Send + 'static,
) -> Result<T, ApiError> {
    let _turn = TURNS.acquire().await;
    let records = node.store().read(run, Seq(0)).await?;
    let productions = node.productions().clone();
    let told = aside(move || Ok(tell(&*productions.report(&records)?))).await;
    told.map_err(|error: ReportError| ApiError::from(error))
}
