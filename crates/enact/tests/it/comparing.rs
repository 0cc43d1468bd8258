//! `enact compare` as a user meets it.

use std::{collections::BTreeSet, time::Duration};

use enact_testkit::waiting::blocking;
use expect_test::expect;
use fake_provider::{Api, FakeProvider, PlannedResponse};

use crate::project::Project;

const KEY: &str = "sk-test";

/// Its goal cannot be read, and so nothing but its length ends it.
const LONG_SCENE: &str = "---
name: long-night
characters: [alice, bob, charlie]
initialSpeaker: alice
---
Three colleagues wait for the last train and talk about whatever comes to their minds.
";

const SCENE: &str = "---
name: late-again
characters: [alice, bob]
initialSpeaker: bob
---
Bob apologizes to Alice for being late. Alice accepts.
";

const SHORT: &str = r#"
beat 0
bob: [TO: Alice, TONE: remorseful] "I'm truly sorry I was late."
beat 1
alice: [TO: Bob, TONE: warm] "I accept your apology."
"#;

/// Says nothing of what is wanted, once without the format and once not at all.
const STUBBORN: &str = r#"
beat 0
bob: The bus was late, not me.
beat 1
alice: !fail rate limited
beat 2
bob: [TONE: defiant] "It really was the bus."
"#;

fn contest() -> Project {
    let project = Project::new();
    project.write("scene.md", SCENE);
    project.write("short.txt", SHORT);
    project.write("stubborn.txt", STUBBORN);
    project
}

/// Times differ from run to run: their row, and the one below it that gives their range, are left out.
fn without_times(text: &str) -> String {
    let mut lines = text.lines().peekable();
    let mut kept = String::new();
    while let Some(line) = lines.next() {
        if line.starts_with("time per beat") {
            lines.next_if(|range| range.starts_with(' '));
        } else {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

#[test]
fn contenders_are_shown_side_by_side() {
    let project = contest();
    let ran = project.run(&[
        "compare",
        "scene.md",
        "--with",
        "script:short.txt",
        "--with",
        "script:stubborn.txt",
        "--with",
        "improviser",
        "--runs",
        "2",
        "--seed",
        "7",
        "--max-beats",
        "4",
    ]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert!(ran.stdout.lines().all(|line| line.chars().count() <= 80), "{}", ran.stdout);
    assert!(!ran.stdout.contains('\u{1b}'));
    let (table, _) = ran.stdout.split_once("\nFigures are").unwrap();
    expect![[r#"
        Late Again: 3 contenders, 2 runs each

                        script:short.txt     script:stubborn.txt  improviser
        first word      –                    –                    –
        tokens/second   –                    –                    –
        beats           2                    4                    4
        tokens in       0                    0                    0
        tokens out      0                    0                    0
        cost            $0.00                $0.00                $0.00
        input bill      –                    –                    –
        cache hits      –                    –                    –
        replies parsed  6 (100%)             10 (71%)             14 (100%)
        salvaged        0 (0%)               2 (14%)              0 (0%)
        failed          0 (0%)               2 (14%)              0 (0%)
        goal reached    2 of 2 runs          0 of 2 runs          2 of 2 runs
        goals met       2 of 2               0 of 2               2 of 2
        ends            2× goal achieved     2× max beats         2× goal achieved
                                             exceeded
    "#]]
    .assert_eq(&without_times(table));
}

#[test]
fn runs_are_kept_like_any_other_and_paired_by_seed() {
    let project = contest();
    let compare = [
        "compare",
        "scene.md",
        "--with",
        "script:short.txt",
        "--with",
        "improviser",
        "--runs",
        "3",
        "--seed",
        "40",
    ];
    let ran = project.run(&[&compare[..], &["--jobs", "2", "--json"]].concat());
    let json = ran.json();
    let kept = project.run(&["runs", "--json"]).json();
    assert_eq!(kept.as_array().unwrap().len(), 6);
    for contender in json["contenders"].as_array().unwrap() {
        let runs = contender["runs"].as_array().unwrap();
        let seeds: Vec<u64> = runs.iter().map(|run| run["seed"].as_u64().unwrap()).collect();
        assert_eq!(seeds, [40, 41, 42]);
        for run in runs {
            assert!(kept.as_array().unwrap().iter().any(|kept| kept["run"] == run["runId"]), "{run}");
        }
    }
    assert_eq!(json["contenders"][0]["summary"]["goalAchieved"], 3);
    assert_eq!(json["contenders"][0]["summary"]["beats"]["max"], 2.0);
}

#[test]
fn a_recording_plays_every_one_of_its_runs_from_the_beginning() {
    let project = contest();
    project.run(&["run", "scene.md", "--model", "script:short.txt", "--quiet"]);
    let json =
        project.run(&["compare", "scene.md", "--with", "recorded:latest", "--runs", "2", "--json"]).json();
    assert_eq!(json["contenders"][0]["summary"]["goalAchieved"], 2);
    // Both give the run that was the latest when it was asked for, not each other.
    let recordings: BTreeSet<String> = json["contenders"][0]["runs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|run| {
            let id = run["runId"].as_str().unwrap();
            project.read(&format!("data/scenes/late-again/runs/{id}/metadata.json"))
        })
        .map(|metadata| {
            let metadata: serde_json::Value = serde_json::from_str(&metadata).unwrap();
            metadata["model"].as_str().unwrap().to_owned()
        })
        .collect();
    assert_eq!(recordings.len(), 1, "{recordings:?}");
}

#[test]
fn the_page_is_written_where_it_was_asked_for() {
    let project = contest();
    let args = ["compare", "scene.md", "--with", "improviser", "--runs", "1", "--html", "page.html"];
    let ran = project.run(&args);
    assert!(ran.stdout.ends_with("\nPage: page.html\n"), "{}", ran.stdout);
    let page = project.read("page.html");
    assert!(page.starts_with("<!doctype html>") && page.contains("Late Again: contenders compared"));
}

#[test]
fn bad_input_is_refused_before_anything_is_played() {
    let project = contest();
    project.write("folder/x", "");
    let cases: [(&[&str], &str); 8] = [
        (&["--with", "improvisor"], "unknown model 'improvisor'"),
        (&["--with", "improviser", "--with", "improviser"], "--with improviser is given twice"),
        (&["--with", "window:improviser"], "is told the same either way"),
        (&["--with", "improviser", "--runs", "0"], "expected a whole number from 1 to 1000"),
        (&["--with", "improviser", "--jobs", "-1"], "expected a whole number from 1 to 64"),
        (
            &["--with", "improviser", "--html", "nowhere/page.html"],
            "the page nowhere/page.html cannot be written",
        ),
        (&["--with", "improviser", "--html", "folder"], "the page folder cannot be written"),
        (&[], "--with"),
    ];
    let before = project.files();
    for (args, message) in cases {
        let ran = project.run(&[&["compare", "scene.md"], args].concat());
        assert_eq!(ran.code, 2, "{args:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(message), "{args:?}: {}", ran.stderr);
        assert_eq!(project.files(), before, "{args:?}");
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_shows_what_is_there() {
    use std::process::Command;

    let project = contest();
    // So many runs that it cannot be over before it is interrupted.
    let args = ["compare", "scene.md", "--with", "improviser", "--runs", "1000", "--json"];
    let child = project
        .command(&args)
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    // The copies in the scene's folder are there once a run has finished.
    let finished = project.path().join("data/scenes/late-again/transcript.txt");
    blocking::until(|| finished.exists());
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", String::from_utf8_lossy(&output.stderr));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let runs = json["contenders"][0]["runs"].as_array().unwrap();
    assert!(!runs.is_empty() && runs.len() < 1_000);
    assert!(runs.iter().all(|run| run["reason"] != "cancelled"));
}

/// The bar that caching has to meet: 20 beats, three characters, prompts above the least length that is cached.
#[test]
fn a_thread_costs_a_fraction_of_what_its_requests_would_uncached() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let server = runtime.block_on(FakeProvider::builder().key(KEY).start());
    let project = contest();
    for name in ["alice", "bob", "charlie"] {
        let background = "Keeps every promise and remembers who did not. ".repeat(100);
        project.write(&format!(".claude/agents/{name}.md"), format!("# {name}\n\n{background}\n"));
    }
    project.write("long.md", LONG_SCENE);
    project.write(
        "enact.toml",
        format!(
            "[models.lead]\nprovider = \"anthropic\"\nmodel = \"claude-sonnet-4-5\"\nbase_url = \"{}\"\n\
             price = {{ input = 3.0, output = 15.0, cache_read = 0.3, cache_write = 3.75 }}\n",
            server.base_url()
        ),
    );
    let args = [
        "compare",
        "long.md",
        "--with",
        "lead",
        "--with",
        "window:lead",
        "--runs",
        "2",
        "--max-beats",
        "20",
        // A judge is asked beside the beats, as often as its answers come in time.
        "--judge",
        "none",
        "--json",
    ];
    let output = project.command(&args).env("ANTHROPIC_API_KEY", KEY).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let worst = |contender: usize, figure: &str, end: &str| {
        json["contenders"][contender]["summary"][figure][end].as_f64().unwrap()
    };
    assert_eq!(worst(0, "beats", "min"), 20.0);
    assert!(worst(0, "inputBillRatio", "max") <= 0.25, "{json:#}");
    assert!(worst(0, "cacheHitRate", "min") >= 0.85, "{json:#}");
    assert!(worst(0, "inputBillRatio", "max") < worst(1, "inputBillRatio", "min"), "{json:#}");
    assert!(!String::from_utf8_lossy(&output.stdout).contains(KEY));
}

#[test]
fn a_wrong_key_is_found_out_before_anybody_else_has_played_twice() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let server = runtime.block_on(FakeProvider::builder().key(KEY).start());
    let project = contest();
    let config = format!(
        "[models.lead]\nprovider = \"anthropic\"\nmodel = \"claude-sonnet-4-5\"\nbase_url = \"{}\"\n",
        server.base_url()
    );
    project.write("enact.toml", config);
    let args = ["compare", "scene.md", "--with", "improviser", "--with", "lead", "--runs", "3"];
    let output = project.command(&args).env("ANTHROPIC_API_KEY", "sk-wrong").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(!String::from_utf8_lossy(&output.stderr).contains("sk-wrong"));
    assert_eq!(project.run(&["runs", "--json"]).json().as_array().unwrap().len(), 1);
    let output =
        project.command(&[&args[..], &["--json"]].concat()).env("ANTHROPIC_API_KEY", "sk-wrong").output();
    let json: serde_json::Value = serde_json::from_slice(&output.unwrap().stdout).unwrap();
    assert_eq!(json["success"], false, "one document, and it says what went wrong");
}

/// An answer in one piece has no first word: contenders are asked for streams.
#[test]
fn first_words_are_timed() {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let slow = PlannedResponse::text("[TONE: calm] \"Well, well.\"").after(Duration::from_millis(20));
    let server = runtime.block_on(FakeProvider::builder().script(move |_| slow.clone()).start());
    let project = contest();
    project.write(
        "enact.toml",
        format!(
            "[models.lead]\nprovider = \"openai-compatible\"\nmodel = \"m\"\nbase_url = \"{}\"\n",
            server.base_url_for(Api::OpenAi)
        ),
    );
    let compared = project.run(&["compare", "scene.md", "--with", "lead", "--max-beats", "1", "--json"]);
    assert_eq!(compared.code, 0, "{}", compared.stderr);
    let summary = &compared.json()["contenders"][0]["summary"];
    assert!(summary["firstWordMs"]["median"].as_f64().is_some_and(|ms| ms >= 20.0), "{summary:#}");
    assert!(summary["tokensPerSecond"]["median"].as_f64().is_some_and(|speed| speed > 0.0), "{summary:#}");
}
