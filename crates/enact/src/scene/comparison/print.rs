//! A comparison on the terminal, and as a page in a file.

use std::{
    fs::{self, OpenOptions},
    io::{self, IsTerminal, Write},
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::Context;
use enact_drama::{
    Problem,
    scene::comparison::{TableLine, Weight},
};
use serde::Serialize;

use super::PlayedRounds;
use crate::{
    errors::INTERRUPTED,
    screen::{BOLD, FAINT, print_json, stdout},
};

/// How wide a line may be where there is no terminal.
const PIPE_COLUMNS: usize = 80;

/// How a comparison is shown to people.
pub(crate) struct Look<T> {
    /// What its runs are called, one and several: "branch", "branches".
    pub(crate) nouns: [&'static str; 2],
    /// As lines of at most so many columns.
    pub(crate) table: fn(&T, usize) -> Vec<TableLine>,
    pub(crate) html: fn(&T) -> String,
}

impl PlayedRounds {
    /// Shows what came of it, also when it ended early.
    pub(crate) fn show<T: Serialize>(
        self,
        comparison: &T,
        Look { nouns: [run, runs], table, html }: Look<T>,
        json: bool,
        page: Option<&PageFile>,
    ) -> anyhow::Result<ExitCode> {
        // Programs get one document: the comparison, or what went wrong.
        if if json { self.error.is_none() } else { self.stories.iter().any(|stories| !stories.is_empty()) } {
            let mut out = stdout();
            if json {
                print_json(&mut out, comparison)?;
            } else {
                let columns = if io::stdout().is_terminal() { textwrap::termwidth() } else { PIPE_COLUMNS };
                print(&mut out, &table(comparison, columns))?;
            }
            if let Some(PageFile(path)) = page {
                let html = html(comparison);
                fs::write(path, html).with_context(|| format!("could not write {}", path.display()))?;
                if !json {
                    writeln!(out, "\nPage: {}", path.display())?;
                }
            }
        }
        let failed = self.why_all_failed();
        if let Some(error) = self.error {
            return Err(error);
        }
        if let Some(cause) = failed {
            anstream::eprintln!("Every {run} failed: nobody could answer: {cause}");
            return Ok(ExitCode::FAILURE);
        }
        if self.cancelled {
            anstream::eprintln!("Cancelled: {runs} that were not finished are not in the comparison.");
            return Ok(ExitCode::from(INTERRUPTED));
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn print(out: &mut impl Write, lines: &[TableLine]) -> io::Result<()> {
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
pub(crate) struct PageFile(PathBuf);

impl PageFile {
    /// Finds out that the page can be written before hours are spent on what it shows. Nothing is left behind
    /// yet, and an older page stays as it is.
    pub(crate) fn at(path: &Path) -> Result<PageFile, Problem> {
        let is_new = !path.exists();
        let tried = OpenOptions::new().append(true).create(true).open(path);
        let tried = tried.and_then(|_| if is_new { fs::remove_file(path) } else { Ok(()) });
        tried.map_err(|error| {
            Problem::config(format!("the page {} cannot be written: {error}", path.display()))
                .hint("--html names a file in a folder that exists")
        })?;
        Ok(PageFile(path.to_owned()))
    }
}
