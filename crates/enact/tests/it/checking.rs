//! `enact check`: what is wrong, where, and how the rest is read.

use expect_test::expect;

use crate::project::Project;

#[test]
fn a_scene_is_told_with_how_its_goals_are_read() {
    let project = Project::new();
    project.write(
        ".claude/agents/alice.md",
        "# Alice - Manager\n\nTall.\n\n## Personalty\n- Direct\n\n## Background\n\n## Her cat\n- Old\n",
    );
    project.write(
        "scene.md",
        "---\nname: late\ncharacters: [Alice, bob]\ngoals:\n  - Bob apologizes to Alice for being late\n  \
         - Alice does not leave\n  - Peace is restored\n---\nBob is late.\n",
    );
    let checked = project.run(&["check", "scene.md"]);
    assert_eq!((checked.code, checked.stderr.as_str()), (0, ""));
    expect![[r#"
        late can be played.
          Alice: played by improviser
            headings: what stands above them (1), Personalty (1), Her cat (1)
            heading 'Personalty': did you mean 'Personality'?
            nothing stands below 'Background'
          Bob: played by improviser
            headings: Personality (1)
          goal: Bob apologizes to Alice for being late
            read as: apologise, by Bob, to Alice, about "being late"
            heard as it: "I'm sorry."
          goal: Alice does not leave
            read as: never say goodbye, by Alice
            broken by "Goodbye."
          goal: Peace is restored
            the rules cannot read it (it names nobody of the cast): say who does what, as in "Bob apologizes to Alice", or name a judge
    "#]]
    .assert_eq(&checked.stdout);
    assert_eq!(project.run(&["check"]).stdout, format!("{}\n{}", checked.stdout, charlie(&project)));
}

/// What is told of a sheet that no scene casts.
fn charlie(project: &Project) -> String {
    let told = project.run(&["check", ".claude/agents/charlie.md"]);
    assert_eq!((told.code, told.stderr.as_str()), (0, ""));
    assert_eq!(told.stdout, ".claude/agents/charlie.md is a sheet: Charlie\n    headings: Personality (1)\n");
    told.stdout
}

#[test]
fn everything_that_is_wrong_is_told_at_once() {
    let project = Project::new();
    project.write("a.md", "---\ncharacters: [alice, bobb]\n---\nBob apologizes.\n");
    project.write("b.md", "---\ncharacters: [alice, bob]\nsettng: x\n---\nBob apologizes.\n");
    project.write("c.md", "---\ncharacters: [alice, bob]\n---\nBob apologizes.\n");
    project.write(".claude/agents/zoe.md", "---\nname: [\n---\n# Zoe\n");
    project.write("enact.toml", "defualt = \"lead\"\n");
    let checked = project.run(&["check"]);
    assert_eq!(checked.code, 2);
    let home = format!("{}/", project.path().display());
    expect![[r#"
        error[INVALID_CONFIG]: enact.toml:1:1: unknown key 'defualt'
          hint: did you mean 'default'?
        error[CHARACTER_LOAD_ERROR]: .claude/agents/zoe.md:2:7: Failed to load character 'zoe': the front matter is not valid YAML: unclosed bracket '['
    "#]]
    .assert_eq(&checked.stderr.replace(&home, ""));
    project.write("enact.toml", "");
    let checked = project.run(&["check"]);
    assert_eq!(checked.code, 2);
    expect![[r#"
        error[CHARACTER_LOAD_ERROR]: a.md:2:21: Character 'bobb' not found. Ensure .claude/agents/bobb.md exists.
          hint: did you mean 'bob'?
        error[INVALID_CONFIG]: b.md:3:1: unknown key 'settng'
          hint: did you mean 'setting'?
        error[CHARACTER_LOAD_ERROR]: .claude/agents/zoe.md:2:7: Failed to load character 'zoe': the front matter is not valid YAML: unclosed bracket '['
    "#]]
    .assert_eq(&checked.stderr.replace(&home, ""));
    assert!(checked.stdout.contains("c can be played."), "{}", checked.stdout);
}

#[test]
fn what_cannot_be_checked() {
    let project = Project::new();
    for (args, said) in [
        (&["check", "nowhere.md"][..], "nowhere.md: there is no such file"),
        (&["check", "nowhere.toml"], "nowhere.toml: there is no such file"),
        (&["check", "nowhere.json"], "nowhere.json: there is no such file"),
    ] {
        let refused = project.run(args);
        assert_eq!((refused.code, refused.stdout.as_str()), (2, ""), "{args:?}");
        assert!(refused.stderr.contains(said), "{}", refused.stderr);
    }
    let empty = Project::empty().run(&["check"]);
    assert_eq!(empty.code, 2);
    assert!(empty.stderr.contains("there is nothing to check in this folder"), "{}", empty.stderr);
    project.write(".claude/agents/not plain.md", "# X\n");
    let refused = project.run(&["check", ".claude/agents/not plain.md"]);
    assert!(refused.stderr.contains("'not plain' is not a plain name"), "{}", refused.stderr);
}
