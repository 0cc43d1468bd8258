//! A run's files for people and programs: transcript, metadata, debug log and events.
//!
//! A run writes into a folder of its own, so that earlier runs are kept. What stands in the scene's folder are copies
//! of the run that finished last. Every file is written beside its place and then moved there: a reader sees the old
//! file or the new one, never half of one.

use std::{
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
};

use enact_drama::{
    Fact, Record, RunId,
    production::Report,
    record::readable_facts,
    scene::report::{Story, debug_log, metadata, transcript},
    scene::{SceneEvent, Setup},
};

#[cfg(test)]
mod tests;

/// Why a run's files could not be written. The run itself is safe in its log, and they can be written again.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("the log does not begin like that of a scene")]
    NotAScene,
    #[error("could not write '{}'", path.display())]
    Io { path: PathBuf, source: io::Error },
}

/// What the recording of a run is called, and its captions.
pub const RECORDING: &str = "recording.wav";
const CAPTIONS: &str = "recording.vtt";

/// Where a run's own files stand.
pub fn run_folder(data: &Path, setup: &Setup) -> PathBuf {
    scene_folder(data, setup).join("runs").join(setup.run.to_string())
}

/// Where the copies of the run that finished last stand.
pub fn scene_folder(data: &Path, setup: &Setup) -> PathBuf {
    data.join("scenes").join(setup.name.as_str())
}

/// Writes the files of a run and, if it is finished, the copies of its scene. Gives the folder in which to look: the
/// scene's, or that of the run while it is unfinished or a run that finished later has its copies there.
///
/// It blocks while it writes, and while another run of the same scene puts its copies in place.
pub fn write(data: &Path, records: &[Record]) -> Result<PathBuf, Error> {
    let facts: Vec<Fact<SceneEvent>> = readable_facts(records);
    let story = Story::of(&facts).ok_or(Error::NotAScene)?;
    let files = files(&story, &facts, records);

    let own = run_folder(data, &story.setup);
    put(&own, &files)?;
    if story.ended.is_none() {
        return Ok(own);
    }
    let scene = scene_folder(data, &story.setup);
    // Two runs that finish together must not leave one's transcript beside the other's metadata.
    let _turn = take_turn(&scene.join("runs"))?;
    if finished_at(&scene).is_some_and(|copies| records.last().is_some_and(|last| copies > last.at)) {
        return Ok(own);
    }
    if copied_run(&scene).is_some_and(|run| run != story.setup.run) {
        // They are another run's, and nobody may ever speak this one.
        [RECORDING, CAPTIONS].iter().try_for_each(|file| remove(&scene.join(file)))?;
    }
    put(&scene, &files)?;
    Ok(scene)
}

/// Puts copies of a run's recording beside those of its other files, if these are in the scene's folder. Gives the folder
/// in which to look, like [`write()`], and blocks like it.
pub fn copy_recording(data: &Path, setup: &Setup) -> Result<PathBuf, Error> {
    let (own, scene) = (run_folder(data, setup), scene_folder(data, setup));
    let _turn = take_turn(&scene.join("runs"))?;
    if copied_run(&scene) != Some(setup.run) {
        return Ok(own);
    }
    for file in [RECORDING, CAPTIONS] {
        let (from, to) = (own.join(file), scene.join(file));
        let mut new = scratch_file(&scene).map_err(at(&to))?;
        let mut recording = File::open(&from).map_err(at(&from))?;
        io::copy(&mut recording, &mut new).map_err(at(&to))?;
        new.persist(&to).map_err(|error| at(&to)(error.error))?;
    }
    Ok(scene)
}

/// The run whose copies stand in a scene's folder, if any do.
fn copied_run(scene: &Path) -> Option<RunId> {
    #[derive(serde::Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Copied {
        run_id: RunId,
    }
    let metadata = fs::read_to_string(scene.join("metadata.json")).ok()?;
    serde_json::from_str(&metadata).ok().map(|Copied { run_id }| run_id)
}

fn remove(path: &Path) -> Result<(), Error> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(at(path)(error)),
        _ => Ok(()),
    }
}

/// When the run finished whose copies stand in a scene's folder, if any do.
fn finished_at(scene: &Path) -> Option<i64> {
    let events = fs::read_to_string(scene.join("events.jsonl")).ok()?;
    let last: Record = serde_json::from_str(events.lines().last()?).ok()?;
    Some(last.at)
}

fn files(story: &Story, facts: &[Fact<SceneEvent>], records: &[Record]) -> [(&'static str, String); 4] {
    let mut metadata = serde_json::to_string_pretty(&metadata(story)).expect("metadata has only string keys");
    metadata.push('\n');
    [
        ("transcript.txt", transcript(story)),
        ("metadata.json", metadata),
        ("debug.log", debug_log(facts)),
        ("events.jsonl", records.iter().map(json_line).collect()),
    ]
}

/// A record as `events.jsonl` and exported logs have it, with the line break.
pub fn json_line(record: &Record) -> String {
    let line = serde_json::to_string(record).expect("records have only string keys");
    // Bodies are kept as they were stored. A line break in one is white space between values, since strings cannot
    // hold one unescaped.
    line.replace(['\n', '\r'], " ") + "\n"
}

fn put(folder: &Path, files: &[(&'static str, String)]) -> Result<(), Error> {
    fs::create_dir_all(folder).map_err(at(folder))?;
    files.iter().try_for_each(|(name, text)| replace(folder, &folder.join(name), text))
}

fn replace(folder: &Path, path: &Path, text: &str) -> Result<(), Error> {
    let mut new = scratch_file(folder).map_err(at(path))?;
    new.write_all(text.as_bytes()).map_err(at(path))?;
    new.persist(path).map_err(|error| at(path)(error.error))?;
    Ok(())
}

/// A file in the folder, gone again unless it is given a name.
pub(crate) fn scratch_file(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    // Temporary files are private by default; these become files like any other, for the user's umask to restrict.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder).map_err(|error| {
        // The name that a scratch file was to have tells nobody anything; callers name the file that is wanted.
        let text = error.to_string();
        let reason = text.split(" at path ").next().unwrap_or(&text);
        io::Error::new(error.kind(), reason)
    })
}

/// Waits until no other run of the scene puts its copies in place; the turn ends when the file is closed, also by the
/// death of the process.
fn take_turn(runs: &Path) -> Result<File, Error> {
    let path = runs.join(".lock");
    let file = File::create(&path).map_err(at(&path))?;
    file.lock().map_err(at(&path))?;
    Ok(file)
}

fn at(path: &Path) -> impl FnOnce(io::Error) -> Error {
    move |source| Error::Io { path: path.to_owned(), source }
}
