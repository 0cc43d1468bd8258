//! An echo in the terminal: played, killed, resumed, listed, shown, exported, forked, moved and indexed.

use std::{
    io::{BufRead, BufReader, Write},
    process::Stdio,
};

use enact_engine::{Log, Store, store::RowQuery};
use enact_store::SqliteStore;

use crate::toy::Toy;

const CALLS: &str = "{\"command\":\"call\",\"text\":\"Hello\"}\n{\"command\":\"call\",\"text\":\"Again\"}\n";

#[tokio::test]
async fn everything_works_in_a_terminal() {
    let toy = Toy::in_sqlite();
    let played = toy.print_reading(&["echo", "glen", "--commands"], CALLS);
    for line in ["Visitor \"Hello\"", "Echo \"Hello\"", "Visitor \"Again\"", "Echo \"Again\""] {
        assert!(played.contains(line), "{line}: {played}");
    }
    let run = run_of(&toy);
    assert!(toy.print(&["runs"]).contains("resting"), "{}", toy.print(&["runs"]));

    // It goes on where it was, whether it rested or was killed.
    let resumed = toy.print_reading(&["echo", "--resume", &run, "--commands"], CALLS);
    assert!(resumed.contains("Echo \"Again\""), "{resumed}");
    killed_while_it_waits(&toy, &run);
    let resumed = toy.print_reading(&["echo", "--resume", &run, "--commands"], CALLS);
    assert_eq!(toy.print(&["replay", &run]).matches("Echo \"Hello\"").count(), 4, "{resumed}");

    for (format, holds) in [
        ("txt", "Echo \"Hello\""),
        ("md", "**Echo**: Hello"),
        ("json", "\"content\": \"Hello\""),
        ("fountain", "ECHO\nHello"),
        ("vtt", "<v Echo>Hello</v>"),
        ("jsonl", "\"kind\":\"echo_began\""),
    ] {
        let told = toy.print(&["export", &run, "--format", format]);
        assert!(told.contains(holds), "{format}: {told}");
    }
    toy.print(&["export", &run, "--format", "wav", "-o", "echo.wav"]);
    assert!(std::fs::metadata(toy.folder().join("echo.wav")).unwrap().len() > 10_000);

    let forked = toy.print(&["fork", &run, "--beat", "1"]);
    // The second call may have come before the first was answered; what came after that is not the fork's.
    let (calls, answers) = (forked.matches("Visitor").count(), forked.matches("Echo").count());
    assert!((1..=2).contains(&calls) && answers == calls, "{forked}");
    is_moved_and_indexed(&toy, &run).await;
}

/// What follows the bound is no command of its own, whatever it looks like.
#[test]
fn a_line_that_is_too_long_is_passed_over_to_its_end() {
    let toy = Toy::in_sqlite();
    let long = format!("{}{{\"command\":\"call\",\"text\":\"Rest\"}}\n", "x".repeat((64 << 10) + 1));
    let played = toy.print_reading(&["echo", "glen", "--commands"], &(long + CALLS));
    assert!(played.contains("Echo \"Hello\"") && !played.contains("Rest"), "{played}");
}

/// The id of the only run.
fn run_of(toy: &Toy) -> String {
    let runs: serde_json::Value = serde_json::from_str(&toy.print(&["runs", "--json"])).unwrap();
    assert_eq!(runs.as_array().unwrap().len(), 1, "{runs}");
    runs[0]["run"].as_str().unwrap().to_owned()
}

fn killed_while_it_waits(toy: &Toy, run: &str) {
    let mut command = toy.command(&["echo", "--resume", run, "--commands"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(CALLS.as_bytes()).unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut answers = lines.map_while(Result::ok).filter(|line| line.starts_with("Echo \"Again\""));
    // The third one is new: the log held two.
    answers.nth(2).expect("an answer");
    child.kill().unwrap();
    child.wait().unwrap();
}

async fn is_moved_and_indexed(toy: &Toy, run: &str) {
    let calls = RowQuery { kind: "call".to_owned(), run: Some(id(run)), most: 100, ..RowQuery::default() };
    let store = SqliteStore::open(&toy.folder().join("data")).await.unwrap();
    let rows = store.rows(&calls).await.unwrap();
    assert_eq!(rows.len(), 8);
    // By its number: two calls of the same millisecond are in the order of their keys, not of their times.
    let first = rows.iter().min_by_key(|stored| stored.row.key.parse::<u64>().unwrap()).unwrap();
    assert_eq!(first.row.body, r#"{"text":"Hello"}"#);
    let length = enact_drama::Seq(store.read(id(run), enact_drama::Seq(0)).await.unwrap().len() as u64);
    assert!(store.replace_rows(id(run), length, Vec::new()).await.unwrap());
    store.close().await;
    let indexed = toy.print(&["reindex"]);
    assert!(indexed.contains("2 runs"), "{indexed}");
    let store = SqliteStore::open(&toy.folder().join("data")).await.unwrap();
    assert_eq!(store.rows(&calls).await.unwrap(), rows);
    store.close().await;

    let elsewhere = Toy::in_sqlite();
    let log = toy.print(&["export", run, "--format", "jsonl"]);
    elsewhere.print_reading(&["import", "-"], &log);
    assert_eq!(elsewhere.print(&["replay", run]), toy.print(&["replay", run]));
    let store = SqliteStore::open(&elsewhere.folder().join("data")).await.unwrap();
    assert_eq!(store.rows(&calls).await.unwrap(), rows);
    store.close().await;
}

fn id(run: &str) -> enact_drama::RunId {
    enact_drama::RunId(run.parse().unwrap())
}
