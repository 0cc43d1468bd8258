//! The operator's configuration, `enact.toml`: which models, voices and agents there are, and who plays when nothing else is
//! said.
//!
//! Keys are never in it, only the names of the environment variables that hold them.

mod chorus;
mod fields;
mod find;
mod model;
mod read;
mod reference;
mod serve;
mod source;
mod trust;
mod voice;

use std::path::{Path, PathBuf};

use enact_drama::Problem;
use enact_models::Settings;

pub(crate) use chorus::{AgentEntry, ChorusConfig};
pub(crate) use read::check_adviser;
pub(crate) use reference::{IMPROVISER, INHERIT, NONE, Reference};
pub(crate) use serve::{RUNS_AT_ONCE, ServeConfig, parse_bind};
pub(crate) use voice::{EMBEDDED, Program, Remote, VoiceEntry, VoiceKind};

/// What is configured. Without a file nothing is, and the improviser plays.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Config {
    /// The file it was read from.
    pub(crate) file: Option<PathBuf>,
    /// What the file says, to find out where something is written that is wrong.
    pub(crate) text: String,
    /// Whether the user has named it or keeps it among their own, rather than that it came with a story.
    pub(crate) trusted: bool,
    /// In the order they were written.
    pub(crate) models: Vec<ModelEntry>,
    /// Who plays when nothing else is said.
    pub(crate) default: Option<String>,
    /// Who is asked beside the rules whether the goal is reached.
    pub(crate) judge: Option<String>,
    /// Who writes world events.
    pub(crate) events: Option<String>,
    /// Who may take a slot in a chorus, and how one is played.
    pub(crate) chorus: ChorusConfig,
    /// What speaks, in the order they were written.
    pub(crate) voices: Vec<VoiceEntry>,
    /// Where traces are sent.
    pub(crate) otlp: Option<String>,
    /// How it is served.
    pub(crate) serve: ServeConfig,
}

/// A language model by the name it was given here.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ModelEntry {
    pub(crate) name: String,
    /// Without the key, which is looked up when the model is about to be asked.
    pub(crate) settings: Settings,
    /// The environment variable that holds the key, for models that want one.
    pub(crate) key_variable: Option<String>,
    /// It can be asked without that key: at an address of the operator's own there may be a gateway that has one.
    pub(crate) key_optional: bool,
}

impl Config {
    /// Reads the file that was named, or else the nearest `enact.toml` in or above a folder, or else the user's own.
    pub(crate) fn load(named: Option<&Path>, folder: &Path) -> Result<Config, Problem> {
        let own = find::user_folder();
        let Some(file) = named.map(Path::to_owned).or_else(|| find::find(folder, own.clone())) else {
            return Ok(Config::default());
        };
        let trusted = named.is_some() || own.is_some_and(|own| own == file);
        let config = find::read_text(&file).and_then(|text| read::read(&file, &text));
        let config = config.map_err(|problem| problem.in_file(file.display()))?;
        Ok(Config { trusted, ..config })
    }

    pub(crate) fn get(&self, name: &str) -> Option<&ModelEntry> {
        self.models.iter().find(|entry| entry.name == name)
    }

    /// Adds to a problem where in this file the thing is written that it is about. What is not in the file has no place.
    pub(crate) fn written_at(&self, path: &[&str], problem: Problem) -> Problem {
        match (&self.file, source::Source::parse(&self.text)) {
            (Some(file), Ok(source)) if source.place(path).is_some() => {
                source.at(path, problem).in_file(file.display())
            }
            _ => problem,
        }
    }
}

#[cfg(test)]
mod tests;
