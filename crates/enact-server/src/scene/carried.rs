//! What the characters of a scene bring along from earlier ones of its account.

use std::sync::Arc;

use enact_drama::scene::SceneSetup;
use enact_engine::{Store, log::Error};

use crate::kept_memories::brought_along;

/// Fills in what the characters of a scene that remembers bring along.
pub async fn carry_into_scene(
    store: &Arc<dyn Store>,
    account: &str,
    setup: &mut SceneSetup,
) -> Result<(), Error> {
    if setup.config.remember {
        let cast = setup.cast.iter().map(|role| role.name.clone()).collect();
        setup.remembered = brought_along(store, account, cast).await?;
    }
    Ok(())
}
