//! A process that plays is killed, and its runs go on.

use std::{
    io::{BufRead, BufReader, Read},
    path::PathBuf,
    process::{Child, Command, Stdio},
};

use enact_drama::RunId;
use enact_engine::{
    Log,
    log::{Batch, Error, Status},
};
use enact_store::SqliteLog;

use crate::{begin, records, shown, stored};

/// Names the folder to play in to the process that will be killed.
const VICTIM: &str = "ENACT_STORE_VICTIM";

#[tokio::test]
async fn the_runs_of_a_killed_process_are_free_at_once_and_complete() {
    let folder = tempfile::tempdir().unwrap();
    let mut victim = start_victim(folder.path());
    let mut said = BufReader::new(victim.stdout.take().unwrap());
    let mut line = String::new();
    while !line.contains("stored 5\n") {
        line.clear();
        assert!(said.read_line(&mut line).unwrap() > 0, "the victim died on its own");
    }

    let log = SqliteLog::open(folder.path()).await.unwrap();
    let [run]: [RunId; 1] =
        log.runs().await.unwrap().iter().map(|r| r.run).collect::<Vec<_>>().try_into().unwrap();
    assert_eq!(log.runs().await.unwrap()[0].status, Status::Playing);
    assert!(matches!(log.claim(run).await, Err(Error::Busy(_))));

    victim.kill().unwrap();
    victim.wait().unwrap();
    let mut rest = String::new();
    said.read_to_string(&mut rest).unwrap();
    let promised = rest.lines().rev().find_map(|l| l.strip_prefix("stored ")?.parse().ok()).unwrap_or(5);

    assert_eq!(log.runs().await.unwrap()[0].status, Status::Interrupted);
    let claim = log.claim(run).await.unwrap();
    let there = stored(&log, run).await;
    assert!(there.len() > promised, "{} records, but {promised} was said to be stored", there.len());
    assert_eq!(there, shown(&records(0..there.len() as u64)));
    log.append(&claim, Batch::of(records([there.len() as u64]))).await.unwrap();
}

/// Runs this very program again, with only the test below in it.
fn start_victim(folder: &std::path::Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "kill::plays_until_it_is_killed", "--nocapture"])
        .env(VICTIM, folder)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// The process that is killed. On its own it plays nothing.
#[tokio::test]
async fn plays_until_it_is_killed() {
    let Some(folder) = std::env::var_os(VICTIM).map(PathBuf::from) else { return };
    let log = SqliteLog::open(&folder).await.unwrap();
    let claim = begin(&log).await;
    for seq in 0.. {
        log.append(&claim, Batch::of(records([seq]))).await.unwrap();
        println!("stored {seq}");
    }
}
