//! `enact check`: what is wrong with a scene, found without playing it.

use std::{io::Write, process::ExitCode};

use enact_drama::{judge::Goal, scene::Setup, text::one_line};
use enact_engine::project_files;

use super::{
    args::CheckArgs,
    prepare::{PreparedScene, ScenePlan},
};
use crate::{
    CliContext,
    screen::{notes, stdout},
};

/// Prepares a scene as `enact run` does, up to the point where it would be played, and tells what was found.
pub(super) async fn check(args: &CheckArgs, context: &CliContext<'_>) -> anyhow::Result<ExitCode> {
    let config = context.load_config(args.home())?;
    let plan = ScenePlan {
        scene: project_files::read_scene_file(&args.scene)?,
        file: Some(&args.scene),
        config: &config,
        home: args.home(),
        cast_dir: args.cast_dir.as_deref(),
        models: &args.models,
        options: &args.options,
        stream: false,
    };
    let PreparedScene { setup, notes: known, .. } = plan.prepare(context).await?;
    notes(known);
    write!(stdout(), "{}", summary(&setup))?;
    Ok(ExitCode::SUCCESS)
}

fn summary(setup: &Setup) -> String {
    let displays: Vec<&str> = setup.cast.iter().map(|role| role.display.as_str()).collect();
    let mut lines = vec![format!("{} can be played.", one_line(setup.name.as_str()))];
    for role in &setup.cast {
        lines.push(format!("  {}: played by {}", role.display, one_line(&role.model)));
    }
    for (model, does) in [(&setup.judge, "judges"), (&setup.event_writer, "writes events")] {
        lines.extend(model.iter().map(|model| format!("  {} {does}", one_line(model))));
    }
    for player in setup.players().iter().filter(|player| !player.stands_in_for.is_empty()) {
        let whom = player.stands_in_for.join(", ");
        lines.push(format!("  {} stands in for {}", one_line(&player.name), one_line(&whom)));
    }
    for goal in &setup.goals {
        let unread = match setup.judge.is_some() || Goal::read(goal, &displays).is_readable() {
            true => "",
            false => " (the rules cannot judge it: say who does what, or name a judge)",
        };
        lines.push(format!("  goal: {}{unread}", one_line(goal)));
    }
    let own = setup.prompts.own();
    if !own.is_empty() {
        lines.push(format!("  templates of the project: {}", own.join(", ")));
    }
    lines.join("\n") + "\n"
}
