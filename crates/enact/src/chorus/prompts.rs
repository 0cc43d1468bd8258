//! The prompts of a chorus: the built-in templates, and those that a project has instead.

use std::path::Path;

use enact_drama::{
    Problem,
    chorus::{Prompts, Template},
};

use crate::{
    config::Config,
    templates::{OwnTemplates, default_folder},
};

/// The prompts as this project has them, checked: what cannot be filled in is better known before the first
/// message. With notes about files that may have been meant for templates.
pub(super) fn prompts(config: &Config) -> Result<(Prompts, Vec<String>), Problem> {
    let mut prompts = Prompts::built_in();
    let folder = match &config.chorus.templates {
        Some(named) => {
            let folder = config.file.as_deref().and_then(Path::parent).unwrap_or(Path::new("")).join(named);
            if !folder.is_dir() {
                let problem = Problem::config(format!(
                    "templates: there is no folder '{}'",
                    folder.display()
                ))
                .hint(
                    "it is looked for beside this file; without the key, templates/ is used if it is there",
                );
                return Err(config.written_at(&["chorus", "templates"], problem));
            }
            Some(folder)
        }
        None => default_folder(config),
    };
    let Some(folder) = folder else { return Ok((prompts, Vec::new())) };
    let own = OwnTemplates::read(config, folder, &Template::ALL.map(Template::file))?;
    for template in Template::ALL {
        if let Some(source) = own.source(template.file()) {
            prompts.set(template, source);
        }
    }
    prompts.check().map_err(|problem| own.place(problem))?;
    Ok((prompts, own.notes))
}
