//! `enact backup`: a copy of everything that is kept.

use std::{io::Write, process::ExitCode};

use enact_drama::Problem;
use enact_store::sqlite::backup::Error;

use crate::{
    args::BackupArgs,
    screen::stdout,
    store::{Location, OpenStore},
};

pub(crate) async fn backup(args: &BackupArgs, location: &Location) -> anyhow::Result<ExitCode> {
    let file = &args.file;
    if file.is_dir() {
        return Err(Problem::config(format!("'{}' is a folder", file.display()))
            .hint("name the file that the copy shall be")
            .into());
    }
    if file.exists() && !args.force {
        return Err(Problem::config(format!("'{}' is there already", file.display()))
            .hint("--force replaces it")
            .into());
    }
    let Some(log) = location.open_existing().await?.into_sqlite() else {
        return Err(Problem::config(format!("{location} is backed up with the tools of Postgres"))
            .hint("pg_dump copies it while it is in use")
            .into());
    };
    let copied = log.backup(file).await;
    OpenStore::Sqlite(log).close().await;
    let made = copied.map_err(|error| match error {
        Error::Itself(_) => anyhow::Error::new(
            Problem::config(error.to_string()).hint("choose a file outside of it, best on another disk"),
        ),
        other => other.into(),
    })?;
    let runs = if made.runs == 1 { "run" } else { "runs" };
    writeln!(stdout(), "Copied {} {runs} to {} ({})", made.runs, file.display(), size(made.bytes))?;
    Ok(ExitCode::SUCCESS)
}

fn size(bytes: u64) -> String {
    match bytes {
        0..1_000_000 => format!("{} kB", bytes.div_ceil(1_000)),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}
