//! `enact.toml`, and who plays whom because of it.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod project;

use expect_test::{Expect, expect};
use project::{Project, Ran};

const SCENE: &str = "---
name: late-again
characters: [alice, bob]
initialSpeaker: bob
---
Bob apologizes to Alice for being late. Alice accepts.
";

const CONFIG: &str = r#"default = "lead"
judge = "local"

[models.lead]
provider = "anthropic"
model = "claude-sonnet-of-the-day"
key_env = "STAGE_KEY"
price = { input = 3.0, output = 15.0, cache_read = 0.3, cache_write = 3.75 }

[models.local]
provider = "openai-compatible"
model = "llama-3.3-70b"
base_url = "http://127.0.0.1:9/v1/"
context = "window"

[telemetry]
otlp = "http://127.0.0.1:4318"
"#;

const SECRET: &str = "sk-secret-words";

fn project(config: &str) -> Project {
    let project = Project::new();
    project.write("scene.md", SCENE);
    project.write("enact.toml", config);
    project
}

/// Runs with a key in the environment, and sees to it that it stays there.
fn run_with_key(project: &Project, args: &[&str]) -> Ran {
    let mut command = project.command(args);
    let ran: Ran = command.env("STAGE_KEY", SECRET).env("OTEL_SDK_DISABLED", "true").output().unwrap().into();
    assert!(!ran.stdout.contains(SECRET) && !ran.stderr.contains(SECRET), "the key was told");
    ran
}

fn said(project: &Project, ran: &Ran) -> String {
    let home = format!("{}/", project.path().display());
    format!("{}{}", ran.stdout, ran.stderr).replace(&home, "")
}

/// What is said before anything is played; nothing is written.
fn refused(project: &Project, args: &[&str], expected: Expect) {
    let before = project.files();
    let ran = run_with_key(project, args);
    expected.assert_eq(&said(project, &ran));
    assert_eq!((ran.code, project.files()), (2, before));
}

#[test]
fn models_are_listed() {
    let project = project(CONFIG);
    let ran = run_with_key(&project, &["models"]);
    let shown = said(&project, &ran);
    assert!(shown.lines().all(|line| line.chars().count() <= 80), "{shown}");
    assert_eq!(ran.code, 0);
    expect![[""]].assert_eq(&undated(&shown));

    let json = run_with_key(&project, &["models", "--json"]).json();
    let lead = json["models"].as_array().unwrap().iter().find(|model| model["name"] == "lead").unwrap();
    expect![[""]].assert_eq(&format!("{lead:#}"));
    assert!(json["config"].as_str().unwrap().ends_with("enact.toml"));

    // Without its key, as the program finds it then.
    let ran = project.run(&["models"]);
    assert!(ran.stdout.contains("key    STAGE_KEY, not set"), "{}", ran.stdout);
}

#[test]
fn without_a_file_the_improviser_plays() {
    let project = Project::new();
    expect![[""]].assert_eq(&undated(&project.run(&["models"]).stdout));
}

/// The day of the price table changes with the table.
fn undated(shown: &str) -> String {
    let line = |line: &str| match line.split_once(" published on ") {
        Some((before, _)) => format!("{before} published on <date>\n"),
        None => format!("{line}\n"),
    };
    shown.lines().map(line).collect()
}

#[test]
fn the_nearest_file_is_used_unless_one_is_named() {
    let project = Project::new();
    let used = |args: &[&str]| project.run(&[&["models", "--json"], args].concat()).json()["config"].clone();
    let ends = |value: serde_json::Value, end: &str| {
        let path = value.as_str().unwrap_or_default().to_owned();
        assert!(path.ends_with(end), "{path} instead of {end}");
    };
    assert!(used(&[]).is_null());
    project.write(".config/enact/enact.toml", "");
    ends(used(&[]), ".config/enact/enact.toml");
    project.write("enact.toml", "");
    ends(used(&[]), "enact.toml");
    project.write("other.toml", "");
    ends(used(&["--config", "other.toml"]), "other.toml");

    // Of a scene, the one that lies with it.
    project.write("story/scene.md", SCENE);
    project.write("story/enact.toml", "default = \"nobody\"\n");
    refused(&project, &["run", "story/scene.md"], expect![[""]]);
    assert_eq!(project.run(&["run", "story/scene.md", "--config", "other.toml"]).code, 0);
}

#[test]
fn bad_configs_are_pointed_at() {
    let with = |config: &str, expected: Expect| refused(&project(config), &["run", "scene.md"], expected);
    with("[models.lead\n", expect![[""]]);
    with("[models.lead]\nprovider = \"antropic\"\nmodel = \"m\"\n", expect![[""]]);
    with("[models.lead]\nprovider = \"anthropic\"\nmodel = \"m\"\napi_key = \"sk-1\"\n", expect![[""]]);
    with("default = \"led\"\n[models.lead]\nprovider = \"ollama\"\nmodel = \"m\"\n", expect![[""]]);
    with("default = \"lead\"\n[models.lead]\nprovider = \"openai\"\nmodel = \"m\"\n", expect![[""]]);
    refused(&project(""), &["run", "scene.md", "--config", "nowhere.toml"], expect![[""]]);
}

#[test]
fn models_that_nobody_knows_are_pointed_at() {
    let project = project(CONFIG);
    refused(&project, &["run", "scene.md", "--model", "leed"], expect![[""]]);
    refused(&project, &["run", "scene.md", "--model", "alise=lead"], expect![[""]]);
    refused(&project, &["run", "scene.md", "--judge", "improviser"], expect![[""]]);
    refused(&project, &["run", "scene.md", "--events", "nobody"], expect![[""]]);
    project.write("scene.md", SCENE.replace("initialSpeaker: bob", "models: {alice: leed}"));
    refused(&project, &["run", "scene.md"], expect![[""]]);
    project.write("scene.md", SCENE.replace("initialSpeaker: bob", "models: {alise: lead}"));
    refused(&project, &["run", "scene.md"], expect![[""]]);
    project.write("scene.md", SCENE);
    project.write(".claude/agents/bob.md", "---\nname: Bob\nmodel: leed\n---\n# Bob\n");
    refused(&project, &["run", "scene.md"], expect![[""]]);
}

#[test]
fn only_models_that_play_need_their_keys() {
    let project = project(CONFIG);
    let ran = project.run(&["run", "scene.md", "--model", "improviser", "--judge", "none"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    let ran = project.run(&["run", "scene.md", "--model", "bob=improviser"]);
    expect![[""]].assert_eq(&said(&project, &ran));
    assert_eq!(ran.code, 2);
}

#[test]
fn money_is_only_kept_account_of_where_prices_are_known() {
    let project = project(CONFIG);
    refused(&project, &["run", "scene.md", "--model", "local", "--budget", "0.5"], expect![[""]]);
    let ran =
        project.run(&["run", "scene.md", "--model", "improviser", "--judge", "none", "--budget", "0.5"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
}

#[test]
fn a_wish_that_is_passed_over_is_said_once() {
    let project = Project::new();
    project.write("scene.md", SCENE);
    for name in ["alice", "bob"] {
        project.write(&format!(".claude/agents/{name}.md"), format!("---\nmodel: sonnet\n---\n# {name}\n"));
    }
    expect![[""]].assert_eq(&project.run(&["run", "scene.md"]).stderr);
    for quiet in ["--json", "--quiet"] {
        assert_eq!(project.run(&["run", "scene.md", quiet]).stderr, "");
    }
    assert_eq!(project.run(&["run", "scene.md", "--model", "improviser"]).stderr, "");
}
