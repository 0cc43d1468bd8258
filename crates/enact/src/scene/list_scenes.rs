//! `enact run` alone: which scenes there are to play.

use std::{io::Write, path::Path, process::ExitCode};

use enact_drama::{Problem, report::title, text::one_line};
use serde::Serialize;

use super::find_scenes::{FoundScene, find_scenes};
use crate::screen::{BOLD, FAINT, print_json, shell_word, stdout};

#[derive(Serialize)]
struct ListedScene {
    file: String,
    title: Option<String>,
    characters: Vec<String>,
    /// Why it cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
}

/// Lists the scenes below this folder. That there are none is an error, with what can be done about it.
pub(super) fn list_scenes(json: bool) -> anyhow::Result<ExitCode> {
    let found = find_scenes(Path::new("."));
    let playable = found.iter().find(|found| found.scene.is_ok());
    let Some(first) = playable.or(found.first()) else {
        return Err(Problem::config("Scene prompt is required")
            .hint(
                "there is no scene in or below this folder: `enact new my-story` makes one, `enact demo` plays \
                 some; or give --prompt and --cast",
            )
            .into());
    };
    let mut out = stdout();
    if json {
        print_json(&mut out, &found.iter().map(listed).collect::<Vec<_>>())?;
        return Ok(ExitCode::SUCCESS);
    }
    let width = found.iter().map(|found| found.file.display().to_string().chars().count()).max();
    let width = width.unwrap_or_default();
    for found in &found {
        let ListedScene { file, title, characters, problem } = listed(found);
        let title = title.unwrap_or_default();
        match problem {
            None => {
                writeln!(out, "{file:<width$}  {BOLD}{title}{BOLD:#} with {}", characters.join(", "))?;
            }
            Some(_) => {
                let check = format!("cannot be played: enact check {}", shell_word(&found.file));
                writeln!(out, "{file:<width$}  {FAINT}{check}{FAINT:#}")?;
            }
        }
    }
    writeln!(out, "\nPlay one: enact run {}", shell_word(&first.file))?;
    Ok(ExitCode::SUCCESS)
}

fn listed(FoundScene { file, scene }: &FoundScene) -> ListedScene {
    let file = one_line(&file.display().to_string());
    match scene {
        Ok(scene) => {
            let own = scene.title.as_deref().map(one_line).filter(|title| !title.is_empty());
            let title = Some(own.unwrap_or_else(|| title(&one_line(&scene.name))));
            let characters = scene.characters.iter().map(|name| one_line(name)).collect();
            ListedScene { file, title, characters, problem: None }
        }
        Err(problem) => {
            let problem = Some(one_line(&problem.to_string()));
            ListedScene { file, title: None, characters: Vec::new(), problem }
        }
    }
}
