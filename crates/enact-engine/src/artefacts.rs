//! Files that runs leave behind for others to play: audio, and lists of it.

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

use crate::outputs::scratch_file;

/// The longest path: a session, a turn, and a name with an agent in it.
const LONGEST_PATH: usize = 300;

/// A folder of artefacts. Nothing is ever written or read outside it, whatever a path says.
#[derive(Debug, Clone)]
pub struct Artefacts {
    root: PathBuf,
}

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{0:?} is no path of an artefact")]
    NotAPath(String),
    #[error("there is no artefact {0}")]
    NotFound(String),
    #[error("the artefact {path} could not be kept: {error}")]
    Io { path: String, error: io::Error },
}

impl Artefacts {
    /// The folder is made when the first artefact is kept.
    pub fn in_folder(root: impl Into<PathBuf>) -> Artefacts {
        Artefacts { root: root.into() }
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Keeps a file, whole or not at all. `check` is given what was written, before anybody else can see it. Blocks.
    pub fn keep(
        &self,
        path: &str,
        bytes: &[u8],
        check: impl FnOnce(&Path) -> io::Result<()>,
    ) -> Result<(), Error> {
        let target = self.place(path)?;
        let kept = || -> io::Result<()> {
            let folder = target.parent().unwrap_or(&self.root);
            fs::create_dir_all(folder)?;
            let mut file = scratch_file(folder)?;
            file.write_all(bytes)?;
            file.flush()?;
            check(file.path())?;
            file.persist(&target)?;
            Ok(())
        };
        kept().map_err(|error| Error::Io { path: path.to_owned(), error })
    }

    /// Where an artefact lies that is there. Blocks.
    pub fn find(&self, path: &str) -> Result<PathBuf, Error> {
        let place = self.place(path)?;
        let not_found = |_| Error::NotFound(path.to_owned());
        let (place, root) =
            (place.canonicalize().map_err(not_found)?, self.root.canonicalize().map_err(not_found)?);
        // A link could lead elsewhere.
        if place.starts_with(root) && place.is_file() {
            Ok(place)
        } else {
            Err(Error::NotFound(path.to_owned()))
        }
    }

    /// Removes everything below a path. Blocks.
    pub fn remove_all(&self, path: &str) -> Result<(), Error> {
        match fs::remove_dir_all(self.place(path)?) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(Error::Io { path: path.to_owned(), error })
            }
            _ => Ok(()),
        }
    }

    fn place(&self, path: &str) -> Result<PathBuf, Error> {
        let plain = |part: &str| {
            let mut chars = part.chars();
            chars.next().is_some_and(|first| first.is_ascii_alphanumeric() || first == '_')
                && chars.all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_'))
        };
        if path.len() > LONGEST_PATH || !path.split('/').all(plain) {
            return Err(Error::NotAPath(path.chars().take(LONGEST_PATH).collect()));
        }
        Ok(path.split('/').fold(self.root.clone(), |place, part| place.join(part)))
    }
}
