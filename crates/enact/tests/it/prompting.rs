//! What models are told: a project's own templates, `enact check`, and what was sent.

use expect_test::expect;

use crate::project::Project;

const SCRIPT: &str = r#"
beat 0
bob: [TO: Alice, TONE: nervous] "Before you say anything, I can explain."
beat 1
alice: [SILENT, *folds her arms*]
beat 2
bob: [TO: Alice, TONE: remorseful] "I'm truly sorry."
beat 3
alice: [TONE: warm] "I accept your apology."
"#;

fn project() -> Project {
    let project = Project::new();
    project.write(
        "scene.md",
        "---\nname: late\ncharacters: [alice, bob]\ninitialSpeaker: bob\n---\nBob apologizes. Alice accepts.\n",
    );
    project.write("script.txt", SCRIPT);
    project
}

#[test]
fn what_was_sent_can_be_read_while_it_is_sent_and_afterwards() {
    let project = project();
    let shown = project.run(&["run", "scene.md", "--model", "script:script.txt", "--show-prompts"]);
    assert_eq!((shown.code, shown.stderr.as_str()), (0, ""));
    let sent = project.run(&["export", "latest", "--format", "prompts"]).stdout;
    assert!(sent.contains("Cast:\n- Alice: Senior Project Manager\n- Bob: Developer\n"), "{sent}");
    // What was sent before is not written out again.
    assert_eq!(sent.matches("You play one character").count(), 2, "{sent}");
    assert_eq!(sent.matches("This is your character sheet").count(), 2, "{sent}");
    let block = sent.split("\n\n=== ").find(|block| block.contains("beat 2: reply to bob")).unwrap();
    expect![[r#"
        call 7, beat 2: reply to bob, answered by script:script.txt (at most 1024 tokens) ===
        --- system: as in call 4
        --- user
        BEAT: 2

        RECENT TRANSCRIPT:
        Bob [TO: Alice, TONE: nervous] "Before you say anything, I can explain."

        LAST EVENT: Bob [TO: Alice, TONE: nervous] "Before you say anything, I can explain."

        You are Bob. Respond in the response format."#]]
    .assert_eq(block);
    for line in block.lines().skip(1) {
        assert!(shown.stdout.lines().any(|shown| shown == line), "{line}\n{}", shown.stdout);
    }
    for flag in ["--json", "--quiet"] {
        assert_eq!(project.run(&["run", "scene.md", "--show-prompts", flag]).code, 2);
    }
}

#[test]
fn a_project_has_its_own_templates_and_its_runs_keep_them() {
    let project = project();
    project.write("templates/scene/character.j2", "Be {{ name }}, {{ language or 'in English' }}.");
    let ran = project.run(&["run", "scene.md", "--model", "script:script.txt", "--quiet"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    project.write("templates/scene/character.j2", "Another.");
    let sent = project.run(&["export", "latest", "--format", "prompts"]).stdout;
    assert!(sent.contains("Be Bob, \"in English\".\n") && !sent.contains("Another."), "{sent}");
}

#[test]
fn a_scene_is_checked_without_being_played() {
    let project = project();
    let check = || project.run(&["check", "scene.md", "--model", "bob=script:script.txt"]);
    let checked = check();
    assert_eq!((checked.code, checked.stderr.as_str()), (0, ""));
    expect![[r#"
        late can be played.
          Alice: played by improviser
            headings: Personality (1)
          Bob: played by script:script.txt
            headings: Personality (1)
          goal: Bob apologizes
            read as: apologise, by Bob
            heard as it: "I'm sorry."
          goal: Alice accepts
            read as: accept, by Alice
            heard as it: "I accept your apology."
    "#]]
    .assert_eq(&checked.stdout);
    assert!(!project.files().iter().any(|file| file.starts_with("data")), "{:?}", project.files());

    project.write("templates/scene/judge.j2", "{{ goals }}");
    project.write("templates/scene/rule.j2", "x");
    let noted = check();
    assert_eq!(noted.code, 0);
    expect![[r#"
        note: templates/scene/rule.j2 is not read: did you mean 'rules.j2'?
    "#]]
    .assert_eq(&noted.stderr);
    assert!(noted.stdout.ends_with("  templates of the project: judge.j2\n"), "{}", noted.stdout);

    project.write("templates/scene/rules.j2", "You are {{ nme }}.\n");
    let refused = check();
    assert_eq!(refused.code, 2);
    expect![[r#"
        error[INVALID_CONFIG]: templates/scene/rules.j2:1:12: there is no variable 'nme' in this template
          hint: it may use scene_context, setting, language, goals, cast
    "#]]
    .assert_eq(&refused.stderr);
    assert_eq!(project.run(&["run", "scene.md", "--quiet"]).code, 2, "nor is it played");
}
