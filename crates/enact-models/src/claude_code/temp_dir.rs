//! The private temporary directory of a call, gone with the call.

use std::{fs, io, path::PathBuf};

use tempfile::TempDir;

/// A directory that holds the system prompt and an empty directory to work in, so that the command finds no
/// project. No other user can read it.
#[derive(Debug)]
pub(super) struct CallDir(TempDir);

impl CallDir {
    pub(super) fn create(system: &str) -> io::Result<CallDir> {
        let mut builder = tempfile::Builder::new();
        builder.prefix("enact-claude-");
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
        let dir = CallDir(builder.tempdir()?);
        fs::create_dir(dir.empty())?;
        fs::write(dir.system(), system)?;
        Ok(dir)
    }

    /// Where the command works.
    pub(super) fn empty(&self) -> PathBuf {
        self.0.path().join("empty")
    }

    /// The file with the system prompt.
    pub(super) fn system(&self) -> PathBuf {
        self.0.path().join("system.txt")
    }
}

#[cfg(test)]
mod tests;
