//! Which model plays which character.
//!
//! Highest first: `--model alice=lead`, `--model lead`, the scene's `models:`, the sheet's `model:`, the
//! configured default, the improviser.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use enact_drama::{Name, Problem, scene::RequestedModel};

use super::args::ModelFlag;
use crate::{
    config::{Config, INHERIT},
    models::listed,
};

/// Everything that says which model plays which character.
#[derive(Debug)]
pub(crate) struct ModelChoice<'a> {
    pub(crate) flags: &'a [ModelFlag],
    pub(crate) scene: &'a BTreeMap<Name, RequestedModel>,
    /// Where the scene names its models.
    pub(crate) scene_file: Option<&'a Path>,
    /// The whole cast, in order, with the model each sheet asks for.
    pub(crate) sheets: &'a [(Name, Option<RequestedModel>)],
    /// Where the sheets are.
    pub(crate) cast_dir: &'a Path,
    pub(crate) config: &'a Config,
}

/// Which model plays which character, and notes about it.
#[derive(Debug, PartialEq)]
pub(crate) struct ChosenModels {
    /// The model's name for each character, in cast order.
    pub(crate) models: Vec<(Name, String)>,
    pub(crate) notes: Vec<String>,
}

impl ChosenModels {
    /// Each model once, with the characters it plays.
    pub(crate) fn by_model(&self) -> BTreeMap<&str, Vec<&str>> {
        let mut models: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (character, model) in &self.models {
            models.entry(model).or_default().push(character.as_str());
        }
        models
    }
}

impl ModelChoice<'_> {
    /// Chooses a model for each character. Every model in the answer is known to exist.
    pub(crate) fn decide(&self) -> Result<ChosenModels, Problem> {
        let flags = self.read_flags()?;
        let default = self.config.default_model();
        let mut passed_over: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        let mut models = Vec::with_capacity(self.sheets.len());
        for (character, sheet) in self.sheets {
            let flag = flags.get(&Some(character)).or_else(|| flags.get(&None));
            let model = if let Some(model) = flag {
                self.config.refer(model)?;
                model
            } else if let Some(requested) = self.scene.get(character) {
                self.check_requested(requested, default, self.scene_file.map(Path::to_owned))?
            } else if let Some(requested) = sheet {
                if self.config.passes_over(&requested.model) {
                    passed_over.entry(&requested.model).or_default().push(character.as_str());
                    default
                } else {
                    self.check_requested(
                        requested,
                        default,
                        Some(self.cast_dir.join(format!("{character}.md"))),
                    )?
                }
            } else {
                default
            };
            models.push((character.clone(), model.to_owned()));
        }
        let notes =
            passed_over.iter().map(|(requested, characters)| note(requested, characters, default)).collect();
        Ok(ChosenModels { models, notes })
    }

    /// The flags by character; the one for everyone has none.
    fn read_flags(&self) -> Result<BTreeMap<Option<&Name>, &str>, Problem> {
        let mut flags = BTreeMap::new();
        for ModelFlag { character, model } in self.flags {
            let character = character.as_deref().map(|name| self.cast_member(name)).transpose()?;
            if flags.insert(character, model.as_str()).is_some() {
                let (whom, hint) = match character {
                    Some(name) => (name.as_str(), "a character is played by one model"),
                    None => ("everyone", "for one character it is written --model CHARACTER=MODEL"),
                };
                return Err(Problem::config(format!("--model is given twice for {whom}")).hint(hint));
            }
        }
        Ok(flags)
    }

    fn cast_member(&self, wanted: &str) -> Result<&Name, Problem> {
        let cast = || self.sheets.iter().map(|(name, _)| name);
        if let Some(name) = cast().find(|name| name.as_str().eq_ignore_ascii_case(wanted)) {
            return Ok(name);
        }
        let names: Vec<&str> = cast().map(Name::as_str).collect();
        let message = format!("--model: '{wanted}' is not in the cast ({})", names.join(", "));
        Err(Problem::config(message).suggest(wanted, names))
    }

    /// A model that a file asks for, or what is wrong with it and where.
    fn check_requested<'w>(
        &self,
        requested: &'w RequestedModel,
        default: &'w str,
        file: Option<PathBuf>,
    ) -> Result<&'w str, Problem> {
        if requested.model == INHERIT {
            return Ok(default);
        }
        self.config.check_requested(&requested.model, "--model CHARACTER=").map_err(|problem| {
            let problem = Problem { place: requested.place, ..problem };
            match file {
                Some(file) => problem.in_file(file.display()),
                None => problem,
            }
        })
    }
}

fn note(requested: &str, characters: &[&str], default: &str) -> String {
    let (sheets, ask) =
        if characters.len() == 1 { ("the sheet of", "asks") } else { ("the sheets of", "ask") };
    format!(
        "{sheets} {} {ask} for '{requested}', which is no model here; '{default}' plays instead",
        listed(characters)
    )
}

#[cfg(test)]
mod tests;
