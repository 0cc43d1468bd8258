//! `enact export`: a run in another format.

use std::{io::Write, path::Path, process::ExitCode};

use anyhow::Context;
use enact_drama::show;

use super::story;
use crate::{args::Export, output::stdout};

pub(crate) async fn export(args: &Export, data_dir: &Path) -> anyhow::Result<ExitCode> {
    let (_, story) = story(data_dir, &args.run).await?;
    let text = show::render(&story, args.format);
    match &args.output {
        Some(file) => {
            std::fs::write(file, text).with_context(|| format!("could not write {}", file.display()))?
        }
        None => stdout().write_all(text.as_bytes())?,
    }
    Ok(ExitCode::SUCCESS)
}
