//! Where a call lives: a private temporary folder, gone with the call.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
    process,
    sync::atomic::{AtomicU64, Ordering},
};

/// A folder that holds the system prompt and an empty folder to work in, so that the command finds no project.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
}

/// Names that may be taken already: by a process of the same id that was killed before it could tidy up. More of them
/// than this are no accident.
const TRIES: usize = 100;

/// Tells the folders of this process apart.
static NEXT: AtomicU64 = AtomicU64::new(0);

impl Folder {
    pub(super) fn create(system: &str) -> io::Result<Folder> {
        let folder = Folder { path: fresh()? };
        private().create(folder.empty())?;
        fs::write(folder.system(), system)?;
        Ok(folder)
    }

    /// Where the command works.
    pub(super) fn empty(&self) -> PathBuf {
        self.path.join("empty")
    }

    /// The file with the system prompt.
    pub(super) fn system(&self) -> PathBuf {
        self.path.join("system.txt")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What cannot be removed is a few kilobytes in a place that is tidied anyway.
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// A new folder that nobody else can look into. Creating it fails if the name exists, even as a link.
fn fresh() -> io::Result<PathBuf> {
    let parent = env::temp_dir();
    let mut tries = 0;
    loop {
        let path = named(&parent, NEXT.fetch_add(1, Ordering::Relaxed));
        match private().create(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && tries < TRIES => tries += 1,
            created => return created.map(|()| path),
        }
    }
}

fn named(parent: &Path, number: u64) -> PathBuf {
    parent.join(format!("enact-claude-{}-{number}", process::id()))
}

fn private() -> fs::DirBuilder {
    #[cfg_attr(not(unix), expect(unused_mut, reason = "only unix has modes"))]
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_holds_the_system_prompt_and_is_gone_afterwards() {
        let folder = Folder::create("You are Alice.").unwrap();
        assert_eq!(fs::read_to_string(folder.system()).unwrap(), "You are Alice.");
        assert_eq!(fs::read_dir(folder.empty()).unwrap().count(), 0);
        fs::write(folder.empty().join("left behind"), "").unwrap();
        let path = folder.path.clone();
        drop(folder);
        assert!(!path.exists());
    }

    #[cfg(unix)]
    #[test]
    fn nobody_else_can_look_into_it() {
        use std::os::unix::fs::PermissionsExt;
        let folder = Folder::create("").unwrap();
        assert_eq!(folder.path.metadata().unwrap().permissions().mode() & 0o777, 0o700);
    }

    #[test]
    fn folders_of_calls_at_once_are_different_ones() {
        let (one, other) = (Folder::create("").unwrap(), Folder::create("").unwrap());
        assert_ne!(one.path, other.path);
    }
}
