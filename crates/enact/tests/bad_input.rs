//! Bad input: a clear error, nothing written, exit code 2.

mod project;

use expect_test::{Expect, expect};
use project::Project;

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
    expected.assert_eq(&ran.stderr);
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
    check("---\nname: test\ncharacters: [alice, bob]\n---\n\n", expect![[""]]);
    check(&scene("characters: [alice, bobb]"), expect![[""]]);
    check(&scene("characters: [alice]"), expect![[""]]);
    check(&scene("characters: [a, b, c, d, e, f, g, h, i, j, k, l, m]"), expect![[""]]);
    check(&scene("characters: [alice, bob, alice]"), expect![[""]]);
    check(&scene("characters: [alice, bob]\ninitialSpeaker: charly"), expect![[""]]);
    check(&scene("characters: [alice, bob]\nmaxBeats: 0"), expect![[""]]);
    check(&scene("characters: [alice, bob]\nmaxBeats: -3"), expect![[""]]);
    check(&scene("characters: [alice, bob]\nmaxBeats: many"), expect![[""]]);
    check(&scene("characters: [alice, ../bob]"), expect![[""]]);
    check(&scene("characters: [alice, '']"), expect![[""]]);
    check(&scene("characters: [alice, a/b]"), expect![[""]]);
    check(&scene("characters: [alice, bob]\nmaxbeat: 4"), expect![[""]]);
    check(&scene("characters: [alice, bob\nmaxBeats: 4"), expect![[""]]);
    check("---\nname: test\ncharacters: [alice, bob]\n", expect![[""]]);
    check(&scene("characters: [alice, bob]").replace("name: test", "name: ../../etc"), expect![[""]]);
}

#[test]
fn json_that_cannot_be_played() {
    check_file(
        "scene.json",
        "{\"name\": \"test\",\n  \"prompt\": \"x\",\n  \"characters\": [\"alice\" \"bob\"]}",
        expect![[""]],
    );
    check_file(
        "scene.json",
        "{\"name\": \"test\", \"prompt\": \"\", \"characters\": [\"alice\", \"bob\"]}",
        expect![[""]],
    );
    check_file(
        "scene.json",
        "{\"name\": \"test\", \"prompt\": \"x\", \"character\": [\"alice\", \"bob\"]}",
        expect![[""]],
    );
    check_file("scene.json", "[]", expect![[""]]);
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
    with(b"  \n", expect![[""]]);
    with(b"# Bob\n\xff\xfe", expect![[""]]);
    with(&vec![b'x'; 257 * 1024], expect![[""]]);
    with(b"---\nname: [\n---\n# Bob\n", expect![[""]]);
}

#[test]
fn flags_that_make_no_sense() {
    let project = Project::new();
    project.write("scene.md", scene("characters: [alice, bob]"));
    refused(&project, &["run", "nowhere.md"], expect![[""]]);
    refused(&project, &["run", "scene.md", "--model", "gpt"], expect![[""]]);
    refused(&project, &["run", "scene.md", "--model", "script:missing.txt"], expect![[""]]);
    refused(&project, &["run", "scene.md", "--cast-dir", "nowhere"], expect![[""]]);
    refused(&project, &["run", "--prompt", "", "--cast", "alice,bob"], expect![[""]]);
    refused(&project, &["run", "--resume", "latest"], expect![[""]]);
    refused(&project, &["replay", "latest"], expect![[""]]);
    refused(&project, &["export", "latest", "--format", "txt"], expect![[""]]);
    assert_eq!(project.files(), ["scene.md"]);
    // The data folder is a file.
    project.write("data", "");
    refused(&project, &["run", "scene.md"], expect![[""]]);
}

#[test]
fn no_folder_of_characters_anywhere() {
    let project = Project::empty();
    project.write("scene.md", scene("characters: [alice, bob]"));
    let ran = project.run(&["run", "scene.md"]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.stderr.contains("Character 'alice' not found. Ensure .claude/agents/alice.md exists."),
        "{}",
        ran.stderr
    );
}

#[test]
fn flags_that_do_not_exist() {
    let project = Project::new();
    for args in [
        &["run"][..],
        &["run", "--prompt", "x"],
        &["export", "x", "--format", "pdf"],
        &["nonsense"],
        &["run", "s.md", "--pace", "-1"],
    ] {
        let ran = project.run(args);
        assert_eq!(ran.code, 2, "{args:?}");
        assert!(ran.stderr.starts_with("error: "), "{}", ran.stderr);
    }
}
