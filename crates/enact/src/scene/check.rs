//! `enact check`: what is wrong with scenes, sheets and configuration, found without playing anything, and how
//! what is not wrong is read.

mod files;
pub(super) mod goals;
mod headings;

use std::{fs, io::Write, path::Path, process::ExitCode};

use enact_drama::{Name, Place, Problem, scene::SceneSetup, sheet::Sheet, text::one_line};
use enact_engine::project_files::{self, LARGEST_SCENE_BYTES, SheetLinks};

use self::files::{CheckedFile, CheckedKind, files_to_check};
use super::{
    args::{CheckArgs, folder_of},
    prepare::{PreparedScene, ScenePlan},
};
use crate::{
    CliContext,
    config::Config,
    errors,
    screen::{notes, stdout},
};

/// Checks each file, whatever is wrong with those before it. The exit code is that of the first problem.
pub(super) async fn check(args: &CheckArgs, context: &CliContext<'_>) -> anyhow::Result<ExitCode> {
    let mut code = ExitCode::SUCCESS;
    let mut known: Vec<Problem> = Vec::new();
    let mut between = "";
    for file in files_to_check(&args.files, context)? {
        match check_one(&file, args, context).await.map_err(|error| located(error, &file.path)) {
            Ok(told) => {
                write!(stdout(), "{between}{told}")?;
                between = "\n";
            }
            Err(error) => {
                let problem = error.downcast_ref::<Problem>();
                // A configuration that cannot be read is a problem of every scene below it, and is told once.
                if problem.is_some_and(|problem| known.iter().any(|known| is_same(known, problem))) {
                    continue;
                }
                known.extend(problem.cloned());
                let failed = errors::print(&error, false);
                code = if code == ExitCode::SUCCESS { failed } else { code };
            }
        }
    }
    Ok(code)
}

/// Whether two problems are one, of a file that was found by two paths.
fn is_same(one: &Problem, other: &Problem) -> bool {
    let same_file = || match (&one.file, &other.file) {
        (Some(one), Some(other)) => {
            one == other
                || fs::canonicalize(one).ok().is_some_and(|one| fs::canonicalize(other).ok() == Some(one))
        }
        _ => false,
    };
    (&one.message, one.place) == (&other.message, other.place) && same_file()
}

/// A problem with the file that it was found in and, for a character that is not there, where the file names
/// it: of several files one has to be found.
fn located(error: anyhow::Error, file: &Path) -> anyhow::Error {
    let problem = match error.downcast::<Problem>() {
        Ok(problem) if problem.file.is_none() => problem,
        Ok(problem) => return problem.into(),
        Err(other) => return other,
    };
    let place = problem.place.or_else(|| {
        let name = problem.context.get("character")?.as_str()?;
        place_of(name, &project_files::read_text(file, LARGEST_SCENE_BYTES).ok()?)
    });
    Problem { place, ..problem }.in_file(file.display()).into()
}

/// Where a word first stands in a text.
fn place_of(word: &str, text: &str) -> Option<Place> {
    let is_end = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && c != '-' && c != '_');
    (1..).zip(text.lines()).find_map(|(line, text)| {
        let (at, _) = text.match_indices(word).find(|(at, _)| {
            is_end(text[..*at].chars().next_back()) && is_end(text[at + word.len()..].chars().next())
        })?;
        Some(Place { line, column: text[..at].chars().count() + 1 })
    })
}

/// What there is to tell of a file that nothing is wrong with.
async fn check_one(
    CheckedFile { path, kind }: &CheckedFile,
    args: &CheckArgs,
    context: &CliContext<'_>,
) -> anyhow::Result<String> {
    match kind {
        CheckedKind::OfProduction(production) => {
            let checked = context.registry.named(production)?.check_file(path);
            Ok(told(checked.transpose()?.unwrap_or_default()))
        }
        CheckedKind::Scene => check_scene(path, args, context).await,
        CheckedKind::Sheet => Ok(check_sheet(path)?),
        CheckedKind::Configuration => Ok(check_configuration(path)?),
    }
}

/// Prepares a scene as `enact run` does, up to the point where it would be played.
async fn check_scene(file: &Path, args: &CheckArgs, context: &CliContext<'_>) -> anyhow::Result<String> {
    let home = folder_of(file);
    let config = context.load_config(home)?;
    let plan = ScenePlan {
        scene: project_files::read_scene_file(file)?,
        file: Some(file),
        config: &config,
        home,
        cast_dir: args.cast_dir.as_deref(),
        models: &args.models,
        options: &args.options,
        stream: false,
    };
    let PreparedScene { setup, notes: known, .. } = plan.prepare(context).await?;
    notes(known);
    Ok(told(scene_lines(&setup)))
}

fn check_sheet(file: &Path) -> Result<String, Problem> {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let name = Name::new(stem).map_err(|error| {
        Problem::config(error.to_string())
            .in_file(file.display())
            .hint("a character is called in scenes as the file of its sheet, without '.md'")
    })?;
    let sheets =
        project_files::load_sheets(folder_of(file), std::slice::from_ref(&name), SheetLinks::Followed)?;
    let text = sheets.into_iter().map(|(_, text)| text).collect::<String>();
    let sheet = Sheet::read(name.as_str(), &text)?;
    let mut lines = vec![format!("{} is a sheet: {}", shown(file), sheet.display)];
    lines.extend(headings::lines(&sheet));
    Ok(told(lines))
}

fn check_configuration(file: &Path) -> Result<String, Problem> {
    let config = Config::load(Some(file), folder_of(file))?;
    let mut lines = vec![format!("{} can be used.", shown(file))];
    let default = config.default_model();
    lines.push(format!("  played by default by {}", one_line(default)));
    for (model, does) in [(&config.judge, "judges"), (&config.events, "writes events")] {
        lines.extend(model.iter().map(|model| format!("  {} {does}", one_line(model))));
    }
    for entry in &config.models {
        let (name, settings) = (one_line(&entry.name), &entry.settings);
        lines.push(format!("  model {name}: {}'s {}", settings.provider.as_str(), one_line(&settings.model)));
    }
    Ok(told(lines))
}

fn scene_lines(setup: &SceneSetup) -> Vec<String> {
    let mut lines = vec![format!("{} can be played.", one_line(setup.name.as_str()))];
    for role in &setup.cast {
        lines.push(format!("  {}: played by {}", role.display, one_line(&role.model)));
        // It was read when the scene was cast.
        lines.extend(Sheet::read(role.name.as_str(), &role.sheet).iter().flat_map(headings::lines));
    }
    for (model, does) in [(&setup.judge, "judges"), (&setup.event_writer, "writes events")] {
        lines.extend(model.iter().map(|model| format!("  {} {does}", one_line(model))));
    }
    for player in setup.players().iter().filter(|player| !player.stands_in_for.is_empty()) {
        let whom = player.stands_in_for.join(", ");
        lines.push(format!("  {} stands in for {}", one_line(&player.name), one_line(&whom)));
    }
    lines.extend(goals::lines(setup));
    let own = setup.prompts.own();
    if !own.is_empty() {
        lines.push(format!("  templates of the project: {}", own.join(", ")));
    }
    lines
}

fn shown(file: &Path) -> String {
    one_line(&file.display().to_string())
}

fn told(lines: Vec<String>) -> String {
    lines.join("\n") + "\n"
}
