//! What could come next. A suggestion closes nothing.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{CompletionMode, Episode, Series, evaluation::Evaluation};

/// How the character asks for more.
const KEEP_GOING: &str = include_str!("suggestion.txt");

/// The next episode of a series, as far as clients are told of it before it is played.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NextEpisode {
    pub slug: String,
    pub title: String,
    pub situation: String,
    pub character: String,
}

/// What could come next.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Suggestion {
    /// The next of the series.
    NextEpisode {
        episode: String,
        series: String,
        number: u32,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        about: Option<NextEpisode>,
    },
    /// A series that suits what the evaluation says, or the themes of this one.
    MatchedSeries { series: String, title: String, episode: Option<String> },
    /// The same character again.
    CharacterContinuity { character: String, prompt: String },
    /// Whatever else there is with this character.
    CharacterContent { character: String },
}

impl Suggestion {
    /// As clients read it: the keys of both generations of them.
    pub fn told(&self) -> Value {
        match self {
            Suggestion::NextEpisode { episode, series, number, about } => json!({
                "type": "next_episode",
                "episode_template_id": episode,
                "series_id": series,
                "episode_id": episode,
                "slug": episode,
                "title": about.as_ref().map_or_else(|| crate::report::title(episode), |next| next.title.clone()),
                "episode_number": number,
                "situation": about.as_ref().map(|next| &next.situation),
                "character_id": about.as_ref().map(|next| &next.character),
            }),
            Suggestion::MatchedSeries { series, title, episode } => json!({
                "type": "matched_series",
                "series": {"id": series, "slug": series, "title": title, "entry_episode_id": episode},
                "series_id": series,
                "episode_id": episode,
                "slug": episode,
                "title": title,
                "episode_number": episode.as_ref().map(|_| 1),
                "situation": null,
                "character_id": null,
            }),
            Suggestion::CharacterContinuity { character, prompt } => json!({
                "type": "character_continuity", "character_id": character, "prompt": prompt,
                "episode_id": null, "slug": null, "title": null, "episode_number": null, "situation": null,
            }),
            Suggestion::CharacterContent { character } => json!({
                "type": "character_content", "character_id": character,
                "episode_id": null, "slug": null, "title": null, "episode_number": null, "situation": null,
            }),
        }
    }
}

/// What comes next after an episode as it stands: the next of its series, a series that suits the result, one
/// with the same themes after the last of a series, then the character again.
pub(super) fn suggestion(episode: &Episode, evaluation: Option<&Evaluation>) -> Option<Suggestion> {
    next_episode(episode)
        .or_else(|| matched_series(episode, evaluation?))
        .or_else(|| thematic_series(episode))
        .or_else(|| Some(with_character(episode)))
}

fn next_episode(episode: &Episode) -> Option<Suggestion> {
    let setup = episode.setup();
    let series = setup.series.as_ref()?;
    let at = series.episodes.iter().position(|slug| *slug == setup.template.slug)?;
    let episode = series.episodes.get(at + 1)?.clone();
    let about = setup.context.next_episode.clone().filter(|next| next.slug == episode);
    let (series, number) = (series.slug.clone(), at as u32 + 2);
    Some(Suggestion::NextEpisode { episode, series, number, about })
}

fn matched_series(episode: &Episode, evaluation: &Evaluation) -> Option<Suggestion> {
    let archetype = evaluation.text("archetype")?;
    let others = &episode.setup().other_series;
    others.iter().find(|series| series.matches.iter().any(|one| one == archetype)).map(matched)
}

/// After the last episode of a series: the series that shares most themes with it.
fn thematic_series(episode: &Episode) -> Option<Suggestion> {
    let setup = episode.setup();
    let themes = setup.series.iter().flat_map(|series| &series.themes).chain(&setup.template.themes);
    let themes: Vec<&String> = themes.collect();
    let shared = |series: &&Series| series.themes.iter().filter(|theme| themes.contains(theme)).count();
    let others = setup.other_series.iter().filter(|series| shared(series) > 0);
    // Of several that share as many, the first: `max_by_key` would give the last.
    others.rev().max_by_key(shared).map(matched)
}

fn matched(series: &Series) -> Suggestion {
    let (slug, title) = (series.slug.clone(), series.title.clone());
    Suggestion::MatchedSeries { series: slug, title, episode: series.episodes.first().cloned() }
}

fn with_character(episode: &Episode) -> Suggestion {
    let character = &episode.setup().character;
    let name = character.name.to_string();
    match episode.setup().template.completion_mode {
        CompletionMode::Open => Suggestion::CharacterContent { character: name },
        CompletionMode::BeatGated | CompletionMode::TurnLimited | CompletionMode::Objective => {
            let prompt = KEEP_GOING.trim().replace("{character}", &character.display);
            Suggestion::CharacterContinuity { character: name, prompt }
        }
    }
}
