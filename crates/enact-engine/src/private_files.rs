//! Folders and files that are their owner's alone.
//!
//! A data folder holds everything that was said, and what people wrote to a chorus. What this makes is closed
//! to other users of the machine, whatever the umask says. Folders that exist keep their rights: their owner
//! may have opened them on purpose.

use std::{fs, io, path::Path};

/// Makes a folder, and those above it that are missing.
pub fn create_dir_all(folder: &Path) -> io::Result<()> {
    private_folders().recursive(true).create(folder)
}

/// Makes one folder.
pub fn create_dir(folder: &Path) -> io::Result<()> {
    private_folders().create(folder)
}

/// Makes an empty file where there is none.
pub fn create_file(file: &Path) -> io::Result<()> {
    let mut options = fs::OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(file).map(drop)
}

/// Takes the rights to a file from all others, if it is there and ours. One that belongs to another user is
/// left as it is.
pub fn restrict_file(file: &Path) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        const GROUP_AND_OTHERS: u32 = 0o077;
        let mode = fs::metadata(file).map(|found| found.permissions().mode());
        if let Ok(mode) = mode
            && mode & GROUP_AND_OTHERS != 0
        {
            let _ = fs::set_permissions(file, fs::Permissions::from_mode(mode & !GROUP_AND_OTHERS));
        }
    }
    #[cfg(not(unix))]
    let _ = file;
}

fn private_folders() -> fs::DirBuilder {
    #[cfg_attr(not(unix), expect(unused_mut, reason = "only Unix has modes"))]
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn what_is_made_is_private_and_what_is_there_stays() {
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        let home = tempfile::tempdir().unwrap();
        let open = home.path().join("open");
        fs::create_dir(&open).unwrap();
        fs::set_permissions(&open, fs::Permissions::from_mode(0o755)).unwrap();

        let made = open.join("a/b");
        create_dir_all(&made).unwrap();
        create_dir_all(&made).unwrap();
        create_dir(&made.join("c")).unwrap();
        assert!(create_dir(&made.join("c")).is_err());
        assert_eq!(
            [mode(&open), mode(&open.join("a")), mode(&made), mode(&made.join("c"))],
            [0o755, 0o700, 0o700, 0o700]
        );

        let file = made.join("file");
        create_file(&file).unwrap();
        assert_eq!(mode(&file), 0o600);
        fs::write(&file, "kept").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o664)).unwrap();
        create_file(&file).unwrap();
        restrict_file(&file);
        restrict_file(&made.join("missing"));
        assert_eq!((mode(&file), fs::read_to_string(&file).unwrap().as_str()), (0o600, "kept"));
    }
}
