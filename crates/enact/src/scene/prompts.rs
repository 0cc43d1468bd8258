//! The prompts of a scene: the built-in templates, and those that a project has instead.

use enact_drama::{
    Problem,
    scene::{ScenePrompts, SceneTemplate},
};

use crate::{
    config::Config,
    templates::{OwnTemplates, default_folder},
};

/// Beside the templates of a chorus.
const FOLDER: &str = "scene";

/// The prompts as this project has them, checked: what cannot be filled in is better known before the first
/// beat. With notes about files that may have been meant for templates.
pub(super) fn prompts(config: &Config) -> Result<(ScenePrompts, Vec<String>), Problem> {
    let mut prompts = ScenePrompts::default();
    let folder = default_folder(config).map(|folder| folder.join(FOLDER)).filter(|folder| folder.is_dir());
    let Some(folder) = folder else { return Ok((prompts, Vec::new())) };
    let own = OwnTemplates::read(config, folder, &SceneTemplate::ALL.map(SceneTemplate::file))?;
    for template in SceneTemplate::ALL {
        if let Some(source) = own.source(template.file()) {
            prompts.set(template, source);
        }
    }
    prompts.check().map_err(|problem| own.place(problem))?;
    Ok((prompts, own.notes))
}
