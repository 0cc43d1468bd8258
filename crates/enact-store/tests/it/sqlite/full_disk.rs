//! A disk that is full for a while.

use std::time::{Duration, Instant};

use enact_engine::{
    Log, Store,
    log::{Batch, Error},
    store::{Conversation, Wake},
};
use enact_store::SqliteStore;
use enact_testkit::{run_on_small_disk, until, until_some};

use crate::contract::{begin, command, new_run, record, submission, with_body};

/// How soon everything has to be written again once there is room.
const BACK_AFTER: Duration = Duration::from_secs(5);

#[test]
fn everything_is_written_again_once_there_is_room() {
    let test = "sqlite::full_disk::everything_is_written_again_once_there_is_room";
    let Some(disk) = run_on_small_disk("8m", test) else { return };
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let store = SqliteStore::open(&disk.folder().join("data")).await.unwrap();
        let played = begin(&store).await;
        store.append(&played, Batch::of([record(0)])).await.unwrap();
        store.ready().await.unwrap();
        let large = format!("\"{}\"", "x".repeat(256 * 1024));
        let of = Conversation { owner: "ann".to_owned(), name: "tea".to_owned() };
        let mut next = 1;
        for round in 0..3 {
            disk.fill();
            // The write-ahead log may have room of its own.
            until(async || {
                let enqueued = store.enqueue(submission(new_run(), vec![with_body(0, &large)])).await;
                matches!(enqueued, Err(Error::Storage(_)))
            })
            .await;
            assert!(matches!(store.ready().await, Err(Error::Storage(_))), "it says that it can be written");
            // Each kind of write has a transaction of its own, and most of them fail.
            let mut failed = 0;
            failed += usize::from(store.keep_extract(played.run, "cost", &large).await.is_err());
            failed += usize::from(store.post(played.run, large.as_str().into(), Wake::Queue).await.is_err());
            match store.append(&played, Batch::of([with_body(next, &large)])).await {
                Ok(()) => next += 1,
                Err(_) => failed += 1,
            }
            assert!(failed > 0, "there is room");
            assert!(matches!(store.ready().await, Err(Error::Storage(_))), "it says that it can be written");

            disk.empty();
            let began = Instant::now();
            let new = new_run();
            store.enqueue(submission(new.clone(), vec![with_body(0, &large)])).await.unwrap();
            store.keep_extract(played.run, "cost", &large).await.unwrap();
            store.post(played.run, command("note"), Wake::Queue).await.unwrap();
            store.append(&played, Batch::of([record(next)])).await.unwrap();
            next += 1;
            store.clear(&of).await.unwrap();
            store.delete(new.run).await.unwrap();
            until_some(async || store.ready().await.ok()).await;
            assert!(began.elapsed() < BACK_AFTER, "{:?}", began.elapsed());
            println!("round {round}: everything was written {:?} after there was room", began.elapsed());
        }
    });
}

#[test]
fn a_full_disk_is_noticed_by_who_only_asks() {
    let test = "sqlite::full_disk::a_full_disk_is_noticed_by_who_only_asks";
    let Some(disk) = run_on_small_disk("8m", test) else { return };
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let store = SqliteStore::open(&disk.folder().join("data")).await.unwrap();
        store.ready().await.unwrap();
        disk.fill();
        // What is left in the last block of the write-ahead log takes a page or two.
        until(async || store.ready().await.is_err()).await;
        assert!(store.ready().await.is_err());
        disk.empty();
        until(async || store.ready().await.is_ok()).await;
    });
}
