//! The operator's configuration, `enact.toml`: which models, voices and agents there are, and who plays when
//! nothing else is said.
//!
//! Keys are never in it, only the names of the environment variables that hold them.

mod chorus;
mod fallback;
mod fields;
mod model;
mod prices_file;
mod read;
mod reference;
mod serve;
mod source;
mod trust;
mod voice;

use std::path::{Path, PathBuf};

use enact_drama::Problem;
use enact_engine::project_files::{self, ReadTextError};
use enact_models::{Settings, prices::PriceTable};

pub(crate) use chorus::{AgentEntry, ChorusConfig};
pub(crate) use read::check_adviser;
pub(crate) use reference::{HUMAN, IMPROVISER, INHERIT, NONE, Reference};
pub(crate) use serve::{RUNS_AT_ONCE, ServeConfig, parse_age, parse_bind};
pub(crate) use voice::{EMBEDDED, Program, Remote, VoiceEntry, VoiceKind};

const FILE: &str = "enact.toml";

/// A few dozen models fill some kilobytes; a megabyte is another file.
const LARGEST_CONFIG_BYTES: usize = 1024 * 1024;

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
    /// What the project knows of prices and aliases that this program does not.
    pub(crate) prices: PriceTable,
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
    /// What calls to models and voices go through: a URL, or `$NAME` for the environment variable that holds
    /// one.
    pub(crate) proxy: Option<String>,
    /// Hosts that are called directly all the same.
    pub(crate) no_proxy: Vec<String>,
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
    /// It can be asked without that key: at an address of the operator's own there may be a gateway that has
    /// one.
    pub(crate) key_optional: bool,
}

impl Config {
    /// Reads the file that was named, or else the nearest `enact.toml` in or above a folder, or else the
    /// user's own.
    pub(crate) fn load(named: Option<&Path>, folder: &Path) -> Result<Config, Problem> {
        let own = user_file();
        let Some(file) = named.map(Path::to_owned).or_else(|| find_file(folder, own.clone())) else {
            return Ok(Config::default());
        };
        let trusted = named.is_some() || own.is_some_and(|own| own == file);
        let config = read_text(&file).and_then(|text| read::read(&file, &text));
        let config = config.map_err(|problem| problem.in_file(file.display()))?;
        Ok(Config { trusted, ..config }.with_prices(prices_file::load(&file)?))
    }

    pub(crate) fn get(&self, name: &str) -> Option<&ModelEntry> {
        self.models.iter().find(|entry| entry.name == name)
    }

    /// The model that plays where nothing else is said.
    pub(crate) fn default_model(&self) -> &str {
        self.default.as_deref().unwrap_or(IMPROVISER)
    }

    /// Adds to a problem where in this file the thing is written that it is about. What is not in the file
    /// has no place.
    pub(crate) fn written_at(&self, path: &[&str], problem: Problem) -> Problem {
        match (&self.file, source::TomlSource::parse(&self.text)) {
            (Some(file), Ok(source)) if source.place(path).is_some() => {
                source.at(path, problem).in_file(file.display())
            }
            _ => problem,
        }
    }
}

/// The nearest `enact.toml` in or above a folder, or else the one in the user's own folder.
fn find_file(folder: &Path, user: Option<PathBuf>) -> Option<PathBuf> {
    // A relative path has no ancestors beyond the working folder, whose own ancestors count all the same.
    let start = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    start.ancestors().map(|folder| folder.join(FILE)).chain(user).find(|file| file.is_file())
}

/// The user's own configuration, whether or not it exists.
fn user_file() -> Option<PathBuf> {
    // The standard has relative paths ignored: they would mean another folder from each place.
    let absolute = |path: PathBuf| path.is_absolute().then_some(path);
    let folder = |variable| std::env::var_os(variable).map(PathBuf::from).and_then(absolute);
    let base = folder("XDG_CONFIG_HOME").or_else(|| folder("HOME").map(|home| home.join(".config")))?;
    Some(base.join("enact").join(FILE))
}

fn read_text(path: &Path) -> Result<String, Problem> {
    project_files::read_text(path, LARGEST_CONFIG_BYTES).map_err(|error| match error {
        ReadTextError::NotAFile => Problem::from(error).hint(format!("name the {FILE} itself")),
        _ => error.into(),
    })
}

#[cfg(test)]
mod tests;
