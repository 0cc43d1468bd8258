//! Other programs, which some adapters run: where they are, and how they end with all they have started.

use std::{
    env,
    ffi::OsStr,
    io,
    path::{Path, PathBuf},
    process::ExitStatus,
};

#[cfg(unix)]
use rustix::{
    io::Errno,
    process::{Pid, Signal, kill_process_group},
};
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWriteExt},
    process::{Child, ChildStdin, Command},
};

/// Looks for a program: along a search path if it is named without a folder. Found once and for all, so that
/// it stays the same whatever becomes of the working folder.
pub fn find(program: &Path, search: Option<&OsStr>) -> Option<PathBuf> {
    let found = if is_bare(program) {
        let folders = env::split_paths(search?).filter(|folder| !folder.as_os_str().is_empty());
        let suffixed = PathBuf::from(format!("{}{}", program.display(), env::consts::EXE_SUFFIX));
        let names = [program, &suffixed];
        folders.flat_map(|folder| names.map(|name| folder.join(name))).find(|path| is_executable(path))?
    } else {
        is_executable(program).then(|| program.to_owned())?
    };
    std::path::absolute(found).ok()
}

/// Whether a program is named without a folder, and so looked for along the search path.
pub fn is_bare(program: &Path) -> bool {
    program.file_name() == Some(program.as_os_str())
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|about| about.is_file() && about.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(path: &Path) -> bool {
    path.is_file()
}

/// The processes of a program that was started as a group of its own, by the number of the one that leads
/// them. Dropping it ends them all: the program may be a script that runs the real one, which would go on if
/// only the script were ended.
///
/// The number is the group's as long as its leader has not been waited for. Afterwards it may be given to
/// others, which takes the system a whole round of numbers: the caller that waits calls [`ProcessGroup::end`]
/// at once, and nothing later.
#[derive(Debug)]
pub struct ProcessGroup {
    #[cfg(unix)]
    leader: Option<Pid>,
}

impl ProcessGroup {
    /// The group that a process leads, if it was started with `process_group(0)`; nothing if it has been
    /// waited for already.
    #[cfg_attr(not(unix), allow(unused_variables, reason = "there are no groups"))]
    pub fn led_by(leader: Option<u32>) -> ProcessGroup {
        ProcessGroup {
            #[cfg(unix)]
            leader: leader.and_then(|number| Pid::from_raw(i32::try_from(number).ok()?)),
        }
    }

    /// Ends all that are left.
    pub fn end(&mut self) {
        #[cfg(unix)]
        if let Some(leader) = self.leader.take() {
            match kill_process_group(leader, Signal::KILL) {
                Ok(()) | Err(Errno::SRCH) => {}
                Err(error) => tracing::warn!(%error, "a program may still run: it could not be ended"),
            }
        }
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        self.end();
    }
}

/// Starts a program as a group of its own.
pub fn spawn_group(command: &mut Command) -> io::Result<(Child, ProcessGroup)> {
    #[cfg(unix)]
    command.process_group(0);
    let child = command.spawn()?;
    let group = ProcessGroup::led_by(child.id());
    Ok((child, group))
}

/// Writes all that a program is to read, and closes its input.
pub async fn write_input(stdin: Option<ChildStdin>, input: &[u8]) {
    let Some(mut stdin) = stdin else { return };
    // A program that does not read says itself why it has ended.
    let _ = stdin.write_all(input).await;
    let _ = stdin.shutdown().await;
}

/// Reads a stream to its end and keeps the last bytes of it, at most so many: the end of standard error is
/// where the reason is. What has been read stays in `tail`, even if this is dropped.
pub async fn read_tail(stream: Option<impl AsyncRead + Unpin>, most: usize, tail: &mut Vec<u8>) {
    let Some(mut stream) = stream else { return };
    let mut piece = [0; 1024];
    while let Ok(read @ 1..) = stream.read(&mut piece).await {
        tail.extend_from_slice(&piece[..read]);
        if let surplus @ 1.. = tail.len().saturating_sub(most) {
            // Not in the middle of a word, which may be one that is to be redacted.
            let whole = tail[surplus..].iter().position(u8::is_ascii_whitespace);
            tail.drain(..whole.map_or(tail.len(), |gap| surplus + gap));
        }
    }
}

/// How a program failed.
pub fn describe_failure(status: ExitStatus) -> String {
    match status.code() {
        Some(code) => format!("failed with exit code {code}"),
        None => "was ended by a signal".to_owned(),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::{
        fs,
        os::unix::fs::{PermissionsExt, symlink},
    };

    use super::*;

    #[tokio::test]
    async fn the_end_that_is_kept_begins_with_a_whole_word() {
        let told = format!("{} sk-secret went wrong", "x".repeat(5_000));
        let mut tail = Vec::new();
        // Its bound lies within the key.
        read_tail(Some(told.as_bytes()), "cret went wrong".len(), &mut tail).await;
        assert_eq!(String::from_utf8_lossy(&tail), " went wrong");
    }

    #[test]
    fn programs_are_found_along_the_path_if_they_can_be_run() {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path();
        for name in ["none", "plain", "runs"] {
            fs::create_dir(home.join(name)).unwrap();
        }
        fs::write(home.join("plain/speak"), "").unwrap();
        fs::set_permissions(home.join("plain/speak"), fs::Permissions::from_mode(0o644)).unwrap();
        symlink("/bin/sh", home.join("runs/speak")).unwrap();
        let path = |names: &[&str]| env::join_paths(names.iter().map(|name| home.join(name))).unwrap();

        for (names, found) in [
            (&["none"][..], None),
            (&["plain"], None),
            (&["none", "plain", "runs"], Some(home.join("runs/speak"))),
            (&[], None),
        ] {
            assert_eq!(find(Path::new("speak"), Some(&path(names))), found, "{names:?}");
        }
        assert_eq!(find(Path::new("speak"), None), None);
        // A folder, or a program that says where it is, is not searched for.
        assert_eq!(find(&home.join("runs"), Some(&path(&["runs"]))), None);
        assert_eq!(find(&home.join("runs/speak"), None), Some(home.join("runs/speak")));
    }
}
