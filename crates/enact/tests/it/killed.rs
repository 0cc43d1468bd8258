//! Runs that are killed, cancelled or taken twice: nothing is lost, nothing is said twice.

use std::{
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
    time::Duration,
};

use crate::project::Project;

const SCENE: &str = "---
name: apology
characters: [alice, bob, charlie]
initialSpeaker: alice
---
Alice confronts Bob about a missed deadline. Charlie mediates.
Scene goal: Bob apologizes, Alice accepts, they agree on next steps.
";

/// Every line is a moment of its own, long enough to be killed in.
const PACE: &str = "0.01";

fn project() -> Project {
    let project = Project::new();
    project.write("scene.md", SCENE);
    project
}

fn start(project: &Project, args: &[&str]) -> Child {
    project.command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Waits for a line of output, so that the run is known to be under way.
fn wait_for(child: &mut Child, start: &str) {
    let stdout = child.stdout.as_mut().unwrap();
    let mut lines = BufReader::new(stdout).lines().map_while(Result::ok);
    assert!(lines.any(|line| line.trim_start().starts_with(start)), "the run ended too early");
}

#[test]
fn killed_at_any_moment_it_resumes_to_the_same_lines() {
    let whole = project().run(&["run", "scene.md", "--seed", "5", "--json"]);
    let mut interrupted = 0;
    for round in 0..24u64 {
        let project = project();
        let mut child = start(&project, &["run", "scene.md", "--seed", "5", "--pace", PACE]);
        let mut kills = 0;
        // A resumed run may be killed again, and again.
        for attempt in 0..4 {
            std::thread::sleep(Duration::from_millis(3 + (round * 37 + attempt * 53) % 190));
            child.kill().unwrap();
            kills += u64::from(!child.wait().unwrap().success());
            let listed = project.run(&["runs", "--json"]).json();
            let status = listed[0]["status"].as_str().unwrap_or("none").to_owned();
            if status != "interrupted" {
                break;
            }
            interrupted += 1;
            child = start(&project, &["run", "--resume", "latest", "--pace", PACE]);
        }
        let _ = child.kill();
        let _ = child.wait();
        if project.run(&["runs", "--json"]).json().as_array().unwrap().is_empty() {
            continue; // killed before there was anything to resume
        }
        let resumed = project.run(&["run", "--resume", "latest", "--json"]);
        assert_eq!(resumed.code, 0, "{}", resumed.stderr);
        assert_eq!(resumed.lines(), whole.lines(), "round {round}, {kills} kills");
        assert_eq!(project.run(&["runs", "--json"]).json().as_array().unwrap().len(), 1);
        let events = project.read("data/scenes/apology/events.jsonl");
        let seqs = events
            .lines()
            .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["seq"].as_u64());
        assert!(seqs.eq((0..).map(Some).take(events.lines().count())), "every seq once, in order");
    }
    assert!(interrupted >= 10, "most rounds are interrupted at least once: {interrupted}");
}

#[test]
fn a_run_is_played_by_one_process_at_a_time() {
    let project = project();
    let mut child = start(&project, &["run", "scene.md", "--pace", "0.2"]);
    wait_for(&mut child, "Alice [");
    let second = project.run(&["run", "--resume", "latest"]);
    assert_eq!(second.code, 1);
    assert!(second.stderr.contains("is being played by another process"), "{}", second.stderr);
    let listed = project.run(&["runs"]).stdout;
    assert!(listed.contains("playing now"), "{listed}");
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn resuming_a_finished_run_only_writes_its_files_again() {
    let project = project();
    let first = project.run(&["run", "scene.md", "--json"]);
    std::fs::remove_file(project.path().join("data/scenes/apology/transcript.txt")).unwrap();
    let again = project.run(&["run", "--resume", "latest", "--json"]);
    assert_eq!(again.json(), first.json());
    assert_eq!(
        project.read("data/scenes/apology/transcript.txt"),
        first.json()["transcript"].as_str().unwrap()
    );
}

#[test]
fn a_recording_stays_the_recording_it_was() {
    let project = project();
    let first = project.run(&["run", "scene.md", "--seed", "5", "--json"]);
    let again = ["run", "scene.md", "--name", "again", "--model", "recorded:latest", "--pace", "0.05"];
    let mut child = start(&project, &again);
    wait_for(&mut child, "Bob [");
    child.kill().unwrap();
    child.wait().unwrap();
    let resumed = project.run(&["run", "--resume", "latest", "--json"]);
    assert_eq!(resumed.json()["metadata"]["name"], "again");
    // The world's events are the rules' own: another run of another name draws others.
    let said = |lines: Vec<String>| -> Vec<String> {
        lines.into_iter().filter(|line| !line.starts_with("[EVENT: ")).collect()
    };
    assert_eq!(said(resumed.lines()), said(first.lines()));
}

#[test]
fn an_older_run_does_not_take_the_place_of_a_newer_one() {
    let project = project();
    let older = project.run(&["run", "scene.md", "--json"]).json();
    let newer = project.run(&["run", "scene.md", "--json"]).json();
    let id = |result: &serde_json::Value| result["metadata"]["runId"].as_str().unwrap().to_owned();
    project.run(&["run", "--resume", &id(&older), "--quiet"]);
    assert!(project.read("data/scenes/apology/metadata.json").contains(&id(&newer)));
}

#[test]
fn afterwards_the_database_alone_holds_everything() {
    let project = project();
    let played = project.run(&["run", "scene.md", "--json"]).json();
    project.write("copy/enact.db", std::fs::read(project.path().join("data/enact.db")).unwrap());
    let replayed = project.run(&["replay", "latest", "--data-dir", "copy"]);
    assert_eq!(replayed.stdout, played["transcript"].as_str().unwrap());
}

#[cfg(unix)]
pub(crate) fn interrupt(child: &Child) {
    let signal = format!("kill -INT {}", child.id());
    assert!(Command::new("sh").args(["-c", &signal]).status().unwrap().success());
}

/// A second Ctrl-C exits at once, even if the cancelled scene hangs, here on a locked folder.
#[cfg(unix)]
#[test]
fn a_second_ctrl_c_ends_at_once() {
    let project = project();
    let lock = std::fs::File::create(project.write("data/scenes/apology/runs/.lock", "")).unwrap();
    lock.lock().unwrap();
    let mut child = start(&project, &["run", "scene.md", "--pace", "0.3"]);
    wait_for(&mut child, "Bob [");
    interrupt(&child);
    while project.run(&["runs", "--json"]).json()[0]["reason"] != "cancelled" {
        assert_eq!(child.try_wait().unwrap(), None, "it waits for the files");
    }
    assert_eq!(child.try_wait().unwrap(), None, "it still waits for the files");
    interrupt(&child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_the_scene_with_a_transcript() {
    let project = project();
    let mut child = start(&project, &["run", "scene.md", "--pace", "0.3"]);
    wait_for(&mut child, "Bob [");
    interrupt(&child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let transcript = project.read("data/scenes/apology/transcript.txt");
    assert!(transcript.contains("[SCENE END - Cancelled]"), "{transcript}");
    let metadata: serde_json::Value =
        serde_json::from_str(&project.read("data/scenes/apology/metadata.json")).unwrap();
    assert_eq!((&metadata["reason"], &metadata["goalAchieved"]), (&"cancelled".into(), &false.into()));

    // A model that never comes back does not keep anybody waiting.
    project.write("hang.txt", "beat 0\nalice: !hang\n");
    let mut child = start(&project, &["run", "scene.md", "--model", "script:hang.txt"]);
    wait_for(&mut child, "played by: ");
    interrupt(&child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

/// A scene that was ended with Ctrl-C is over: what goes on from its last line is a fork.
#[cfg(unix)]
#[test]
fn after_ctrl_c_it_is_said_how_to_go_on() {
    let project = project();
    let mut child = start(&project, &["run", "scene.md", "--pace", "0.3"]);
    wait_for(&mut child, "Bob [");
    interrupt(&child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let resumed = project.run(&["run", "--resume", "latest"]);
    assert!(resumed.stderr.starts_with("This run has ended (cancelled)"), "{}", resumed.stderr);
    let told = resumed.stdout.lines().find_map(|line| line.strip_prefix("Go on: enact "));
    let args: Vec<&str> = told.unwrap_or_else(|| panic!("{}", resumed.stdout)).split(' ').collect();
    assert_eq!((args[0], args[2]), ("fork", "--beat"), "{args:?}");
    let before = crate::project::lines(&project.read("data/scenes/apology/transcript.txt"));
    let forked = project.run(&args);
    assert_eq!((forked.code, forked.stderr.as_str()), (0, ""));
    let after = project.run(&["replay", "latest"]).stdout;
    let after = crate::project::lines(&after);
    assert_eq!(after[..before.len() - 1], before[..before.len() - 1], "it goes on after the last line");
    assert!(after.len() > before.len(), "{after:?}");
    // Nothing of it where only the result is wanted.
    let quiet = project.run(&["run", "--resume", "apology", "--quiet"]);
    assert_eq!((quiet.stdout.as_str(), quiet.stderr.as_str()), ("", ""));
}
