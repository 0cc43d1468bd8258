//! `enact run` as a user meets it: what it prints, what it leaves, how it ends.

use expect_test::expect;

use crate::project::Project;

const SCENE: &str = "---
name: late-again
characters: [alice, bob]
initialSpeaker: bob
setting: A café, noon
---
Bob apologizes to Alice for being late. Alice accepts.
";

const SCRIPT: &str = r#"
beat 0
bob: [TO: Alice, TONE: breathless] "Look, I can explain, the bus broke down again."
beat 1
alice: [INTERRUPT after "explain", TONE: furious] "Not the bus!"
bob: [SILENT, *looks at his shoes*]
beat 2
bob: [TO: Alice, TONE: remorseful] "You're right. I'm truly sorry I was late."
alice: !fail rate limited
beat 3
alice: [TO: Bob, TONE: warm, *smiles*] "I accept your apology."
"#;

fn scripted() -> Project {
    let project = Project::new();
    project.write("scene.md", SCENE);
    project.write("script.txt", SCRIPT);
    project
}

/// What is written for a misspelt name would never be said.
#[test]
fn a_script_for_somebody_who_is_not_there_is_noted() {
    let project = scripted();
    project.write("script.txt", SCRIPT.replace("beat 3\nalice", "beat 3\nalcie"));
    let ran = project.run(&["run", "scene.md", "--model", "script:script.txt"]);
    let line = SCRIPT.lines().position(|line| line == "beat 3").unwrap() + 2;
    let note = format!(
        "script.txt, line {line}: 'alcie' is not in the cast, and what is written for them is not said"
    );
    assert!(ran.stderr.contains(&note), "{}", ran.stderr);
}

#[test]
fn a_scene_is_shown_as_it_happens() {
    let ran = scripted().run(&["run", "scene.md", "--model", "script:script.txt", "--seed", "7"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    expect![[r#"
        Late Again with Alice, Bob
          setting: A café, noon
          goal: Bob apologizes to Alice for being late
          goal: Alice accepts
          played by: script (script.txt)

        Bob [TO: Alice, TONE: breathless] "Look, I can explain, the bus broke down again."

        (Bob is cut off: "Look, I can explain—")

        Alice [INTERRUPT after "explain", TONE: furious] "Not the bus!"

        Bob [TO: Alice, TONE: remorseful] "You're right. I'm truly sorry I was late."

        [SYSTEM: Alice unable to respond]

        Alice [TO: Bob, TONE: warm, *smiles*] "I accept your apology."

        [SCENE END - Goal: Achieved]

        Goal achieved after 4 beats, seed 7.
          met: Bob apologizes to Alice for being late (Bob: "You're right. I'm truly sorry I was late.")
          met: Alice accepts (Alice: "I accept your apology.")
        Transcript: data/scenes/late-again/transcript.txt
        Again: enact replay <run>
    "#]]
    .assert_eq(&ran.steady());
}

#[test]
fn a_run_leaves_its_files_and_keeps_earlier_ones() {
    let project = scripted();
    let play = ["run", "scene.md", "--model", "script:script.txt", "--seed", "7", "--json"];
    let first = project.run(&play).json();
    let second = project.run(&play).json();
    let (a, b) =
        (first["metadata"]["runId"].as_str().unwrap(), second["metadata"]["runId"].as_str().unwrap());
    assert_ne!(a, b);
    let scene = "data/scenes/late-again";
    for file in ["transcript.txt", "metadata.json", "debug.log", "events.jsonl"] {
        assert_eq!(
            project.read(&format!("{scene}/{file}")),
            project.read(&format!("{scene}/runs/{b}/{file}"))
        );
        assert!(!project.read(&format!("{scene}/runs/{a}/{file}")).is_empty());
    }
    let transcript = project.read(&format!("{scene}/transcript.txt"));
    assert_eq!(second["transcript"], transcript);
    assert_eq!(second["outputPath"], scene);
    let metadata: serde_json::Value =
        serde_json::from_str(&project.read(&format!("{scene}/metadata.json"))).unwrap();
    assert_eq!(second["metadata"], metadata);
    assert_eq!(metadata["errors"][0]["error"], "rate limited");
    for line in project.read(&format!("{scene}/events.jsonl")).lines() {
        let record: serde_json::Value = serde_json::from_str(line).unwrap();
        let keys: Vec<&String> = record.as_object().unwrap().keys().collect();
        assert_eq!(keys, ["seq", "at", "kind", "v", "body"]);
    }
    for line in project.read(&format!("{scene}/debug.log")).lines() {
        serde_json::from_str::<serde_json::Value>(line).unwrap();
    }
}

#[test]
fn without_a_file() {
    let project = Project::new();
    let ran = project.run(&[
        "run",
        "--prompt",
        "Bob apologizes to Alice for being late. Alice accepts.",
        "--cast",
        "alice,bob",
        "--first",
        "bob",
        "--name",
        "quick-apology",
        "--json",
    ]);
    let result = ran.json();
    assert_eq!(ran.code, 0);
    assert_eq!(result["success"], true);
    assert_eq!(result["metadata"]["goalAchieved"], true);
    assert_eq!(result["metadata"]["name"], "quick-apology");
    assert!(ran.lines()[0].starts_with("Bob ["), "{:?}", ran.lines());
    let how = result["metadata"]["models"]["improviser"]["description"].as_str().unwrap();
    assert_eq!(how, "improviser (built-in rules in English, not a language model)");
    assert!(result["transcript"].as_str().unwrap().contains(how));
}

#[test]
fn flags_say_it_better_than_the_file() {
    let project = scripted();
    let ran = project.run(&[
        "run",
        "scene.md",
        "--cast",
        "alice,charlie",
        "--first",
        "charlie",
        "--name",
        "other",
        "--json",
    ]);
    assert_eq!(ran.json()["metadata"]["name"], "other");
    assert!(ran.lines()[0].starts_with("Charlie ["), "{:?}", ran.lines());
}

#[test]
fn a_scene_without_a_name_takes_that_of_its_file() {
    let project = Project::new();
    project.write("late.json", r#"{"prompt": "Bob apologizes to Alice.", "characters": ["alice", "bob"]}"#);
    assert_eq!(project.run(&["run", "late.json", "--json"]).json()["metadata"]["name"], "late");
}

#[test]
fn exit_codes() {
    let project = scripted();
    project.write("empty.txt", "beat 0\nbob: [SILENT]\n");
    project.write(
        "broken.txt",
        (0..4).map(|beat| format!("beat {beat}\nbob: !fail x\nalice: !fail x\n")).collect::<String>(),
    );
    let code = |args: &[&str]| project.run(&[&["run", "scene.md", "--quiet"], args].concat()).code;
    assert_eq!(code(&["--model", "script:script.txt", "--require-goal"]), 0);
    assert_eq!(code(&["--model", "script:empty.txt"]), 0, "stalled, but played");
    assert_eq!(code(&["--model", "script:empty.txt", "--require-goal"]), 3);
    assert_eq!(code(&["--model", "script:script.txt", "--max-beats", "2", "--require-goal"]), 3);
    assert_eq!(code(&["--model", "script:broken.txt"]), 1);
    assert_eq!(code(&["--max-beats", "0"]), 2);
}

#[test]
fn quiet_is_quiet_and_json_is_only_json() {
    let project = scripted();
    let quiet = project.run(&["run", "scene.md", "--quiet"]);
    assert_eq!((quiet.stdout.as_str(), quiet.stderr.as_str()), ("", ""));
    let json = project.run(&["run", "scene.md", "--json"]);
    assert_eq!(json.stderr, "");
    let keys: Vec<String> = json.json().as_object().unwrap().keys().cloned().collect();
    assert_eq!(keys, ["success", "transcript", "metadata", "outputPath"]);
}

#[test]
fn the_same_seed_gives_the_same_lines_and_a_recording_gives_them_again() {
    let project = scripted();
    let one = project.run(&["run", "scene.md", "--seed", "11", "--json"]);
    let two = project.run(&["run", "scene.md", "--seed", "11", "--json"]);
    assert_eq!(one.lines(), two.lines());
    let others =
        (12..16).map(|seed| project.run(&["run", "scene.md", "--seed", &seed.to_string(), "--json"]).lines());
    assert!(others.into_iter().any(|lines| lines != one.lines()), "the seed matters");
    let run = one.json()["metadata"]["runId"].as_str().unwrap().to_owned();
    let recorded = project.run(&["run", "scene.md", "--model", &format!("recorded:{run}"), "--json"]);
    assert_eq!(recorded.lines(), one.lines());
}

#[test]
fn nobody_reading_is_no_reason_to_stop() {
    let project = scripted();
    let mut child = project
        .command(&["run", "scene.md", "--pace", "0.01"])
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    assert!(child.wait().unwrap().success());
    assert!(project.read("data/scenes/late-again/transcript.txt").contains("[SCENE END"));
}

#[test]
fn colours_only_where_somebody_can_see_them() {
    let project = scripted();
    let plain = project.run(&["run", "scene.md", "--seed", "7"]);
    assert!(!plain.stdout.contains('\u{1b}'), "a pipe gets plain text");
    let forced =
        project.command(&["run", "scene.md", "--seed", "7"]).env("CLICOLOR_FORCE", "1").output().unwrap();
    assert!(String::from_utf8(forced.stdout).unwrap().contains('\u{1b}'));
}

/// A script in which these fail in every beat, and Bob, if he does not, has something new to say.
fn failing(who: &[&str]) -> String {
    let beat = |beat: u32| {
        let fails: String = who.iter().map(|who| format!("{who}: !fail no tongue\n")).collect();
        let thinks = format!("bob: [TONE: calm] \"That was thought number {beat}.\"\n");
        let bob = if who.contains(&"bob") { String::new() } else { thinks };
        format!("beat {beat}\n{fails}{bob}")
    };
    (0..8).map(beat).collect()
}

#[test]
fn why_nobody_answered_is_said_at_the_end() {
    let project = scripted();
    project.write("nobody.txt", failing(&["alice", "bob"]));
    let ran = project.run(&["run", "scene.md", "--model", "script:nobody.txt", "--seed", "7"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (1, ""));
    let end = "\nFailed: nobody could answer after 3 beats, seed 7: no tongue\n";
    assert!(ran.stdout.contains(end), "{}", ran.stdout);
    let compare = project.run(&["compare", "scene.md", "--with", "script:nobody.txt", "--runs", "2"]);
    assert_eq!(compare.code, 1);
    assert_eq!(compare.stderr, "Every run failed: nobody could answer: no tongue\n");
}

#[test]
fn who_could_often_not_answer_is_said_at_the_end() {
    let project = scripted();
    project.write("bob-alone.txt", failing(&["alice"]));
    let play = ["run", "scene.md", "--model", "script:bob-alone.txt", "--max-beats"];
    let often = project.run(&[&play[..], &["5"]].concat());
    assert_eq!(often.stderr, "note: alice could not answer 3 times: no tongue\n", "{}", often.stdout);
    assert_eq!(project.run(&[&play[..], &["2"]].concat()).stderr, "", "once or twice can be seen");
    assert_eq!(project.run(&[&play[..], &["5", "--json"]].concat()).stderr, "");
}
