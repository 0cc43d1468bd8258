//! The scenes below a folder, found by looking.

use std::path::{Path, PathBuf};

use enact_drama::{Problem, scene::SceneConfig};
use enact_engine::project_files::{self, LARGEST_SCENE_BYTES};

use crate::find_files::paths_below;

/// A file that is a scene, or is meant to be one.
#[derive(Debug)]
pub(super) struct FoundScene {
    pub(super) file: PathBuf,
    pub(super) scene: Result<SceneConfig, Problem>,
}

/// All scenes in or below a folder, in the order of their paths.
pub(super) fn find_scenes(folder: &Path) -> Vec<FoundScene> {
    paths_below(folder).files.into_iter().filter_map(scene_in).collect()
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
