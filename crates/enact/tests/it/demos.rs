//! `enact demo`: written performances, played by the real engine.

use std::{fs, path::Path};

use crate::project::Project;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/demos");

fn names() -> Vec<String> {
    let names = fs::read_to_string(Path::new(FOLDER).join("names.txt")).unwrap();
    names.lines().map(str::to_owned).collect()
}

#[test]
fn every_demo_is_listed_and_is_a_project_that_can_be_checked() {
    let project = Project::empty();
    let listed = project.run(&["demo", "--json"]).json();
    let listed: Vec<&str> =
        listed.as_array().unwrap().iter().map(|demo| demo["name"].as_str().unwrap()).collect();
    assert_eq!(listed, names());
    let told = project.run(&["demo"]);
    assert_eq!((told.code, told.stderr.as_str()), (0, ""));
    for name in names() {
        assert!(told.stdout.contains(&format!("\n{name} ")), "{}", told.stdout);
        let file = Path::new(FOLDER).join(&name).join("scene.md");
        let checked = project.run(&["check", file.to_str().unwrap()]);
        assert_eq!((checked.code, checked.stderr.as_str()), (0, ""), "{name}");
        assert!(!checked.stdout.contains("cannot judge"), "{name}: {}", checked.stdout);
    }
    assert!(project.files().is_empty(), "nothing was written");
}

/// Each ends with its goal reached, after its last line and none before, in every way that belongs to a scene:
/// somebody is cut off, somebody says nothing, something happens.
#[test]
fn every_demo_is_played_to_its_last_line_and_reaches_its_goal() {
    for name in names() {
        let project = Project::empty();
        let ran = project.run(&["demo", &name, "--json"]);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{name}");
        let result = ran.json();
        let metadata = &result["metadata"];
        assert_eq!(metadata["reason"], "goal_achieved", "{name}");
        let script = fs::read_to_string(Path::new(FOLDER).join(&name).join("performance.txt")).unwrap();
        let beats = script.lines().filter(|line| line.starts_with("beat ")).count();
        assert_eq!(metadata["totalBeats"], beats, "{name}");
        let replies = script.lines().filter(|line| line.contains(": [")).count();
        let said = ran.lines();
        let events = said.iter().filter(|line| line.starts_with("[EVENT: ")).count();
        assert!(said.last().unwrap().starts_with("[SCENE END"), "{name}");
        assert_eq!(said.len(), replies + events + 1, "{name}: {said:#?}");
        assert_eq!(events, 1, "{name}: no event but its own");
        assert!(!said.iter().any(|line| line.starts_with("[SYSTEM")), "{name}: {said:#?}");
        assert!(said.iter().any(|line| line.ends_with("—\"")), "{name}: nobody is cut off");
        assert!(said.iter().any(|line| line.contains(" [SILENT")), "{name}: nobody is silent");
        let played_by = &metadata["models"][format!("demo:{name}")]["description"];
        let written = format!("script (the demo {name}: every line was written beforehand)");
        assert_eq!(*played_by, written, "{name}");
        assert!(result["transcript"].as_str().unwrap().contains(&written), "{name}");
    }
}

#[test]
fn a_demo_takes_no_notice_of_the_project_it_is_played_in() {
    let project = Project::new();
    project.write(
        "enact.toml",
        "default = \"lead\"\njudge = \"lead\"\n[models.lead]\nprovider = \"anthropic\"\nmodel = \"x\"\n",
    );
    project.write("templates/scene/rules.j2", "{{ nonsense }}");
    let ran = project.run(&["demo", "the-lamp"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert!(ran.stdout.contains("Goal achieved after 10 beats"), "{}", ran.stdout);
    assert!(ran.stdout.contains("played by: script (the demo the-lamp: every line was written beforehand)"));
    assert_eq!(project.run(&["replay", "latest"]).code, 0);
    let forked = project.run(&["fork", "latest", "--beat", "8"]);
    assert_eq!((forked.code, forked.stderr.as_str()), (0, ""), "its script is found again");
}

#[test]
fn demos_that_there_are_not() {
    let project = Project::empty();
    let near = project.run(&["demo", "the-lamb"]);
    assert_eq!((near.code, near.stdout.as_str()), (2, ""));
    assert_eq!(
        near.stderr,
        "error[INVALID_CONFIG]: there is no demo 'the-lamb'\n  hint: did you mean 'the-lamp'?\n"
    );
    let far = project.run(&["demo", "hamlet", "--json"]);
    assert_eq!(far.code, 2);
    let hint = far.json()["error"]["context"]["hint"].as_str().unwrap().to_owned();
    assert_eq!(hint, format!("there are: {}", names().join(", ")));
    assert!(project.files().is_empty());
}
