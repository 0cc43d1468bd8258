//! What the characters of a scene bring along from earlier ones of its account.

use std::sync::Arc;

use enact_drama::{
    Name,
    director::brought_back,
    scene::{Remembered, Setup},
};
use enact_engine::{Store, log::Error};

use crate::kept_memories::{KeptRows, memories_in, mood_in, relationships_in};

/// Fills in what the characters of a scene that remembers bring along from earlier ones. What was said in
/// sessions stays between those two: others may read a scene.
pub async fn carry_into_scene(store: &Arc<dyn Store>, account: &str, setup: &mut Setup) -> Result<(), Error> {
    if !setup.config.remember {
        return Ok(());
    }
    let rows = KeptRows::read(store, account).await?;
    for role in &setup.cast {
        let mut kept = rows.of(&role.name);
        kept.retain(|one| one.scene.is_some());
        let in_cast = |name: &Name| setup.cast.iter().any(|role| role.name == *name);
        let between = relationships_in(&kept).into_iter().rev();
        let remembered = Remembered {
            memories: brought_back(memories_in(&kept)),
            mood: mood_in(&kept),
            relationships: between.filter_map(|(with, how)| Some((with.filter(&in_cast)?, how))).collect(),
        };
        if remembered != Remembered::default() {
            setup.remembered.insert(role.name.clone(), remembered);
        }
    }
    Ok(())
}
