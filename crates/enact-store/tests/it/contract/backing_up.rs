//! Copies of a data folder that is in use.

use std::{fs, path::Path};

use enact_engine::{
    Log, Store,
    log::{Batch, Status},
    store::{Conversation, NextRun, Submission, Wake},
};
use enact_store::{SqliteStore, sqlite::backup};

use super::{begin, command, enqueue, new_run, records, shown, stored, submission};

#[tokio::test]
async fn a_backup_is_a_data_folder_that_plays_on() {
    let folder = tempfile::tempdir().unwrap();
    let log = SqliteStore::open(&folder.path().join("data")).await.unwrap();
    let played = begin(&log).await;
    log.append(&played, Batch::of(records(0..3))).await.unwrap();
    let queued = enqueue(&log).await;
    let posted = log.post(queued, command("pause"), Wake::Queue).await.unwrap().id;
    let of = Conversation { owner: "ann".to_owned(), name: "tea".to_owned() };
    log.enqueue(Submission {
        next: Some(NextRun { of: of.clone(), after: None }),
        ..submission(new_run(), records([0]))
    })
    .await
    .unwrap();
    let talk = log.conversation(&of).await.unwrap();
    let file = folder.path().join("copy.db");
    let made = log.backup(&file).await.unwrap();
    assert_eq!((made.runs, made.bytes), (3, fs::metadata(&file).unwrap().len()));
    log.append(&played, Batch::of(records([3]))).await.unwrap();
    assert_eq!(names(folder.path()), ["copy.db", "data"], "nothing else is left behind");

    let again = folder.path().join("again");
    fs::create_dir(&again).unwrap();
    fs::rename(&file, again.join("enact.db")).unwrap();
    let copy = SqliteStore::open(&again).await.unwrap();
    assert_eq!(stored(&copy, played.run).await, shown(&records(0..3)), "what was stored by then");
    assert_eq!(copy.find(played.run).await.unwrap().status, Status::Interrupted);
    let claim = copy.claim(played.run).await.unwrap();
    copy.append(&claim, Batch::of(records([3]))).await.unwrap();
    copy.claim_waiting(1).await.unwrap();
    assert_eq!(copy.inboxes().await.unwrap()[0].id, posted);
    assert!(talk.is_some());
    assert_eq!(copy.conversation(&of).await.unwrap(), talk);
    // A reader does not wait for one that writes, nor the other way round.
    assert!(names(&again).contains(&"enact.db-wal".to_owned()), "{:?}", names(&again));
}

#[tokio::test(flavor = "multi_thread")]
async fn backups_are_whole_while_runs_are_played() {
    const APPENDS: u64 = 300;
    let folder = tempfile::tempdir().unwrap();
    let log = SqliteStore::open(&folder.path().join("data")).await.unwrap();
    let claim = begin(&log).await;
    log.append(&claim, Batch::of(records([0, 1]))).await.unwrap();
    let playing = async {
        for n in 1..APPENDS {
            log.append(&claim, Batch::of(records([2 * n, 2 * n + 1]))).await.unwrap();
        }
    };
    let backing_up = async {
        for number in 0..5 {
            let data = folder.path().join(format!("{number}"));
            fs::create_dir(&data).unwrap();
            log.backup(&data.join("enact.db")).await.unwrap();
            let copy = SqliteStore::open_existing(&data).await.unwrap();
            let there = stored(&copy, claim.run).await;
            assert_eq!(there.len() % 2, 0, "an append is there or not");
            assert_eq!(there, shown(&records(0..there.len() as u64)));
        }
    };
    tokio::join!(playing, backing_up);
}

#[tokio::test]
async fn a_backup_never_takes_the_place_of_what_it_copies() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let log = SqliteStore::open(&data).await.unwrap();
    enqueue(&log).await;
    for name in ["data/enact.db", "data/enact.db-wal", "data/../data/enact.db", "data/enact.db-journal"] {
        let outcome = log.backup(&folder.path().join(name)).await;
        assert!(matches!(outcome, Err(backup::Error::Itself(_))), "{name}: {outcome:?}");
    }
    let nowhere = log.backup(&folder.path().join("nowhere/copy.db")).await;
    assert!(matches!(nowhere, Err(backup::Error::Failed { .. })), "{nowhere:?}");
    // A file that stands in its place is replaced only by a whole one.
    let file = folder.path().join("copy.db");
    fs::write(&file, "an earlier one").unwrap();
    assert_eq!(log.backup(&file).await.unwrap().runs, 1);
    assert_eq!(names(folder.path()), ["copy.db", "data"]);
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    let mut names: Vec<String> = entries.map(|entry| entry.file_name().into_string().unwrap()).collect();
    names.sort();
    names
}
