//! `enact new`: a story project that can be played as it is.

use std::{
    fs::{self, OpenOptions},
    io::{self, Write},
    path::Path,
    process::ExitCode,
};

use anyhow::Context as _;
use enact_drama::Problem;

use super::args::NewArgs;
use crate::screen::{shell_word, stdout};

/// What the scene's file is called: the command that plays the project names it.
const SCENE: &str = "scene.md";

/// Every file of a new project, and what stands in it.
const FILES: [(&str, &str); 6] = [
    (SCENE, include_str!("../../new_project/scene.md")),
    (".claude/agents/nora.md", include_str!("../../new_project/agents/nora.md")),
    (".claude/agents/elias.md", include_str!("../../new_project/agents/elias.md")),
    (".claude/agents/greta.md", include_str!("../../new_project/agents/greta.md")),
    ("enact.toml", include_str!("../../new_project/enact.toml")),
    (".gitignore", include_str!("../../new_project/gitignore")),
];

/// Writes a project into a folder that is new or empty, and says what can be done with it.
pub(super) fn new_project(args: &NewArgs) -> anyhow::Result<ExitCode> {
    let folder = &args.folder;
    check_is_free(folder)?;
    for (name, text) in FILES {
        let file = folder.join(name);
        let written = write_new(&file, text);
        written.with_context(|| format!("could not write {}", file.display()))?;
    }
    let word = |file: &str| shell_word(&folder.join(file));
    let mut out = stdout();
    writeln!(out, "{} is a story that can be played:", folder.display())?;
    for (name, _) in FILES {
        writeln!(out, "  {}", folder.join(name).display())?;
    }
    writeln!(out, "\nPlay it:  enact run {}", word(SCENE))?;
    writeln!(out, "Check it: enact check {}", shell_word(folder))?;
    Ok(ExitCode::SUCCESS)
}

/// Nothing is ever written over, nor put among files that are there for another reason.
fn check_is_free(folder: &Path) -> Result<(), Problem> {
    let hint = "name a folder that is not there yet, or an empty one";
    match fs::read_dir(folder).map(|mut entries| entries.next().is_none()) {
        Ok(true) => Ok(()),
        Ok(false) => Err(Problem::config("this folder is not empty").in_file(folder.display()).hint(hint)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
            Err(Problem::config("this is no folder").in_file(folder.display()).hint(hint))
        }
        Err(error) => {
            Err(Problem::config(format!("it cannot be looked into: {error}")).in_file(folder.display()))
        }
    }
}

fn write_new(file: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    OpenOptions::new().write(true).create_new(true).open(file)?.write_all(text.as_bytes())
}
