//! The scenes of `corpus/scenes`, played and counted: `scripts/table-read` prints the figures.
//!
//! `TABLE_READ` names another folder, `TABLE_READ_SHOW` prints the transcripts as well, `TABLE_READ_SEEDS` says how many
//! seeds each scene is played with.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use enact_drama::{
    Name,
    acts::{self, Group},
    judge::Acts,
    scene::{SceneConfig, SceneFormat, read_scene},
    story::content_words,
};

use super::theatre::{Played, play};
use crate::improviser::template::sentences;

/// A word is a scene's own if no more than this share of all scenes has it.
const OWN_AT_MOST: f64 = 0.2;
/// A sentence that so many scenes have is a template's.
const SHARED_BY: usize = 3;

struct CorpusScene {
    name: String,
    config: SceneConfig,
    sheets: Vec<(Name, String)>,
    words: BTreeSet<String>,
}

fn corpus(folder: &Path) -> Vec<CorpusScene> {
    let mut folders: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .collect();
    folders.sort();
    folders.iter().map(|folder| scene(folder)).collect()
}

fn scene(folder: &Path) -> CorpusScene {
    let name = folder.file_name().unwrap().to_string_lossy().into_owned();
    let text = fs::read_to_string(folder.join("scene.md")).unwrap();
    let config = read_scene(&text, SceneFormat::Markdown { default_name: &name }).unwrap();
    let sheet = |who: &String| {
        let text = fs::read_to_string(folder.join(format!(".claude/agents/{who}.md"))).unwrap();
        (Name::new(who.as_str()).unwrap(), text)
    };
    let sheets: Vec<(Name, String)> = config.characters.iter().map(sheet).collect();
    let names: Vec<String> =
        config.characters.iter().flat_map(|who| content_words(&who.replace('-', " "))).collect();
    let all = sheets.iter().fold(text, |all, (_, sheet)| format!("{all}\n{sheet}"));
    let words = content_words(&all).into_iter().filter(|word| !names.contains(word)).collect();
    CorpusScene { name, config, sheets, words }
}

/// The goals of a played scene, and whether the right person said each.
fn goals_said(played: &Played) -> Vec<(String, bool)> {
    let setup = played.scene.setup();
    let cast: Vec<&str> = setup.cast.iter().map(|role| role.display.as_str()).collect();
    setup
        .goals
        .iter()
        .map(|goal| {
            let Ok(reading) = acts::read(goal, &cast) else { return (goal.clone(), false) };
            let content = content_words(&reading.content);
            let content: Vec<&String> = content
                .iter()
                .filter(|word| !cast.iter().any(|name| content_words(name).contains(word)))
                .collect();
            let said_by = |who: usize| {
                played.spoken().filter(|(by, _)| *by == setup.cast[who].name.as_str()).any(|(_, line)| {
                    let words = content_words(line.heard());
                    let shared = content.iter().filter(|word| words.contains(word)).count();
                    if content.is_empty() {
                        let template = |said: &acts::ActTemplate| {
                            said.text()
                                .split(['{', '}'])
                                .step_by(2)
                                .all(|piece| line.heard().contains(piece.trim_end_matches(['.', ' '])))
                        };
                        let old = enact_drama::judge::Goal::read(goal, &cast).act;
                        return reading.act.said().iter().any(template)
                            || old.is_some_and(|act| Acts::of(line.heard()).has(act));
                    }
                    shared * 2 >= content.len()
                })
            };
            let mut doers = reading.subject.iter().copied();
            let said = match reading.group {
                Group::Any => doers.any(said_by),
                _ => doers.all(said_by),
            };
            (goal.clone(), said)
        })
        .collect()
}

#[test]
fn table_read() {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/scenes");
    let folder = std::env::var_os("TABLE_READ").map_or(own, PathBuf::from);
    let seeds: u64 = std::env::var("TABLE_READ_SEEDS").ok().and_then(|seeds| seeds.parse().ok()).unwrap_or(2);
    let show = std::env::var_os("TABLE_READ_SHOW").is_some();
    let scenes = corpus(&folder);
    let mut in_scenes: BTreeMap<&String, usize> = BTreeMap::new();
    for word in scenes.iter().flat_map(|scene| &scene.words) {
        *in_scenes.entry(word).or_default() += 1;
    }
    let most = (scenes.len() as f64 * OWN_AT_MOST).max(1.0) as usize;
    let mut said_in: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
    let mut said: Vec<String> = Vec::new();
    let (mut goals, mut goals_met, mut lines, mut own_lines) = (0, 0, 0, 0);
    let (mut repeated, mut warnings) = (Vec::new(), Vec::new());
    for (place, scene) in scenes.iter().enumerate() {
        for seed in 1..=seeds {
            let played = play(scene.config.clone(), scene.sheets.clone(), seed);
            if show {
                println!("=== {} with seed {seed}\n{}", scene.name, played.read());
                for (by, line) in played.spoken().filter(|(_, line)| line.cut.is_some()) {
                    println!("{by} wanted to say: {}", line.spoken().unwrap_or_default());
                }
            }
            for (goal, done) in goals_said(&played) {
                goals += 1;
                goals_met += usize::from(done);
                if show {
                    println!("{} {goal}", if done { "[x]" } else { "[ ]" });
                }
            }
            repeated.extend(played.repeated());
            warnings.extend(played.warnings());
            let names: Vec<String> =
                played.scene.setup().cast.iter().map(|role| role.display.to_lowercase()).collect();
            for (_, line) in played.spoken() {
                let heard = line.heard();
                lines += 1;
                own_lines += usize::from(
                    content_words(heard)
                        .iter()
                        .any(|word| scene.words.contains(word) && in_scenes[word] <= most),
                );
                for sentence in sentences(heard) {
                    let sentence = names
                        .iter()
                        .flat_map(|name| name.split(' ').chain([name.as_str()]))
                        .fold(sentence, |sentence, name| sentence.replace(name, "*"));
                    said_in.entry(sentence.clone()).or_default().insert(place);
                    said.push(sentence);
                }
            }
        }
    }
    let shared = said.iter().filter(|sentence| said_in[*sentence].len() >= SHARED_BY).count();
    let share = |part: usize, of: usize| part as f64 / of.max(1) as f64;
    if show {
        let mut most: Vec<(usize, &String)> =
            said_in.iter().map(|(sentence, scenes)| (scenes.len(), sentence)).collect();
        most.sort_unstable_by(|one, other| other.cmp(one));
        for (scenes, sentence) in most.iter().take(60).filter(|(scenes, _)| *scenes >= SHARED_BY) {
            println!("{scenes} scenes: {sentence}");
        }
    }
    println!("{} scenes, {seeds} seeds, {lines} lines", scenes.len());
    println!(
        "goals said by the right person         {:.2}  ({goals_met} of {goals}; bar 0.80)",
        share(goals_met, goals)
    );
    println!("sentences that three scenes share      {:.2}  (bar 0.10)", share(shared, said.len()));
    println!("lines that name something of the scene {:.2}  (bar 0.40)", share(own_lines, lines));
    println!("sentences said twice in a run          {}  (bar 0)", repeated.len());
    println!("lines that fail the parser             {}  (bar 0)", warnings.len());
    assert!(repeated.is_empty() && warnings.is_empty(), "{repeated:#?}\n{warnings:#?}");
    assert!(
        share(goals_met, goals) >= 0.8 && share(shared, said.len()) <= 0.1 && share(own_lines, lines) >= 0.4
    );
}
