//! What is kept, moved and copied: export and import of runs, backups, and commands to a run that the program plays.

use std::{fs, path::Path, process::Stdio};

use enact_drama::scene::Command;
use enact_engine::{Log, Store, log::Status, store::Wake};
use enact_store::SqliteStore;
use enact_testkit::until_some;
use expect_test::{Expect, expect};

use crate::project::Project;

const SCENE: &str = "---\nname: late-again\ncharacters: [alice, bob]\ninitialSpeaker: bob\n---\nBob apologizes. Alice accepts.\n";

/// A project in which the scene was played once.
fn played() -> Project {
    let project = Project::new();
    project.write("scene.md", SCENE);
    let ran = project.run(&["run", "scene.md", "--seed", "1", "--quiet"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    project
}

/// A log that an earlier release wrote.
fn old_log() -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/logs/0.1.0.jsonl")).unwrap()
}

#[test]
fn an_exported_log_is_the_events_and_is_imported_elsewhere() {
    let project = played();
    let exported = project.run(&["export", "latest", "--format", "jsonl"]);
    assert_eq!((exported.code, exported.stderr.as_str()), (0, ""));
    assert_eq!(exported.stdout, project.read("data/scenes/late-again/events.jsonl"));
    project.write("run.jsonl", &exported.stdout);

    let imported = project.run(&["import", "run.jsonl", "--data-dir", "other"]);
    let run = project.run(&["runs", "--json"]).json()[0]["run"].as_str().unwrap().to_owned();
    let events = exported.stdout.lines().count();
    assert_eq!((imported.code, imported.stderr.as_str()), (0, ""));
    let expected = format!(
        "Imported late-again: {events} events, goal_achieved\nAgain: enact replay {run} --data-dir other\n"
    );
    assert_eq!(imported.stdout, expected);
    for args in [&["replay", "latest"][..], &["export", &run, "--format", "jsonl"]] {
        let there = project.run(&[args, &["--data-dir", "other"]].concat());
        assert_eq!((there.code, &there.stdout), (0, &project.run(args).stdout), "{args:?}");
    }

    let again = project.run_with_input(&["import", "-", "--data-dir", "other"], exported.stdout.as_bytes());
    assert_eq!((again.code, again.stdout.as_str()), (2, ""));
    assert!(again.stderr.contains(&format!("run {run} is kept here already")), "{}", again.stderr);
}

#[test]
fn a_run_that_was_interrupted_elsewhere_is_played_on() {
    let project = Project::empty();
    let whole = old_log();
    let opened = whole.find(r#""kind":"beat_opened","v":1,"body":{"beat":3"#).unwrap();
    let cut = whole[opened..].match_indices(r#""kind":"replied""#).nth(1).unwrap().0 + opened;
    let begun = &whole[..whole[..cut].rfind('\n').unwrap() + 1];
    let imported = project.run_with_input(&["import", "-"], begun.as_bytes());
    assert_eq!((imported.code, imported.stderr.as_str()), (0, ""));
    assert!(
        imported.stdout.contains("events, unfinished\nPlay on: enact run --resume "),
        "{}",
        imported.stdout
    );
    assert_eq!(project.run(&["runs", "--json"]).json()[0]["status"], "interrupted");
    let ran = project.run(&["run", "--resume", "latest", "--json"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert_eq!(ran.json()["metadata"]["goalAchieved"], true);
    let log = project.run(&["export", "latest", "--format", "jsonl"]).stdout;
    assert!(log.starts_with(begun), "what was imported is still there, byte for byte");
}

#[test]
fn broken_logs_are_refused_with_their_line() {
    let whole = old_log();
    let lines: Vec<&str> = whole.lines().collect();
    let check = |log: &str, expected: Expect| refused(log.as_bytes(), expected);
    check(
        "",
        expect![[r#"
            error[INVALID_CONFIG]: log.jsonl: there is no event in it
              hint: expected what `enact export RUN --format jsonl` writes: one event a line
        "#]],
    );
    check(
        "# Alice\n\n- Patient\n",
        expect![[r#"
            error[INVALID_CONFIG]: log.jsonl:1:1: this is no event of a log: expected value
              hint: expected what `enact export RUN --format jsonl` writes: one event a line
        "#]],
    );
    check(
        r#"[{"speaker": "Bob"}]"#,
        expect![[r#"
            error[INVALID_CONFIG]: log.jsonl:1:1: this is no event of a log: invalid type: map, expected u64
              hint: expected what `enact export RUN --format jsonl` writes: one event a line
        "#]],
    );
    check(
        &lines[1..].join("\n"),
        expect![[r#"
            error[INVALID_CONFIG]: log.jsonl:1:1: event 0 was expected here, and this is event 1
              hint: lines are missing
        "#]],
    );
    check(
        &[&lines[..4], &lines[5..]].concat().join("\n"),
        expect![[r#"
            error[INVALID_CONFIG]: log.jsonl:5:1: event 4 was expected here, and this is event 5
              hint: lines are missing
        "#]],
    );
    check(
        &[&lines[..4], &lines[3..]].concat().join("\n"),
        expect![[r#"
            error[INVALID_CONFIG]: log.jsonl:5:1: event 4 was expected here, and this is event 3
              hint: lines are repeated or out of order
        "#]],
    );
    check(
        &lines[1].replace(r#""seq":1,"#, r#""seq":0,"#),
        expect![[r#"
            error[INVALID_CONFIG]: log.jsonl:1:1: a log begins with 'began' or 'chorus_began' or 'episode_began' or 'memories_corrected' or 'field_began' or 'mind_began', not with 'noted'
              hint: lines are missing at its beginning, or it is of a production that this enact does not know
        "#]],
    );
    let after = lines.len();
    let reply = lines[1].replacen(r#""seq":1,"#, &format!(r#""seq":{after},"#), 1);
    check(
        &[whole.trim_end(), &reply].join("\n"),
        expect![[r#"
            error[INVALID_CONFIG]: log.jsonl:140:1: the run has ended before this (goal_achieved)
              hint: nothing happens in a run after its end
        "#]],
    );
    check(
        &[lines[0], &lines[0].replacen(r#""seq":0,"#, r#""seq":1,"#, 1)].join("\n"),
        expect![[r#"
            error[INVALID_CONFIG]: log.jsonl:2:1: a second run begins here
              hint: a file holds one run
        "#]],
    );
    check(
        &[lines[0], r#"{"seq":1,"at":5,"kind":"sung","v":1,"body":{}}"#].join("\n\n"),
        expect![[r#"
            error[INVALID_CONFIG]: log.jsonl:3:1: event 1 ('sung' v1) cannot be read: there is no such kind
              hint: a newer enact wrote it, or it was changed since
        "#]],
    );
    check(
        &whole[..whole.trim_end().len() - 1],
        expect![[r#"
            error[INVALID_CONFIG]: log.jsonl:139:84: this line breaks off
              hint: the file was not written to its end
        "#]],
    );
    refused(
        &[lines[0].as_bytes(), b"\n\xff\xfe"].concat(),
        expect![[r#"
        error[INVALID_CONFIG]: log.jsonl:2:1: this is no event of a log: expected value
          hint: expected what `enact export RUN --format jsonl` writes: one event a line
    "#]],
    );
    let missing = Project::empty().run(&["import", "nowhere.jsonl"]);
    assert_eq!(missing.code, 2);
    assert!(missing.stderr.contains("nowhere.jsonl: cannot be read: "), "{}", missing.stderr);
}

fn refused(log: &[u8], expected: Expect) {
    let project = Project::empty();
    project.write("log.jsonl", log);
    let ran = project.run(&["import", "log.jsonl"]);
    expected.assert_eq(&ran.stderr);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{}", ran.stderr);
    assert_eq!(project.files(), ["log.jsonl"], "nothing was written");
}

#[test]
fn a_backup_is_used_as_a_data_folder() {
    let project = played();
    let made = project.run(&["backup", "copy.db"]);
    assert_eq!((made.code, made.stderr.as_str()), (0, ""));
    assert!(made.stdout.starts_with("Copied 1 run to copy.db ("), "{}", made.stdout);
    fs::create_dir(project.path().join("restored")).unwrap();
    fs::copy(project.path().join("copy.db"), project.path().join("restored/enact.db")).unwrap();
    for args in [&["runs", "--json"][..], &["replay", "latest"], &["export", "latest", "--format", "jsonl"]] {
        let there = project.run(&[args, &["--data-dir", "restored"]].concat());
        assert_eq!((there.code, &there.stdout), (0, &project.run(args).stdout), "{args:?}");
    }
}

#[test]
fn a_backup_overwrites_nothing_unasked() {
    let project = played();
    let check = |args: &[&str], expected: Expect| {
        let ran = project.run(args);
        expected.assert_eq(&ran.stderr);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    };
    project.write("copy.db", "mine");
    check(
        &["backup", "copy.db"],
        expect![[r#"
            error[INVALID_CONFIG]: 'copy.db' is there already
              hint: --force replaces it
        "#]],
    );
    assert_eq!(project.read("copy.db"), "mine");
    check(
        &["backup", "data/enact.db", "--force"],
        expect![[r#"
            error[INVALID_CONFIG]: 'data/enact.db' belongs to the data folder itself
              hint: choose a file outside of it, best on another disk
        "#]],
    );
    check(
        &["backup", "data"],
        expect![[r#"
            error[INVALID_CONFIG]: 'data' is a folder
              hint: name the file that the copy shall be
        "#]],
    );
    check(
        &["backup", "other.db", "--data-dir", "nowhere"],
        expect![[r#"
            error[INVALID_CONFIG]: there are no runs in 'nowhere'
              hint: `enact run`, `enact chorus`, `enact play`, `enact field` and `enact mcp` play some; --data-dir looks elsewhere
        "#]],
    );
    assert_eq!(project.run(&["backup", "copy.db", "--force"]).code, 0);
    assert!(fs::read(project.path().join("copy.db")).unwrap().starts_with(b"SQLite format 3\0"));
    assert!(!project.files().iter().any(|file| file.contains("copy.db.")), "{:?}", project.files());
}

/// A server that shares the data folder takes what is wanted; the program that plays does it.
#[tokio::test]
async fn commands_reach_a_run_on_the_command_line() {
    let project = Project::new();
    project.write("scene.md", SCENE);
    // At this pace it would go on for minutes.
    let args = ["run", "scene.md", "--pace", "30", "--json"];
    let playing = project.command(&args).stdout(Stdio::piped()).spawn().unwrap();
    let store = SqliteStore::open(&project.path().join("data")).await.unwrap();
    let run = until_some(async || store.runs().await.unwrap().first().map(|run| run.run)).await;
    assert_eq!(store.find(run).await.unwrap().status, Status::Playing);
    for command in [Command::WorldEvent { text: "The lights go out".to_owned() }, Command::Cancel] {
        let command = serde_json::to_string(&command).unwrap();
        store.post(run, command.into(), Wake::Queue).await.unwrap();
    }
    let ended = tokio::task::spawn_blocking(move || playing.wait_with_output().unwrap()).await.unwrap();
    assert_eq!(ended.status.code(), Some(130));
    let result: serde_json::Value = serde_json::from_slice(&ended.stdout).unwrap();
    assert_eq!(result["metadata"]["reason"], "cancelled");
    let found = store.find(run).await.unwrap();
    assert_eq!((found.status, found.reason.as_deref()), (Status::Finished, Some("cancelled")));
}
