//! The templates that a project has in place of the built-in ones.

use std::{
    fs,
    path::{Path, PathBuf},
};

use enact_drama::{Problem, did_you_mean, text::one_line};
use enact_engine::project_files::{ReadTextError, read_text};

use crate::config::Config;

/// Where a project's templates are, unless it says otherwise.
const FOLDER: &str = "templates";

/// A page or two of instructions; what is longer is something else. It is in the log of every run.
const LARGEST_TEMPLATE_BYTES: usize = 64 * 1024;

/// The templates of a folder, read and not yet checked.
#[derive(Debug, Default)]
pub(crate) struct OwnTemplates {
    folder: PathBuf,
    /// The sources of those that are there, by the names of their files.
    sources: Vec<(&'static str, String)>,
    /// Notes about files whose names are close to that of a template.
    pub(crate) notes: Vec<String>,
}

impl OwnTemplates {
    /// Reads those of these files that a folder has.
    pub(crate) fn read(
        config: &Config,
        folder: PathBuf,
        files: &[&'static str],
    ) -> Result<OwnTemplates, Problem> {
        let mut sources = Vec::new();
        for name in files {
            let file = folder.join(name);
            let own = checked(config, &file).and_then(|()| read(&file));
            if let Some(source) = own.map_err(|problem| problem.in_file(file.display()))? {
                sources.push((*name, source));
            }
        }
        let notes = misnamed(&folder, files);
        Ok(OwnTemplates { folder, sources, notes })
    }

    /// The source of the template in this file, if the project has one.
    pub(crate) fn source(&self, file: &str) -> Option<String> {
        let own = self.sources.iter().find(|(name, _)| *name == file);
        own.map(|(_, source)| source.clone())
    }

    /// A problem of one of the templates, with the path of its file.
    pub(crate) fn place(&self, problem: Problem) -> Problem {
        Problem { file: problem.file.map(|name| self.folder.join(name).display().to_string()), ..problem }
    }
}

/// The folder of templates beside the configuration, or else the one here.
pub(crate) fn default_folder(config: &Config) -> Option<PathBuf> {
    let home = config.file.as_deref().and_then(Path::parent);
    let usual = home.into_iter().chain([Path::new("")]).map(|home| home.join(FOLDER));
    usual.into_iter().find(|folder| folder.is_dir())
}

/// Files that are nearly called like a template. Others are left alone: many projects have a folder of this
/// name.
fn misnamed(folder: &Path, files: &[&'static str]) -> Vec<String> {
    let names = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = names.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    let note = |name: &String| {
        let meant = did_you_mean(name, files.iter().copied()).filter(|_| !files.contains(&name.as_str()))?;
        let file = one_line(&folder.join(name).display().to_string());
        Some(format!("{file} is not read: did you mean '{meant}'?"))
    };
    names.iter().filter_map(note).collect()
}

/// A project that came from somewhere else may hold links to anything, and what a template says is sent to a
/// model and logged. So its templates are plain files in a folder of its own.
fn checked(config: &Config, file: &Path) -> Result<(), Problem> {
    let home = config.file.as_deref().and_then(Path::parent).unwrap_or(Path::new(""));
    if config.trusted || file.symlink_metadata().is_err() || is_plainly_in(home, file) {
        return Ok(());
    }
    let problem =
        Problem::config("it is a link or lies elsewhere, and this project was only found, not named");
    Err(problem.hint(match &config.file {
        Some(_) => format!("put the file itself there; or, {}", config.name_it()),
        None => "put the file itself there".to_owned(),
    }))
}

fn is_plainly_in(home: &Path, file: &Path) -> bool {
    // The empty path is the current folder, by a name that cannot be looked up.
    let named =
        |folder: &Path| if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder.to_owned() };
    let inside =
        named(file.parent().unwrap_or(home)).canonicalize().ok().zip(named(home).canonicalize().ok());
    inside.is_some_and(|(folder, home)| folder.starts_with(home))
        && file.symlink_metadata().is_ok_and(|found| found.is_file())
}

fn read(file: &Path) -> Result<Option<String>, Problem> {
    match read_text(file, LARGEST_TEMPLATE_BYTES) {
        Err(ReadTextError::Missing) => Ok(None),
        read => Ok(Some(read?)),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn links_are_followed_only_where_somebody_has_named_the_project() {
        let folder = tempfile::tempdir().unwrap();
        let [home, elsewhere] = ["home", "elsewhere"].map(|name| folder.path().join(name));
        for place in [home.join("templates"), elsewhere.clone()] {
            fs::create_dir_all(place).unwrap();
        }
        fs::write(elsewhere.join("system.j2"), "secret").unwrap();
        let found = Config { file: Some(home.join("enact.toml")), ..Config::default() };
        let named = Config { trusted: true, ..found.clone() };
        let is_read = |config: &Config| {
            let folder = default_folder(config).unwrap();
            OwnTemplates::read(config, folder, &["system.j2"])
                .map(|read| read.sources == [("system.j2", "secret".to_owned())])
        };

        // A file of its own.
        fs::write(home.join("templates/system.j2"), "secret").unwrap();
        assert_eq!(is_read(&found), Ok(true));
        // A link, to wherever.
        fs::remove_file(home.join("templates/system.j2")).unwrap();
        symlink(elsewhere.join("system.j2"), home.join("templates/system.j2")).unwrap();
        let problem = is_read(&found).unwrap_err();
        assert!(problem.message.starts_with("it is a link or lies elsewhere"), "{problem}");
        assert_eq!(is_read(&named), Ok(true));
        // A folder that is a link.
        fs::remove_dir_all(home.join("templates")).unwrap();
        symlink(&elsewhere, home.join("templates")).unwrap();
        assert!(is_read(&found).is_err());
        assert_eq!(is_read(&named), Ok(true));
    }
}
