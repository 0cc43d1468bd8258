//! How long audio is kept. What was said stays in the log, and in the list of a run's files; only the sound
//! goes.

use std::{
    collections::BTreeSet,
    fs, io,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    thread,
    time::{Duration, SystemTime},
};

use futures::TryStreamExt;
use serde_json::{Map, Value};

use super::{Artifacts, IfPresent, SharedArtifacts, is_link};

#[cfg(test)]
mod tests;

/// What files end in that are audio.
const AUDIO_EXTENSION: &str = "wav";
/// What lists of files end in.
const MANIFEST_EXTENSION: &str = "json";
/// In a manifest, where a file is named, and why there is none.
const AUDIO_PATH: &str = "audioPath";
const AUDIO_ERROR: &str = "audioError";
/// What is told of a file that is gone, and means nothing without it.
const AUDIO_KEYS: [&str; 2] = ["spokenBy", "durationMs"];

/// How often is looked for old files: a twentieth of the time they are kept, within these.
const INTERVALS: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(3600));
/// After removing so many files a pass pauses, so that a disk which is busy with a million of them can still
/// take new ones.
const BATCH: usize = 200;
const BATCH_PAUSE: Duration = Duration::from_millis(50);

/// Removes audio once it is older than it is kept, for as long as this is polled.
pub(crate) async fn remove_old_audio(artifacts: Artifacts, keep: Duration) {
    loop {
        let pass = StopOnDrop::default();
        let (shared, before) = (artifacts.shared.clone(), SystemTime::now().checked_sub(keep));
        let before = before.unwrap_or(SystemTime::UNIX_EPOCH);
        let (artifacts, stopped) = (artifacts.clone(), pass.0.clone());
        let removed = tokio::task::spawn_blocking(move || {
            Pass { artifacts: &artifacts, before, stopped: &stopped, removed: 0 }.run()
        });
        match removed.await {
            Ok(Ok(0)) => {}
            Ok(Ok(files)) => tracing::info!(files, "old audio was removed"),
            Ok(Err(error)) => tracing::warn!(%error, "old audio could not be removed"),
            Err(error) => tracing::warn!(%error, "old audio may still be there"),
        }
        if let Some(shared) = &shared {
            match remove_old_shared(&**shared, before).await {
                Ok(0) => {}
                Ok(files) => tracing::info!(files, "old audio was removed from the store"),
                Err(error) => tracing::warn!(%error, "old audio could not be removed from the store"),
            }
        }
        tokio::time::sleep((keep / 20).clamp(INTERVALS.0, INTERVALS.1)).await;
    }
}

/// Ends a pass when the task that waits for it is dropped: threads cannot be stopped from outside.
#[derive(Default)]
struct StopOnDrop(Arc<AtomicBool>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

/// One look at everything that is kept. Blocks.
struct Pass<'a> {
    artifacts: &'a Artifacts,
    /// What was last changed before this is old.
    before: SystemTime,
    stopped: &'a AtomicBool,
    removed: usize,
}

impl Pass<'_> {
    /// Says how many files it removed.
    fn run(mut self) -> io::Result<usize> {
        let root = self.artifacts.root().to_owned();
        let old = self.look(&root)?;
        self.remove(old)?;
        Ok(self.removed)
    }

    /// Looks at a folder and all below it. Gives back what is old and stands in no manifest up to here.
    fn look(&mut self, folder: &Path) -> io::Result<Vec<PathBuf>> {
        let (mut old, mut manifests) = (Vec::new(), Vec::new());
        for entry in entries(folder)? {
            if self.stopped.load(Relaxed) {
                return Ok(Vec::new());
            }
            match entry.extension().and_then(|end| end.to_str()) {
                _ if is_link(&entry) => {}
                _ if entry.is_dir() => old.extend(self.look(&entry)?),
                Some(AUDIO_EXTENSION) if self.is_old(&entry) => old.push(entry),
                Some(MANIFEST_EXTENSION) => manifests.push(entry),
                _ => {}
            }
        }
        if old.is_empty() || manifests.is_empty() {
            return Ok(old);
        }
        // First the lists, then the files: a reader never finds less than a list says, and a process
        // that dies in between has the files removed by the next.
        let paths: BTreeSet<String> = old.iter().filter_map(|file| self.path_of(file)).collect();
        for manifest in manifests {
            self.rewrite(&manifest, &paths)?;
        }
        self.remove(old)?;
        Ok(Vec::new())
    }

    fn is_old(&self, file: &Path) -> bool {
        fs::metadata(file).and_then(|found| found.modified()).is_ok_and(|changed| changed < self.before)
    }

    /// The path by which runs and clients know a file.
    fn path_of(&self, file: &Path) -> Option<String> {
        let parts = file.strip_prefix(self.artifacts.root()).ok()?.iter();
        parts.map(|part| part.to_str()).collect::<Option<Vec<_>>>().map(|parts| parts.join("/"))
    }

    /// Has a manifest say that files are gone.
    fn rewrite(&self, manifest: &Path, gone: &BTreeSet<String>) -> io::Result<()> {
        // One that cannot be read as such names no files.
        let Ok(mut listed) = serde_json::from_slice::<Value>(&fs::read(manifest)?) else { return Ok(()) };
        if !forget(&mut listed, gone) {
            return Ok(());
        }
        let Some(path) = self.path_of(manifest) else { return Ok(()) };
        let text = serde_json::to_vec_pretty(&listed)?;
        self.artifacts.write(&path, &text, |_| Ok(())).map_err(io::Error::other)
    }

    fn remove(&mut self, files: Vec<PathBuf>) -> io::Result<()> {
        for file in files {
            match fs::remove_file(&file) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => self.removed += 1,
            }
            // The folder of a turn goes with its last file; one that is not empty stays.
            if let Some(folder) = file.parent().filter(|folder| *folder != self.artifacts.root()) {
                let _ = fs::remove_dir(folder);
            }
            if self.removed.is_multiple_of(BATCH) {
                thread::sleep(BATCH_PAUSE);
            }
        }
        Ok(())
    }
}

/// The same for what nodes share, whose own folders are looked at besides. Lists go by path, so that
/// `session.json` comes before the folders of its turns.
async fn remove_old_shared(shared: &dyn SharedArtifacts, before: SystemTime) -> io::Result<usize> {
    let mut files = shared.list("");
    let (mut session, mut removed) = (SharedSession::default(), 0);
    while let Some(file) = files.try_next().await? {
        let is_manifest = file.path.ends_with(".json");
        if is_manifest || !session.holds(&file.path) {
            removed += std::mem::take(&mut session).remove(shared).await?;
        }
        if is_manifest {
            session.manifest = Some(file.path);
        } else if file.path.ends_with(".wav") && file.changed < before {
            session.old.push(file.path);
        }
    }
    Ok(removed + session.remove(shared).await?)
}

/// A manifest, and what is old of the files below its folder.
#[derive(Debug, Default)]
struct SharedSession {
    manifest: Option<String>,
    old: Vec<String>,
}

impl SharedSession {
    fn holds(&self, path: &str) -> bool {
        let folder = self.manifest.as_deref().and_then(|manifest| Some(manifest.rsplit_once('/')?.0));
        folder.is_some_and(|folder| path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/')))
    }

    /// First the list, then the files, as in a folder.
    async fn remove(self, shared: &dyn SharedArtifacts) -> io::Result<usize> {
        if self.old.is_empty() {
            return Ok(0);
        }
        if let Some(manifest) = &self.manifest
            && let Some((text, _)) = shared.get(manifest).await?
            && let Ok(mut listed) = serde_json::from_slice::<Value>(&text)
            && forget(&mut listed, &self.old.iter().cloned().collect())
        {
            shared.put(manifest, serde_json::to_vec_pretty(&listed)?, IfPresent::Replace).await?;
        }
        for path in &self.old {
            shared.remove(path).await?;
        }
        tokio::time::sleep(BATCH_PAUSE).await;
        Ok(self.old.len())
    }
}

/// What is in a folder, which may be gone by now.
fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    match fs::read_dir(folder) {
        Ok(entries) => entries.map(|entry| Ok(entry?.path())).collect(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

/// Replaces the names of files by the reason why they cannot be heard, wherever they stand. Says whether
/// there were any.
fn forget(listed: &mut Value, gone: &BTreeSet<String>) -> bool {
    match listed {
        Value::Array(items) => items.iter_mut().fold(false, |any, item| forget(item, gone) | any),
        Value::Object(entry) => {
            let here = entry.get(AUDIO_PATH).and_then(Value::as_str).is_some_and(|path| gone.contains(path));
            if here {
                forget_entry(entry);
            }
            entry.values_mut().fold(here, |any, item| forget(item, gone) | any)
        }
        _ => false,
    }
}

fn forget_entry(entry: &mut Map<String, Value>) {
    entry.remove(AUDIO_PATH);
    for about in AUDIO_KEYS {
        entry.remove(about);
    }
    let reason = "the audio is gone: it was older than audio is kept here";
    entry.insert(AUDIO_ERROR.to_owned(), reason.into());
}
