//! `enact fork` as a user meets it.

use std::collections::BTreeSet;

use expect_test::expect;
use fake_provider::FakeProvider;

use crate::project::{Project, lines};

const KEY: &str = "sk-test";

const SCENE: &str = "---
name: late-again
characters: [alice, bob]
initialSpeaker: bob
maxBeats: 10
---
Bob apologizes to Alice for being late. Alice accepts.
";

/// A script says the same in every branch.
const SCRIPT: &str = r#"
beat 0
bob: [TONE: defiant] "The bus was late, not me."
beat 1
alice: [TO: Bob, TONE: cool] "It always is."
beat 2
bob: [TO: Alice, TONE: remorseful] "I'm truly sorry I was late."
beat 3
alice: [TO: Bob, TONE: warm] "I accept your apology."
"#;

/// A project in which one run has been played.
fn played(args: &[&str]) -> (Project, String) {
    let project = Project::new();
    project.write("scene.md", SCENE);
    project.write("script.txt", SCRIPT);
    let ran = project.run(&[&["run", "scene.md", "--json", "--seed", "7"], args].concat());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let run = ran.json()["metadata"]["runId"].as_str().unwrap().to_owned();
    (project, run)
}

fn transcript(project: &Project, run: &str) -> Vec<String> {
    lines(&project.run(&["replay", run]).stdout)
}

fn metadata(project: &Project, run: &serde_json::Value) -> serde_json::Value {
    let path = format!("data/scenes/late-again/runs/{}/metadata.json", run.as_str().unwrap());
    serde_json::from_str(&project.read(&path)).unwrap()
}

#[test]
fn a_branch_is_shown_beside_the_run_it_comes_from() {
    let (project, run) = played(&["--model", "script:script.txt"]);
    project.write("script.txt", SCRIPT.replace("I'm truly sorry I was late.", "It really was the bus."));
    let ran = project.run(&["fork", "latest", "--beat", "1", "--seed", "1"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    let branch = project.run(&["runs", "--json"]).json()[0]["run"].as_str().unwrap().to_owned();
    expect![[r#"
        Late Again: 1 branch after beat 1

                     ends           goals   beats  cost   seed
        the run      goal achieved  2 of 2  4      $0.00  7
        branch 1     stalled        0 of 2  10     $0.00  1

        The run is <run>. All share 2 beats; the cost of
        a branch is its own, from there on.

        branch 1 · <branch>
        parts from the run in beat 2, after 2 lines that both share:
        the run      Bob [TO: Alice, TONE: remorseful] "I'm truly sorry I was late."
        branch 1     Bob [TO: Alice, TONE: remorseful] "It really was the bus."
    "#]]
    .assert_eq(&ran.stdout.replace(&run, "<run>").replace(&branch, "<branch>"));
    assert!(ran.stdout.lines().all(|line| line.chars().count() <= 80), "{}", ran.stdout);
}

#[test]
fn branches_share_the_beginning_and_then_go_their_own_ways() {
    let (project, run) = played(&[]);
    let json = project.run(&["fork", &run, "--beat", "1", "--runs", "4", "--jobs", "2", "--json"]).json();
    let branches = json["branches"].as_array().unwrap();
    assert_eq!(branches.len(), 4);
    let parent = transcript(&project, &run);
    let mut stories = BTreeSet::from([parent.clone()]);
    for branch in branches {
        let metadata = metadata(&project, &branch["runId"]);
        assert_eq!(metadata["forkedFrom"], serde_json::json!({"runId": run, "beat": 1}));
        assert!(
            metadata["reason"].is_string() && metadata["costs"]["inherited"]["calls"] == 3,
            "{metadata:#}"
        );
        let lines = transcript(&project, branch["runId"].as_str().unwrap());
        let shared = branch["partsFromParent"]["linesShared"].as_u64().map_or(lines.len(), |n| n as usize);
        assert!(shared >= 2, "{branch:#}");
        stories.insert(lines);
    }
    let listed = project.run(&["runs", "--json"]).json();
    let forks = listed.as_array().unwrap().iter().filter(|listed| listed["parent"] == run.as_str());
    assert_eq!(forks.count(), 4);
    assert!(stories.len() > 2, "another seed gives other lines: {stories:#?}");
    assert_eq!(transcript(&project, &run), parent, "the run itself stays as it was");
}

#[test]
fn the_same_seed_gives_the_same_lines() {
    let (project, run) = played(&[]);
    let last = project.run(&["export", &run, "--format", "json"]).json()["metadata"]["totalBeats"].as_u64();
    for beat in 0..last.unwrap() {
        let args = ["fork", &run, "--beat", &beat.to_string(), "--seed", "7", "--json"];
        let json = project.run(&args).json();
        assert!(json["branches"][0]["partsFromParent"].is_null(), "beat {beat}: {json:#}");
        assert_eq!(json["branches"][0]["reason"], json["parent"]["reason"]);
    }
    // And a fork can be forked, also where it is its parent's.
    let json = project.run(&["fork", "latest", "--beat", "0", "--seed", "7", "--json"]).json();
    assert!(json["branches"][0]["partsFromParent"].is_null(), "{json:#}");
    assert_ne!(json["forkedFrom"]["runId"], run.as_str());
}

#[test]
fn what_the_shared_beats_cost_is_not_paid_twice() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let server = runtime.block_on(FakeProvider::builder().key(KEY).start());
    let project = Project::new();
    project.write("scene.md", SCENE);
    project.write(
        "enact.toml",
        format!(
            "default = \"lead\"\n[models.lead]\nprovider = \"anthropic\"\nmodel = \"claude-sonnet-4-5\"\nbase_url = \"{}\"\n\
             price = {{ input = 3.0, output = 15.0, cache_read = 0.3, cache_write = 3.75 }}\n",
            server.base_url()
        ),
    );
    let run = |args: &[&str]| {
        let output = project.command(args).env("ANTHROPIC_API_KEY", KEY).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice::<serde_json::Value>(&output.stdout).unwrap()
    };
    // Of actors alone, to the token.
    let parent = run(&["run", "scene.md", "--max-beats", "6", "--judge", "none", "--json"]);
    let json = run(&["fork", "latest", "--beat", "3", "--runs", "2", "--json"]);
    let by_beat = parent["metadata"]["costs"]["byBeat"].as_object().unwrap();
    let sum =
        |figure: &str| (0..=3).map(|beat| by_beat[&beat.to_string()][figure].as_f64().unwrap()).sum::<f64>();
    assert_eq!(json["inherited"]["totalTokens"].as_f64().unwrap(), sum("totalTokens"));
    assert!((json["inherited"]["estimatedUSD"].as_f64().unwrap() - sum("estimatedUSD")).abs() < 1e-9);
    let own_beats =
        |branch: &serde_json::Value| metadata(&project, &branch["runId"])["costs"]["byBeat"].clone();
    for branch in json["branches"].as_array().unwrap() {
        let own = own_beats(branch);
        assert_eq!(own.as_object().unwrap().keys().collect::<Vec<_>>(), ["4", "5"], "{own:#}");
        assert!(branch["estimatedUSD"].as_f64().unwrap() > 0.0);
    }
    assert!(!json.to_string().contains(KEY));

    // What a judge was asked about beat 3 had no answer yet where the branches begin: each asks again.
    let parent = run(&["run", "scene.md", "--max-beats", "6", "--json"]);
    let json = run(&["fork", "latest", "--beat", "3", "--runs", "2", "--json"]);
    let calls = |costs: &serde_json::Value| costs["calls"].as_u64().unwrap();
    let of_beat = &parent["metadata"]["costs"]["byBeat"];
    let shared: u64 = (0..=3).map(|beat| calls(&of_beat[beat.to_string()])).sum();
    for branch in json["branches"].as_array().unwrap() {
        let own = own_beats(branch);
        assert_eq!(own.as_object().unwrap().keys().collect::<Vec<_>>(), ["3", "4", "5"], "{own:#}");
        assert_eq!(calls(&own["3"]), 1, "{own:#}");
        assert_eq!(calls(&json["inherited"]) + calls(&own["3"]), shared, "{parent:#}\n{json:#}");
    }
    assert!(!json.to_string().contains(KEY));
}

#[test]
fn the_page_is_written_where_it_was_asked_for() {
    let (project, run) = played(&[]);
    let ran = project.run(&["fork", &run[..23], "--beat", "0", "--runs", "2", "--html", "page.html"]);
    assert!(ran.stdout.ends_with("\nPage: page.html\n"), "{}{}", ran.stdout, ran.stderr);
    let page = project.read("page.html");
    assert!(page.starts_with("<!doctype html>") && page.contains("Late Again: branches compared"));
}

#[test]
fn bad_input_is_refused_before_anything_is_played() {
    let (project, run) = played(&["--model", "script:script.txt"]);
    let run = run.as_str();
    let cases: [(&[&str], &str); 9] = [
        (&["nobody", "--beat", "0"], "no run 'nobody' here"),
        (&[run, "--beat", "4"], "beat 4 has not been played to its end: the last one that has is 3"),
        (&[run, "--beat", "4"], "any beat from 0 to 3 can be forked"),
        (&[run, "--beat", "two"], "expected the number of a beat, such as 6"),
        (&[run, "--beat", "-1"], "expected the number of a beat, such as 6"),
        (&[run], "--beat <NUMBER>"),
        (&[run, "--beat", "1", "--runs", "0"], "expected a whole number from 1 to 1000"),
        (
            &[run, "--beat", "1", "--html", "nowhere/page.html"],
            "the page nowhere/page.html cannot be written",
        ),
        (&[run, "--beat", "1", "--data-dir", "elsewhere"], "there are no runs in 'elsewhere'"),
    ];
    // SQLite creates and removes its side files (`-wal`, `-shm`) with each reader.
    let files = || {
        let files = project.files().into_iter();
        files.filter(|file| !file.starts_with("data/enact.db-")).collect::<Vec<_>>()
    };
    let before = files();
    for (args, message) in cases {
        let ran = project.run(&[&["fork"], args].concat());
        assert_eq!(ran.code, 2, "{args:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(message), "{args:?}: {}", ran.stderr);
        assert_eq!(files(), before, "{args:?}");
    }
    let json = project.run(&["fork", run, "--beat", "9", "--json"]);
    assert_eq!(json.json()["error"]["context"]["lastBeat"], 3);
    std::fs::remove_file(project.path().join("script.txt")).unwrap();
    let gone = project.run(&["fork", run, "--beat", "1"]);
    assert_eq!(gone.code, 2);
    assert!(gone.stderr.contains("cannot read the script script.txt"), "{}", gone.stderr);
    assert_eq!(project.run(&["runs", "--json"]).json().as_array().unwrap().len(), 1);
}

#[test]
fn a_branch_shares_a_beat_up_to_a_line() {
    let (project, run) = played(&["--model", "script:script.txt"]);
    project.write("script.txt", SCRIPT.replace("I'm truly sorry I was late.", "It really was the bus."));
    for flag in ["--beat", "--at"] {
        let ran = project.run(&["fork", &run, flag, "1.1", "--seed", "1", "--json"]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let told = ran.json();
        assert_eq!(told["forkedFrom"]["line"], 1, "{told}");
        let branch = told["branches"][0]["runId"].clone();
        let (own, parents) = (transcript(&project, branch.as_str().unwrap()), transcript(&project, &run));
        assert_eq!(own[..2], parents[..2], "what had arrived stays");
        assert!(own[2].contains("It really was the bus."), "{own:?}");
        assert_eq!(metadata(&project, &branch)["forkedFrom"]["line"], 1);
        // It is played again without any model.
        let again = project.run(&[
            "run",
            "scene.md",
            "--model",
            &format!("recorded:{}", branch.as_str().unwrap()),
            "--seed",
            "1",
            "--json",
        ]);
        assert_eq!(again.lines(), own, "{}", again.stderr);
    }
    let shown = project.run(&["fork", &run, "--beat", "0.1", "--seed", "1"]);
    assert!(shown.stdout.starts_with("Late Again: 1 branch after line 1 of beat 0\n"), "{}", shown.stdout);
    let refused = project.run(&["fork", &run, "--beat", "1.9"]);
    assert!(
        refused.code == 2 && refused.stderr.contains("beat 1 has no line 9: it has one line"),
        "{}",
        refused.stderr
    );
    assert!(refused.stderr.contains("1.1 can be forked"), "{}", refused.stderr);
}
