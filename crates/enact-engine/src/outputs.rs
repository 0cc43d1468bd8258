//! A run's files for people and programs: transcript, metadata, debug log and events.
//!
//! A run writes into a folder of its own, so that earlier runs are kept. What stands in the scene's folder
//! are copies of the run that finished last. Every file is written beside its place and then moved there: a
//! reader sees the old file or the new one, never half of one.

use std::{
    fs::{self, File},
    io::{self, Read, Seek, Write},
    path::{Path, PathBuf},
};

use enact_drama::{
    Fact, Record, RunId,
    production::Report,
    record::readable_facts,
    scene::report::{SceneReport, SceneResult, debug_log},
    scene::{SceneEvent, SceneSetup},
    text::escaped_json,
};
use serde::{Deserialize, Serialize};

use crate::private_files;

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
pub fn run_folder(data: &Path, setup: &SceneSetup) -> PathBuf {
    scene_folder(data, setup).join("runs").join(setup.run.to_string())
}

/// Where the copies of the run that finished last stand.
pub fn scene_folder(data: &Path, setup: &SceneSetup) -> PathBuf {
    data.join("scenes").join(setup.name.as_str())
}

/// What a run has come to, and its files: its own and, if it is finished, the copies of its scene. The
/// result's path is where to look: the scene's folder, or that of the run while it is unfinished or a run
/// that finished later has its copies there.
///
/// The log is read, folded and rendered once for all of them. It blocks while it writes, and while another
/// run of the same scene puts its copies in place.
pub fn write(data: &Path, records: &[Record]) -> Result<(SceneReport, SceneResult), Error> {
    let facts: Vec<Fact<SceneEvent>> = readable_facts(records);
    let story = SceneReport::of(&facts).ok_or(Error::NotAScene)?;
    let result = SceneResult::of(&story, String::new());
    let files = files(&result, &facts, records);
    let folder = put_files(data, &story, &files, records.last().map_or(0, |last| last.at))?;
    Ok((story, SceneResult { output_path: folder.display().to_string(), ..result }))
}

fn put_files(
    data: &Path,
    story: &SceneReport,
    files: &[OutputFile],
    finished_at: i64,
) -> Result<PathBuf, Error> {
    let own = run_folder(data, &story.setup);
    put(&own, files)?;
    if story.ended.is_none() {
        return Ok(own);
    }
    let (run, scene) = (story.setup.run, scene_folder(data, &story.setup));
    // Two runs that finish together must not leave one's transcript beside the other's metadata.
    let mut copies = Copies::lock(&scene)?;
    if copies.of.is_some_and(|copied| copied.finished_at > finished_at) {
        return Ok(own);
    }
    if copies.of.is_none_or(|copied| copied.run != run) {
        // They are another run's, and this one may never be spoken.
        [RECORDING, CAPTIONS].iter().try_for_each(|file| remove(&scene.join(file)))?;
    }
    // A process that dies while it puts them there leaves copies of no known run, not of the one before.
    copies.forget()?;
    put(&scene, files)?;
    copies.are_of(Copied { run, finished_at })?;
    Ok(scene)
}

/// Puts copies of a run's recording beside those of its other files, if these are in the scene's folder.
/// Gives the folder in which to look, like [`write()`], and blocks like it.
pub fn copy_recording(data: &Path, setup: &SceneSetup) -> Result<PathBuf, Error> {
    let (own, scene) = (run_folder(data, setup), scene_folder(data, setup));
    [RECORDING, CAPTIONS].iter().for_each(|file| private_files::restrict_file(&own.join(file)));
    let copies = Copies::lock(&scene)?;
    if copies.of.is_none_or(|copied| copied.run != setup.run) {
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

/// The copies in a scene's folder, locked: no other run puts its own in place until this is dropped, also by
/// the death of the process. The lock file says which run they are of.
struct Copies {
    path: PathBuf,
    file: File,
    /// Nothing if there are none, or none that are known.
    of: Option<Copied>,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct Copied {
    run: RunId,
    /// UTC milliseconds.
    finished_at: i64,
}

impl Copies {
    fn lock(scene: &Path) -> Result<Copies, Error> {
        let path = scene.join("runs").join(".lock");
        private_files::create_file(&path).map_err(at(&path))?;
        let options = File::options().read(true).write(true).open(&path);
        let mut file = options.map_err(at(&path))?;
        file.lock().map_err(at(&path))?;
        let mut text = Vec::new();
        file.read_to_end(&mut text).map_err(at(&path))?;
        Ok(Copies { of: serde_json::from_slice(&text).ok(), path, file })
    }

    fn forget(&mut self) -> Result<(), Error> {
        self.file.set_len(0).and_then(|()| self.file.rewind()).map_err(at(&self.path))
    }

    fn are_of(&mut self, copied: Copied) -> Result<(), Error> {
        let text = serde_json::to_vec(&copied).expect("an id and a number");
        self.file.write_all(&text).map_err(at(&self.path))
    }
}

fn remove(path: &Path) -> Result<(), Error> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(at(path)(error)),
        _ => Ok(()),
    }
}

/// A name and its text.
type OutputFile = (&'static str, String);

fn files(result: &SceneResult, facts: &[Fact<SceneEvent>], records: &[Record]) -> [OutputFile; 4] {
    let metadata = serde_json::to_string_pretty(&result.metadata).expect("metadata has only string keys");
    let metadata = escaped_json(&metadata).into_owned() + "\n";
    [
        ("transcript.txt", result.transcript.clone()),
        ("metadata.json", metadata),
        ("debug.log", debug_log(facts)),
        ("events.jsonl", records.iter().map(json_line).collect()),
    ]
}

/// A record as `events.jsonl` and exported logs have it, with the line break.
pub fn json_line(record: &Record) -> String {
    let line = serde_json::to_string(record).expect("records have only string keys");
    // Bodies are kept as they were stored. A line break in one is white space between values, since strings
    // cannot hold one unescaped.
    escaped_json(&line.replace(['\n', '\r'], " ")).into_owned() + "\n"
}

fn put(folder: &Path, files: &[OutputFile]) -> Result<(), Error> {
    private_files::create_dir_all(folder).map_err(at(folder))?;
    files.iter().try_for_each(|(name, text)| replace(folder, &folder.join(name), text))
}

fn replace(folder: &Path, path: &Path, text: &str) -> Result<(), Error> {
    let mut new = scratch_file(folder).map_err(at(path))?;
    new.write_all(text.as_bytes()).map_err(at(path))?;
    new.persist(path).map_err(|error| at(path)(error.error))?;
    Ok(())
}

/// A file in the folder, gone again unless it is given a name. Like all temporary files it is its owner's alone,
/// and stays so.
pub(crate) fn scratch_file(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    make_scratch_file(&tempfile::Builder::new(), folder)
}

/// The same for a file that its user asked for by name: others may read it if the umask lets them.
pub fn scratch_file_with_umask(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    make_scratch_file(&builder, folder)
}

fn make_scratch_file(
    builder: &tempfile::Builder<'_, '_>,
    folder: &Path,
) -> io::Result<tempfile::NamedTempFile> {
    builder.tempfile_in(folder).map_err(|error| {
        // The name that a scratch file was to have means nothing; callers name the file that is wanted.
        let text = error.to_string();
        let reason = text.split(" at path ").next().unwrap_or(&text);
        io::Error::new(error.kind(), reason)
    })
}

fn at(path: &Path) -> impl FnOnce(io::Error) -> Error {
    move |source| Error::Io { path: path.to_owned(), source }
}
