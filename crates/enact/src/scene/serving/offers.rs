//! What people can begin scenes with on a server: the project's characters and scenes, models, and examples.

use std::{fs, path::Path};

use enact_drama::{
    Name,
    scene::{SceneFormat, read_scene},
    sheet::Sheet,
    voice::VoiceProfile,
};
use enact_engine::project_files::{self, SheetLinks};
use enact_server::scene::{EditedKind, OfferedCharacter, OfferedScene, ProjectFile, ProjectOffers};

use super::{
    super::find_scenes::{FoundScene, find_scenes},
    SHEETS,
};
use crate::{
    ServedProject,
    config::{HUMAN, IMPROVISER},
    demos::DEMOS,
};

/// More than a person looks through.
const MOST_CHARACTERS: usize = 500;
const MOST_SCENES: usize = 100;

pub(super) fn offers(project: &ServedProject, cast_dir: Option<&Path>) -> ProjectOffers {
    let characters = cast_dir.map(characters).unwrap_or_default();
    let configured = project.config().models.iter().map(|model| model.name.as_str());
    let models = [IMPROVISER, HUMAN].into_iter().chain(configured).map(str::to_owned).collect();
    let mut scenes = cast_dir.map(|folder| scenes(folder, &characters)).unwrap_or_default();
    scenes.extend(examples());
    let voices = VoiceProfile::ALL.map(|profile| profile.as_str().to_owned()).into();
    ProjectOffers { editable: project.is_editable(), voices, characters, models, scenes }
}

/// Where a sheet or a scene of the project is, or would be: a scene that is nowhere yet in the folder `scenes`.
pub(super) fn project_file(cast_dir: &Path, kind: EditedKind, name: &Name) -> ProjectFile {
    let project = match cast_dir.ends_with(SHEETS) {
        true => project_files::project_of(cast_dir),
        false => cast_dir,
    };
    // The empty path is the folder that is served.
    let project = if project.as_os_str().is_empty() { Path::new(".") } else { project };
    let path = match kind {
        EditedKind::Sheets => cast_dir.join(format!("{name}.md")),
        EditedKind::Scenes => {
            let is_it = |found: &FoundScene| {
                let named = found.scene.as_ref().is_ok_and(|scene| scene.name == name.as_str());
                named
                    || (found.scene.is_err()
                        && found.file.file_stem().is_some_and(|stem| stem == name.as_str()))
            };
            let is_markdown = |found: &FoundScene| found.file.extension().is_some_and(|end| end == "md");
            let found = find_scenes(project).into_iter().find(|found| is_markdown(found) && is_it(found));
            found.map_or_else(|| project.join("scenes").join(format!("{name}.md")), |found| found.file)
        }
    };
    ProjectFile { project: project.to_owned(), path }
}

/// Whose sheets can be read, by name. What is wrong with another is said when it is asked for.
fn characters(folder: &Path) -> Vec<OfferedCharacter> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<Name> = entries
        .filter_map(|entry| {
            let file = entry.file_name();
            Name::new(file.to_str()?.strip_suffix(".md")?).ok()
        })
        .take(MOST_CHARACTERS)
        .collect();
    names.sort();
    names.into_iter().filter_map(|name| character(folder, name)).collect()
}

fn character(folder: &Path, name: Name) -> Option<OfferedCharacter> {
    let links = SheetLinks::Within { folder: project_files::project_of(folder), hint: "" };
    let loaded = project_files::load_sheets(folder, &[name], links).ok()?;
    let (name, text) = loaded.into_iter().next()?;
    let sheet = Sheet::read(name.as_str(), &text).ok()?;
    let about = sheet.title.or(sheet.description).unwrap_or_default();
    Some(OfferedCharacter { name: name.to_string(), display: sheet.display, about })
}

/// The project's scenes that can be played with its sheets.
fn scenes(cast_dir: &Path, characters: &[OfferedCharacter]) -> Vec<OfferedScene> {
    let is_there = |name: &String| characters.iter().any(|known| known.name == *name);
    find_scenes(project_files::project_of(cast_dir))
        .into_iter()
        .filter_map(|found| found.scene.ok())
        .filter(|config| config.characters.iter().all(is_there))
        .take(MOST_SCENES)
        .map(|config| OfferedScene { example: false, config, sheets: Default::default() })
        .collect()
}

/// The stories of the demos, playable with any model.
fn examples() -> Vec<OfferedScene> {
    let offered = DEMOS.iter().filter_map(|demo| {
        let config = read_scene(demo.scene, SceneFormat::Markdown { default_name: demo.name }).ok()?;
        let sheets = demo.sheets.iter().map(|(name, sheet)| ((*name).to_owned(), (*sheet).to_owned()));
        Some(OfferedScene { example: true, config, sheets: sheets.collect() })
    });
    offered.collect()
}
