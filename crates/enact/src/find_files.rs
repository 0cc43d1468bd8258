//! The files and folders below a folder, found by looking.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// How far down is looked: `stories/winter/the-lamp/scene.md` and some.
const DEEPEST: usize = 6;

/// How many files and folders are looked at: a home folder must not be searched for minutes.
const MOST_ENTRIES: usize = 20_000;

/// Folders that hold what was made or fetched.
const PASSED_OVER: [&str; 3] = ["node_modules", "target", "venv"];

/// What a data folder is known by.
const DATABASE: &str = "enact.db";

/// What lies in and below a folder, in the order of the paths.
#[derive(Debug, Default)]
pub(crate) struct FoundPaths {
    /// The folder itself first.
    pub(crate) folders: Vec<PathBuf>,
    pub(crate) files: Vec<PathBuf>,
}

/// Looks through a folder. Hidden folders, data folders and links to folders are passed over.
pub(crate) fn paths_below(folder: &Path) -> FoundPaths {
    let mut found = FoundPaths::default();
    look(folder, 0, &mut 0, &mut found);
    found
}

/// A path in a folder, without a leading `./`.
pub(crate) fn below(folder: &Path, name: &str) -> PathBuf {
    if folder == Path::new(".") { PathBuf::from(name) } else { folder.join(name) }
}

fn look(folder: &Path, depth: usize, looked_at: &mut usize, found: &mut FoundPaths) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut entries: Vec<fs::DirEntry> = entries.flatten().take(MOST_ENTRIES).collect();
    if entries.iter().any(|entry| entry.file_name() == DATABASE) {
        return;
    }
    found.folders.push(folder.to_owned());
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        *looked_at += 1;
        if *looked_at > MOST_ENTRIES {
            return;
        }
        let name = entry.file_name();
        let Some(name) = name.to_str().filter(|name| !name.starts_with('.')) else { continue };
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && depth < DEEPEST && !PASSED_OVER.contains(&name) => {
                look(&below(folder, name), depth + 1, looked_at, found);
            }
            Ok(kind) if kind.is_dir() => {}
            _ => found.files.push(below(folder, name)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_data_are_known_by_their_database_and_not_by_their_name() {
        let root = tempfile::tempdir().unwrap();
        for file in ["data/a.md", "kept/enact.db", "kept/b.md", ".git/c.md", "target/d.md", "e.md"] {
            let file = root.path().join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, "").unwrap();
        }
        let FoundPaths { folders, files } = paths_below(root.path());
        assert_eq!(folders, [root.path().to_owned(), root.path().join("data")]);
        assert_eq!(files, ["data/a.md", "e.md"].map(|file| root.path().join(file)));
    }
}
