//! Scene files and character sheets, found and read from disk.
//!
//! What they say is read by `enact-drama`; what is done here is finding them, bounding them, and saying which
//! file it was. Everything is read before a run begins, so it simply blocks.

use std::{
    fs::{self, File},
    io::{self, Read},
    path::{Path, PathBuf},
};

use enact_drama::{
    Name, Problem, did_you_mean,
    scene::{SceneConfig, SceneFormat, place_of_key, read_scene},
    sheet::{LARGEST_SHEET_BYTES, Sheet},
};

/// Where a story project keeps its characters.
const CAST_DIR: &str = ".claude/agents";

/// A scene file is a page or two; a megabyte is a database.
pub const LARGEST_SCENE_BYTES: usize = 1024 * 1024;

/// How many files a folder is searched for something like the name that was not found.
const MOST_NEIGHBOURS: usize = 1_000;

/// The nearest `.claude/agents` in or above a folder.
pub fn find_cast_dir(start: &Path) -> Option<PathBuf> {
    // A relative path has no ancestors beyond the working folder, whose own ancestors count all the same.
    let start = std::path::absolute(start).ok()?;
    start.ancestors().map(|folder| folder.join(CAST_DIR)).find(|dir| dir.is_dir())
}

/// The project that a folder of characters, as [`find_cast_dir`] gives it, belongs to.
pub fn project_of(cast_dir: &Path) -> &Path {
    let depth = Path::new(CAST_DIR).components().count();
    cast_dir.ancestors().nth(depth).unwrap_or(cast_dir)
}

/// Which links are followed to a sheet.
///
/// A project that came from somewhere else may hold links to anything, and what a sheet says is sent to a
/// model and logged.
#[derive(Debug, Clone, Copy)]
pub enum SheetLinks<'a> {
    Followed,
    /// Only those that stay within this folder.
    Within {
        folder: &'a Path,
        /// What can be done about a link that leads out of it, for the hint.
        hint: &'a str,
    },
}

/// Reads the sheets of a cast, verbatim, and in its order.
///
/// Each of them is known to be a readable sheet afterwards. Names are plain, so they never leave the folder;
/// `links` says whether links may.
pub fn load_sheets(
    dir: &Path,
    names: &[Name],
    links: SheetLinks<'_>,
) -> Result<Vec<(Name, String)>, Problem> {
    names.iter().map(|name| Ok((name.clone(), load_sheet(dir, name, links)?))).collect()
}

/// What to say when there is no folder of characters in or above `start`.
pub fn no_cast_dir(start: &Path, names: &[Name]) -> Problem {
    let name = names.first().map_or("<name>", Name::as_str);
    Problem::no_such_character(name)
        .hint(format!("there is no {CAST_DIR} folder in or above '{}'", start.display()))
}

/// Reads a scene file: JSON if its name ends in `.json`, markdown otherwise.
pub fn read_scene_file(path: &Path) -> Result<SceneConfig, Problem> {
    let text = read_text(path, LARGEST_SCENE_BYTES).map_err(|unread| match unread {
        ReadTextError::Missing => missing_scene(path),
        ReadTextError::NotAFile if path.join("scene.md").is_file() => Problem::from(unread)
            .in_file(path.display())
            .hint(format!("did you mean '{}'?", path.join("scene.md").display())),
        _ => Problem::from(unread).in_file(path.display()),
    })?;
    let default_name = default_name(path);
    let format = scene_format(path, &default_name);
    let mut config = read_scene(&text, format).map_err(|problem| problem.in_file(path.display()))?;
    if config.name.is_empty() {
        config.name = default_name;
    }
    Ok(config)
}

fn scene_format<'a>(path: &Path, default_name: &'a str) -> SceneFormat<'a> {
    match path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json")) {
        true => SceneFormat::Json,
        false => SceneFormat::Markdown { default_name },
    }
}

/// The same problem with its place in a scene file, if it is this file that has it: a flag may have said otherwise.
pub fn place_in_scene_file(problem: Problem, path: &Path) -> Problem {
    let own = read_scene_file(path).ok().and_then(|config| config.check().err());
    let is_own = own.is_some_and(|own| own.message == problem.message);
    let text = read_text(path, LARGEST_SCENE_BYTES).ok().filter(|_| is_own);
    let key = problem.context["field"].as_str();
    let place = text.zip(key).and_then(|(text, key)| place_of_key(&text, scene_format(path, ""), key));
    match place {
        Some(place) => problem.at(place.line, place.column).in_file(path.display()),
        None => problem,
    }
}

/// Reads a text of a project. A link that leads out of it is refused: what a text says is sent to a model and
/// logged.
pub fn read_within(project: &Path, path: &Path, most: usize) -> Result<String, Problem> {
    let problem = |why: &str| Problem::config(why).in_file(path.display());
    let file = file_within(project, path).ok_or_else(|| problem("a link leads out of the project"))?;
    read_text(&file, most).map_err(|unread| problem(&unread.to_string()))
}

fn load_sheet(dir: &Path, name: &Name, links: SheetLinks<'_>) -> Result<String, Problem> {
    let path = sheet_path(dir, name);
    let file = match links {
        SheetLinks::Followed => path.clone(),
        SheetLinks::Within { folder, hint } => file_within(folder, &path).ok_or_else(|| {
            // Where the link leads is not told: the answer may go to another machine.
            let problem = Problem::character(name.as_str(), "a link leads out of the project");
            problem.in_file(path.display()).hint(hint)
        })?,
    };
    let text = read_text(&file, LARGEST_SHEET_BYTES).map_err(|unread| match unread {
        ReadTextError::Missing => missing_sheet(dir, name),
        _ => Problem::character(name.as_str(), &unread.to_string()).in_file(path.display()),
    })?;
    Sheet::read(name.as_str(), &text).map_err(|problem| problem.in_file(path.display()))?;
    Ok(text)
}

/// The file of a sheet: the one of that very name or else, whatever the case, the only one. Authors write
/// `characters: [Alice]` for `alice.md`.
fn sheet_path(dir: &Path, name: &Name) -> PathBuf {
    let exact = dir.join(format!("{name}.md"));
    if exact.symlink_metadata().is_ok() {
        return exact;
    }
    let files = neighbours(dir);
    let is_its = |file: &&String| {
        file.strip_suffix(".md").is_some_and(|stem| stem.eq_ignore_ascii_case(name.as_str()))
    };
    let mut its = files.iter().filter(is_its);
    match (its.next(), its.next()) {
        (Some(only), None) => dir.join(only),
        _ => exact,
    }
}

/// Where a file really lies, so that the one that is read is the one that was checked; nothing if that is
/// outside the folder. A file that is not there is left for its reader to miss.
fn file_within(folder: &Path, path: &Path) -> Option<PathBuf> {
    let Ok(file) = path.canonicalize() else { return Some(path.to_owned()) };
    // The empty path is the working folder, by a name that cannot be looked up.
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    folder.canonicalize().is_ok_and(|folder| file.starts_with(folder)).then_some(file)
}

fn missing_sheet(dir: &Path, name: &Name) -> Problem {
    let there: Vec<String> =
        neighbours(dir).iter().filter_map(|file| file.strip_suffix(".md")).map(str::to_owned).collect();
    let problem = Problem::no_such_character(name.as_str());
    match did_you_mean(name.as_str(), there.iter().map(String::as_str)) {
        Some(near) => problem.hint(format!("did you mean '{near}'?")),
        None if there.is_empty() => problem.hint(format!("there are no sheets in '{}'", dir.display())),
        None => problem.hint(format!("in '{}' there are: {}", dir.display(), listed(&there))),
    }
}

fn missing_scene(path: &Path) -> Problem {
    let problem = Problem::config("there is no such file").in_file(path.display());
    let wanted = path.file_name().unwrap_or_default().to_string_lossy();
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match did_you_mean(&wanted, neighbours(folder).iter().map(String::as_str)) {
        Some(near) => problem.hint(format!("did you mean '{}'?", path.with_file_name(near).display())),
        None => problem.hint("name a scene file, markdown or JSON"),
    }
}

/// The names of the files in a folder, sorted, so that the same folder always gives the same hint.
fn neighbours(dir: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(dir) else {
        return Vec::new();
    };
    let mut names: Vec<String> = entries
        .take(MOST_NEIGHBOURS)
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| !name.starts_with('.'))
        .collect();
    names.sort();
    names
}

fn listed(names: &[String]) -> String {
    /// As many as a line of a terminal holds.
    const SHOWN: usize = 8;
    let mut list = names.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join(", ");
    if names.len() > SHOWN {
        list.push_str(&format!(" and {} more", names.len() - SHOWN));
    }
    list
}

/// A scene that does not name itself is called as its file, or as its folder where the file is just
/// `scene.md`.
fn default_name(path: &Path) -> String {
    let stem = |path: &Path| plain(&path.file_stem().unwrap_or_default().to_string_lossy());
    let own = stem(path);
    if own != "scene" {
        return own;
    }
    // Only the absolute path of a bare `scene.md` knows the folder it lies in.
    let folder = std::path::absolute(path).ok().and_then(|path| path.parent().map(stem));
    folder.filter(|name| !name.is_empty()).unwrap_or(own)
}

/// A plain name for whatever a file is called: "The Apology (2)" gives `the-apology-2`.
fn plain(text: &str) -> String {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|word| !word.is_empty());
    let name = words.collect::<Vec<_>>().join("-").to_lowercase();
    name.trim_start_matches('_').chars().take(64).collect()
}

/// Why a file gave no text.
#[derive(Debug, thiserror::Error)]
pub enum ReadTextError {
    #[error("there is no such file")]
    Missing,
    #[error("it is not a file")]
    NotAFile,
    #[error("it is larger than {} KiB", .most / 1024)]
    TooLarge { most: usize },
    #[error("it is not UTF-8 text: byte {offset} belongs to no character")]
    NotUtf8 { offset: usize },
    #[error("it cannot be read: {0}")]
    Io(io::Error),
}

impl From<ReadTextError> for Problem {
    fn from(error: ReadTextError) -> Problem {
        Problem::config(error.to_string())
    }
}

/// Reads a text of at most this many bytes.
pub fn read_text(path: &Path, most: usize) -> Result<String, ReadTextError> {
    let io = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => ReadTextError::Missing,
        _ => ReadTextError::Io(error),
    };
    // Asked before it is opened: opening a pipe would wait for a writer.
    let metadata = fs::metadata(path).map_err(io)?;
    if !metadata.is_file() {
        return Err(ReadTextError::NotAFile);
    }
    let limit = most as u64;
    if metadata.len() > limit {
        return Err(ReadTextError::TooLarge { most });
    }
    // And bounded all the same: a file may have grown since, or have no size of its own.
    let mut bytes = Vec::new();
    File::open(path).map_err(io)?.take(limit + 1).read_to_end(&mut bytes).map_err(io)?;
    if bytes.len() > most {
        return Err(ReadTextError::TooLarge { most });
    }
    String::from_utf8(bytes)
        .map_err(|error| ReadTextError::NotUtf8 { offset: error.utf8_error().valid_up_to() })
}

#[cfg(test)]
mod tests;
