//! A database file that is removed, replaced or damaged while it is in use.

use std::{
    fs,
    io::{Seek, SeekFrom, Write},
    path::Path,
};

use enact_engine::{
    Log, Store,
    log::{Batch, Error},
};
use enact_store::SqliteStore;
use enact_testkit::until;
use sqlx::{ConnectOptions, Executor, sqlite::SqliteConnectOptions};

use crate::contract::{begin, new_run, record, submission};

#[tokio::test]
async fn nothing_is_written_to_a_file_that_was_removed() {
    let folder = tempfile::tempdir().unwrap();
    let (db, aside) = (folder.path().join("enact.db"), folder.path().join("aside.db"));
    let store = SqliteStore::open(folder.path()).await.unwrap();
    let played = begin(&store).await;
    store.append(&played, Batch::of([record(0)])).await.unwrap();

    fs::rename(&db, &aside).unwrap();
    assert_unwritable(&store).await;
    let appended = store.append(&played, Batch::of([record(1)])).await;
    assert!(matches!(appended, Err(Error::Storage(_))), "{appended:?}");

    // Another file under its name is not the database either.
    fs::write(&db, "").unwrap();
    assert_unwritable(&store).await;

    fs::remove_file(&db).unwrap();
    fs::rename(&aside, &db).unwrap();
    until(async || store.ready().await.is_ok()).await;
    store.append(&played, Batch::of([record(1)])).await.unwrap();
    store.enqueue(submission(new_run(), vec![record(0)])).await.unwrap();
}

#[tokio::test]
async fn a_damaged_file_is_not_ready() {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(folder.path()).await.unwrap();
    store.enqueue(submission(new_run(), vec![record(0)])).await.unwrap();
    store.ready().await.unwrap();
    damage(&folder.path().join("enact.db")).await;
    // A node asks for what waits every second.
    until(async || store.claim_waiting(1).await.is_err()).await;
    assert_unwritable(&store).await;
}

#[tokio::test]
async fn a_writer_that_waits_for_another_process_is_not_ready() {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(folder.path()).await.unwrap();
    let options = SqliteConnectOptions::new().filename(folder.path().join("enact.db"));
    let mut other = options.connect().await.unwrap();
    other.execute("BEGIN IMMEDIATE").await.unwrap();
    assert_unwritable(&store).await;
    other.execute("ROLLBACK").await.unwrap();
    until(async || store.ready().await.is_ok()).await;
    store.enqueue(submission(new_run(), vec![record(0)])).await.unwrap();
}

async fn assert_unwritable(store: &SqliteStore) {
    let ready = store.ready().await;
    assert!(matches!(ready, Err(Error::Storage(_))), "it says that it can be written: {ready:?}");
    let enqueued = store.enqueue(submission(new_run(), vec![record(0)])).await;
    assert!(matches!(enqueued, Err(Error::Storage(_))), "{enqueued:?}");
}

/// Overwrites everything but the first page, in the file as well as in what is still in the write-ahead log.
async fn damage(db: &Path) {
    let mut other = SqliteConnectOptions::new().filename(db).connect().await.unwrap();
    other.execute("PRAGMA wal_checkpoint(TRUNCATE)").await.unwrap();
    let mut file = fs::OpenOptions::new().write(true).open(db).unwrap();
    let length = file.metadata().unwrap().len();
    file.seek(SeekFrom::Start(4096)).unwrap();
    file.write_all(&vec![0xa5; usize::try_from(length).unwrap() - 4096]).unwrap();
    // What connections hold of it is passed over once another has written.
    other.execute("PRAGMA user_version = 1").await.unwrap();
}
