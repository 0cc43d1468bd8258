//! Which files are checked, and what each of them is.

use std::{
    fs,
    path::{Path, PathBuf},
};

use enact_drama::Problem;
use enact_engine::project_files::{self, LARGEST_SCENE_BYTES};

use crate::{CliContext, find_files::below};

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
    Configuration,
    /// A file of another production, by its name.
    OfProduction(&'static str),
}

const CONFIGURATION: &str = "enact.toml";
const SHEETS: &str = ".claude/agents";

/// The files that are named, those in and below folders that are named or, where nothing is, in and below the
/// working folder. A configuration that is named for the command is checked as well.
pub(super) fn files_to_check(
    named: &[PathBuf],
    context: &CliContext<'_>,
) -> Result<Vec<CheckedFile>, Problem> {
    let mut files: Vec<CheckedFile> = Vec::new();
    let mut add = |file: CheckedFile| {
        if !files.iter().any(|known| known.path == file.path) {
            files.push(file);
        }
    };
    if let Some(file) = context.config {
        add(CheckedFile { path: file.to_owned(), kind: CheckedKind::Configuration });
    }
    let here = [PathBuf::from(".")];
    for path in if named.is_empty() { &here } else { named } {
        if path.is_dir() {
            in_folder(path, context)?.into_iter().for_each(&mut add);
        } else {
            let of_production =
                context.registry.all().find(|production| production.check_file(path).is_some());
            let kind = match of_production {
                Some(production) => CheckedKind::OfProduction(production.name()),
                None => kind_of(path),
            };
            add(CheckedFile { kind, path: path.clone() });
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
    let text = project_files::read_text(path, LARGEST_SCENE_BYTES).unwrap_or_default();
    let among_sheets = path.parent().is_some_and(|folder| folder.ends_with(SHEETS));
    match names_a_cast(&text, false) {
        false if among_sheets || text.trim_start().starts_with('#') => CheckedKind::Sheet,
        _ => CheckedKind::Scene,
    }
}

/// The configuration of a folder, its scenes and its sheets, whether or not a scene casts them.
fn in_folder(folder: &Path, context: &CliContext<'_>) -> Result<Vec<CheckedFile>, Problem> {
    let mut files = Vec::new();
    let configuration = below(folder, CONFIGURATION);
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
    for production in context.registry.all() {
        let kind = CheckedKind::OfProduction(production.name());
        let own = production.files_to_check(folder);
        files.extend(own.into_iter().map(|path| CheckedFile { path, kind }));
    }
    sheets.push(below(folder, SHEETS));
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
