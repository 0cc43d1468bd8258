//! What people can begin scenes with on a server: the project's characters and scenes, models, and examples.

use std::{fs, path::Path};

use enact_drama::{
    Name,
    scene::{SceneFormat, read_scene},
    sheet::Sheet,
};
use enact_engine::project_files::{self, SheetLinks};
use enact_server::scene::{OfferedCharacter, OfferedScene, ProjectOffers};

use super::super::find_scenes::find_scenes;
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
    ProjectOffers { characters, models, scenes }
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

/// The stories of the demos, to be played by whoever is chosen.
fn examples() -> Vec<OfferedScene> {
    let offered = DEMOS.iter().filter_map(|demo| {
        let config = read_scene(demo.scene, SceneFormat::Markdown { default_name: demo.name }).ok()?;
        let sheets = demo.sheets.iter().map(|(name, sheet)| ((*name).to_owned(), (*sheet).to_owned()));
        Some(OfferedScene { example: true, config, sheets: sheets.collect() })
    });
    offered.collect()
}
