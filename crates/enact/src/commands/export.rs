//! `enact export`: a run in another format.

use std::{
    fs::File,
    io::{IsTerminal, Write},
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::Context as _;
use enact_drama::{
    Problem, Record, RunId,
    report::{Document, recording::Plan},
};
use enact_engine::{
    artifacts::recordings::sounds,
    outputs::{RECORDING, json_line},
    recording::{SpokenLines, record_lines},
};
use enact_page::offline;

use super::{cannot_be_shown, records, report};
use crate::{
    CliContext,
    args::{ExportArgs, Exported},
    audio_places,
    errors::INTERRUPTED,
    find_run::find_run,
    recording,
    screen::{bytes, notes, stdout},
};

pub(crate) async fn export(args: &ExportArgs, context: &CliContext<'_>) -> anyhow::Result<ExitCode> {
    if args.voice.is_some() && !matches!(args.format, Exported::Recording | Exported::Html) {
        return Err(Problem::config("--voice says who speaks a recording, and this is none")
            .hint("recordings are exported with --format wav, and with what is said aloud with html")
            .into());
    }
    let in_folder = match &args.output {
        Some(folder) if is_folder(folder) => Some(place_in(folder, args, context).await?),
        _ => None,
    };
    let output = in_folder.as_deref().or(args.output.as_deref());
    let exported = write(args, output, context).await?;
    if let Some(file) = in_folder.filter(|_| exported == ExitCode::SUCCESS) {
        writeln!(stdout(), "{}", file.display())?;
    }
    Ok(exported)
}

async fn write(
    args: &ExportArgs,
    output: Option<&Path>,
    context: &CliContext<'_>,
) -> anyhow::Result<ExitCode> {
    let text = match args.format {
        Exported::Transcript(format) => format.render(&document(args, context).await?),
        Exported::Recording => return record(args, output, context).await,
        Exported::Log => {
            let (_, records) = shown_records(context, &args.run).await?;
            records.iter().map(json_line).collect()
        }
        Exported::Debug => {
            let (run, records) = records(context, &args.run).await?;
            context.productions.debug_log(&records).map_err(|error| cannot_be_shown(run, &error))?
        }
        Exported::Prompts => {
            let (run, records) = records(context, &args.run).await?;
            context.productions.sent_prompts(&records).map_err(|error| cannot_be_shown(run, &error))?
        }
        Exported::Html => offline_page(args, context).await?,
    };
    match output {
        Some(file) => std::fs::write(file, text).with_context(|| not_written(file))?,
        None => stdout().write_all(text.as_bytes())?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The records of a run without what is not to leave it: what a character thinks.
async fn shown_records(context: &CliContext<'_>, run: &str) -> anyhow::Result<(RunId, Vec<Record>)> {
    let (run, records) = records(context, run).await?;
    let shown = match records.first().cloned() {
        Some(first) => context.productions.shown(&first, records),
        None => records,
    };
    Ok((run, shown))
}

/// The run as a document, or the one of its conversations that is wanted.
async fn document(args: &ExportArgs, context: &CliContext<'_>) -> anyhow::Result<Document> {
    let report = report(context, &args.run).await?;
    let Some(id) = &args.conversation else { return Ok(report.document()) };
    let document = report.conversation(id).ok_or_else(|| {
        let metadata = report.metadata();
        let known: Vec<&str> = metadata["conversations"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|one| one["id"].as_str())
            .take(20)
            .collect();
        let hint = match known.as_slice() {
            [] => "this run has none".to_owned(),
            known => format!("there are: {}", known.join(", ")),
        };
        Problem::config(format!("there is no conversation '{}' in this run", id.escape_debug())).hint(hint)
    })?;
    Ok(document)
}

/// The run as one HTML file, with what it said aloud.
async fn offline_page(args: &ExportArgs, context: &CliContext<'_>) -> anyhow::Result<String> {
    let (run, records) = records(context, &args.run).await?;
    let log = context.location.open_existing().await?.store();
    let summary = find_run(&*log, &run.to_string()).await?;
    let artifacts = audio_places::artifacts(None, &context.config_here()?, context.location).await?;
    let (sounds, mut spoken) = (sounds(&artifacts, &records), SpokenLines::default());
    if offline::SPOKEN.contains(&&*summary.production) {
        let told = context.productions.report(&records).map_err(|error| cannot_be_shown(run, &error))?;
        if let Some(voice) = recording::speaker(&context.config_here()?, args.voice.as_ref())? {
            let plan = Plan::of(&told.document());
            spoken = record_lines(&plan, voice, offline::MOST_SOUND_BYTES, None).await?;
        }
    }
    let lines = spoken.lines.iter().map(|(_, sound)| sound.len());
    if sounds.iter().map(|(_, sound)| sound.len()).chain(lines).sum::<usize>() > offline::MOST_SOUND_BYTES {
        notes(["the sound is left out: it is larger than 50 MB"]);
    }
    let made = enact_server::offline_file(&context.productions, &summary, records, sounds, spoken);
    Ok(made.map_err(|error| cannot_be_shown(run, &error))?)
}

/// Whether this names a folder: one that is there, or one that is meant to be.
fn is_folder(output: &Path) -> bool {
    output.is_dir() || output.as_os_str().as_encoded_bytes().ends_with(b"/")
}

/// The file in a folder that a run is exported to: named for the run, so that several can stand there.
async fn place_in(folder: &Path, args: &ExportArgs, context: &CliContext<'_>) -> anyhow::Result<PathBuf> {
    let log = context.location.open_existing().await?.store();
    let run = find_run(&*log, &args.run).await?.run;
    std::fs::create_dir_all(folder).with_context(|| format!("could not make {}", folder.display()))?;
    Ok(folder.join(format!("{run}.{}", args.format.extension())))
}

fn not_written(file: &Path) -> String {
    format!("could not write {}", file.display())
}

/// The run, spoken. It goes into a file as it comes: its length is not known before the end.
async fn record(
    args: &ExportArgs,
    output: Option<&Path>,
    context: &CliContext<'_>,
) -> anyhow::Result<ExitCode> {
    if output.is_none() && std::io::stdout().is_terminal() {
        return Err(Problem::config("a recording is nothing to be shown on a terminal")
            .hint("name a file with -o recording.wav; captions are written beside it")
            .into());
    }
    if output.is_some_and(|file| file.extension().is_some_and(|end| end == "vtt")) {
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
    let plan = Plan::of(&document(args, context).await?);
    notes(&plan.notes);
    let spoken = async {
        match output {
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
                    Some(device) => {
                        let mut device = File::create(device).with_context(|| not_written(device))?;
                        std::io::copy(&mut file, &mut device)?
                    }
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
