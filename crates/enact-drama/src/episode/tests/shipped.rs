//! The episodes of `examples/episodes`: all can be read, and everything in them can happen.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;

use super::Played;
use crate::{
    episode::{
        CompletionMode, EpisodeCondition, EpisodeEvent, EpisodeTemplate, Series, SeriesKind, Suggestion,
        read_episode, read_series,
    },
    production::Production,
};

macro_rules! shipped {
    ($folder:literal: $($slug:literal),* $(,)?) => {
        [$(($slug, include_str!(concat!("../../../../../examples/episodes/", $folder, "/", $slug, ".md")))),*]
    };
}

const EPISODES: [(&str, &str); 9] = shipped!("episodes":
    "flirt-test",
    "hollis-1-the-stopped-clock",
    "hollis-2-the-housekeeper",
    "hollis-3-the-doctors-bag",
    "hollis-4-the-accusation",
    "the-late-shop",
    "two-truths",
    "what-he-left",
    "fog-signal",
);
const SERIES: [(&str, &str); 4] =
    shipped!("series": "the-flirt-test", "blackwater-hall", "small-hours", "kin");

fn episodes() -> Vec<EpisodeTemplate> {
    let read = |(slug, text): &(&str, &str)| {
        read_episode(text, slug).unwrap_or_else(|problem| panic!("{slug}: {}", problem.message))
    };
    EPISODES.iter().map(read).collect()
}

fn series() -> Vec<Series> {
    let read = |(slug, text): &(&str, &str)| {
        read_series(text, slug).unwrap_or_else(|problem| panic!("{slug}: {}", problem.message))
    };
    SERIES.iter().map(read).collect()
}

#[test]
fn every_episode_makes_the_first_move() {
    for template in episodes() {
        let slug = &template.slug;
        assert!(!template.opening_line.is_empty(), "{slug}: no opening line");
        assert_eq!(template.starter_prompts.len(), 3, "{slug}");
        let told = [&template.dramatic_question, &template.wants, &template.obstacle, &template.tactic];
        assert!(told.into_iter().all(Option::is_some), "{slug}: what is at stake, and for whom");
        assert!(!template.cues.is_empty() && !template.themes.is_empty(), "{slug}");
    }
}

#[test]
fn every_mode_and_every_length_is_shown() {
    let shown: BTreeMap<String, (CompletionMode, Option<u32>)> = episodes()
        .into_iter()
        .map(|template| (template.slug.clone(), (template.completion_mode, template.turn_budget)))
        .collect();
    assert_eq!(shown["flirt-test"], (CompletionMode::TurnLimited, Some(7)));
    assert_eq!(shown["two-truths"], (CompletionMode::TurnLimited, Some(5)));
    assert_eq!(shown["fog-signal"], (CompletionMode::TurnLimited, Some(12)));
    assert_eq!(shown["the-late-shop"], (CompletionMode::Open, None));
    assert_eq!(shown["what-he-left"].0, CompletionMode::BeatGated);
    assert_eq!(shown["hollis-4-the-accusation"].0, CompletionMode::Objective);
}

#[test]
fn series_and_episodes_name_each_other() {
    let episodes = episodes();
    for series in series() {
        for (index, slug) in series.episodes.iter().enumerate() {
            let template = episodes.iter().find(|template| template.slug == *slug);
            let template = template.unwrap_or_else(|| panic!("{}: there is no {slug}", series.slug));
            assert_eq!(template.series.as_ref(), Some(&series.slug), "{slug}");
            let number = template.number.unwrap_or(1);
            assert_eq!(number as usize, index + 1, "{slug}");
        }
    }
    let all: usize = series().iter().map(|series| series.episodes.len()).sum();
    assert_eq!(all, EPISODES.len(), "every episode belongs to a series");
    let serial = series().into_iter().find(|series| series.kind == SeriesKind::Serial).unwrap();
    assert_eq!(serial.episodes.len(), 4);
}

/// Whatever the flirt test finds, and wherever a series ends, there is another series to go on with.
#[test]
fn every_archetype_is_matched_by_a_series() {
    let all = series();
    for archetype in ["tension_builder", "bold_mover", "playful_tease", "slow_burn", "mysterious_allure"] {
        let matched = all.iter().filter(|series| series.matches.iter().any(|one| one == archetype));
        assert_eq!(matched.count(), 1, "{archetype}");
    }
    for series in &all {
        let mut last = series.episodes.last().map(|slug| play(&episode(slug), None, None)).unwrap();
        last.episode.setup = {
            let mut setup = (*last.episode.setup).clone();
            setup.series = Some(series.clone());
            setup.other_series = all.iter().filter(|other| *other != series).cloned().collect();
            setup.into()
        };
        let next = super::super::suggestion::suggestion(&last.episode, None);
        assert!(matches!(next, Some(Suggestion::MatchedSeries { .. })), "{}: {next:?}", series.slug);
    }
}

fn episode(slug: &str) -> EpisodeTemplate {
    episodes().into_iter().find(|template| template.slug == slug).expect("it is shipped")
}

/// Plays an episode whose character does what it is asked for. The user takes the option at this place of
/// every choice, and says one thing in the second turn.
fn play(template: &EpisodeTemplate, option: Option<usize>, says: Option<&str>) -> Played {
    let mut played = Played::begin(template.clone());
    for turn in 1..=14 {
        if played.episode.ended().is_some() {
            break;
        }
        let id = format!("m{turn}");
        let offered = played.episode.choice.as_ref().zip(option);
        let chosen = offered.map(|(choice, at)| choice.options[at % choice.options.len()].id.clone());
        let text = says.filter(|_| turn == 2).unwrap_or("Go on.");
        match chosen {
            Some(chosen) => played.command(&id, None, Some(&chosen)),
            None => played.command(&id, Some(text), None),
        }
        let directive = played.episode.directive();
        let quoted = directive.map(|directive| directive.instruction.split('"').skip(1).step_by(2));
        let said = quoted.map(|quoted| quoted.collect::<Vec<_>>().join(" ")).unwrap_or_default();
        let said = if said.is_empty() { "Hm." } else { &said };
        played.answer(
            &json!({"action": "", "dialogue": said, "mood": "calm", "tension_shift": 0.1}).to_string(),
        );
    }
    played
}

/// What a user could say so that a flag is set, for each of its rules.
fn words_for(template: &EpisodeTemplate) -> Vec<String> {
    let words = template.flags.iter().filter_map(|rule| match &rule.when {
        EpisodeCondition::Keyword(phrases) => phrases.first().cloned(),
        EpisodeCondition::Semantic(_) => Some("I apologize to you. I am so sorry.".to_owned()),
        _ => None,
    });
    words.collect()
}

#[test]
fn every_beat_flag_and_ending_can_be_reached() {
    for template in episodes() {
        let mut reached = BTreeSet::new();
        let words = words_for(&template);
        for option in [None, Some(0), Some(1), Some(2)] {
            for says in std::iter::once(None).chain(words.iter().map(|words| Some(words.as_str()))) {
                let played = play(&template, option, says);
                if template.completion_mode != CompletionMode::Open {
                    assert_eq!(
                        played.episode.ended(),
                        Some("completed"),
                        "{}, {option:?}, {says:?}",
                        template.slug
                    );
                }
                for fact in &played.facts {
                    match &fact.event {
                        EpisodeEvent::CueLanded { cue, .. } => reached.insert(format!("beat {cue}")),
                        EpisodeEvent::FlagSet { flag, .. } => reached.insert(format!("flag {flag}")),
                        EpisodeEvent::Completed { ending: Some(ending), .. } => {
                            reached.insert(format!("ending {ending}"))
                        }
                        _ => false,
                    };
                }
            }
        }
        let beats = template.cues.iter().map(|cue| format!("beat {}", cue.id));
        let flags = template.settable_flags().map(|flag| format!("flag {flag}"));
        let endings = template.endings.iter().map(|ending| format!("ending {}", ending.id));
        for what in beats.chain(flags).chain(endings) {
            assert!(reached.contains(&what), "{}: nothing reaches the {what}", template.slug);
        }
        for injection in &template.injections {
            let settable = template.settable_flags().any(|flag| flag == injection.if_flag);
            assert!(settable, "{}: nothing sets {}", template.slug, injection.if_flag);
        }
    }
}
