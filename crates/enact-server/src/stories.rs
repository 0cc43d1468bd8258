//! A run's log, read and folded for telling.

use enact_drama::{RunId, Seq, record::Unreadable, show::Told};
use enact_engine::Store;
use tokio::sync::Semaphore;

use crate::{
    aside::aside,
    error::{Code, Refusal},
};

/// How many logs are read and folded at once. Some have megabytes, and more at once than there are processors only take
/// memory; the others wait their turn.
const AT_ONCE: usize = 8;

static TURNS: Semaphore = Semaphore::const_new(AT_ONCE);

/// Makes something of a run's story so far. A run that has not begun has none.
pub(crate) async fn tell<T: Send + 'static>(
    store: &dyn Store,
    run: RunId,
    tell: impl FnOnce(&Told) -> T + Send + 'static,
) -> Result<Option<T>, Refusal> {
    let _turn = TURNS.acquire().await;
    let records = store.read(run, Seq(0)).await?;
    let told = aside(move || Ok(Told::of(&records)?.map(|story| tell(&story)))).await;
    told.map_err(|unreadable: Unreadable| Refusal::from(unreadable))
}

/// Like [`tell`], for those who need something to tell.
pub(crate) async fn tell_begun<T: Send + 'static>(
    store: &dyn Store,
    run: RunId,
    told: impl FnOnce(&Told) -> T + Send + 'static,
) -> Result<T, Refusal> {
    tell(store, run, told).await?.ok_or_else(|| {
        Refusal::new(
            Code::RunUnreadable,
            format!("the log of run {run} begins like nothing that this version of enact plays"),
        )
    })
}
