//! What is wrong with episodes and series, found without playing anything.

use std::path::{Path, PathBuf};

use enact_drama::{
    Name, Problem,
    episode::{
        CompletionMode, EpisodeTemplate, Series, episode_warnings, read_episode, read_series,
        unread_conditions,
    },
    sheet::Sheet,
};
use enact_engine::project_files;

use super::files::{LARGEST_BYTES, StoryProject, slugs};
use crate::find_files::{below, paths_below};

const EPISODES: &str = "episodes";
const SERIES: &str = "series";

/// The episodes and series of the projects in and below a folder.
pub(super) fn files_in(folder: &Path) -> Vec<PathBuf> {
    paths_below(folder).folders.iter().flat_map(|folder| files_of(folder)).collect()
}

fn files_of(folder: &Path) -> Vec<PathBuf> {
    let of = |kind: &str| {
        let folder = below(folder, kind);
        slugs(&folder).into_iter().map(move |slug| folder.join(format!("{slug}.md")))
    };
    // Other projects have a folder of this name too; a series is one only beside episodes.
    let episodes: Vec<PathBuf> = of(EPISODES).collect();
    if episodes.is_empty() { episodes } else { episodes.into_iter().chain(of(SERIES)).collect() }
}

/// What there is to tell of an episode or a series; nothing of other files.
pub(super) fn check_file(file: &Path) -> Option<Result<Vec<String>, Problem>> {
    let is_markdown = file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("md"));
    let absolute = std::path::absolute(file).ok()?;
    let folder = absolute.parent()?;
    match folder.file_name()?.to_str()? {
        EPISODES if is_markdown => Some(check_episode(file)),
        SERIES if is_markdown && folder.with_file_name(EPISODES).is_dir() => Some(check_series(file)),
        _ => None,
    }
}

fn read(file: &Path) -> Result<(StoryProject, String, String), Problem> {
    let project = StoryProject::of_file(file).ok_or_else(|| Problem::config("this is in no project"))?;
    let text = project_files::read_within(
        project.root(),
        &std::path::absolute(file).unwrap_or_default(),
        LARGEST_BYTES,
    )?;
    let slug = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default().to_owned();
    Ok((project, slug, text))
}

fn check_episode(file: &Path) -> Result<Vec<String>, Problem> {
    let (project, slug, text) = read(file)?;
    let here = |problem: Problem| problem.in_file(file.display());
    let template = read_episode(&text, &slug).map_err(here)?;
    let name = Name::new(template.character.clone()).map_err(|error| {
        here(at_word(Problem::config(format!("the character: {error}")), &text, "character"))
    })?;
    let sheet = project.sheet(&name, None).map_err(|problem| here(at_word(problem, &text, "character")))?;
    let series = project.series()?;
    let listed = series.iter().find(|series| series.episodes.contains(&slug));
    if let Some(named) = &template.series {
        let known = series.iter().map(|series| series.slug.as_str());
        if !series.iter().any(|series| series.slug == *named) {
            let problem = Problem::config(format!("there is no series '{named}'")).suggest(named, known);
            return Err(here(at_word(problem, &text, "series")));
        }
    }
    let mut lines = vec![told(file, &template)];
    let display = Sheet::read(name.as_str(), &sheet)?.display;
    let unread = unread_conditions(&template, &display);
    lines.extend(
        episode_warnings(&template).into_iter().chain(unread).map(|warning| format!("  warning: {warning}")),
    );
    lines.extend(place_warning(&template, &slug, listed));
    Ok(lines)
}

/// Whether the episode and its series agree.
fn place_warning(template: &EpisodeTemplate, slug: &str, listed: Option<&Series>) -> Option<String> {
    match (&template.series, listed) {
        (Some(named), None) => Some(format!("  warning: the series '{named}' does not list it")),
        (Some(named), Some(series)) if series.slug != *named => {
            Some(format!("  warning: the series '{}' lists it, and not '{named}'", series.slug))
        }
        (_, Some(series)) => {
            let place = series.episodes.iter().position(|one| one == slug)? as u32 + 1;
            let number = template.number.filter(|number| *number != place)?;
            Some(format!("  warning: number is {number}, and it is number {place} of '{}'", series.slug))
        }
        (None, None) => None,
    }
}

fn told(file: &Path, template: &EpisodeTemplate) -> String {
    let ends = match template.completion_mode {
        CompletionMode::Open => "open".to_owned(),
        CompletionMode::TurnLimited => format!("{} turns", template.turn_limit().unwrap_or_default()),
        CompletionMode::BeatGated => format!("until {} is over", template.required_beat.as_str()),
        CompletionMode::Objective => {
            format!("until {} is set", template.objective_key.as_deref().unwrap_or_default())
        }
    };
    let (beats, endings) = (template.cues.len(), template.endings.len());
    format!(
        "{} is an episode: {} with {}, {ends}; {beats} beats, {endings} endings",
        file.display(),
        template.title,
        template.character
    )
}

fn check_series(file: &Path) -> Result<Vec<String>, Problem> {
    let (project, slug, text) = read(file)?;
    let here = |problem: Problem| problem.in_file(file.display());
    let series = read_series(&text, &slug).map_err(here)?;
    let known = project.slugs();
    for episode in &series.episodes {
        if !known.contains(episode) {
            let problem = Problem::config(format!("there is no episode '{episode}'"));
            let problem = problem.suggest(episode, known.iter().map(String::as_str));
            return Err(here(at_word(problem, &text, episode)));
        }
    }
    let mut lines =
        vec![format!("{} is a series: {}, {} episodes", file.display(), series.title, series.episodes.len())];
    if series.episodes.is_empty() {
        lines.push("  warning: it lists no episodes".to_owned());
    }
    Ok(lines)
}

/// A problem at the line in which a word first stands.
fn at_word(problem: Problem, text: &str, word: &str) -> Problem {
    let found = (1..).zip(text.lines()).find_map(|(line, text)| Some((line, text.find(word)?)));
    match found {
        Some((line, at)) => problem.at(line, at + 1),
        None => problem,
    }
}
