//! The examples, through the real binary, as the README plays them.

use std::{collections::HashSet, fs, path::Path};

use crate::project::{Project, Ran};

fn example(name: &str) -> String {
    format!("{}/../../examples/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn play(scene: &str, seed: u64) -> Ran {
    Project::empty().run(&["run", &example(scene), "--seed", &seed.to_string(), "--json"])
}

/// Everything between quotation marks at the end of a line, one sentence each.
fn sentences(lines: &[String]) -> Vec<String> {
    let spoken = lines.iter().filter_map(|line| line.split_once("] \"").map(|(_, words)| words));
    spoken
        .flat_map(|words| words.split_inclusive(['.', '!', '?']))
        .map(|sentence| sentence.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase())
        .filter(|sentence| sentence.contains(' '))
        .collect()
}

#[test]
fn the_apology_follows_its_arc_whatever_the_seed() {
    for seed in 0..20 {
        let ran = play("the-apology/scene.md", seed);
        let (result, lines) = (ran.json(), ran.lines());
        let all = lines.join("\n");
        let metadata = &result["metadata"];
        assert_eq!((ran.code, &metadata["goalAchieved"]), (0, &true.into()), "seed {seed}\n{all}");
        let beats = metadata["totalBeats"].as_u64().unwrap();
        assert!((8..=20).contains(&beats), "seed {seed}: {beats} beats\n{all}");

        let place = |what: &str, is: &dyn Fn(&str) -> bool| {
            lines.iter().position(|line| is(line)).unwrap_or_else(|| panic!("seed {seed}: no {what}\n{all}"))
        };
        let opens = place("opening", &|line| line.starts_with("Alice [TO: Bob"));
        let cut_short = place("excuse cut short", &|line| line.starts_with("Bob [") && line.ends_with("—\""));
        let cuts = place("interruption", &|line| line.starts_with("Alice [INTERRUPT after \""));
        let mediates = place("mediation", &|line| {
            line.starts_with("Charlie [TO: ") || line.starts_with("Charlie [TONE")
        });
        let by = |goal: usize, who: &str| {
            let goal = &metadata["goals"][goal];
            assert_eq!((&goal["met"], goal["by"].as_str()), (&true.into(), Some(who)), "seed {seed}");
            let evidence = goal["evidence"].as_str().unwrap().to_owned();
            place("evidence", &|line| line.starts_with(who) && line.contains(&evidence))
        };
        let (apologises, accepts) = (by(0, "Bob"), by(1, "Alice"));
        let order = [opens, cut_short, cuts, apologises, accepts];
        assert!(opens == 0 && order.is_sorted() && mediates < accepts, "seed {seed}: {order:?}\n{all}");

        assert!(metadata["goals"][2]["met"] == true && all.contains("[REACT, "), "seed {seed}\n{all}");
        assert!(metadata["counts"]["silences"].as_u64().unwrap() > 0, "seed {seed}");
        let calm = ["angry", "furious", "bitter", "frustrated", "sharp", "cold", "defensive"];
        let last = lines.iter().rev().filter(|line| line.contains("TONE: ")).take(3);
        assert!(
            last.into_iter().all(|line| !calm.iter().any(|tone| line.contains(&format!("TONE: {tone}")))),
            "seed {seed}\n{all}"
        );

        let said = sentences(&lines);
        let mut seen = HashSet::new();
        for sentence in &said {
            assert!(seen.insert(sentence), "seed {seed} says it twice: {sentence}\n{all}");
        }
    }
}

#[test]
fn every_example_reaches_its_goal() {
    let mut scenes = 0;
    for folder in fs::read_dir(example("")).unwrap().map(|entry| entry.unwrap().path()) {
        let files = ["scene.md", "scene.json"].map(|file| folder.join(file));
        let Some(scene) = files.into_iter().find(|file| file.exists()) else {
            let others =
                ["enact.toml", "episodes", "field.md", "enact_mind.gd"].map(|file| folder.join(file));
            assert!(others.iter().any(|file| file.exists()), "{} has nothing to play", folder.display());
            continue;
        };
        assert!(folder.join(".claude/agents").is_dir(), "{} brings its cast", folder.display());
        for seed in 0..5 {
            let ran = play(
                Path::new(folder.file_name().unwrap()).join(scene.file_name().unwrap()).to_str().unwrap(),
                seed,
            );
            assert_eq!(ran.json()["metadata"]["reason"], "goal_achieved", "{}, seed {seed}", scene.display());
        }
        scenes += 1;
    }
    assert!(scenes >= 3);
}

#[test]
fn six_voices_are_those_of_their_file() {
    let project = Project::empty();
    let data = project.path().join("data");
    let args = ["chorus", "What does rain sound like?", "--voice", "none", "--json", "--data-dir"];
    let mut command = project.command(&[&args[..], &[data.to_str().unwrap()]].concat());
    let ran: Ran = command.current_dir(example("six-voices")).output().unwrap().into();
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let names: Vec<String> = ran.json()["metadata"]["slots"]
        .as_array()
        .unwrap()
        .iter()
        .map(|slot| slot["name"].to_string())
        .collect();
    assert_eq!(names.len(), 6);
    assert!(names[0].contains("Lighthouse Keeper"), "{names:?}");
    // Its template is the one that was told.
    let log = project.run(&["export", "latest", "--format", "jsonl"]).stdout;
    assert!(log.lines().next().unwrap().contains("harbour wall"));
}
