//! Tests that fill a disk. It is a real one, in memory, which only the process of the test can see: no other
//! way of failing leaves a database as `ENOSPC` does.

use std::{
    env, fs,
    io::Write,
    path::{Path, PathBuf},
    process::Command,
};

use crate::own_process::run_in_own_process_through;

/// Where the disk of a child process is.
const FOLDER: &str = "ENACT_TEST_DISK";

/// Mounts a disk and starts what follows. It needs the right to do so in a namespace of its own, which Linux
/// gives to root and, unless it was told otherwise, to everyone; without it the test fails and says so.
const MOUNT: &str = r#"mount -t tmpfs -o "size=$1" tmpfs "$2" && shift 2 && exec "$@""#;

/// A disk that can be filled and emptied.
#[derive(Debug)]
pub struct SmallDisk {
    folder: PathBuf,
}

/// Runs a test again in a process of its own that has a disk of this size (`4m`) for itself, like
/// [`run_in_own_process`](crate::run_in_own_process). The disk is only there in that process.
pub fn run_on_small_disk(size: &str, test: &str) -> Option<SmallDisk> {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new("unshare");
    command.args(["--map-root-user", "--mount", "sh", "-c", MOUNT, "sh", size]);
    command.arg(folder.path()).env(FOLDER, folder.path());
    match run_in_own_process_through(command, test) {
        true => None,
        false => Some(SmallDisk { folder: PathBuf::from(env::var_os(FOLDER).unwrap()) }),
    }
}

impl SmallDisk {
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Takes all the room that is left.
    pub fn fill(&self) {
        let mut ballast = fs::File::create(self.ballast()).unwrap();
        // The last bytes in small pieces, so that nothing is left.
        for size in [64 * 1024, 4096, 512, 1] {
            let piece = vec![0; size];
            while ballast.write_all(&piece).is_ok() {}
        }
    }

    /// Gives the room back.
    pub fn empty(&self) {
        fs::remove_file(self.ballast()).unwrap();
    }

    fn ballast(&self) -> PathBuf {
        self.folder.join("ballast")
    }
}
