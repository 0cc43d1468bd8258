//! A scene made audible once it is over.

use std::{io::Write, path::PathBuf, sync::Arc};

use enact_drama::{production::Report, report::recording::Plan, scene::report::SceneReport};
use enact_engine::{Voice, outputs};

use crate::{
    recording::speak,
    screen::{note, stdout},
    store::Location,
};

/// How a recording came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RecordingOutcome {
    /// By itself, whether or not there is a file now.
    Done,
    /// By Ctrl-C.
    Interrupted,
}

/// Records a scene that is over. A recording that fails is only noted: the scene is kept as it is.
pub(super) async fn record(
    story: &SceneReport,
    voice: Arc<dyn Voice>,
    location: &Location,
    shown: bool,
) -> anyhow::Result<RecordingOutcome> {
    let (run, flag) = (story.setup.run, location.flag());
    let again = format!("enact export {run} --format wav -o {}{flag}", outputs::RECORDING);
    tokio::select! {
        recorded = write(story, voice, location, shown) => match recorded {
            Ok(file) if shown => writeln!(stdout(), "Recording: {}", file.display())?,
            Ok(_) => {}
            Err(error) => note(format!("there is no recording: {error:#}; to try again: {again}")),
        },
        Ok(()) = tokio::signal::ctrl_c() => {
            note(format!("there is no recording, it was stopped; to begin again: {again}"));
            return Ok(RecordingOutcome::Interrupted);
        }
    }
    Ok(RecordingOutcome::Done)
}

/// Speaks a scene into its own folder, and puts copies beside those of its other files. Gives where to
/// listen.
async fn write(
    story: &SceneReport,
    voice: Arc<dyn Voice>,
    location: &Location,
    shown: bool,
) -> anyhow::Result<PathBuf> {
    let file = outputs::run_folder(&location.data_dir, &story.setup).join(outputs::RECORDING);
    speak(&Plan::of(&story.document()), voice, &file, shown).await?;
    Ok(outputs::copy_recording(&location.data_dir, &story.setup)?.join(outputs::RECORDING))
}
