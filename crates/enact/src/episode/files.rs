//! The episodes, series and sheets of a story project.

use std::path::{Path, PathBuf};

use enact_drama::{
    Name, Problem, did_you_mean,
    episode::{EpisodeTemplate, NextEpisode, Series, read_episode, read_series},
};
use enact_engine::project_files::{self, SheetLinks};

/// The largest file of an episode or a series.
pub(super) const LARGEST_BYTES: usize = 256 * 1024;

/// A folder with `episodes` in it.
#[derive(Debug, Clone)]
pub(crate) struct StoryProject {
    root: PathBuf,
}

/// An episode with all that belongs to it, as it was read.
#[derive(Debug)]
pub(crate) struct FoundEpisode {
    pub(crate) template: EpisodeTemplate,
    pub(crate) series: Option<Series>,
    pub(crate) other_series: Vec<Series>,
    /// The one that follows in the series.
    pub(crate) next_episode: Option<NextEpisode>,
    pub(crate) name: Name,
    pub(crate) sheet: String,
}

impl StoryProject {
    /// The nearest in or above a folder.
    pub(crate) fn find(start: &Path) -> Option<StoryProject> {
        let start = std::path::absolute(start).ok()?;
        let root = start.ancestors().find(|folder| folder.join("episodes").is_dir())?;
        Some(StoryProject { root: root.to_owned() })
    }

    /// The project of an episode's file.
    pub(crate) fn of_file(file: &Path) -> Option<StoryProject> {
        let file = std::path::absolute(file).ok()?;
        let root = file.parent()?.parent()?;
        Some(StoryProject { root: root.to_owned() })
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// The names of all episodes.
    pub(crate) fn slugs(&self) -> Vec<String> {
        slugs(&self.root.join("episodes"))
    }

    /// Every episode, by name. One that cannot be read is there with its problem.
    pub(crate) fn episodes(&self) -> Vec<(String, Result<EpisodeTemplate, Problem>)> {
        let slugs = slugs(&self.root.join("episodes"));
        slugs.into_iter().map(|slug| (slug.clone(), self.template(&slug))).collect()
    }

    /// The project and the name of an episode that is named on the command line.
    pub(crate) fn of_episode(episode: &str) -> Result<(StoryProject, String), Problem> {
        let file = Path::new(episode);
        let is_file = episode.ends_with(".md");
        let project = if is_file { StoryProject::of_file(file) } else { StoryProject::find(Path::new(".")) };
        let slug = match is_file {
            true => file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default(),
            false => episode,
        };
        Ok((project.ok_or_else(no_project)?, slug.to_owned()))
    }

    fn template(&self, slug: &str) -> Result<EpisodeTemplate, Problem> {
        let file = self.root.join("episodes").join(format!("{slug}.md"));
        let text = project_files::read_within(&self.root, &file, LARGEST_BYTES)?;
        read_episode(&text, slug).map_err(|problem| problem.in_file(file.display()))
    }

    pub(crate) fn series(&self) -> Result<Vec<Series>, Problem> {
        let folder = self.root.join("series");
        let read = |slug: String| {
            let file = folder.join(format!("{slug}.md"));
            let text = project_files::read_within(&self.root, &file, LARGEST_BYTES)?;
            read_series(&text, &slug).map_err(|problem| problem.in_file(file.display()))
        };
        slugs(&folder).into_iter().map(read).collect()
    }

    /// The first episode of the first of these series that is there, or the episode of one of these names.
    pub(crate) fn entry_episode(&self, names: &[String]) -> Option<String> {
        let series = self.series().unwrap_or_default();
        let of_series = |name: &String| {
            let found = series.iter().find(|series| series.slug == *name)?;
            found.episodes.first().cloned()
        };
        let known = slugs(&self.root.join("episodes"));
        let episode = |name: &&String| known.contains(name);
        names.iter().find_map(of_series).or_else(|| names.iter().find(episode).cloned())
    }

    /// The sheet of a character.
    pub(crate) fn sheet(&self, name: &Name, cast_dir: Option<&Path>) -> Result<String, Problem> {
        let one = std::slice::from_ref(name);
        let cast_dir = cast_dir.map(Path::to_owned).or_else(|| project_files::find_cast_dir(&self.root));
        let cast_dir = cast_dir.ok_or_else(|| project_files::no_cast_dir(&self.root, one))?;
        let links = SheetLinks::Within { folder: &self.root, hint: "put the sheet itself there" };
        let sheets = project_files::load_sheets(&cast_dir, one, links)?;
        Ok(sheets.into_iter().map(|(_, text)| text).next().unwrap_or_default())
    }

    /// An episode by its name, with its series and the sheet of its character.
    pub(crate) fn load(&self, slug: &str, cast_dir: Option<&Path>) -> Result<FoundEpisode, Problem> {
        let known = slugs(&self.root.join("episodes"));
        if !known.iter().any(|known| known == slug) {
            let problem = Problem::config(format!("there is no episode '{}'", slug.escape_debug()));
            let meant = did_you_mean(slug, known.iter().map(String::as_str));
            let hint = match meant {
                Some(one) => format!("did you mean '{one}'?"),
                None => format!("there are: {}", known.join(", ")),
            };
            return Err(problem.hint(hint));
        }
        let template = self.template(slug)?;
        let name = Name::new(template.character.clone())
            .map_err(|error| Problem::config(format!("the character of '{slug}': {error}")))?;
        let sheet = self.sheet(&name, cast_dir)?;
        let (series, other_series) = self.series()?.into_iter().partition(|series: &Series| {
            template.series.as_deref() == Some(&series.slug) || series.episodes.iter().any(|one| one == slug)
        });
        let series: Vec<Series> = series;
        let series = series.into_iter().next();
        let next_episode = series.as_ref().and_then(|series| self.next_episode(series, slug));
        Ok(FoundEpisode { template, series, other_series, next_episode, name, sheet })
    }

    /// What clients are told of the episode after this one. One that cannot be read is not talked of.
    fn next_episode(&self, series: &Series, slug: &str) -> Option<NextEpisode> {
        let at = series.episodes.iter().position(|one| one == slug)?;
        let slug = series.episodes.get(at + 1)?.clone();
        let EpisodeTemplate { title, situation, character, .. } = self.template(&slug).ok()?;
        Some(NextEpisode { slug, title, situation, character })
    }
}

pub(crate) fn no_project() -> Problem {
    Problem::config("there is no 'episodes' folder here or above")
        .hint("name the file of an episode: enact play FOLDER/episodes/NAME.md")
}

/// The names of the markdown files of a folder, in order.
pub(super) fn slugs(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let mut slugs: Vec<String> =
        names.filter_map(|name| Some(name.strip_suffix(".md")?.to_owned())).collect();
    slugs.sort();
    slugs
}
