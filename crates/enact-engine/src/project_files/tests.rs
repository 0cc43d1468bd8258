use expect_test::{Expect, expect};
use tempfile::TempDir;

use super::*;

/// A folder with these files in it.
fn project(files: &[(&str, &[u8])]) -> TempDir {
    let root = tempfile::tempdir().unwrap();
    for (path, bytes) in files {
        let path = root.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    root
}

fn names(names: &[&str]) -> Vec<Name> {
    names.iter().map(|name| Name::new(*name).unwrap()).collect()
}

/// The problem and its hint, with the folder's own path taken out.
fn shown(problem: &Problem, root: &TempDir) -> String {
    let text = match &problem.hint {
        Some(hint) => format!("{}: {problem}\nhint: {hint}\n", problem.code.as_str()),
        None => format!("{}: {problem}\n", problem.code.as_str()),
    };
    text.replace(&root.path().display().to_string(), "ROOT")
}

fn check_sheet(root: &TempDir, name: &str, expected: Expect) {
    let problem = load_sheets(root.path(), &names(&[name]), SheetLinks::Followed).unwrap_err();
    assert_eq!(problem.context["character"], name);
    expected.assert_eq(&shown(&problem, root));
}

fn check_scene(root: &TempDir, path: &str, expected: Expect) {
    let text = match read_scene_file(&root.path().join(path)) {
        Ok(config) => format!("{}\n", serde_json::to_string(&config).unwrap()),
        Err(problem) => shown(&problem, root),
    };
    expected.assert_eq(&text);
}

#[test]
fn the_cast_is_searched_for_upward() {
    let root = project(&[(".claude/agents/alice.md", b"x"), ("acts/one/scene.md", b"x")]);
    let found = find_cast_dir(&root.path().join("acts/one"));
    assert_eq!(found, Some(root.path().join(".claude/agents")));
    assert_eq!(find_cast_dir(root.path()), found);
    fs::create_dir_all(root.path().join("acts/.claude/agents")).unwrap();
    let nearer = find_cast_dir(&root.path().join("acts/one"));
    assert_eq!(nearer, Some(root.path().join("acts/.claude/agents")));
}

#[test]
fn sheets_come_verbatim_and_in_cast_order() {
    let alice = "\u{feff}# Alice\r\n- strict\r\n";
    let root = project(&[("alice.md", alice.as_bytes()), ("bob.md", b"late")]);
    let sheets = load_sheets(root.path(), &names(&["bob", "alice"]), SheetLinks::Followed).unwrap();
    let sheets: Vec<_> = sheets.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    assert_eq!(sheets, [("bob", "late"), ("alice", alice)]);
}

#[test]
fn sheets_that_cannot_be_loaded() {
    let large = vec![b'x'; LARGEST_SHEET_BYTES + 1];
    let root = project(&[
        ("alice.md", b"x"),
        ("empty.md", b"---\nname: x\n---\n"),
        ("latin.md", b"Caf\xe9"),
        ("large.md", &large),
        ("broken.md", b"---\nname: x\nvoice: [a\n---\nx"),
        ("folder.md/x", b"x"),
        ("notes.txt", b"x"),
    ]);
    check_sheet(
        &root,
        "alicia",
        expect![[r#"
        CHARACTER_LOAD_ERROR: Character 'alicia' not found. Ensure .claude/agents/alicia.md exists.
        hint: did you mean 'alice'?
    "#]],
    );
    check_sheet(
        &root,
        "zoe",
        expect![[r#"
        CHARACTER_LOAD_ERROR: Character 'zoe' not found. Ensure .claude/agents/zoe.md exists.
        hint: in 'ROOT' there are: alice, broken, empty, folder, large, latin
    "#]],
    );
    check_sheet(
        &root,
        "notes",
        expect![[r#"
        CHARACTER_LOAD_ERROR: Character 'notes' not found. Ensure .claude/agents/notes.md exists.
        hint: in 'ROOT' there are: alice, broken, empty, folder, large, latin
    "#]],
    );
    check_sheet(
        &root,
        "empty",
        expect![[r#"
        CHARACTER_LOAD_ERROR: ROOT/empty.md: Failed to load character 'empty': empty.md is empty
        hint: describe the character in it: personality, way of speaking, background
    "#]],
    );
    check_sheet(
        &root,
        "latin",
        expect![[r#"
        CHARACTER_LOAD_ERROR: ROOT/latin.md: Failed to load character 'latin': it is not UTF-8 text: byte 3 belongs to no character
    "#]],
    );
    check_sheet(
        &root,
        "large",
        expect![[r#"
        CHARACTER_LOAD_ERROR: ROOT/large.md: Failed to load character 'large': it is larger than 256 KiB
    "#]],
    );
    check_sheet(
        &root,
        "broken",
        expect![[r#"
        CHARACTER_LOAD_ERROR: ROOT/broken.md:3:8: Failed to load character 'broken': the front matter is not valid YAML: unclosed bracket '['
    "#]],
    );
    check_sheet(
        &root,
        "folder",
        expect![[r#"
        CHARACTER_LOAD_ERROR: ROOT/folder.md: Failed to load character 'folder': it is not a file
    "#]],
    );
}

#[test]
fn a_sheet_is_found_whatever_the_case_of_its_name() {
    let root = project(&[("alice.md", b"x"), ("Bob.md", b"y")]);
    let sheets = load_sheets(root.path(), &names(&["ALICE", "bob"]), SheetLinks::Followed).unwrap();
    let read: Vec<(&str, &str)> = sheets.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    assert_eq!(read, [("ALICE", "x"), ("bob", "y")]);
    // Of two that differ only in case, the one of that very name; and neither for a third way to write it.
    std::fs::write(root.path().join("BOB.md"), "z").unwrap();
    if std::fs::read_to_string(root.path().join("Bob.md")).unwrap() == "y" {
        let found = |name| load_sheets(root.path(), &names(&[name]), SheetLinks::Followed);
        assert_eq!(found("BOB").unwrap()[0].1, "z");
        assert!(found("bob").unwrap_err().message.starts_with("Character 'bob' not found."));
    }
}

#[test]
fn a_missing_character_in_the_seed_s_shape() {
    let root = project(&[]);
    let problem = load_sheets(root.path(), &names(&["x"]), SheetLinks::Followed).unwrap_err();
    assert_eq!(problem.message, "Character 'x' not found. Ensure .claude/agents/x.md exists.");
    assert_eq!(*problem.context, serde_json::json!({ "character": "x", "reason": "file not found" }));
    expect![[r#"
        CHARACTER_LOAD_ERROR: Character 'x' not found. Ensure .claude/agents/x.md exists.
        hint: there are no sheets in 'ROOT'
    "#]]
    .assert_eq(&shown(&problem, &root));
    expect![[r#"
        CHARACTER_LOAD_ERROR: Character 'x' not found. Ensure .claude/agents/x.md exists.
        hint: there is no .claude/agents folder in or above 'ROOT'
    "#]]
    .assert_eq(&shown(&no_cast_dir(root.path(), &names(&["x", "y"])), &root));
}

#[cfg(unix)]
#[test]
fn links_are_followed_and_pipes_are_not_waited_for() {
    let root = project(&[("elsewhere/real.md", b"linked"), ("cast/alice.md", b"x")]);
    let cast = root.path().join("cast");
    std::os::unix::fs::symlink(root.path().join("elsewhere/real.md"), cast.join("bob.md")).unwrap();
    assert_eq!(load_sheets(&cast, &names(&["bob"]), SheetLinks::Followed).unwrap()[0].1, "linked");
    // A device stands for every file that is none: opening it would succeed and never end.
    std::os::unix::fs::symlink("/dev/zero", cast.join("zero.md")).unwrap();
    let problem = load_sheets(&cast, &names(&["zero"]), SheetLinks::Followed).unwrap_err();
    assert_eq!(problem.message, "Failed to load character 'zero': it is not a file");
}

/// A story from somewhere else may link to any file of its reader, and sheets are sent to models.
#[cfg(unix)]
#[test]
fn links_out_of_a_project_that_was_only_found_are_refused() {
    use std::os::unix::fs::symlink;
    let root = project(&[
        ("elsewhere/bob.md", b"secret"),
        ("home/sheets/bob.md", b"of the project"),
        ("home/.claude/agents/alice.md", b"plain"),
    ]);
    let (home, elsewhere) = (root.path().join("home"), root.path().join("elsewhere"));
    let cast = find_cast_dir(&home).unwrap();
    assert_eq!(project_of(&cast), home);
    let links = SheetLinks::Within { folder: project_of(&cast), hint: "put it there" };
    let load = |name: &str| load_sheets(&cast, &names(&[name]), links).map(|sheets| sheets[0].1.clone());
    assert_eq!(load("alice"), Ok("plain".to_owned()));

    symlink("../../sheets/bob.md", cast.join("bob.md")).unwrap();
    assert_eq!(load("bob"), Ok("of the project".to_owned()));
    let relative = SheetLinks::Within { folder: Path::new(""), hint: "" };
    assert!(load_sheets(&cast, &names(&["bob"]), relative).is_err());

    let out = "CHARACTER_LOAD_ERROR: ROOT/home/.claude/agents/bob.md: Failed to load character 'bob': a link leads out of the project\nhint: put it there\n";
    let replace = |link: &dyn Fn()| {
        let _ = fs::remove_file(cast.join("bob.md"));
        link();
        assert_eq!(shown(&load("bob").unwrap_err(), &root), out);
    };
    replace(&|| symlink(elsewhere.join("bob.md"), cast.join("bob.md")).unwrap());
    replace(&|| symlink("../../../elsewhere/bob.md", cast.join("bob.md")).unwrap());
    // One link that leads to another.
    symlink(elsewhere.join("bob.md"), home.join("sheets/far.md")).unwrap();
    replace(&|| symlink("../../sheets/far.md", cast.join("bob.md")).unwrap());
    // The folder itself.
    fs::remove_dir_all(&cast).unwrap();
    symlink(&elsewhere, &cast).unwrap();
    assert_eq!(shown(&load("bob").unwrap_err(), &root), out);
    assert_eq!(
        load("nobody").unwrap_err().message,
        "Character 'nobody' not found. Ensure .claude/agents/nobody.md exists."
    );
    fs::remove_dir_all(home.join(".claude")).unwrap();
    fs::create_dir(elsewhere.join("agents")).unwrap();
    fs::rename(elsewhere.join("bob.md"), elsewhere.join("agents/bob.md")).unwrap();
    symlink(&elsewhere, home.join(".claude")).unwrap();
    assert_eq!(shown(&load("bob").unwrap_err(), &root), out);
}

#[test]
fn scene_files_of_both_kinds() {
    let json = br#"{"name": "x", "prompt": "p", "characters": ["a", "b"]}"#;
    let root = project(&[
        ("The Apology!/scene.md", b"Bob apologizes."),
        ("quick-apology.md", b"Bob apologizes."),
        ("named.markdown", b"---\nname: given\n---\nBob apologizes."),
        ("seed.JSON", json),
        ("nameless.json", b"{\"prompt\": \"p\"}"),
    ]);
    check_scene(
        &root,
        "The Apology!/scene.md",
        expect![[r#"
        {"name":"the-apology","prompt":"Bob apologizes.","characters":[]}
    "#]],
    );
    check_scene(
        &root,
        "quick-apology.md",
        expect![[r#"
        {"name":"quick-apology","prompt":"Bob apologizes.","characters":[]}
    "#]],
    );
    check_scene(
        &root,
        "named.markdown",
        expect![[r#"
        {"name":"given","prompt":"Bob apologizes.","characters":[]}
    "#]],
    );
    check_scene(
        &root,
        "seed.JSON",
        expect![[r#"
        {"name":"x","prompt":"p","characters":["a","b"]}
    "#]],
    );
    check_scene(
        &root,
        "nameless.json",
        expect![[r#"
            {"name":"nameless","prompt":"p","characters":[]}
        "#]],
    );
}

#[test]
fn scene_files_that_cannot_be_read() {
    let large = vec![b'x'; LARGEST_SCENE_BYTES + 1];
    let root = project(&[
        ("apology/scene.md", b"---\nname: x\nmax_beats: 3\n---\nx"),
        ("bad.json", b"{\n  \"name\": }"),
        ("latin.md", b"\xff"),
        ("large.md", &large),
    ]);
    check_scene(
        &root,
        "apology/scene.md",
        expect![[r#"
        INVALID_CONFIG: ROOT/apology/scene.md:3:1: unknown key 'max_beats'
        hint: did you mean 'maxBeats'?
    "#]],
    );
    check_scene(
        &root,
        "bad.json",
        expect![[r#"
        INVALID_CONFIG: ROOT/bad.json:2:11: not valid JSON: expected value
    "#]],
    );
    check_scene(
        &root,
        "apology",
        expect![[r#"
        INVALID_CONFIG: ROOT/apology: it is not a file
        hint: did you mean 'ROOT/apology/scene.md'?
    "#]],
    );
    check_scene(
        &root,
        "apology/scenes.md",
        expect![[r#"
        INVALID_CONFIG: ROOT/apology/scenes.md: there is no such file
        hint: did you mean 'ROOT/apology/scene.md'?
    "#]],
    );
    check_scene(
        &root,
        "nowhere/nothing.md",
        expect![[r#"
            INVALID_CONFIG: ROOT/nowhere/nothing.md: there is no such file
            hint: name a scene file, markdown or JSON
        "#]],
    );
    check_scene(
        &root,
        "bad.json/x.md",
        expect![[r#"
            INVALID_CONFIG: ROOT/bad.json/x.md: there is no such file
            hint: name a scene file, markdown or JSON
        "#]],
    );
    check_scene(
        &root,
        "latin.md",
        expect![[r#"
        INVALID_CONFIG: ROOT/latin.md: it is not UTF-8 text: byte 0 belongs to no character
    "#]],
    );
    check_scene(
        &root,
        "large.md",
        expect![[r#"
        INVALID_CONFIG: ROOT/large.md: it is larger than 1024 KiB
    "#]],
    );
}
