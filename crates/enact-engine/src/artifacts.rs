//! Files that runs leave behind for others to play: audio, and lists of it.

use std::{
    ffi::OsStr,
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use tempfile::NamedTempFile;

use crate::{outputs::scratch_file, private_files};

pub mod recordings;
pub(crate) mod retention;
mod shared;
#[cfg(test)]
mod tests;

pub use self::shared::{IfPresent, SharedArtifacts, SharedFile};

/// Where artifacts lie in a data folder, unless the operator says otherwise.
const ARTIFACTS_FOLDER: &str = "artifacts";
/// How the names of files begin that are still being written.
const SCRATCH: &str = ".tmp";
/// The longest path: a session, a turn, and a name with an agent in it.
const LONGEST_PATH: usize = 300;

/// A folder of artifacts. Nothing is ever written, read or removed outside it, whatever a path says and
/// whatever links lie in it.
#[derive(Debug, Clone)]
pub struct Artifacts {
    root: PathBuf,
    /// How long audio is kept; for ever without.
    keep_audio: Option<Duration>,
    /// What nodes share; nothing where the folder is all there is.
    shared: Option<Arc<dyn SharedArtifacts>>,
}

/// Whether the file was written or existed before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileWritten {
    New,
    /// The one that was there.
    Existed,
}

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{0:?} is no path of an artifact")]
    NotAPath(String),
    #[error("there is no artifact {0}")]
    NotFound(String),
    #[error("{path}: {error}")]
    Io { path: String, error: io::Error },
}

impl Artifacts {
    /// The folder is made when the first artifact is kept.
    pub fn in_folder(root: impl Into<PathBuf>) -> Artifacts {
        Artifacts { root: root.into(), keep_audio: None, shared: None }
    }

    /// Audio is removed once it is older than this, by every node that uses it.
    pub fn keep_audio(self, keep: Option<Duration>) -> Artifacts {
        Artifacts { keep_audio: keep, ..self }
    }

    /// How long audio is kept; for ever without.
    pub fn kept_for(&self) -> Option<Duration> {
        self.keep_audio
    }

    /// The usual place for them.
    pub fn of_data_folder(data_folder: &Path) -> Artifacts {
        Artifacts::in_folder(data_folder.join(ARTIFACTS_FOLDER))
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Keeps a file, whole or not at all. `check` is given what was written, before it can be seen. Blocks.
    pub fn write(
        &self,
        path: &str,
        bytes: &[u8],
        check: impl FnOnce(&Path) -> io::Result<()>,
    ) -> Result<(), Error> {
        let parts = split_path(path)?;
        let kept = || -> io::Result<()> {
            let (file, place) = self.write_scratch(&parts, bytes, check)?;
            file.persist(place)?;
            Ok(())
        };
        kept().map_err(|error| Error::Io { path: path.to_owned(), error })
    }

    /// The same, unless a file lies there already, which stays as it is. Says which. Blocks.
    pub fn write_if_absent(
        &self,
        path: &str,
        bytes: &[u8],
        check: impl FnOnce(&Path) -> io::Result<()>,
    ) -> Result<FileWritten, Error> {
        let parts = split_path(path)?;
        let kept = || -> io::Result<FileWritten> {
            let (file, place) = self.write_scratch(&parts, bytes, check)?;
            match file.persist_noclobber(&place) {
                Ok(_) => Ok(FileWritten::New),
                Err(_) if place.symlink_metadata().is_ok() => Ok(FileWritten::Existed),
                // Not every file system can refuse to replace a file.
                Err(refused) => {
                    refused.file.persist(place)?;
                    Ok(FileWritten::New)
                }
            }
        };
        kept().map_err(|error| Error::Io { path: path.to_owned(), error })
    }

    /// Whether anything could be kept here. Blocks.
    pub fn check(&self) -> io::Result<()> {
        scratch_file(&self.create_dirs(&[])?).map(drop)
    }

    /// Where an artifact lies that is there. Blocks.
    pub fn find(&self, path: &str) -> Result<PathBuf, Error> {
        let place = self.resolve(&split_path(path)?);
        place.filter(|place| place.is_file()).ok_or_else(|| Error::NotFound(path.to_owned()))
    }

    /// Removes everything below a path; where there is nothing, nothing happens. Blocks.
    pub fn remove_all(&self, path: &str) -> Result<(), Error> {
        let Some(place) = self.resolve(&split_path(path)?) else { return Ok(()) };
        match fs::remove_dir_all(place) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(Error::Io { path: path.to_owned(), error })
            }
            _ => Ok(()),
        }
    }

    /// Removes what processes that died were writing below a path. Blocks.
    pub fn remove_scratch(&self, path: &str) -> Result<(), Error> {
        let mut folders = Vec::from_iter(self.resolve(&split_path(path)?));
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                // Says what the entry itself is, so that no link leads out of here.
                match entry.file_type() {
                    Ok(kind) if kind.is_dir() => folders.push(entry.path()),
                    Ok(kind) if kind.is_file() && is_scratch(&entry.file_name()) => {
                        let at = |error| Error::Io { path: path.to_owned(), error };
                        fs::remove_file(entry.path()).map_err(at)?;
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }

    /// Writes a file that has no name yet, and says which one it gets.
    fn write_scratch(
        &self,
        parts: &[&str],
        bytes: &[u8],
        check: impl FnOnce(&Path) -> io::Result<()>,
    ) -> io::Result<(NamedTempFile, PathBuf)> {
        let (name, folders) = parts.split_last().ok_or(io::ErrorKind::InvalidInput)?;
        let folder = self.create_dirs(folders)?;
        let mut file = scratch_file(&folder)?;
        // Not persist()'s error: it contains the absolute path of the folder.
        file.as_file_mut().write_all(bytes)?;
        file.as_file_mut().flush()?;
        check(file.path())?;
        Ok((file, folder.join(name)))
    }

    /// A folder below the root, made as far as it is missing.
    fn create_dirs(&self, folders: &[&str]) -> io::Result<PathBuf> {
        // The root may be a link: it is the operator's, who may keep artifacts on another disk.
        private_files::create_dir_all(&self.root)?;
        folders.iter().try_fold(self.root.clone(), |above, folder| {
            let folder = above.join(folder);
            // One at a time, so that nothing is made on the other side of a link.
            match private_files::create_dir(&folder) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
                _ if is_link(&folder) => {
                    Err(io::Error::new(io::ErrorKind::InvalidInput, "a link lies in its way"))
                }
                _ => Ok(folder),
            }
        })
    }

    /// The place of something that is there, unless a link leads to it.
    fn resolve(&self, parts: &[&str]) -> Option<PathBuf> {
        parts.iter().try_fold(self.root.clone(), |above, part| {
            let place = above.join(part);
            (place.symlink_metadata().is_ok() && !is_link(&place)).then_some(place)
        })
    }
}

fn is_scratch(name: &OsStr) -> bool {
    name.to_str().is_some_and(|name| name.starts_with(SCRATCH))
}

fn is_link(place: &Path) -> bool {
    place.symlink_metadata().is_ok_and(|found| found.is_symlink())
}

/// The names a path is made of: plain ones, which mean the same on every system.
fn split_path(path: &str) -> Result<Vec<&str>, Error> {
    let plain = |part: &&str| {
        let mut chars = part.chars();
        chars.next().is_some_and(|first| first.is_ascii_alphanumeric() || first == '_')
            && chars.all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_'))
            && !part.ends_with('.')
    };
    let parts: Vec<&str> = path.split('/').collect();
    if path.len() > LONGEST_PATH || !parts.iter().all(plain) {
        return Err(Error::NotAPath(path.chars().take(LONGEST_PATH).collect()));
    }
    Ok(parts)
}
