//! The prompts of a chorus: the built-in templates, and those that a project has instead.

use std::{
    fs,
    io::{self, Read},
    path::{Path, PathBuf},
};

use enact_drama::{
    Problem,
    chorus::{Prompts, Template},
    did_you_mean,
    text::one_line,
};

use crate::config::Config;

/// Where a project's templates are, unless it says otherwise.
const FOLDER: &str = "templates";

/// A page or two of instructions; what is longer is something else. It is in the log of every run.
const LARGEST_TEMPLATE_BYTES: u64 = 64 * 1024;

/// The prompts of a project, read from its templates.
#[derive(Debug)]
pub(super) struct Templates {
    pub(super) prompts: Prompts,
    /// Notes about files whose names are close to that of a template.
    pub(super) notes: Vec<String>,
}

/// The prompts as this project has them, checked: what cannot be filled in is better known before the first
/// message.
pub(super) fn templates(config: &Config) -> Result<Templates, Problem> {
    let mut prompts = Prompts::built_in();
    let Some(folder) = folder(config)? else { return Ok(Templates { prompts, notes: Vec::new() }) };
    for template in Template::ALL {
        let file = folder.join(template.file());
        if let Some(own) = checked(config, &file)
            .and_then(|()| read(&file))
            .map_err(|problem| problem.in_file(file.display()))?
        {
            prompts.set(template, own);
        }
    }
    prompts.check().map_err(|problem| Problem {
        file: problem.file.map(|name| folder.join(name).display().to_string()),
        ..problem
    })?;
    Ok(Templates { prompts, notes: misnamed(&folder) })
}

/// Files that are nearly called like a template. Others are left alone: many projects have a folder of this
/// name.
fn misnamed(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = names.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    let known = || Template::ALL.into_iter().map(Template::file);
    let note = |name: &String| {
        let meant = did_you_mean(name, known()).filter(|_| known().all(|file| file != name))?;
        let file = one_line(&folder.join(name).display().to_string());
        Some(format!("{file} is not read: did you mean '{meant}'?"))
    };
    names.iter().filter_map(note).collect()
}

/// The folder that the configuration names, or else the one beside it, or else the one here.
fn folder(config: &Config) -> Result<Option<PathBuf>, Problem> {
    let home = config.file.as_deref().and_then(Path::parent);
    if let Some(named) = &config.chorus.templates {
        let folder = home.unwrap_or(Path::new("")).join(named);
        if folder.is_dir() {
            return Ok(Some(folder));
        }
        let problem = Problem::config(format!("templates: there is no folder '{}'", folder.display()))
            .hint("it is looked for beside this file; without the key, templates/ is used if it is there");
        return Err(config.written_at(&["chorus", "templates"], problem));
    }
    let usual = home.into_iter().chain([Path::new("")]).map(|home| home.join(FOLDER));
    Ok(usual.into_iter().find(|folder| folder.is_dir()))
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
    let unreadable = |error: io::Error| Problem::config(format!("it cannot be read: {error}"));
    let opened = match fs::metadata(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(unreadable(error)),
        // Opening a pipe would wait for a writer.
        Ok(about) if !about.is_file() => return Err(Problem::config("it is not a file")),
        Ok(_) => fs::File::open(file).map_err(unreadable)?,
    };
    let mut bytes = Vec::new();
    opened.take(LARGEST_TEMPLATE_BYTES + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > LARGEST_TEMPLATE_BYTES {
        let most = LARGEST_TEMPLATE_BYTES / 1024;
        return Err(Problem::config(format!("it is larger than {most} KiB")));
    }
    let text = String::from_utf8(bytes).map_err(|_| Problem::config("it is not UTF-8 text"))?;
    Ok(Some(text))
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
        let is_read =
            |config: &Config| templates(config).map(|read| read.prompts.of(Template::System) == "secret");

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
