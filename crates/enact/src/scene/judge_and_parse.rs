//! How texts are understood: `enact judge` and `enact parse`.

use std::{io::Read, path::Path, process::ExitCode};

use enact_drama::{
    Problem,
    judge::{self, Goal, goal::goals_of, transcript_reader::Transcript},
    reply,
};
use enact_engine::project_files;

use super::args::JudgeArgs;
use crate::screen::{print_json, stdout};

/// `enact judge`: does a transcript reach a scene's goals?
pub(super) fn judge(args: &JudgeArgs) -> anyhow::Result<ExitCode> {
    let scene = project_files::read_scene_file(&args.scene)?;
    if scene.prompt.trim().is_empty() && scene.goals.is_empty() {
        return Err(Problem::config("Scene prompt is required").in_file(args.scene.display()).into());
    }
    let file = args.transcript.display();
    let text = read(&args.transcript)?;
    let transcript = Transcript::read(&text).map_err(|problem| problem.in_file(&file))?;
    let cast = transcript.cast(&scene.characters);
    let cast: Vec<&str> = cast.iter().map(String::as_str).collect();
    let goals: Vec<Goal> =
        goals_of(&scene.goals, &scene.prompt, &cast).iter().map(|text| Goal::read(text, &cast)).collect();
    let verdict = judge::judge(&goals, &cast, &transcript.heard());
    print_json(&mut stdout(), &verdict)?;
    Ok(ExitCode::SUCCESS)
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
