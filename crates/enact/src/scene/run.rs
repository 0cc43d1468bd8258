//! `enact run`: play a scene, live.

use std::{path::Path, process::ExitCode, sync::Arc};

use enact_drama::{
    Problem,
    scene::{Scene, SceneConfig, SceneEnd, choose_voices::Voices, last_fork_point},
};
use enact_engine::{Voice, project_files, run_loop::Signal};
use enact_server::scene::carry_into_scene;
use tokio::task::JoinHandle;

use super::{
    args::RunArgs,
    demo,
    list_scenes::list_scenes,
    make_room_for_files,
    prepare::{PreparedScene, ScenePlan},
    recording::{RecordingOutcome, record},
    seed_table::seed_table,
    story_of, summary,
    terminal::ShownScene,
};
use crate::{
    CliContext,
    args::values::VoiceFlag,
    errors::{INTERRUPTED, exit_code},
    local_servers::{self, LocalHint},
    reader::TextForm,
    recording,
    screen::{Terminal, notes},
    signals::Signals,
    terminal::Playable,
};

/// The goal was asked for and not reached.
pub(super) const GOAL_NOT_REACHED: u8 = 3;

pub(super) async fn run(args: RunArgs, context: &CliContext<'_>) -> anyhow::Result<ExitCode> {
    if args.names_nothing() {
        return list_scenes(args.json);
    }
    if args.wants_table() {
        return seed_table(&args, context).await;
    }
    if args.csv || args.jobs.is_some() {
        let flag = if args.csv { "--csv" } else { "--jobs" };
        return Err(Problem::config(format!("{flag} is for a table of several runs"))
            .hint("--seeds 1..20 gives one, and so do several scenes")
            .into());
    }
    let location = context.location;
    let voice = voice(&args, context)?;
    let signals = Signals::new(Signal::Cancel);
    let shown = ShownScene::with_prompts(args.show_prompts).with_people(signals.sender.clone());
    let form = TextForm::chosen(args.format);
    let mut show = Terminal::new(shown, args.pace, args.is_quiet()).in_form(form);
    let playable = match &args.resume {
        Some(run) => Playable::reopen(context, run, args.is_quiet(), " Its files are written again.").await?,
        None => prepare(&args, context).await?,
    };
    make_room_for_files(location)?;
    let run = playable.run;
    let local = local_servers(&args, context)?;
    let played = playable.play(context, &mut show, signals, async |stage, _| stage.finish_scene(run).await);
    let (story, result) = played.await?;
    drop(show);
    summary::print(&result, args.json, args.quiet, location)?;
    if result.metadata.reason == Some(SceneEnd::Cancelled) && !args.is_quiet() {
        let (facts, _) = story_of(&*location.open_existing().await?.store(), run).await?;
        summary::print_how_to_go_on(run, last_fork_point(&facts), location)?;
    }
    let recorded = match voice {
        Some(voice) => record(&story, voice, location, !args.is_quiet()).await?,
        None => RecordingOutcome::Done,
    };
    if !args.is_quiet() {
        let local = match local {
            Some(looking) => looking.await.unwrap_or_default(),
            None => Vec::new(),
        };
        let hints = local.iter().map(|hint| format!("{}; to play with it: {}", hint.found(), hint.usage()));
        notes(summary::notes(&result.metadata).into_iter().chain(hints));
    }
    let metadata = &result.metadata;
    let code = exit_code(metadata.reason.map(|reason| reason.ending().name));
    Ok(ExitCode::from(match recorded {
        RecordingOutcome::Interrupted => INTERRUPTED,
        RecordingOutcome::Done if code == 0 && args.require_goal && !metadata.goal_achieved => {
            GOAL_NOT_REACHED
        }
        RecordingOutcome::Done => code,
    }))
}

/// Looks for servers on this machine that could play, beside the scene, where the improviser plays for want of
/// a model.
fn local_servers(
    args: &RunArgs,
    context: &CliContext<'_>,
) -> anyhow::Result<Option<JoinHandle<Vec<LocalHint>>>> {
    if args.is_quiet() || args.resume.is_some() || args.demo.is_some() || !args.models.is_empty() {
        return Ok(None);
    }
    let config = context.load_config(args.home())?;
    let wanted = config.default.is_none();
    Ok(wanted.then(|| tokio::spawn(async move { local_servers::look(&config).await })))
}

/// Checks and resolves everything before the first byte is written.
async fn prepare(args: &RunArgs, context: &CliContext<'_>) -> anyhow::Result<Playable<Scene>> {
    let PreparedScene { stage, mut setup, notes: known } = match args.demo {
        Some(demo) => demo::prepare(demo, context).await?,
        None => prepare_file(args, context).await?,
    };
    if !args.is_quiet() {
        let unknown = args.voice.iter().flat_map(|_| Voices::of(&setup).notes);
        notes(known.into_iter().chain(unknown));
    }
    let store = context.location.open().await?;
    // Who plays in the terminal has no account.
    carry_into_scene(&store.store(), "", &mut setup).await?;
    Ok(Playable { run: setup.run, stage, store, first: Some(Scene::beginning(setup)) })
}

/// The scene that the arguments name or describe.
async fn prepare_file(args: &RunArgs, context: &CliContext<'_>) -> anyhow::Result<PreparedScene> {
    let config = context.load_config(args.home())?;
    let plan = ScenePlan {
        scene: described_scene(args, args.scene.as_deref())?,
        file: args.scene.as_deref(),
        config: &config,
        home: args.home(),
        cast_dir: args.cast_dir.as_deref(),
        models: &args.models,
        options: &args.options,
        stream: false,
    };
    plan.prepare(context).await
}

/// Who speaks the scene once it is over, found before it begins: a voice that is not there is no surprise for
/// the end.
fn voice(args: &RunArgs, context: &CliContext<'_>) -> Result<Option<Arc<dyn Voice>>, Problem> {
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

/// The scene as the file and the flags together describe it.
pub(super) fn described_scene(args: &RunArgs, file: Option<&Path>) -> Result<SceneConfig, Problem> {
    let mut scene = match (file, &args.prompt) {
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
