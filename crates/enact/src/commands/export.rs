//! `enact export`: a run in another format.

use std::{
    fs::File,
    io::{IsTerminal, Write},
    process::ExitCode,
};

use anyhow::Context as _;
use enact_drama::{Problem, report::recording::Plan};
use enact_engine::outputs::{RECORDING, json_line};

use super::{cannot_be_shown, records, report};
use crate::{
    CliContext,
    args::{ExportArgs, Exported},
    errors::INTERRUPTED,
    recording,
    screen::{bytes, notes, stdout},
};

pub(crate) async fn export(args: &ExportArgs, context: &CliContext<'_>) -> anyhow::Result<ExitCode> {
    if args.voice.is_some() && args.format != Exported::Recording {
        return Err(Problem::config("--voice says who speaks a recording, and this is none")
            .hint("recordings are exported with --format wav")
            .into());
    }
    let text = match args.format {
        Exported::Transcript(format) => format.render(&report(context, &args.run).await?.document()),
        Exported::Recording => return record(args, context).await,
        Exported::Log => records(context, &args.run).await?.1.iter().map(json_line).collect(),
        Exported::Debug => {
            let (run, records) = records(context, &args.run).await?;
            context.productions.debug_log(&records).map_err(|error| cannot_be_shown(run, &error))?
        }
    };
    match &args.output {
        Some(file) => {
            std::fs::write(file, text).with_context(|| format!("could not write {}", file.display()))?
        }
        None => stdout().write_all(text.as_bytes())?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The run, spoken. It goes into a file as it comes: its length is not known before the end.
async fn record(args: &ExportArgs, context: &CliContext<'_>) -> anyhow::Result<ExitCode> {
    if args.output.is_none() && std::io::stdout().is_terminal() {
        return Err(Problem::config("a recording is nothing to be shown on a terminal")
            .hint("name a file with -o recording.wav; captions are written beside it")
            .into());
    }
    if args.output.as_ref().is_some_and(|file| file.extension().is_some_and(|end| end == "vtt")) {
        return Err(Problem::config(
            "the captions of a recording are written to its name with .vtt at the end",
        )
        .hint("name the recording itself: -o recording.wav")
        .into());
    }
    let config = context.config_here()?;
    let voice = recording::speaker(&config, args.voice.as_ref())?.ok_or_else(|| {
        Problem::config("no voice is to speak, so there is nothing to record")
            .hint("--voice embedded needs no key and no network")
    })?;
    let plan = Plan::of(&report(context, &args.run).await?.document());
    notes(&plan.notes);
    let spoken = async {
        match &args.output {
            // Renaming a file over a device or a pipe would replace it.
            Some(file) if !file.exists() || file.is_file() => {
                recording::speak(&plan, voice, file, true).await?;
            }
            output => {
                let folder = tempfile::tempdir()?;
                let file = folder.path().join(RECORDING);
                recording::speak(&plan, voice, &file, true).await?;
                let mut file = File::open(file)?;
                match output {
                    Some(device) => std::io::copy(&mut file, &mut File::create(device)?)?,
                    None => std::io::copy(&mut file, &mut bytes())?,
                };
            }
        }
        Ok(ExitCode::SUCCESS)
    };
    tokio::select! {
        spoken = spoken => spoken,
        Ok(()) = tokio::signal::ctrl_c() => Ok(ExitCode::from(INTERRUPTED)),
    }
}
