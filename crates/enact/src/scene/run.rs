//! `enact run`: play a scene, live.

use std::{
    io::{IsTerminal, Write},
    path::Path,
    process::ExitCode,
    sync::Arc,
    time::Duration,
};

use enact_drama::{
    Problem, RunId, Seq,
    scene::report::{SceneResult, Story},
    scene::{EndReason, Scene, SceneConfig, SceneEvent, Setup, voices::Voices},
};
use enact_engine::{Error, Log, Stage, Voice, log::Status, outputs, project_files, run_loop::Observer};

use super::{
    afterword,
    args::Run,
    live::Live,
    make_room_for_files,
    prepare::{Plan, Prepared},
    recording::keep,
};
use crate::{
    Context,
    args::values::VoiceFlag,
    exit_codes::{self, INTERRUPTED},
    find_run::find_run_of,
    output::stdout,
    recording,
    screen::READING_PACE_SECONDS,
    signals::Signals,
    store::{Kept, Location},
};

/// The goal was asked for and not reached.
const GOAL_NOT_REACHED: u8 = 3;

pub(super) async fn run(args: Run, context: &Context<'_>) -> anyhow::Result<ExitCode> {
    let location = context.location;
    let voice = voice(&args, context)?;
    let mut show = observer(&args);
    let mut signals = Signals::new();
    let (story, result) = match &args.resume {
        Some(run) => resume(run, &args, context, &mut *show, &mut signals).await?,
        None => {
            let (stage, setup) = prepare(&args, context).await?;
            let kept = location.open().await?;
            make_room_for_files(location)?;
            let stage = stage.store(kept.store()).write_to(&location.data_dir);
            let (run, first) = (setup.run, Scene::beginning(setup));
            let played = stage.play::<Scene>(first, &mut *show, &mut signals.received).await;
            finish(stage, kept, run, played).await?
        }
    };
    drop(show);
    report(&args, &result, location)?;
    let heard = match voice {
        Some(voice) => record(&args, &story, voice, location).await?,
        None => Heard::ToTheEnd,
    };
    if !args.quiet && !args.json {
        for note in afterword::notes(&result.metadata) {
            anstream::eprintln!("note: {note}");
        }
    }
    Ok(match heard {
        Heard::ToTheEnd => exit_code(&args, &result),
        Heard::Interrupted => ExitCode::from(INTERRUPTED),
    })
}

/// Checks and resolves everything before the first byte is written.
async fn prepare(args: &Run, context: &Context<'_>) -> anyhow::Result<(Stage, Setup)> {
    let config = context.load_config(args.home())?;
    let plan = Plan {
        scene: scene(args)?,
        file: args.scene.as_deref(),
        config: &config,
        home: args.home(),
        cast_dir: args.cast_dir.as_deref(),
        models: &args.models,
        company: &args.company,
    };
    let Prepared { stage, setup, notes } = plan.prepare(context).await?;
    if !args.quiet && !args.json {
        let unknown = args.voice.iter().flat_map(|_| Voices::of(&setup).notes);
        for note in notes.into_iter().chain(unknown) {
            anstream::eprintln!("note: {note}");
        }
    }
    Ok((stage, setup))
}

/// Who speaks the scene once it is over, found before it begins: a voice that is not there is no surprise for the end.
fn voice(args: &Run, context: &Context<'_>) -> Result<Option<Arc<dyn Voice>>, Problem> {
    let Some(flag) = &args.voice else { return Ok(None) };
    if let VoiceFlag::Names(names) = flag
        && let [file] = names.as_slice()
        && args.scene.is_none()
        && Path::new(file).is_file()
    {
        return Err(Problem::config(format!("--voice takes '{file}' for the name of a voice"))
            .hint(format!("name the scene first: enact run {file} --voice")));
    }
    recording::speaker(&context.load_config(args.home())?, Some(flag))
}

/// How long somebody listened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Heard {
    ToTheEnd,
    /// By Ctrl-C.
    Interrupted,
}

/// Records a scene that is over. That it is stays as it is, whatever comes of this.
async fn record(
    args: &Run,
    story: &Story,
    voice: Arc<dyn Voice>,
    location: &Location,
) -> anyhow::Result<Heard> {
    let (run, shown) = (story.setup.run, !args.quiet && !args.json);
    let recording = keep(story, voice, &location.data_dir, shown);
    let again = format!("enact export {run} --format wav -o {}{}", outputs::RECORDING, location.flag());
    tokio::select! {
        recorded = recording => match recorded {
            Ok(file) if shown => writeln!(stdout(), "Recording: {}", file.display())?,
            Ok(_) => {}
            Err(error) => anstream::eprintln!("note: there is no recording: {error:#}; to try again: {again}"),
        },
        Ok(()) = tokio::signal::ctrl_c() => {
            anstream::eprintln!("note: there is no recording, it was stopped; to begin again: {again}");
            return Ok(Heard::Interrupted);
        }
    }
    Ok(Heard::ToTheEnd)
}

/// The scene as the file and the flags together describe it.
fn scene(args: &Run) -> Result<SceneConfig, Problem> {
    let mut scene = match (&args.scene, &args.prompt) {
        (Some(file), _) => project_files::read_scene_file(file)?,
        (None, Some(prompt)) => {
            SceneConfig { name: "scene".to_owned(), prompt: prompt.clone(), ..SceneConfig::default() }
        }
        (None, None) => {
            return Err(Problem::config("Scene prompt is required")
                .hint("name a scene file, or give --prompt and --cast; --resume plays on"));
        }
    };
    if let Some(name) = &args.name {
        scene.name.clone_from(name);
    }
    if !args.cast.is_empty() {
        scene.characters.clone_from(&args.cast);
    }
    scene.initial_speaker = args.first.clone().or(scene.initial_speaker);
    scene.seed = args.seed.or(scene.seed);
    scene.max_beats = args.max_beats.or(scene.max_beats);
    Ok(scene)
}

async fn resume(
    run: &str,
    args: &Run,
    context: &Context<'_>,
    show: &mut dyn Observer<SceneEvent>,
    signals: &mut Signals,
) -> anyhow::Result<(Story, SceneResult)> {
    let location = context.location;
    // Looked up first, so that a mistyped run does not leave an empty data folder behind.
    let found = find_run_of::<Scene>(&*location.existing().await?.store(), run, context.registry).await?;
    let kept = location.open().await?;
    make_room_for_files(location)?;
    let mut stage = Stage::empty().store(kept.store()).write_to(&location.data_dir);
    if let (Status::Finished, Some(reason)) = (found.status, &found.reason) {
        if !args.quiet && !args.json {
            anstream::eprintln!(
                "This run has ended ({reason}): there is nothing to resume. Its files are written again.\n"
            );
        }
    } else {
        // A log does not say where its scene lay; whoever resumes from elsewhere names the configuration.
        let config = context.load_config(Path::new("."))?;
        let setup = setup_of(&*kept.store(), found.run).await?;
        for (name, model) in context.models(&config).again(&setup.players()).await? {
            stage = stage.model(name, model);
        }
    }
    let played = stage.resume::<Scene>(found.run, show, &mut signals.received).await;
    finish(stage, kept, found.run, played).await
}

/// Writes the files of a scene that was played, and lets its store come to rest whatever happened.
async fn finish(
    stage: Stage,
    kept: Kept,
    run: RunId,
    played: Result<Option<&'static str>, Error>,
) -> anyhow::Result<(Story, SceneResult)> {
    let finished = match played {
        Ok(_) => stage.finish_scene(run).await,
        Err(error) => Err(error),
    };
    drop(stage);
    kept.close().await;
    Ok(finished?)
}

/// What a run was begun with.
async fn setup_of(log: &dyn Log, run: RunId) -> anyhow::Result<Arc<Setup>> {
    let records = log.read(run, Seq(0)).await?;
    let first = records.first().map(|record| record.fact::<SceneEvent>()).transpose()?;
    match first.map(|fact| fact.event) {
        Some(SceneEvent::Began { setup }) => Ok(setup),
        _ => Err(Problem::config(format!("run {run} has no beginning")).into()),
    }
}

fn observer(args: &Run) -> Box<dyn Observer<SceneEvent>> {
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

fn report(args: &Run, result: &SceneResult, location: &Location) -> anyhow::Result<()> {
    let mut out = stdout();
    if args.json {
        writeln!(out, "{}", serde_json::to_string_pretty(result)?)?;
    } else if !args.quiet {
        let metadata = &result.metadata;
        let beats = if metadata.total_beats == 1 { "beat" } else { "beats" };
        let why = afterword::cause(metadata).map_or(".".to_owned(), |cause| format!(": {cause}"));
        let (how, seed) = (ended(result), metadata.seed);
        writeln!(out, "\n{how} after {} {beats}, seed {seed}{why}", metadata.total_beats)?;
        writeln!(out, "Transcript: {}", Path::new(&result.output_path).join("transcript.txt").display())?;
        writeln!(out, "Again: enact replay {}{}", metadata.run_id, location.flag())?;
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
        Some(EndReason::BudgetExceeded) => "Stopped to keep to its budget",
        Some(EndReason::Cancelled) => "Cancelled",
        Some(EndReason::Failed) => "Failed: nobody could answer",
        None => "Not finished",
    }
}

fn exit_code(args: &Run, result: &SceneResult) -> ExitCode {
    let code = exit_codes::of(result.metadata.reason.map(|reason| reason.ending().name));
    if code == 0 && args.require_goal && !result.metadata.goal_achieved {
        return ExitCode::from(GOAL_NOT_REACHED);
    }
    ExitCode::from(code)
}
