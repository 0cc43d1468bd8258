//! The scenes below a folder, found by looking.

use std::{
    fs,
    path::{Path, PathBuf},
};

use enact_drama::{Problem, scene::SceneConfig};
use enact_engine::project_files::{self, LARGEST_SCENE_BYTES};

/// A file that is a scene, or is meant to be one.
#[derive(Debug)]
pub(super) struct FoundScene {
    pub(super) file: PathBuf,
    pub(super) scene: Result<SceneConfig, Problem>,
}

/// How far down scenes are looked for: `stories/winter/the-lamp/scene.md` and some.
const DEEPEST: usize = 6;

/// How many files and folders are looked at: a home folder must not be searched for minutes.
const MOST_ENTRIES: usize = 20_000;

/// Folders that hold what was made or fetched, never scenes.
const PASSED_OVER: [&str; 3] = ["node_modules", "target", "venv"];

/// What a data folder is known by.
const DATABASE: &str = "enact.db";

/// All scenes in or below a folder, in the order of their paths. Hidden folders, data folders and links to
/// folders are passed over.
pub(super) fn find_scenes(folder: &Path) -> Vec<FoundScene> {
    let mut looked_at = 0;
    let mut found = Vec::new();
    look(folder, 0, &mut looked_at, &mut found);
    found
}

fn look(folder: &Path, depth: usize, looked_at: &mut usize, found: &mut Vec<FoundScene>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut entries: Vec<fs::DirEntry> = entries.flatten().take(MOST_ENTRIES).collect();
    if entries.iter().any(|entry| entry.file_name() == DATABASE) {
        return;
    }
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        *looked_at += 1;
        if *looked_at > MOST_ENTRIES {
            return;
        }
        let name = entry.file_name();
        let Some(name) = name.to_str().filter(|name| !name.starts_with('.')) else { continue };
        let path = if folder == Path::new(".") { PathBuf::from(name) } else { folder.join(name) };
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && depth < DEEPEST && !PASSED_OVER.contains(&name) => {
                look(&path, depth + 1, looked_at, found);
            }
            Ok(kind) if kind.is_dir() => {}
            _ => found.extend(scene_in(path)),
        }
    }
}

/// The scene in a file, if it is one or is meant to be.
fn scene_in(file: PathBuf) -> Option<FoundScene> {
    let is_json = file.extension().is_some_and(|extension| extension == "json");
    if !is_json && file.extension().is_none_or(|extension| extension != "md") {
        return None;
    }
    let text = project_files::read_text(&file, LARGEST_SCENE_BYTES).ok()?;
    if !names_a_cast(&text, is_json) {
        return None;
    }
    let scene = project_files::read_scene_file(&file);
    Some(FoundScene { file, scene })
}

/// Whether a text says who plays, in front matter or as a key of JSON beside a prompt. Other markdown and JSON
/// has neither.
pub(super) fn names_a_cast(text: &str, is_json: bool) -> bool {
    if is_json {
        return text.contains("\"characters\"") && text.contains("\"prompt\"");
    }
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let Some(matter) = text.strip_prefix("---") else { return false };
    matter.lines().skip(1).take_while(|line| line.trim_end() != "---").any(|line| {
        let (key, _) = line.split_once(':').unwrap_or_default();
        ["characters", "initialSpeaker", "cast", "actors"].contains(&key.trim())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scenes_are_told_from_other_files() {
        for (text, is_json, expected) in [
            ("---\ncharacters: [a, b]\n---\nx", false, true),
            ("\u{feff}---\r\nname: x\r\ncast: [a]\r\n---\r\n", false, true),
            ("---\nname: alice\nmodel: lead\n---\n# Alice", false, false),
            ("---\nname: x\n---\ncharacters: [a, b]", false, false),
            ("# Notes\n\ncharacters: many", false, false),
            (r#"{"prompt": "x", "characters": []}"#, true, true),
            (r#"{"characters": 3}"#, true, false),
            ("", false, false),
        ] {
            assert_eq!(names_a_cast(text, is_json), expected, "{text:?}");
        }
    }
}
