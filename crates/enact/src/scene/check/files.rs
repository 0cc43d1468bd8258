//! Which files are checked, and what each of them is.

use std::{
    fs,
    path::{Path, PathBuf},
};

use enact_drama::Problem;
use enact_engine::project_files;

use super::super::{
    args::folder_of,
    find_scenes::{find_scenes, names_a_cast},
};

/// A file, and what it is checked as.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct CheckedFile {
    pub(super) path: PathBuf,
    pub(super) kind: CheckedKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CheckedKind {
    Scene,
    Sheet,
    Field,
    Configuration,
}

const CONFIGURATION: &str = "enact.toml";
const SHEETS: &str = ".claude/agents";

/// The files that are named, those in and below folders that are named or, where nothing is, in and below the
/// working folder. A configuration that is named for the command is checked as well.
pub(super) fn files_to_check(
    named: &[PathBuf],
    configuration: Option<&Path>,
) -> Result<Vec<CheckedFile>, Problem> {
    let mut files: Vec<CheckedFile> = Vec::new();
    let mut add = |file: CheckedFile| {
        if !files.iter().any(|known| known.path == file.path) {
            files.push(file);
        }
    };
    if let Some(file) = configuration {
        add(CheckedFile { path: file.to_owned(), kind: CheckedKind::Configuration });
    }
    let here = [PathBuf::from(".")];
    for path in if named.is_empty() { &here } else { named } {
        if path.is_dir() {
            in_folder(path)?.into_iter().for_each(&mut add);
        } else {
            add(CheckedFile { kind: kind_of(path), path: path.clone() });
        }
    }
    Ok(files)
}

fn kind_of(path: &Path) -> CheckedKind {
    let ends_in = |end: &str| path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(end));
    if ends_in("toml") {
        return CheckedKind::Configuration;
    }
    if ends_in("json") {
        return CheckedKind::Scene;
    }
    // What cannot be read is reported by its reader.
    let text = fs::read_to_string(path).unwrap_or_default();
    if is_field(&text) {
        return CheckedKind::Field;
    }
    let among_sheets = path.parent().is_some_and(|folder| folder.ends_with(SHEETS));
    match names_a_cast(&text, false) {
        false if among_sheets || text.trim_start().starts_with('#') => CheckedKind::Sheet,
        _ => CheckedKind::Scene,
    }
}

/// The markdown files of a folder, in order.
fn markdown_in(folder: &Path) -> Vec<PathBuf> {
    let paths = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut paths: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|end| end == "md")).collect();
    paths.sort();
    paths
}

/// Whether a text is that of a field: its map stands in a block of its own.
fn is_field(text: &str) -> bool {
    text.starts_with("---") && text.lines().any(|line| line.trim_end() == "```map")
}

/// The configuration of a folder, its scenes and its sheets, whether or not a scene casts them.
fn in_folder(folder: &Path) -> Result<Vec<CheckedFile>, Problem> {
    let below = |name: &str| if folder == Path::new(".") { PathBuf::from(name) } else { folder.join(name) };
    let mut files = Vec::new();
    let configuration = below(CONFIGURATION);
    if configuration.is_file() {
        files.push(CheckedFile { path: configuration, kind: CheckedKind::Configuration });
    }
    let (mut cast, mut sheets) = (Vec::new(), Vec::new());
    for found in find_scenes(folder) {
        let home = found.file.parent().unwrap_or(Path::new(""));
        if let (Ok(scene), Some(agents)) =
            (&found.scene, project_files::find_cast_dir(folder_of(&found.file)))
        {
            cast.extend(scene.characters.iter().map(|name| (agents.clone(), name.to_lowercase())));
            sheets.push(home.join(SHEETS));
        }
        files.push(CheckedFile { path: found.file, kind: CheckedKind::Scene });
    }
    for field in [below("field.md")].into_iter().chain(markdown_in(&below("fields"))) {
        if fs::read_to_string(&field).is_ok_and(|text| is_field(&text)) {
            files.push(CheckedFile { path: field, kind: CheckedKind::Field });
        }
    }
    sheets.push(below(SHEETS));
    sheets.sort();
    sheets.dedup();
    for agents in sheets.into_iter().filter(|agents| agents.is_dir()) {
        let absolute = std::path::absolute(&agents).unwrap_or_else(|_| agents.clone());
        let mut names: Vec<_> = fs::read_dir(&agents).into_iter().flatten().flatten().collect();
        names.sort_by_key(fs::DirEntry::file_name);
        for entry in names {
            let name = entry.file_name().to_string_lossy().into_owned();
            let Some(stem) = name.strip_suffix(".md").filter(|stem| !stem.starts_with('.')) else { continue };
            // A sheet that is cast is checked with its scene.
            if !cast.contains(&(absolute.clone(), stem.to_lowercase())) {
                files.push(CheckedFile { path: agents.join(name), kind: CheckedKind::Sheet });
            }
        }
    }
    if files.is_empty() {
        return Err(Problem::config("there is nothing to check in this folder")
            .in_file(folder.display())
            .hint("`enact new my-story` makes a story project"));
    }
    Ok(files)
}
