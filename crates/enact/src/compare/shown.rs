//! A comparison on the terminal, and as a page in a file.

use std::{
    fs::{self, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
};

use anstyle::Style;
use anyhow::Context;
use enact_drama::{
    Problem,
    show::comparison::{Comparison, Weight, page, table},
};

const BOLD: Style = Style::new().bold();
const FAINT: Style = Style::new().dimmed();

pub(crate) fn print(out: &mut impl Write, comparison: &Comparison, columns: usize) -> io::Result<()> {
    for line in table(comparison, columns) {
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

    pub(crate) fn write(&self, comparison: &Comparison) -> anyhow::Result<()> {
        let Page(path) = self;
        fs::write(path, page(comparison)).with_context(|| format!("could not write {}", path.display()))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}
