//! The episodes that are shipped, played by rules alone.

use std::{collections::BTreeSet, fs, path::PathBuf, sync::LazyLock};

use enact_drama::episode::{Completion, CompletionMode, EpisodeEvent, EpisodeTemplate, read_episode};
use enact_drama::production::Production;
use serde::Deserialize;

use super::{super::sentences, PlayedEpisode};
use crate::content::content;

#[derive(Deserialize)]
struct Personas {
    persona: Vec<Persona>,
}

#[derive(Deserialize)]
struct Persona {
    name: String,
    chooses: bool,
    says: Vec<String>,
}

const SEEDS: u64 = 20;
const TURNS: u32 = 12;

fn project() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/episodes")
}

/// Every shipped episode, with the sheet of its character.
pub(super) fn shipped() -> Vec<(EpisodeTemplate, String)> {
    let mut files: Vec<PathBuf> = fs::read_dir(project().join("episodes"))
        .expect("there are episodes")
        .map(|entry| entry.expect("an episode").path())
        .collect();
    files.sort();
    let read = |path: &PathBuf| {
        let slug = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let text = fs::read_to_string(path).expect("an episode");
        let template =
            read_episode(&text, &slug).unwrap_or_else(|problem| panic!("{slug}: {}", problem.message));
        let sheet = project().join(format!(".claude/agents/{}.md", template.character));
        let sheet = fs::read_to_string(sheet).unwrap_or_else(|_| panic!("{slug}: no sheet"));
        (template, sheet)
    };
    files.iter().map(read).collect()
}

pub(super) fn display(sheet: &str) -> String {
    sheet.lines().next().and_then(|line| line.split(['-', '#']).nth(1)).unwrap_or_default().trim().to_owned()
}

fn play(template: &EpisodeTemplate, sheet: &str, persona: &Persona, seed: u64) -> PlayedEpisode {
    let mut played = PlayedEpisode::begin(template.clone(), sheet, &display(sheet), seed);
    let mut said = persona.says.iter().cycle().skip(seed as usize);
    while played.episode.ended().is_none() && played.episode.turn_count() < TURNS {
        let offered = played.offered();
        match offered.get(seed as usize % offered.len().max(1)).filter(|_| persona.chooses) {
            Some(choice) => played.exchange(None, Some(choice)),
            None => played.exchange(said.next().map(String::as_str), None),
        }
    }
    played
}

/// Every shipped episode with every persona and seed, played once for all tests.
static PLAYED: LazyLock<Vec<(String, PlayedEpisode)>> = LazyLock::new(|| {
    let personas: Personas = content!("personas.toml");
    let mut all = Vec::new();
    for (template, sheet) in shipped() {
        for persona in &personas.persona {
            for seed in 0..SEEDS {
                let what = format!("{}, {}, seed {seed}", template.slug, persona.name);
                all.push((what, play(&template, &sheet, persona, seed)));
            }
        }
    }
    all
});

#[test]
fn answers_are_short_well_formed_and_never_the_same() {
    for (what, played) in PLAYED.iter() {
        let mut said = BTreeSet::new();
        let mut done = BTreeSet::new();
        for (answer, warnings) in played.answers() {
            let text = &answer.dialogue;
            assert!(warnings.is_empty(), "{what}: {warnings:?}");
            assert!(text.split_whitespace().count() <= 80, "{what}: {text}");
            let sentences = sentences::sentences(text);
            assert!((1..=3).contains(&sentences.len()), "{what}: {text}\n{}", played.transcript());
            for sentence in sentences {
                let is_whole = sentence
                    .starts_with(|first: char| first.is_uppercase() || "'‘".contains(first))
                    && sentence.ends_with(['.', '!', '?', '…']);
                assert!(is_whole && !sentence.contains(['{', '}', '"', '*']), "{what}: {sentence}");
                let key = sentences::words(sentence).join(" ");
                assert!(said.insert(key), "{what}: said twice: {sentence}\n{}", played.transcript());
            }
            if let Some(action) = &answer.action {
                assert!(done.insert(action.clone()), "{what}: done twice: {action}\n{}", played.transcript());
                assert!(!action.contains("the user") && !action.ends_with("says"), "{what}: {action}");
            }
            assert!(answer.mood.is_some(), "{what}: no mood");
        }
    }
}

#[test]
fn every_bounded_episode_comes_to_its_intended_completion() {
    for (what, played) in PLAYED.iter() {
        let expected = match played.episode.setup().template.completion_mode {
            CompletionMode::Open => None,
            CompletionMode::BeatGated => Some(Completion::BeatComplete),
            CompletionMode::TurnLimited => Some(Completion::TurnLimit),
            CompletionMode::Objective => Some(Completion::ObjectiveMet),
        };
        let completed: Vec<Completion> = played
            .facts
            .iter()
            .filter_map(|fact| match &fact.event {
                EpisodeEvent::Completed { trigger, .. } => Some(*trigger),
                _ => None,
            })
            .collect();
        assert_eq!(completed, Vec::from_iter(expected), "{what}\n{}", played.transcript());
    }
}

/// Over all users and seeds every moment happens and every ending is reached.
#[test]
fn no_moment_and_no_ending_is_dead() {
    let mut reached = BTreeSet::new();
    for (_, played) in PLAYED.iter() {
        let slug = played.episode.setup().template.slug.clone();
        for fact in &played.facts {
            match &fact.event {
                EpisodeEvent::CueLanded { cue, .. } => {
                    reached.insert((slug.clone(), cue.clone()));
                }
                EpisodeEvent::Completed { ending: Some(ending), .. } => {
                    reached.insert((slug.clone(), format!("ending {ending}")));
                }
                _ => {}
            }
        }
    }
    for (template, _) in shipped() {
        let cues = template.cues.iter().map(|cue| cue.id.clone());
        let endings = template.endings.iter().map(|ending| format!("ending {}", ending.id));
        for what in cues.chain(endings) {
            assert!(reached.contains(&(template.slug.clone(), what.clone())), "{}: {what}", template.slug);
        }
    }
}
