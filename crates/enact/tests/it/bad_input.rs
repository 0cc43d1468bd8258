//! Bad input: a clear error, nothing written, exit code 2.

use expect_test::{Expect, expect};

use crate::project::Project;

/// Plays a scene file that cannot be played.
fn check(scene: &str, expected: Expect) {
    check_file("scene.md", scene, expected);
}

fn check_file(name: &str, scene: &str, expected: Expect) {
    let project = Project::new();
    project.write(name, scene);
    refused(&project, &["run", name], expected);
    assert_eq!(project.files(), [name], "nothing was written");
}

fn refused(project: &Project, args: &[&str], expected: Expect) {
    let ran = project.run(args);
    let home = format!("{}/", project.path().display());
    expected.assert_eq(&ran.stderr.replace(&home, ""));
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{}", ran.stderr);
    if args[0] == "run" {
        let json = project.run(&[args, &["--json"]].concat());
        assert_eq!(json.code, 2);
        let value = json.json();
        assert_eq!(value["success"], false);
        let code = value["error"]["code"].as_str().unwrap();
        assert!(ran.stderr.contains(&format!("error[{code}]")), "{value}");
        assert!(value["error"]["message"].is_string() && value["error"]["context"].is_object(), "{value}");
    }
}

fn scene(front: &str) -> String {
    format!("---\nname: test\n{front}\n---\nBob apologizes to Alice.\n")
}

#[test]
fn configs_that_cannot_be_played() {
    check(
        "---\nname: test\ncharacters: [alice, bob]\n---\n\n",
        expect![[r#"
            error[INVALID_CONFIG]: scene.md: Scene prompt is required
              hint: it is the text below the front matter, or 'prompt' in JSON: the situation and its goal
        "#]],
    );
    check(
        &scene("characters: [alice, bobb]"),
        expect![[r#"
        error[CHARACTER_LOAD_ERROR]: Character 'bobb' not found. Ensure .claude/agents/bobb.md exists.
          hint: did you mean 'bob'?
    "#]],
    );
    check(
        &scene("characters: [alice]"),
        expect![[r#"
            error[INVALID_CONFIG]: scene.md:3:13: A scene takes 2 to 12 characters, 1 was given
        "#]],
    );
    check(
        &scene("characters: [a, b, c, d, e, f, g, h, i, j, k, l, m]"),
        expect![[r#"
            error[INVALID_CONFIG]: scene.md:3:13: A scene takes 2 to 12 characters, 13 were given
        "#]],
    );
    check(
        &scene("characters: [alice, bob, alice]"),
        expect![[r#"
            error[INVALID_CONFIG]: scene.md:3:13: character 'alice' is in the cast twice
        "#]],
    );
    check(
        &scene("characters: [alice, bob]\ninitialSpeaker: charly"),
        expect![[r#"
            error[INVALID_CONFIG]: scene.md:4:17: initialSpeaker 'charly' is not in the cast (alice, bob)
        "#]],
    );
    check(
        &scene("characters: [alice, bob]\nmaxBeats: 0"),
        expect![[r#"
        error[INVALID_CONFIG]: scene.md:4:11: maxBeats must be at least 1, found 0
    "#]],
    );
    check(
        &scene("characters: [alice, bob]\nmaxBeats: -3"),
        expect![[r#"
        error[INVALID_CONFIG]: scene.md:4:11: maxBeats must be at least 1, found -3
    "#]],
    );
    check(
        &scene("characters: [alice, bob]\nmaxBeats: many"),
        expect![[r#"
        error[INVALID_CONFIG]: scene.md:4:11: maxBeats must be a whole number, found "many"
    "#]],
    );
    check(
        &scene("characters: [alice, ../bob]"),
        expect![[r#"
            error[INVALID_CONFIG]: scene.md:3:13: character name '../bob' is not a plain name: use letters, digits, '-' and '_', starting with a letter or digit, at most 64
        "#]],
    );
    check(
        &scene("characters: [alice, '']"),
        expect![[r#"
            error[INVALID_CONFIG]: scene.md:3:13: character name '' is not a plain name: use letters, digits, '-' and '_', starting with a letter or digit, at most 64
        "#]],
    );
    check(
        &scene("characters: [alice, a/b]"),
        expect![[r#"
            error[INVALID_CONFIG]: scene.md:3:13: character name 'a/b' is not a plain name: use letters, digits, '-' and '_', starting with a letter or digit, at most 64
        "#]],
    );
    check(
        &scene("characters: [alice, bob]\nmaxbeat: 4"),
        expect![[r#"
        error[INVALID_CONFIG]: scene.md:4:1: unknown key 'maxbeat'
          hint: did you mean 'maxBeats'?
    "#]],
    );
    check(
        &scene("characters: [alice, bob\nmaxBeats: 4"),
        expect![[r#"
        error[INVALID_CONFIG]: scene.md:4:9: the front matter is not valid YAML: illegal placement of ':' indicator
    "#]],
    );
    check(
        "---\nname: test\ncharacters: [alice, bob]\n",
        expect![[r#"
        error[INVALID_CONFIG]: scene.md:1:1: the front matter that begins here does not end
          hint: close it with a line '---' below the last key
    "#]],
    );
    check(
        &scene("characters: [alice, bob]").replace("name: test", "name: ../../etc"),
        expect![[r#"
            error[INVALID_CONFIG]: scene.md:2:7: scene name '../../etc' is not a plain name: use letters, digits, '-' and '_', starting with a letter or digit, at most 64
        "#]],
    );
}

#[test]
fn json_that_cannot_be_played() {
    check_file(
        "scene.json",
        "{\"name\": \"test\",\n  \"prompt\": \"x\",\n  \"characters\": [\"alice\" \"bob\"]}",
        expect![[r#"
            error[INVALID_CONFIG]: scene.json:3:26: not valid JSON: expected `,` or `]`
        "#]],
    );
    check_file(
        "scene.json",
        "{\"name\": \"test\", \"prompt\": \"\", \"characters\": [\"alice\", \"bob\"]}",
        expect![[r#"
            error[INVALID_CONFIG]: scene.json: Scene prompt is required
              hint: it is the text below the front matter, or 'prompt' in JSON: the situation and its goal
        "#]],
    );
    check_file(
        "scene.json",
        "{\"name\": \"test\", \"prompt\": \"x\", \"character\": [\"alice\", \"bob\"]}",
        expect![[r#"
            error[INVALID_CONFIG]: scene.json:1:33: unknown key 'character'
              hint: did you mean 'characters'?
        "#]],
    );
    check_file(
        "scene.json",
        "[]",
        expect![[r#"
        error[INVALID_CONFIG]: scene.json:1:1: a scene must be an object with keys, found a list
    "#]],
    );
}

#[test]
fn sheets_that_cannot_be_used() {
    let with = |sheet: &[u8], expected: Expect| {
        let project = Project::new();
        project.write("scene.md", scene("characters: [alice, bob]"));
        project.write(".claude/agents/bob.md", sheet);
        refused(&project, &["run", "scene.md"], expected);
        assert_eq!(project.files(), ["scene.md"]);
    };
    with(
        b"  \n",
        expect![[r#"
        error[CHARACTER_LOAD_ERROR]: .claude/agents/bob.md: Failed to load character 'bob': bob.md is empty
          hint: describe the character in it: personality, way of speaking, background
    "#]],
    );
    with(
        b"# Bob\n\xff\xfe",
        expect![[r#"
        error[CHARACTER_LOAD_ERROR]: .claude/agents/bob.md: Failed to load character 'bob': it is not UTF-8 text: byte 6 belongs to no character
    "#]],
    );
    with(
        &vec![b'x'; 257 * 1024],
        expect![[r#"
        error[CHARACTER_LOAD_ERROR]: .claude/agents/bob.md: Failed to load character 'bob': it is larger than 256 KiB
    "#]],
    );
    with(
        b"---\nname: [\n---\n# Bob\n",
        expect![[r#"
        error[CHARACTER_LOAD_ERROR]: .claude/agents/bob.md:2:7: Failed to load character 'bob': the front matter is not valid YAML: unclosed bracket '['
    "#]],
    );
}

/// A story from somewhere else may link to anything, and what a sheet says is sent to a model.
#[cfg(unix)]
#[test]
fn sheets_that_are_links_out_of_the_project() {
    use std::os::unix::fs::symlink;
    let project = Project::new();
    let elsewhere = Project::new();
    let secret = elsewhere.write("secret.md", "# Bob\nThe password is swordfish.\n");
    project.write("scene.md", scene("characters: [alice, bob]"));
    let sheet = project.path().join(".claude/agents/bob.md");
    std::fs::remove_file(&sheet).unwrap();
    symlink(&secret, &sheet).unwrap();
    refused(
        &project,
        &["run", "scene.md"],
        expect![[r#"
            error[CHARACTER_LOAD_ERROR]: .claude/agents/bob.md: Failed to load character 'bob': a link leads out of the project
              hint: put the sheet itself there; or, if you trust the project, name its sheets: --cast-dir .claude/agents
        "#]],
    );
    // Naming the folder, or the project's configuration, is trusting it.
    let played = |args: &[&str]| project.run(&[&["run", "scene.md", "--max-beats", "1"], args].concat()).code;
    assert_eq!(played(&["--cast-dir", ".claude/agents"]), 0);
    project.write("enact.toml", "");
    assert_eq!(played(&[]), 2);
    assert_eq!(played(&["--config", "enact.toml"]), 0);
    // A configuration from elsewhere says nothing about this project.
    let other = elsewhere.write("enact.toml", "");
    assert_eq!(played(&["--config", &other.display().to_string()]), 2);
}

#[test]
fn flags_that_make_no_sense() {
    let project = Project::new();
    project.write("scene.md", scene("characters: [alice, bob]"));
    refused(
        &project,
        &["run", "nowhere.md"],
        expect![[r#"
        error[INVALID_CONFIG]: nowhere.md: there is no such file
          hint: name a scene file, markdown or JSON
    "#]],
    );
    refused(
        &project,
        &["run", "scene.md", "--model", "gpt"],
        expect![[r#"
        error[INVALID_CONFIG]: unknown model 'gpt'
          hint: use 'improviser', 'script:FILE', 'recorded:RUN' or 'PROVIDER:MODEL', or name models in enact.toml
    "#]],
    );
    refused(
        &project,
        &["run", "scene.md", "--model", "script:missing.txt"],
        expect![[r#"
        error[INVALID_CONFIG]: cannot read the script missing.txt: there is no such file
    "#]],
    );
    refused(
        &project,
        &["run", "scene.md", "--cast-dir", "nowhere"],
        expect![[r#"
        error[CHARACTER_LOAD_ERROR]: Character 'alice' not found. Ensure .claude/agents/alice.md exists.
          hint: there are no sheets in 'nowhere'
    "#]],
    );
    refused(
        &project,
        &["run", "--prompt", "", "--cast", "alice,bob"],
        expect![[r#"
        error[INVALID_CONFIG]: Scene prompt is required
    "#]],
    );
    refused(
        &project,
        &["run", "--resume", "latest"],
        expect![[r#"
            error[INVALID_CONFIG]: there are no runs in 'data'
              hint: `enact run`, `enact chorus`, `enact play`, `enact field` and `enact mcp` play some; --data-dir looks elsewhere
        "#]],
    );
    refused(
        &project,
        &["replay", "latest"],
        expect![[r#"
            error[INVALID_CONFIG]: there are no runs in 'data'
              hint: `enact run`, `enact chorus`, `enact play`, `enact field` and `enact mcp` play some; --data-dir looks elsewhere
        "#]],
    );
    refused(
        &project,
        &["export", "latest", "--format", "txt"],
        expect![[r#"
            error[INVALID_CONFIG]: there are no runs in 'data'
              hint: `enact run`, `enact chorus`, `enact play`, `enact field` and `enact mcp` play some; --data-dir looks elsewhere
        "#]],
    );
    assert_eq!(project.files(), ["scene.md"]);
    // The data folder is a file.
    project.write("data", "");
    refused(
        &project,
        &["run", "scene.md"],
        expect![[r#"
            error[INVALID_CONFIG]: the data folder 'data' cannot be used: Not a directory (os error 20)
              hint: choose another one with --data-dir
        "#]],
    );
}

#[test]
fn no_folder_of_characters_anywhere() {
    let project = Project::empty();
    project.write("scene.md", scene("characters: [alice, bob]"));
    let ran = project.run(&["run", "scene.md"]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.stderr.contains("Character 'alice' not found. Ensure .claude/agents/alice.md exists.")
            && ran.stderr.contains("--cast-dir names another"),
        "{}",
        ran.stderr
    );
}

#[test]
fn flags_that_do_not_exist() {
    let project = Project::new();
    for args in [
        &["export", "x", "--format", "pdf"][..],
        &["nonsense"],
        &["run", "s.md", "--pace", "-1"],
        &["run", "s.md", "--max-beats", "many"],
        &["replay", "latest", "--speed", "1e-300"],
        &["run", "s.md", "--prompt", "x"],
        &["run", "s.md", "--budget", "0"],
        &["run", "s.md", "--budget", "-1"],
        &["run", "s.md", "--budget", "NaN"],
        &["run", "s.md", "--budget", "cheap"],
        &["run", "s.md", "--budget-tokens", "0"],
        &["run", "s.md", "--budget-tokens", "-5"],
        &["run", "s.md", "--context", "thred"],
        &["run", "--resume", "latest", "--model", "lead"],
        &["run", "--resume", "latest", "--judge", "lead"],
        &["run", "--resume", "latest", "--budget", "1"],
    ] {
        let ran = project.run(args);
        assert_eq!(ran.code, 2, "{args:?}");
        assert!(ran.stderr.starts_with("error: "), "{}", ran.stderr);
        if args[0] == "run" {
            let json = project.run(&[args, &["--json"]].concat());
            assert_eq!((json.code, &json.json()["error"]["code"]), (2, &"INVALID_CONFIG".into()), "{args:?}");
        }
    }
    for args in [&["run"][..], &["run", "--cast", "alice,bob"]] {
        assert_eq!(
            project.run(&[args, &["--json"]].concat()).json()["error"]["message"],
            "Scene prompt is required"
        );
    }
}

#[test]
fn of_flags_that_do_not_go_together_only_those_given_are_named() {
    let said = Project::new().run(&["run", "--resume", "latest", "--budget", "1"]).stderr;
    let first = said.lines().next().unwrap();
    assert_eq!(first, "error: the argument '--resume <RUN>' cannot be used with '--budget <USD>'");
}
