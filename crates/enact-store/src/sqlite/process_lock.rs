//! Which processes are alive: one locked file per opened store.
//!
//! The operating system drops a file lock when its process dies, however it dies, so the runs of a killed
//! process are free at once. One lock serves all runs of an owner: a thousand runs must not need a thousand
//! descriptors.

use std::{
    fmt, fs,
    fs::{File, TryLockError},
    io,
    path::{Path, PathBuf},
};

use enact_engine::clock::unique_id;
use uuid::Uuid;

/// The ending of an owner's lock file; its stem is the owner's id.
const EXTENSION: &str = "lock";

/// Names an owner in the rows of the runs it plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct OwnerId(Uuid);

impl OwnerId {
    /// Reads what a row says. Rows are data: only a well-formed id may become a path.
    pub(super) fn parse(text: &str) -> Option<OwnerId> {
        Uuid::parse_str(text).ok().map(OwnerId)
    }

    /// Whether the process with this id is alive.
    pub(super) fn is_alive(self, owners: &Path) -> io::Result<bool> {
        is_locked(&self.path(owners))
    }

    /// Removes what a dead owner left behind.
    pub(super) fn remove(self, owners: &Path) {
        // Another process may have been quicker, and a file left behind only costs its name in the folder.
        let _ = fs::remove_file(self.path(owners));
    }

    fn path(self, owners: &Path) -> PathBuf {
        owners.join(self.0.to_string()).with_extension(EXTENSION)
    }
}

impl fmt::Display for OwnerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A living owner. Its lock is held before its id is written to any row, and given back when this is dropped.
#[derive(Debug)]
pub(super) struct ProcessLock {
    id: OwnerId,
    path: PathBuf,
    /// Held for its lock; never read or written.
    _lock: File,
}

impl ProcessLock {
    /// Enters a new owner. The caller holds the folder's opening lock: between making the file and locking
    /// it, a [`remove_stale`] would take it for a dead owner's.
    pub(super) fn acquire(owners: &Path) -> io::Result<ProcessLock> {
        let id = OwnerId(unique_id());
        let path = id.path(owners);
        let lock = File::create_new(&path)?;
        lock.try_lock()?;
        Ok(ProcessLock { id, path, _lock: lock })
    }

    pub(super) fn id(&self) -> OwnerId {
        self.id
    }
}

impl Drop for ProcessLock {
    fn drop(&mut self) {
        // A missing file is a dead owner, just as an unlocked one is.
        let _ = fs::remove_file(&self.path);
    }
}

/// Removes the lock files of the dead. The caller holds the folder's opening lock.
pub(super) fn remove_stale(owners: &Path) -> io::Result<()> {
    for entry in fs::read_dir(owners)? {
        let path = entry?.path();
        if path.extension().is_some_and(|e| e == EXTENSION) && !is_locked(&path)? {
            let _ = fs::remove_file(&path);
        }
    }
    Ok(())
}

fn is_locked(path: &Path) -> io::Result<bool> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(e) => return Err(e),
    };
    // A shared lock: two processes that look at once must not take each other for the owner.
    match file.try_lock_shared() {
        Ok(()) => Ok(false),
        Err(TryLockError::WouldBlock) => Ok(true),
        Err(TryLockError::Error(e)) => Err(e),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_owner_lives_until_it_is_dropped() {
        let owners = tempfile::tempdir().unwrap();
        let owner = ProcessLock::acquire(owners.path()).unwrap();
        let id = owner.id();
        assert!(id.is_alive(owners.path()).unwrap());
        assert!(id.is_alive(owners.path()).unwrap(), "looking leaves the lock alone");
        drop(owner);
        assert!(!id.is_alive(owners.path()).unwrap());
    }

    #[test]
    fn a_lock_file_without_a_lock_is_a_dead_owners() {
        let owners = tempfile::tempdir().unwrap();
        let dead = OwnerId(Uuid::now_v7());
        File::create(dead.path(owners.path())).unwrap();
        assert!(!dead.is_alive(owners.path()).unwrap());
    }

    #[test]
    fn stale_locks_are_removed_and_nothing_else() {
        let owners = tempfile::tempdir().unwrap();
        let living = ProcessLock::acquire(owners.path()).unwrap();
        let dead = OwnerId(Uuid::now_v7());
        File::create(dead.path(owners.path())).unwrap();
        File::create(owners.path().join("notes.txt")).unwrap();
        remove_stale(owners.path()).unwrap();
        assert!(living.id().is_alive(owners.path()).unwrap());
        assert!(!dead.path(owners.path()).exists());
        assert!(owners.path().join("notes.txt").exists());
    }

    #[test]
    fn what_a_row_says_becomes_a_path_only_if_it_is_an_id() {
        assert_eq!(OwnerId::parse("../../etc/passwd"), None);
        let id = OwnerId(Uuid::now_v7());
        assert_eq!(OwnerId::parse(&id.to_string()), Some(id));
    }
}
