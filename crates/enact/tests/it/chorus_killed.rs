//! Choruses that are killed or cancelled: nothing is lost, nothing is said or recorded twice.

use std::{
    collections::BTreeSet,
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
};

use serde_json::Value;

use crate::project::Project;

/// Everything that is said is a moment of its own, long enough to be killed in.
const PACE: &str = "0.01";

/// Longer than a test takes: it does not end by itself.
const FOR_EVER: &str = "600";

fn start(project: &Project, args: &[&str]) -> Child {
    project.command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn sing() -> [&'static str; 6] {
    ["chorus", "What does rain sound like?", "--seed", "5", "--slots", "4"]
}

/// Who said what, in which turn and into which file, in the order of turns and slots.
fn said(result: &Value) -> BTreeSet<(u64, u64, String, String)> {
    let lines = result["lines"].as_array().unwrap();
    let told: BTreeSet<_> = lines
        .iter()
        .map(|line| {
            let path = line["audioPath"].as_str().expect("it can be heard");
            let file = path.splitn(4, '/').last().unwrap().to_owned();
            let number = |key: &str| line[key].as_u64().unwrap();
            (number("turnIndex"), number("slotId"), line["text"].as_str().unwrap().to_owned(), file)
        })
        .collect();
    assert_eq!(told.len(), lines.len(), "nothing is said twice");
    told
}

/// Lets it print so many lines and kills it, unless it has ended before.
fn kill_after(mut child: Child, lines: usize) {
    let stdout = child.stdout.take().unwrap();
    let _ = BufReader::new(stdout).lines().map_while(Result::ok).take(lines).count();
    child.kill().unwrap();
    child.wait().unwrap();
}

/// How the only run there is stands.
fn status(project: &Project) -> String {
    let listed = project.run(&["runs", "--json"]).json();
    assert_eq!(listed.as_array().unwrap().len(), 1, "what is printed is stored: {listed}");
    listed[0]["status"].as_str().unwrap().to_owned()
}

/// Ends what was killed: the same is said, into the same files, as if nothing had happened.
fn resumes_to(project: &Project, whole: &BTreeSet<(u64, u64, String, String)>) {
    let resumed = project.run(&["chorus", "--resume", "latest", "--json"]);
    assert_eq!(resumed.code, 0, "{}", resumed.stderr);
    assert_eq!(said(&resumed.json()), *whole);
    let files = project.files();
    let wavs = files.iter().filter(|file| file.ends_with(".wav")).count();
    assert_eq!(wavs, whole.len(), "{files:?}");
    // A file half-written at the kill has a temporary name that no record mentions.
    let kept = files.iter().filter(|file| file.contains("artifacts/") && !file.contains("/.tmp"));
    assert_eq!(kept.count(), wavs + 1, "the manifest, and nothing else: {files:?}");
}

#[test]
fn killed_at_any_moment_it_resumes_to_the_same_words_and_files() {
    let whole = said(&Project::empty().run(&[&sing()[..], &["--json"]].concat()).json());
    // The last of them come after its end.
    for lines in (1..40).step_by(3) {
        let project = Project::empty();
        kill_after(start(&project, &[&sing()[..], &["--pace", PACE]].concat()), lines);
        // A resumed run may be killed again, and again.
        for _ in 0..2 {
            if status(&project) == "interrupted" {
                kill_after(start(&project, &["chorus", "--resume", "latest", "--pace", PACE]), lines);
            }
        }
        resumes_to(&project, &whole);
    }
}

#[test]
fn killed_while_somebody_reads_it_is_interrupted() {
    let whole = said(&Project::empty().run(&[&sing()[..], &["--json"]].concat()).json());
    let project = Project::empty();
    let mut child = start(&project, &[&sing()[..], &["--pace", FOR_EVER]].concat());
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
    assert!(lines.any(|line| line.contains("[VOICE: ")), "somebody has said something");
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(status(&project), "interrupted");
    resumes_to(&project, &whole);
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_chorus_with_what_there_is() {
    let project = Project::empty();
    let mut child = start(&project, &[&sing()[..], &["--pace", "0.3"]].concat());
    let stdout = child.stdout.take().unwrap();
    let mut lines = BufReader::new(stdout).lines().map_while(Result::ok);
    assert!(lines.any(|line| line.contains("[VOICE: ")), "somebody has said something");
    let signal = format!("kill -INT {}", child.id());
    assert!(Command::new("sh").args(["-c", &signal]).status().unwrap().success());
    assert!(lines.any(|line| line.starts_with("Cancelled in turn 1: ")), "it says so");
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let shown = project.run(&["replay", "latest"]).stdout;
    assert!(shown.contains("[CHORUS END - Cancelled]"), "{shown}");
}
