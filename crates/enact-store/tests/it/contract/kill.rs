//! A process that plays is killed, and its runs go on.

use std::{
    io::{BufRead, BufReader, Read},
    path::PathBuf,
    process::{Child, Command, Stdio},
};

use enact_drama::RunId;
use enact_engine::{
    Log, Store,
    log::{Batch, Error, Status},
    store::{Listing, Wake},
};
use enact_store::SqliteStore;

use super::{begin, command, enqueue, records, shown, stored};

/// Names the folder to play in to the process that will be killed.
const VICTIM: &str = "ENACT_STORE_VICTIM";

#[tokio::test]
async fn the_runs_of_a_killed_process_are_free_at_once_and_complete() {
    let folder = tempfile::tempdir().unwrap();
    let mut victim = start_victim(folder.path(), "plays_until_it_is_killed");
    let mut said = BufReader::new(victim.stdout.take().unwrap());
    wait_for(&mut said, "stored 5\n");

    let log = SqliteStore::open(folder.path()).await.unwrap();
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

#[tokio::test]
async fn the_queued_runs_of_a_killed_process_are_played_by_others() {
    let folder = tempfile::tempdir().unwrap();
    let log = SqliteStore::open(folder.path()).await.unwrap();
    let mut queued = Vec::new();
    for _ in 0..3 {
        queued.push(enqueue(&log).await);
    }
    let mut victim = start_victim(folder.path(), "plays_until_it_is_killed");
    let mut said = BufReader::new(victim.stdout.take().unwrap());
    wait_for(&mut said, "stored 5\n");
    let by_hand = log.runs().await.unwrap()[0].run;
    assert!(log.claim_waiting(10).await.unwrap().is_empty(), "all of them are played");
    assert!(matches!(log.delete(queued[0]).await, Err(Error::Busy(_))));

    victim.kill().unwrap();
    victim.wait().unwrap();
    assert_eq!(log.find(queued[0]).await.unwrap().status, Status::Waiting);
    let claims = log.claim_waiting(2).await.unwrap();
    assert_eq!(claims.iter().map(|claim| claim.run).collect::<Vec<_>>(), queued[..2]);
    assert!(claims.iter().all(|claim| claim.epoch > 1));
    log.append(&claims[0], Batch::of(records([1]))).await.unwrap();
    assert_eq!(log.find(by_hand).await.unwrap().status, Status::Interrupted, "its scene is in no queue");
    log.delete(by_hand).await.unwrap();
    let left = std::fs::read_dir(folder.path().join("owners")).unwrap().count();
    assert_eq!(left, 2, "the dead leave no lock behind: ours and that for opening");
}

/// Killed between posting a command, which woke its run, and storing what follows from it.
#[tokio::test]
async fn a_command_outlives_the_process_that_woke_its_run() {
    let folder = tempfile::tempdir().unwrap();
    let log = SqliteStore::open(folder.path()).await.unwrap();
    let old = begin(&log).await;
    log.append(&old, Batch::of(records([0]))).await.unwrap();
    assert!(log.rest(old, None).await.unwrap());
    let mut victim = start_victim(folder.path(), "wakes_what_rests_until_it_is_killed");
    let mut said = BufReader::new(victim.stdout.take().unwrap());
    wait_for(&mut said, "woken\n");
    assert_eq!(log.find(old.run).await.unwrap().status, Status::Playing);
    assert!(log.claim_waiting(10).await.unwrap().is_empty(), "it is played");

    victim.kill().unwrap();
    victim.wait().unwrap();
    assert_eq!(log.find(old.run).await.unwrap().status, Status::Waiting);
    assert_eq!(log.waiting(10).await.unwrap(), 1);
    let posted = log.inbox(old.run).await.unwrap();
    assert_eq!(posted.iter().map(|posted| &*posted.command).collect::<Vec<_>>(), [&*command("go")]);
    let [claim] = log.claim_waiting(10).await.unwrap()[..] else { panic!("it waits for others") };
    assert_eq!((claim.run, claim.epoch), (old.run, old.epoch + 2));
    log.append(&claim, Batch::of(records([1])).taken(posted[0].id)).await.unwrap();
    assert!(log.rest(claim, Some(posted[0].id)).await.unwrap());
    assert_eq!(log.find(old.run).await.unwrap().status, Status::Resting);
}

/// Killed between claiming a resting run by name and storing anything.
#[tokio::test]
async fn a_resting_run_outlives_the_process_that_resumed_it() {
    let folder = tempfile::tempdir().unwrap();
    let log = SqliteStore::open(folder.path()).await.unwrap();
    let old = begin(&log).await;
    log.append(&old, Batch::of(records([0]))).await.unwrap();
    assert!(log.rest(old, None).await.unwrap());
    let mut victim = start_victim(folder.path(), "claims_what_rests_until_it_is_killed");
    wait_for(&mut BufReader::new(victim.stdout.take().unwrap()), "claimed\n");
    assert_eq!(log.find(old.run).await.unwrap().status, Status::Playing);

    victim.kill().unwrap();
    victim.wait().unwrap();
    assert_eq!(log.find(old.run).await.unwrap().status, Status::Waiting);
    let posted = log.post(old.run, command("go"), Wake::Queue).await.unwrap();
    let [claim] = log.claim_waiting(10).await.unwrap()[..] else { panic!("it waits for others") };
    assert_eq!((claim.run, claim.epoch), (old.run, old.epoch + 2));
    log.append(&claim, Batch::of(records([1])).taken(posted.id)).await.unwrap();
}

/// A process that lets its runs rest leaves nothing to take over when it is killed.
#[tokio::test]
async fn a_resting_run_does_not_know_that_its_last_player_is_dead() {
    let folder = tempfile::tempdir().unwrap();
    let log = SqliteStore::open(folder.path()).await.unwrap();
    let run = enqueue(&log).await;
    let mut victim = start_victim(folder.path(), "rests_until_it_is_killed");
    wait_for(&mut BufReader::new(victim.stdout.take().unwrap()), "rests\n");
    victim.kill().unwrap();
    victim.wait().unwrap();
    assert_eq!(log.find(run).await.unwrap().status, Status::Resting);
    assert!(log.claim_waiting(10).await.unwrap().is_empty());
    let posted = log.post(run, command("go"), Wake::Claim).await.unwrap();
    log.append(&posted.claim.unwrap(), Batch::of(records([1])).taken(posted.id)).await.unwrap();
}

fn wait_for(said: &mut impl BufRead, last: &str) {
    let mut line = String::new();
    while !line.contains(last) {
        line.clear();
        assert!(said.read_line(&mut line).unwrap() > 0, "the victim died on its own");
    }
}

/// Runs this very program again, with only one of the tests below in it.
fn start_victim(folder: &std::path::Path, name: &str) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", &format!("contract::kill::{name}"), "--nocapture"])
        .env(VICTIM, folder)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// The process that is killed: it takes what is queued and begins a run by hand. On its own it plays nothing.
#[tokio::test]
async fn plays_until_it_is_killed() {
    let Some(folder) = std::env::var_os(VICTIM).map(PathBuf::from) else { return };
    let log = SqliteStore::open(&folder).await.unwrap();
    log.claim_waiting(10).await.unwrap();
    let claim = begin(&log).await;
    for seq in 0.. {
        log.append(&claim, Batch::of(records([seq]))).await.unwrap();
        println!("stored {seq}");
    }
}

/// Wakes one run up and stores nothing.
#[tokio::test]
async fn wakes_what_rests_until_it_is_killed() {
    let Some(folder) = std::env::var_os(VICTIM).map(PathBuf::from) else { return };
    let log = SqliteStore::open(&folder).await.unwrap();
    let resting = Listing { statuses: vec![Status::Resting], most: 1, ..Listing::default() };
    let [run] = &log.list(&resting).await.unwrap()[..] else { panic!("one rests") };
    let posted = log.post(run.run, command("go"), Wake::Claim).await.unwrap();
    assert!(posted.claim.is_some());
    println!("woken");
    std::future::pending::<()>().await;
}

/// Claims one run that rests, by its name, and stores nothing.
#[tokio::test]
async fn claims_what_rests_until_it_is_killed() {
    let Some(folder) = std::env::var_os(VICTIM).map(PathBuf::from) else { return };
    let log = SqliteStore::open(&folder).await.unwrap();
    let resting = Listing { statuses: vec![Status::Resting], most: 1, ..Listing::default() };
    let [run] = &log.list(&resting).await.unwrap()[..] else { panic!("one rests") };
    log.claim(run.run).await.unwrap();
    println!("claimed");
    std::future::pending::<()>().await;
}

/// Plays one run until that rests.
#[tokio::test]
async fn rests_until_it_is_killed() {
    let Some(folder) = std::env::var_os(VICTIM).map(PathBuf::from) else { return };
    let log = SqliteStore::open(&folder).await.unwrap();
    let [claim] = log.claim_waiting(1).await.unwrap()[..] else { panic!("one waits") };
    assert!(log.rest(claim, None).await.unwrap());
    println!("rests");
    std::future::pending::<()>().await;
}
