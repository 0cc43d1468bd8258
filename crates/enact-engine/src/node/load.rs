//! Loads a resting run, for servers that answer from its state.

use enact_drama::{Production, RunId, Seq};

use super::{Error, Node};
use crate::{
    checkpoint::{FIRST_PAGE, Loaded},
    run_loop,
};

impl Node {
    /// A run as its log has left it, and the seq of its next record.
    pub async fn load<P: Production>(&self, run: RunId) -> Result<(P, Seq), Error> {
        let store = &*self.inner.store;
        let records = store.read_some(run, Seq(0), FIRST_PAGE).await?;
        let loaded = Loaded::<P>::read(store, run, records).await.map_err(|error| match error {
            run_loop::Error::Log(error) => Error::Log(error),
            run_loop::Error::NoBeginning => Error::NoBeginning(run),
            other => Error::Unplayable(other.to_string()),
        })?;
        Ok((loaded.production, loaded.next))
    }
}
