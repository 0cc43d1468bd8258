//! A scene made audible once it is over.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use enact_drama::{production::Report, report::recording::Plan, scene::report::Story};
use enact_engine::{Voice, outputs};

use crate::recording::speak;

/// Speaks a scene into its own folder, and puts copies beside those of its other files. Gives where to listen.
pub(super) async fn keep(
    story: &Story,
    voice: Arc<dyn Voice>,
    data_dir: &Path,
    notes: bool,
) -> anyhow::Result<PathBuf> {
    let file = outputs::run_folder(data_dir, &story.setup).join(outputs::RECORDING);
    speak(&Plan::of(&story.document()), voice, &file, notes).await?;
    Ok(outputs::copy_recording(data_dir, &story.setup)?.join(outputs::RECORDING))
}
