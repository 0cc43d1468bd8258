//! What can be done with runs afterwards: list, replay, export. And the two tools: parse and judge.

use expect_test::expect;

use crate::project::Project;

fn played() -> Project {
    let project = Project::new();
    project.write(
        "scene.md",
        "---\nname: late-again\ncharacters: [alice, bob]\ninitialSpeaker: bob\n---\nBob apologizes. Alice accepts.\n",
    );
    project.write(
        "script.txt",
        r#"
beat 0
bob: [TO: Alice, TONE: nervous] "Before you say anything, I can explain."
beat 1
alice: [INTERRUPT after "anything", TONE: angry] "Explain what?"
beat 2
bob: [TO: Alice, TONE: remorseful] "I'm truly sorry."
beat 3
alice: [TONE: warm, *nods*] "I accept your apology."
"#,
    );
    let ran = project.run(&["run", "scene.md", "--model", "script:script.txt", "--seed", "1", "--quiet"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    project
}

#[test]
fn a_replay_is_the_transcript_byte_for_byte() {
    let project = played();
    let transcript = project.read("data/scenes/late-again/transcript.txt");
    // Neither sheets nor scripts are needed: the log holds everything.
    std::fs::remove_dir_all(project.path().join(".claude")).unwrap();
    std::fs::remove_file(project.path().join("script.txt")).unwrap();
    for args in
        [&["replay", "latest"][..], &["replay", "late-again"], &["replay", "latest", "--speed", "1000"]]
    {
        assert_eq!(project.run(args).stdout, transcript, "{args:?}");
    }
    let stepped = project.run_with_input(&["replay", "latest", "--step"], b"\n\n\n");
    assert_eq!(stepped.stdout, transcript);
    let stepped = project.run_with_input(&["replay", "latest", "--step", "beat"], b"\n");
    assert_eq!(stepped.stdout, transcript);
    let wrong = project.run(&["replay", "--step", "latest"]);
    assert_eq!(wrong.code, 2);
    assert!(wrong.stderr.contains("use 'line' or 'beat'"), "{}", wrong.stderr);
    let run = project.run(&["runs", "--json"]).json()[0]["run"].as_str().unwrap().to_owned();
    assert_eq!(project.run(&["replay", &run]).stdout, transcript);
    assert_eq!(project.run(&["replay", &run[..30]]).stdout, transcript);
}

#[test]
fn exports() {
    let project = played();
    let export = |format: &str| {
        let ran = project.run(&["export", "latest", "--format", format]);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
        ran
    };
    assert_eq!(export("txt").stdout, project.read("data/scenes/late-again/transcript.txt"));
    export("md");
    assert!(export("fountain").stdout.contains("BOB\n(to Alice, nervous)\n"));
    assert!(export("vtt").stdout.starts_with("WEBVTT"));
    assert_eq!(export("json").json()["lines"].as_array().unwrap().len(), 4);
    assert_eq!(export("metadata").stdout, project.read("data/scenes/late-again/metadata.json"));
    assert_eq!(export("debug").stdout, project.read("data/scenes/late-again/debug.log"));
    let to_file = project.run(&["export", "latest", "--format", "vtt", "--output", "out.vtt"]);
    assert_eq!((to_file.code, to_file.stdout.as_str()), (0, ""));
    assert_eq!(project.read("out.vtt"), export("vtt").stdout);
}

#[test]
fn runs_are_listed_newest_first() {
    let project = Project::new();
    expect![[r#"
        No runs yet. `enact run SCENE` plays one.
    "#]]
    .assert_eq(&project.run(&["runs"]).stdout);
    assert_eq!(project.run(&["runs", "--json"]).stdout, "[]\n");
    assert!(project.files().is_empty(), "looking leaves nothing behind");
    let project = played();
    project.run(&["run", "scene.md", "--name", "second", "--quiet", "--max-beats", "1"]);
    let listed = project.run(&["runs", "--json"]).json();
    let names: Vec<&str> =
        listed.as_array().unwrap().iter().map(|run| run["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["second", "late-again"]);
    assert_eq!(listed[1]["reason"], "goal_achieved");
    let table = project.run(&["runs"]).stdout;
    assert_eq!(table.lines().count(), 3);
    assert!(table.lines().nth(2).unwrap().ends_with("goal_achieved"), "{table}");
}

#[test]
fn replies_are_parsed() {
    let project = Project::empty();
    let raw = b"**Alice:** [tone: angry, to: Bob, *slams the table*] \"You don't get to say \xe2\x80\x9csorry\xe2\x80\x9d!\"";
    expect![[r#"
        {
          "action": "speak",
          "target": "Bob",
          "tone": "angry",
          "content": "You don't get to say “sorry”!",
          "interruptAfter": null,
          "nonverbal": "slams the table",
          "warnings": [
            "a name before the bracket: left out"
          ]
        }
    "#]]
    .assert_eq(&project.run_with_input(&["parse"], raw).stdout);
    let nothing = project.run_with_input(&["parse"], b"\xff\x00");
    assert_eq!(nothing.code, 0);
    assert!(nothing.json()["warnings"].as_array().is_some_and(|warnings| !warnings.is_empty()));
}

#[test]
fn transcripts_are_judged() {
    let project = played();
    let judge = |transcript: &str| project.run(&["judge", "--scene", "scene.md", "--transcript", transcript]);
    let own = judge("data/scenes/late-again/transcript.txt").json();
    assert_eq!(own["complete"], true);
    assert_eq!(own["goals"][0]["evidence"], "I'm truly sorry.");
    project.write("open.json", r#"[{"speaker": "Bob", "content": "I didn't mean to."}]"#);
    let open = judge("open.json");
    assert_eq!((open.code, &open.json()["complete"]), (0, &false.into()));
    // It needs no sheets.
    std::fs::remove_dir_all(project.path().join(".claude")).unwrap();
    assert_eq!(judge("open.json").code, 0);
    project.write("broken.json", "[{\"speaker\": \"Bob\",\n \"content\": }]");
    let broken = judge("broken.json");
    assert_eq!(broken.code, 2);
    assert_eq!(broken.json()["error"]["context"]["line"], 2);
    assert_eq!(judge("nowhere.txt").code, 2);
}
