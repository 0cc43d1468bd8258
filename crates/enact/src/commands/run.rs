//! `enact run`: play a scene, live.

use std::{
    io::{IsTerminal, Write},
    path::Path,
    process::ExitCode,
    sync::Arc,
    time::Duration,
};

use enact_drama::{
    Happened, Problem, RunId, Seq,
    scene::{EndReason, SceneConfig, SceneEvent, Setup},
    show::SceneResult,
};
use enact_engine::{Stage, casting, perform::Watcher};
use enact_store::SqliteLog;
use tokio::sync::mpsc;

use crate::{
    args::{self, Run},
    find_run::find_run,
    live::Live,
    models,
    output::stdout,
};

/// The goal was asked for and not reached.
const GOAL_NOT_REACHED: u8 = 3;
/// What shells expect of a program that Ctrl-C ended.
const INTERRUPTED: i32 = 130;
/// On a terminal somebody reads along.
const READING_PACE_SECONDS: f64 = 0.5;

pub(crate) async fn run(args: Run, data_dir: &Path) -> anyhow::Result<ExitCode> {
    let mut show = watcher(&args);
    let mut requests = ctrl_c();
    let result = match &args.resume {
        Some(run) => resume(run, data_dir, &mut *show, &mut requests).await?,
        None => {
            let (stage, setup) = prepare(&args, data_dir).await?;
            let stage = stage.log(open(data_dir).await?).write_to(data_dir);
            stage.play(setup, &mut *show, &mut requests).await?
        }
    };
    drop(show);
    report(&args, &result, data_dir)?;
    Ok(exit_code(&args, &result))
}

/// Checks and resolves everything before the first byte is written.
async fn prepare(args: &Run, data_dir: &Path) -> anyhow::Result<(Stage, Setup)> {
    let (config, home) = config(args)?;
    let checked = config.check()?;
    let cast_dir = args.cast_dir.clone().or_else(|| casting::find_cast_dir(&home));
    let cast_dir = cast_dir.ok_or_else(|| casting::no_cast_dir(&home, &checked.characters))?;
    let sheets = casting::load_sheets(&cast_dir, &checked.characters)?;
    let model = models::model(&args.model, data_dir).await?;
    let mut stage = Stage::new(args.model.as_str(), model);
    for (name, sheet) in sheets {
        stage = stage.sheet(name.to_string(), sheet);
    }
    let setup = stage.cast(config)?;
    Ok((stage, setup))
}

/// The scene as the file and the flags together describe it, and where to look for its cast from.
fn config(args: &Run) -> Result<(SceneConfig, std::path::PathBuf), Problem> {
    let (mut config, home) = match (&args.scene, &args.prompt) {
        (Some(file), _) => {
            let home = file.parent().filter(|folder| !folder.as_os_str().is_empty());
            (casting::read_scene_file(file)?, home.unwrap_or(Path::new(".")).to_owned())
        }
        (None, prompt) => {
            let config = SceneConfig {
                name: "scene".to_owned(),
                prompt: prompt.clone().unwrap_or_default(),
                characters: args.cast.clone(),
                ..SceneConfig::default()
            };
            (config, ".".into())
        }
    };
    if let Some(name) = &args.name {
        config.name.clone_from(name);
    }
    config.initial_speaker = args.first.clone().or(config.initial_speaker);
    config.seed = args.seed.or(config.seed);
    config.max_beats = args.max_beats.or(config.max_beats);
    Ok((config, home))
}

async fn resume(
    run: &str,
    data_dir: &Path,
    show: &mut dyn Watcher<SceneEvent>,
    requests: &mut mpsc::Receiver<Happened>,
) -> anyhow::Result<SceneResult> {
    // Looked up first, so that a mistyped run does not leave an empty data folder behind.
    let run = find_run(&*super::open_existing(data_dir).await?, run).await?.run;
    let log = open(data_dir).await?;
    let mut stage = Stage::empty().log(log.clone()).write_to(data_dir);
    for name in models_of(&log, run).await? {
        let model = models::model(&name, data_dir).await?;
        stage = stage.model(name, model);
    }
    Ok(stage.resume(run, show, requests).await?)
}

/// The names of the models a run was begun with.
async fn models_of(log: &SqliteLog, run: RunId) -> anyhow::Result<Vec<String>> {
    use enact_engine::Log;
    let records = log.read(run, Seq(0)).await?;
    let first = records.first().map(|record| record.fact::<SceneEvent>()).transpose()?;
    match first.map(|fact| fact.event) {
        Some(SceneEvent::Began { setup }) => Ok(setup.models.keys().cloned().collect()),
        _ => Err(Problem::config(format!("run {run} has no beginning")).into()),
    }
}

async fn open(data_dir: &Path) -> anyhow::Result<Arc<SqliteLog>> {
    let unusable = |error: &dyn std::fmt::Display| {
        Problem::config(format!("the data folder {} cannot be used: {error}", data_dir.display()))
            .hint("choose another one with --data-dir")
    };
    std::fs::create_dir_all(data_dir.join("scenes")).map_err(|error| unusable(&error))?;
    Ok(Arc::new(SqliteLog::open(data_dir).await.map_err(|error| unusable(&error))?))
}

fn watcher(args: &Run) -> Box<dyn Watcher<SceneEvent>> {
    let terminal = std::io::stdout().is_terminal();
    let pace =
        args.pace.unwrap_or(if terminal && !args.quiet && !args.json { READING_PACE_SECONDS } else { 0.0 });
    let pace = Duration::from_secs_f64(pace);
    if args.quiet || args.json {
        Box::new(Live::unseen(pace))
    } else {
        Box::new(Live::on_stdout(pace, terminal))
    }
}

/// The first Ctrl-C ends the scene with a transcript, the second one ends the program.
fn ctrl_c() -> mpsc::Receiver<Happened> {
    let (request, requests) = mpsc::channel(1);
    tokio::spawn(async move {
        if tokio::signal::ctrl_c().await.is_ok() {
            let _ = request.send(Happened::Cancelled).await;
            if tokio::signal::ctrl_c().await.is_ok() {
                std::process::exit(INTERRUPTED);
            }
        }
    });
    requests
}

fn report(args: &Run, result: &SceneResult, data_dir: &Path) -> anyhow::Result<()> {
    let mut out = stdout();
    if args.json {
        writeln!(out, "{}", serde_json::to_string_pretty(result)?)?;
    } else if !args.quiet {
        let metadata = &result.metadata;
        let beats = if metadata.total_beats == 1 { "beat" } else { "beats" };
        writeln!(out, "\n{} after {} {beats}, seed {}.", ended(result), metadata.total_beats, metadata.seed)?;
        writeln!(out, "Transcript: {}", Path::new(&result.output_path).join("transcript.txt").display())?;
        let elsewhere = match data_dir.to_str() {
            Some(args::DEFAULT_DATA_DIR) => String::new(),
            _ => format!(" --data-dir {}", data_dir.display()),
        };
        writeln!(out, "Again: enact replay {}{elsewhere}", metadata.run_id)?;
    }
    Ok(())
}

fn ended(result: &SceneResult) -> &'static str {
    match result.metadata.reason {
        Some(EndReason::GoalAchieved) => "Goal achieved",
        Some(EndReason::NaturalEnd) => "Came to a natural end",
        Some(EndReason::Stalled) => "Stalled: nobody had anything more to say",
        Some(EndReason::Looping) => "Ended because the same exchange kept going round",
        Some(EndReason::MaxBeatsExceeded) => "Reached its maximum length",
        Some(EndReason::BudgetExceeded) => "Used up its budget",
        Some(EndReason::Cancelled) => "Cancelled",
        Some(EndReason::Failed) => "Failed: nobody could answer",
        None => "Not finished",
    }
}

fn exit_code(args: &Run, result: &SceneResult) -> ExitCode {
    let code = result.metadata.reason.map_or(0, |reason| reason.ending().exit_code);
    if code == 0 && args.require_goal && !result.metadata.goal_achieved {
        return ExitCode::from(GOAL_NOT_REACHED);
    }
    ExitCode::from(code)
}
