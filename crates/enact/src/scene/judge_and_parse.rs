//! How texts are understood: `enact judge` and `enact parse`.

use std::{io::Read, path::Path, process::ExitCode};

use enact_drama::{
    Problem,
    judge::{self, Goal, GoalStatus, Transcript, Verdict},
    reply,
    scene::Scene,
    text::one_line,
    usage::{NanoUsd, Usage},
};
use enact_engine::project_files;
use serde::Serialize;

use super::{args::JudgeArgs, story_of};
use crate::{
    CliContext,
    config::{NONE, check_adviser},
    find_run::find_run_of,
    screen::{print_json, stdout},
};

/// What `enact judge` prints: what the rules say and, if one was asked, a model.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Judgement {
    #[serde(flatten)]
    rules: Verdict,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<ModelJudgement>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ModelJudgement {
    name: String,
    #[serde(flatten)]
    verdict: Verdict,
    /// What of its answer is not believed.
    complaints: Vec<String>,
    /// The goals of which it says something else than the rules.
    differs: Vec<GoalDifference>,
    usage: Option<Usage>,
    #[serde(rename = "estimatedUSD")]
    estimated_usd: Option<f64>,
}

#[derive(Debug, Serialize)]
struct GoalDifference {
    goal: String,
    rules: GoalStatus,
    model: GoalStatus,
}

/// `enact judge`: does a run or a transcript reach its scene's goals?
pub(super) async fn judge(args: &JudgeArgs, context: &CliContext<'_>) -> anyhow::Result<ExitCode> {
    let (scene, rules) = match (&args.run, &args.scene, &args.transcript) {
        (Some(run), ..) => {
            let log = context.location.open_existing().await?.store();
            let run = find_run_of::<Scene>(&*log, run, context.registry).await?.run;
            let (facts, _) = story_of(&*log, run).await?;
            let no_beginning = || Problem::config(format!("run {run} has no beginning"));
            let scene = Scene::of_facts(&facts).ok_or_else(no_beginning)?;
            let rules = scene.judged_by_rules();
            (scene, rules)
        }
        (None, Some(scene), Some(transcript)) => of_transcript(scene, transcript)?,
        _ => return Err(Problem::config("name a run, or a scene and a transcript of it").into()),
    };
    let cast: Vec<&str> = scene.setup().cast.iter().map(|role| role.display.as_str()).collect();
    let read =
        |goal: GoalStatus| GoalStatus { reading: Goal::read(&goal.text, &cast).told(&cast).ok(), ..goal };
    let rules = Verdict { goals: rules.goals.into_iter().map(read).collect(), ..rules };
    let model = match args.judge.as_deref().filter(|name| *name != NONE) {
        Some(name) => Some(ask(name, &scene, &rules, args, context).await?),
        None => None,
    };
    print_json(&mut stdout(), &Judgement { rules, model })?;
    Ok(ExitCode::SUCCESS)
}

/// A scene that was not played here, and what the rules say of it.
fn of_transcript(scene: &Path, transcript: &Path) -> Result<(Scene, Verdict), Problem> {
    let config = project_files::read_scene_file(scene)?;
    if config.prompt.trim().is_empty() && config.goals.is_empty() {
        return Err(Problem::config("Scene prompt is required").in_file(scene.display()));
    }
    let file = transcript.display();
    let transcript = Transcript::read(&read(transcript)?).map_err(|problem| problem.in_file(&file))?;
    let scene = Scene::from_transcript(config, &transcript)?;
    let setup = scene.setup();
    let cast: Vec<&str> = setup.cast.iter().map(|role| role.display.as_str()).collect();
    let goals: Vec<Goal> = setup.goals.iter().map(|text| Goal::read(text, &cast)).collect();
    // A transcript says who cut off whom, which lines of a scene alone do not.
    let verdict = judge::judge(&goals, &cast, &transcript.heard());
    Ok((scene, verdict))
}

async fn ask(
    name: &str,
    scene: &Scene,
    rules: &Verdict,
    args: &JudgeArgs,
    context: &CliContext<'_>,
) -> anyhow::Result<ModelJudgement> {
    check_adviser("--judge", name)?;
    let config = context.load_config(args.home())?;
    let (name, model) = context.models(&config).make(name, "judges").await?;
    let card = model.card();
    let failed = |why: &str| anyhow::anyhow!("the model '{name}' did not judge: {}", one_line(why));
    let answer =
        model.answer(scene.question_for_judge(&card)).await.map_err(|failure| failed(&failure.error))?;
    let (verdict, complaints) = scene.read_judge(&answer.text).map_err(|error| failed(&error))?;
    let both = rules.goals.iter().zip(&verdict.goals).filter(|(rules, model)| rules.met != model.met);
    let differs = both.map(|(rules, model)| GoalDifference {
        goal: rules.text.clone(),
        rules: rules.clone(),
        model: model.clone(),
    });
    let estimated_usd = answer.usage.and_then(|usage| usage.cost(card.price)).map(NanoUsd::usd);
    let (differs, usage) = (differs.collect(), answer.usage);
    Ok(ModelJudgement { name, verdict, complaints, differs, usage, estimated_usd })
}

/// `enact parse`: how is a raw reply read?
pub(super) fn parse() -> anyhow::Result<ExitCode> {
    let mut raw = Vec::new();
    std::io::stdin().lock().read_to_end(&mut raw)?;
    // Models send what they send: bytes that are not UTF-8 are shown as replacement characters.
    let reading = reply::parse(&String::from_utf8_lossy(&raw));
    print_json(&mut stdout(), &reading)?;
    Ok(ExitCode::SUCCESS)
}

fn read(path: &Path) -> Result<String, Problem> {
    let mut bytes = Vec::new();
    let read = if path == Path::new("-") {
        std::io::stdin().lock().read_to_end(&mut bytes).map(|_| ())
    } else {
        std::fs::read(path).map(|read| bytes = read)
    };
    let unreadable = |reason: &dyn std::fmt::Display| {
        Problem::config(format!("the transcript cannot be read: {reason}")).in_file(path.display())
    };
    read.map_err(|error| unreadable(&error))?;
    String::from_utf8(bytes).map_err(|error| unreadable(&error.utf8_error()))
}
