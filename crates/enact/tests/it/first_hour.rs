//! A writer's first hour: a new project, its check, the list of scenes, titles and names.

use std::{fs, process::Command};

use expect_test::expect;

use crate::project::{Project, Ran};

/// Carries out a command that was printed, word for word, in which `enact` is the binary that is tested.
fn as_printed(project: &Project, line: &str) -> Ran {
    let (_, command) = line.split_once("enact ").expect("a command");
    let program = project.command(&[]);
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("'{}' {command}", env!("CARGO_BIN_EXE_enact"))]).current_dir(project.path());
    for (variable, value) in program.get_envs() {
        match value {
            Some(value) => shell.env(variable, value),
            None => shell.env_remove(variable),
        };
    }
    shell.output().unwrap().into()
}

fn printed<'a>(ran: &'a Ran, label: &str) -> &'a str {
    ran.stdout.lines().find(|line| line.starts_with(label)).unwrap_or_else(|| panic!("{}", ran.stdout))
}

#[test]
fn a_new_project_is_played_by_the_command_that_is_printed() {
    for folder in ["story", "a story's \"folder\"", "deep/er/story"] {
        let project = Project::empty();
        let new = project.run(&["new", folder]);
        assert_eq!((new.code, new.stderr.as_str()), (0, ""), "{folder}");
        let played = as_printed(&project, printed(&new, "Play it:"));
        assert_eq!((played.code, played.stderr.as_str()), (0, ""), "{folder}: {}", played.stdout);
        assert!(
            played.stdout.starts_with("The Borrowed Boat with Nora, Elias, Greta\n"),
            "{}",
            played.stdout
        );
        let checked = as_printed(&project, printed(&new, "Check it:"));
        assert_eq!((checked.code, checked.stderr.as_str()), (0, ""), "{folder}");
        assert!(checked.stdout.contains("can be played."), "{}", checked.stdout);
    }
}

#[test]
fn a_new_project_has_all_that_a_story_needs() {
    let project = Project::empty();
    let new = project.run(&["new", "story"]);
    expect![[r#"
        story is a story that can be played:
          story/scene.md
          story/.claude/agents/nora.md
          story/.claude/agents/elias.md
          story/.claude/agents/greta.md
          story/enact.toml
          story/.gitignore

        Play it:  enact run story/scene.md
        Check it: enact check story
    "#]]
    .assert_eq(&new.stdout);
    // The configuration is all comments, and right where these are taken away.
    let toml = project.read("story/enact.toml");
    assert!(toml.lines().all(|line| line.is_empty() || line.starts_with('#')), "{toml}");
    let uncommented = toml.lines().map(|line| match line.strip_prefix("# ") {
        Some(key) if key.starts_with('[') || key.contains(" = \"") => key,
        _ => line,
    });
    project.write("story/enact.toml", uncommented.collect::<Vec<_>>().join("\n"));
    let checked = project.run(&["check", "story/enact.toml"]);
    assert_eq!((checked.code, checked.stderr.as_str()), (0, ""));
    expect![[r#"
        story/enact.toml can be used.
          played by default by lead
          lead judges
          lead writes events
          model lead: anthropic's claude-sonnet-5-5
          model local: ollama's llama3.2
    "#]]
    .assert_eq(&checked.stdout);
}

#[test]
fn nothing_is_written_over() {
    let project = Project::empty();
    project.write("mine/notes.txt", "mine");
    project.write("file", "mine");
    fs::create_dir(project.path().join("empty")).unwrap();
    for (folder, said) in [
        ("mine", "error[INVALID_CONFIG]: mine: this folder is not empty\n"),
        ("file", "error[INVALID_CONFIG]: file: this is no folder\n"),
        (".", "error[INVALID_CONFIG]: .: this folder is not empty\n"),
    ] {
        let refused = project.run(&["new", folder]);
        assert_eq!((refused.code, refused.stdout.as_str()), (2, ""), "{folder}");
        assert!(refused.stderr.starts_with(said), "{}", refused.stderr);
        assert!(refused.stderr.contains("hint: name a folder that is not there yet"), "{}", refused.stderr);
    }
    assert_eq!(project.files(), ["file", "mine/notes.txt"]);
    assert_eq!(project.run(&["new", "empty"]).code, 0);
    assert_eq!(project.run(&["new", "empty"]).code, 2, "and not twice");
    let below = project.run(&["new", "file/story"]);
    assert_ne!(below.code, 0);
    assert_eq!(project.read("file"), "mine");
}

#[test]
fn run_alone_lists_the_scenes_there_are() {
    let project = Project::new();
    let scene =
        |title: &str| format!("---\n{title}characters: [Alice, bob]\n---\nBob apologizes to Alice.\n");
    project.write("late/scene.md", scene(""));
    project.write("stories/one two/lamp.md", scene("title: The Lamp\n"));
    project.write("quick.json", r#"{"prompt": "Bob apologizes.", "characters": ["alice", "bob"]}"#);
    project.write("broken.md", "---\ncharacters: [alice\n---\nx\n");
    project.write("notes.md", "# Notes\n\nNo scene.\n");
    project.write("node_modules/x/scene.md", scene(""));
    project.write(".hidden/scene.md", scene(""));
    project.run(&["run", "late/scene.md", "--quiet"]);
    let listed = project.run(&["run"]);
    assert_eq!((listed.code, listed.stderr.as_str()), (0, ""));
    expect![[r#"
        broken.md                cannot be played: enact check broken.md
        late/scene.md            Late with Alice, bob
        quick.json               Quick with alice, bob
        stories/one two/lamp.md  The Lamp with Alice, bob

        Play one: enact run late/scene.md
    "#]]
    .assert_eq(&listed.stdout);
    assert_eq!(as_printed(&project, printed(&listed, "Play one:")).code, 0);
    let json = project.run(&["run", "--json"]).json();
    assert_eq!(json[3]["title"], "The Lamp");
    assert!(json[0]["problem"].as_str().unwrap().contains("broken.md"), "{json}");
}

#[test]
fn run_alone_says_where_scenes_come_from_if_there_is_none() {
    let none = Project::empty().run(&["run"]);
    assert_eq!((none.code, none.stdout.as_str()), (2, ""));
    assert!(none.stderr.contains("`enact new my-story` makes one"), "{}", none.stderr);
}

#[test]
fn a_scene_has_a_title_and_names_in_any_case() {
    let project = Project::new();
    project.write(
        "scene.md",
        "---\nname: late\ntitle: \"Late, and Again\"\ncharacters: [Alice, BOB]\ninitialSpeaker: Bob\n---\n\
         Bob apologizes to Alice. Alice accepts.\n",
    );
    let ran = project.run(&["run", "scene.md", "--seed", "3", "--model", "alice=improviser"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert!(ran.stdout.starts_with("Late, and Again with Alice, Bob\n"), "{}", ran.stdout);
    let transcript = project.read("data/scenes/late/transcript.txt");
    assert!(transcript.starts_with("SCENE: Late, and Again\n"), "{transcript}");
    let json = project.run(&["export", "latest", "--format", "json"]).json();
    assert_eq!(json["title"], "Late, and Again");
    // Without one, the name is the title as ever.
    project
        .write("scene.md", "---\nname: late\ntitle: ' '\ncharacters: [Alice, bob]\n---\nBob apologizes.\n");
    assert!(project.run(&["run", "scene.md"]).stdout.starts_with("Late with Alice, Bob\n"));
    project.write("scene.md", "---\ntitle: [a]\ncharacters: [alice, bob]\n---\nBob apologizes.\n");
    let wrong = project.run(&["run", "scene.md"]);
    assert_eq!(wrong.code, 2);
    assert!(wrong.stderr.contains("scene.md:2:8: title must be"), "{}", wrong.stderr);
}
