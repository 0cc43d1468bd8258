//! `enact demo`: scenes that come with the program, with written performances.

use std::{io::Write, path::PathBuf, process::ExitCode};

use enact_drama::{
    Name, Problem,
    scene::{SceneConfig, SceneFormat, ScenePrompts, read_scene},
    text::one_line,
};
use serde::Serialize;

use super::{
    args::{DemoArgs, ModelFlag, ModelOptions, RunArgs},
    prepare::{Cast, CastSheet, PreparedScene, ScenePlan},
    run,
};
use crate::{
    CliContext,
    config::Config,
    demos::{DEMOS, Demo},
    screen::{BOLD, print_json, stdout},
};

/// Plays the demo that is named, or lists all of them.
pub(super) async fn demo(args: DemoArgs, context: &CliContext<'_>) -> anyhow::Result<ExitCode> {
    let Some(name) = &args.name else { return list(args.json) };
    let demo = Demo::named(name)?;
    let args = RunArgs {
        demo: Some(demo),
        pace: args.pace,
        voice: args.voice,
        format: args.format,
        json: args.json,
        quiet: args.quiet,
        ..RunArgs::default()
    };
    run::run(args, context).await
}

#[derive(Serialize)]
struct ListedDemo {
    name: &'static str,
    title: Option<String>,
    setting: Option<String>,
    characters: Vec<String>,
}

fn list(json: bool) -> anyhow::Result<ExitCode> {
    let listed = DEMOS.iter().map(|demo| {
        let SceneConfig { title, setting, characters, .. } = scene(demo)?;
        Ok(ListedDemo { name: demo.name, title, setting, characters })
    });
    let listed = listed.collect::<Result<Vec<_>, Problem>>()?;
    let mut out = stdout();
    if json {
        print_json(&mut out, &listed)?;
        return Ok(ExitCode::SUCCESS);
    }
    writeln!(
        out,
        "Scenes with written performances: every line was written beforehand, and the engine plays them.\n"
    )?;
    let width = listed.iter().map(|demo| demo.name.len()).max().unwrap_or_default();
    for ListedDemo { name, setting, .. } in &listed {
        let setting = setting.as_deref().map(one_line).unwrap_or_default();
        writeln!(out, "{BOLD}{name:<width$}{BOLD:#}  {setting}")?;
    }
    if let Some(first) = DEMOS.first() {
        writeln!(out, "\nPlay one: enact demo {}", first.name)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn scene(demo: &Demo) -> Result<SceneConfig, Problem> {
    let format = SceneFormat::Markdown { default_name: demo.name };
    read_scene(demo.scene, format).map_err(|problem| problem.in_file(demo.name))
}

/// Readies a demo as any other scene, with its own sheets and its own script. Nothing of the project that it
/// is played in is looked at: a default model or a judge there has no part in it.
pub(super) async fn prepare(demo: &Demo, context: &CliContext<'_>) -> anyhow::Result<PreparedScene> {
    let config = Config::default();
    let sheets = demo.sheets.iter().map(|(name, text)| {
        let name = Name::new(*name).map_err(|error| Problem::config(error.to_string()))?;
        CastSheet::read((name, (*text).to_owned()))
    });
    let sheets = sheets.collect::<Result<Vec<_>, Problem>>()?;
    let cast = Cast { folder: PathBuf::from(demo.name), sheets, prompts: ScenePrompts::default() };
    let scene = scene(demo)?;
    let checked = scene.check()?;
    let everyone = [ModelFlag { character: None, model: demo.model() }];
    let plan = ScenePlan {
        scene,
        file: None,
        home: std::path::Path::new("."),
        cast_dir: None,
        config: &config,
        models: &everyone,
        options: &ModelOptions::default(),
        stream: false,
    };
    plan.cast(&checked, cast, &context.models(&config)).await
}
