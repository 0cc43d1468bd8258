//! Where the configuration is.

use std::{
    fs::{self, File},
    io::{self, Read},
    path::{Path, PathBuf},
};

use enact_drama::Problem;

const FILE: &str = "enact.toml";

/// A few dozen models fill some kilobytes; a megabyte is another file.
const LARGEST_CONFIG_BYTES: u64 = 1024 * 1024;

/// The nearest `enact.toml` in or above a folder, or else the one in the user's own folder.
pub(super) fn find(folder: &Path, user: Option<PathBuf>) -> Option<PathBuf> {
    // A relative path has no ancestors beyond the working folder, whose own ancestors count all the same.
    let start = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    start.ancestors().map(|folder| folder.join(FILE)).chain(user).find(|file| file.is_file())
}

/// The user's own configuration, whether or not it exists.
pub(super) fn user_folder() -> Option<PathBuf> {
    // The standard has relative paths ignored: they would mean another folder from each place.
    let absolute = |path: PathBuf| path.is_absolute().then_some(path);
    let folder = |variable| std::env::var_os(variable).map(PathBuf::from).and_then(absolute);
    let base = folder("XDG_CONFIG_HOME").or_else(|| folder("HOME").map(|home| home.join(".config")))?;
    Some(base.join("enact").join(FILE))
}

pub(super) fn read_text(path: &Path) -> Result<String, Problem> {
    let unreadable = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Problem::config("there is no such file"),
        _ => Problem::config(format!("it cannot be read: {error}")),
    };
    // Asked before it is opened: opening a pipe would wait for somebody to write into it.
    if !fs::metadata(path).map_err(unreadable)?.is_file() {
        return Err(Problem::config("it is not a file").hint(format!("name the {FILE} itself")));
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(unreadable)?;
    file.take(LARGEST_CONFIG_BYTES + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > LARGEST_CONFIG_BYTES {
        return Err(Problem::config(format!("it is larger than {} KiB", LARGEST_CONFIG_BYTES / 1024)));
    }
    String::from_utf8(bytes).map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        Problem::config(format!("it is not UTF-8 text: byte {offset} belongs to no character"))
    })
}
