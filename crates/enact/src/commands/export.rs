//! `enact export`: a run in another format.

use std::{io::Write, process::ExitCode};

use anyhow::Context;
use enact_drama::show;

use super::story;
use crate::{args::Export, output::stdout, store::Location};

pub(crate) async fn export(args: &Export, location: &Location) -> anyhow::Result<ExitCode> {
    let (_, story) = story(location, &args.run).await?;
    let text = show::render(&story, args.format);
    match &args.output {
        Some(file) => {
            std::fs::write(file, text).with_context(|| format!("could not write {}", file.display()))?
        }
        None => stdout().write_all(text.as_bytes())?,
    }
    Ok(ExitCode::SUCCESS)
}
