//! Whether a file is still the one that was opened. A database that is removed or replaced while it is open
//! goes on without a name: everything seems to be written, and is gone with the process.

use std::{fs, io, path::Path};

/// Tells a file from any other that has its name later.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FileId {
    #[cfg(unix)]
    device: u64,
    #[cfg(unix)]
    number: u64,
}

impl FileId {
    #[cfg(unix)]
    pub(super) fn of(path: &Path) -> io::Result<FileId> {
        use std::os::unix::fs::MetadataExt;
        let about = fs::metadata(path)?;
        Ok(FileId { device: about.dev(), number: about.ino() })
    }

    /// Elsewhere a file that is open cannot be removed.
    #[cfg(not(unix))]
    pub(super) fn of(path: &Path) -> io::Result<FileId> {
        fs::metadata(path).map(|_| FileId {})
    }
}
