//! A comparison on the terminal, and as a page in a file.

use std::{
    fs::{self, OpenOptions},
    io::{self, IsTerminal, Write},
    path::{Path, PathBuf},
};

use anstyle::Style;
use anyhow::Context;
use enact_drama::{
    Problem,
    scene::comparison::{TableLine, Weight},
};

const BOLD: Style = Style::new().bold();
const FAINT: Style = Style::new().dimmed();

/// Where nobody says how wide a line may be.
const PIPE_COLUMNS: usize = 80;

/// How wide what is printed may be.
pub(crate) fn columns() -> usize {
    if io::stdout().is_terminal() { textwrap::termwidth() } else { PIPE_COLUMNS }
}

pub(crate) fn print(out: &mut impl Write, lines: &[TableLine]) -> io::Result<()> {
    for line in lines {
        let text = &line.text;
        match line.weight {
            Weight::Heading => writeln!(out, "{BOLD}{text}{BOLD:#}")?,
            Weight::Figure => writeln!(out, "{text}")?,
            Weight::Faint => writeln!(out, "{FAINT}{text}{FAINT:#}")?,
        }
    }
    Ok(())
}

/// Where the page is going to be written.
#[derive(Debug)]
pub(crate) struct Page(PathBuf);

impl Page {
    /// Finds out that the page can be written before hours are spent on what it shows. Nothing is left behind yet, and
    /// an older page stays as it is.
    pub(crate) fn at(path: &Path) -> Result<Page, Problem> {
        let is_new = !path.exists();
        let tried = OpenOptions::new().append(true).create(true).open(path);
        let tried = tried.and_then(|_| if is_new { fs::remove_file(path) } else { Ok(()) });
        tried.map_err(|error| {
            Problem::config(format!("the page {} cannot be written: {error}", path.display()))
                .hint("--html names a file in a folder that exists")
        })?;
        Ok(Page(path.to_owned()))
    }

    pub(crate) fn write(&self, html: &str) -> anyhow::Result<()> {
        let Page(path) = self;
        fs::write(path, html).with_context(|| format!("could not write {}", path.display()))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}
