//! `enact export`: a run in another format.

use std::{io::Write, process::ExitCode};

use anyhow::Context;
use enact_drama::{Seq, show};
use enact_engine::outputs::json_line;

use super::story;
use crate::{
    args::{Export, Exported},
    find_run::find_run,
    output::stdout,
    store::Location,
};

pub(crate) async fn export(args: &Export, location: &Location) -> anyhow::Result<ExitCode> {
    let text = match args.format {
        Exported::Transcript(format) => show::render(&story(location, &args.run).await?.1, format),
        Exported::Log => log(location, &args.run).await?,
    };
    match &args.output {
        Some(file) => {
            std::fs::write(file, text).with_context(|| format!("could not write {}", file.display()))?
        }
        None => stdout().write_all(text.as_bytes())?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The records as they are: a log is kept even where this version does not understand all of it.
async fn log(location: &Location, run: &str) -> anyhow::Result<String> {
    let log = location.existing().await?.store();
    let run = find_run(&*log, run).await?.run;
    Ok(log.read(run, Seq(0)).await?.iter().map(json_line).collect())
}
