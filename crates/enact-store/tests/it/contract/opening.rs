//! Data folders: new, shared, read-only in spirit, broken.

use std::{fs, path::Path};

use enact_drama::Seq;
use enact_engine::{
    Log, Store,
    log::{Batch, Error as LogError, Status},
};
use enact_store::{Durability, SqliteLog, sqlite::Error};
use sqlx::{ConnectOptions, Connection, migrate::Migrator, sqlite::SqliteConnectOptions};
use tokio::task::JoinSet;

use super::{begin, records, shown, stored};

#[tokio::test]
async fn a_new_folder_is_made_with_its_parents() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("a/b/data");
    let log = SqliteLog::open_with(&data, Durability::Power).await.unwrap();
    let claim = begin(&log).await;
    log.append(&claim, Batch::of(records([0]))).await.unwrap();
    assert!(data.join("enact.db").is_file());
}

#[tokio::test]
async fn a_log_outlives_those_who_open_it() {
    let folder = tempfile::tempdir().unwrap();
    let log = SqliteLog::open(folder.path()).await.unwrap();
    let claim = begin(&log).await;
    log.append(&claim, Batch::of(records(0..3))).await.unwrap();
    log.close().await;

    let log = SqliteLog::open_existing(folder.path()).await.unwrap();
    assert_eq!(log.runs().await.unwrap()[0].status, Status::Interrupted);
    assert_eq!(stored(&log, claim.run).await, shown(&records(0..3)));
    let claim = log.claim(claim.run).await.unwrap();
    log.append(&claim, Batch::of(records([3]))).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn many_may_open_a_new_folder_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let mut opening = JoinSet::new();
    for _ in 0..16 {
        let path = folder.path().to_owned();
        opening.spawn(async move {
            let log = SqliteLog::open(&path).await.unwrap();
            let claim = begin(&log).await;
            log.append(&claim, Batch::of(records([0]))).await.unwrap();
            log.close().await;
        });
    }
    opening.join_all().await;
    let log = SqliteLog::open_existing(folder.path()).await.unwrap();
    assert_eq!(log.runs().await.unwrap().len(), 16);
    let locks = fs::read_dir(folder.path().join("owners")).unwrap().flatten();
    let left: Vec<_> = locks.map(|entry| entry.file_name()).filter(|name| name != "opening").collect();
    assert!(left.is_empty(), "{left:?}");
}

#[tokio::test]
async fn looking_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let nowhere = folder.path().join("data");
    let missing = SqliteLog::open_existing(&nowhere).await.unwrap_err();
    assert!(matches!(&missing, Error::Missing(path) if *path == nowhere));
    assert!(missing.to_string().contains(&*nowhere.to_string_lossy()));
    assert!(!nowhere.exists());

    let playing = SqliteLog::open(folder.path()).await.unwrap();
    let claim = begin(&playing).await;
    playing.append(&claim, Batch::of(records([0]))).await.unwrap();
    let owners = || fs::read_dir(folder.path().join("owners")).unwrap().count();
    let before = owners();
    let looking = SqliteLog::open_existing(folder.path()).await.unwrap();
    assert_eq!(looking.runs().await.unwrap()[0].status, Status::Playing);
    playing.append(&claim, Batch::of(records([1]))).await.unwrap();
    assert_eq!(looking.read(claim.run, Seq(1)).await.unwrap().len(), 1, "what is played meanwhile is seen");
    assert_eq!(owners(), before);
}

#[tokio::test]
async fn a_folder_that_cannot_be_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "not a folder").unwrap();
    let error = SqliteLog::open(&file.join("data")).await.unwrap_err();
    assert!(matches!(error, Error::Folder { .. }), "{error:?}");
    assert!(error.to_string().contains("file/data"), "{error}");
}

#[tokio::test]
async fn a_database_that_is_none_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path().join("enact.db");
    fs::write(&db, "once upon a time ".repeat(1000)).unwrap();
    for outcome in [SqliteLog::open(folder.path()).await, SqliteLog::open_existing(folder.path()).await] {
        let error = outcome.unwrap_err();
        assert!(matches!(error, Error::Database { .. }), "{error:?}");
        assert!(error.to_string().contains("enact.db' cannot be opened: file is not a database"), "{error}");
    }
    assert!(fs::read_to_string(&db).unwrap().starts_with("once upon"), "what is there is left alone");
}

#[tokio::test]
async fn an_empty_database_is_brought_up_to_date() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("enact.db"), "").unwrap();
    let log = SqliteLog::open_existing(folder.path()).await.unwrap();
    assert!(log.runs().await.unwrap().is_empty());
}

#[tokio::test]
async fn a_database_from_the_future_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    SqliteLog::open(folder.path()).await.unwrap().close().await;
    let leap = "UPDATE _sqlx_migrations SET version = 9000 WHERE version = 1";
    run_sql(folder.path(), leap).await;
    for outcome in [SqliteLog::open(folder.path()).await, SqliteLog::open_existing(folder.path()).await] {
        assert!(matches!(outcome, Err(Error::Newer { found: 9000, .. })), "{outcome:?}");
    }
}

#[tokio::test]
async fn a_log_that_fails_later_is_named_too() {
    let folder = tempfile::tempdir().unwrap();
    let log = SqliteLog::open(folder.path()).await.unwrap();
    let claim = begin(&log).await;
    run_sql(folder.path(), "DROP TABLE events").await;
    let Err(LogError::Storage(reason)) = log.append(&claim, Batch::of(records([0]))).await else {
        panic!("an append without a table");
    };
    assert!(reason.contains("enact.db: no such table"), "{reason}");
    run_sql(folder.path(), "CREATE TABLE events (run, seq, at, kind, v, body)").await;
    log.append(&claim, Batch::of(records([0]))).await.unwrap();
}

/// A folder that the first release left, with runs in it.
#[tokio::test]
async fn an_old_folder_is_brought_up_to_date_and_keeps_its_runs() {
    let old = tempfile::tempdir().unwrap();
    let migrations = tempfile::tempdir().unwrap();
    let first = "0001_runs_and_events.sql";
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations/sqlite").join(first);
    fs::copy(shipped, migrations.path().join(first)).unwrap();
    let options = SqliteConnectOptions::new().filename(old.path().join("enact.db")).create_if_missing(true);
    let mut connection = options.connect().await.unwrap();
    Migrator::new(migrations.path()).await.unwrap().run(&mut connection).await.unwrap();
    connection.close().await.unwrap();
    let finished = "01890a5d-ac96-774b-bcce-b302099a8057";
    run_sql(
        old.path(),
        "INSERT INTO runs VALUES
            ('01890a5d-ac96-774b-bcce-b302099a8057', 'scene', 'tea', 5, 1, NULL, 1, 'stalled'),
            ('01890a5d-ac96-774b-bcce-b302099a8058', 'scene', 'tea', 6, 3, NULL, 1, NULL);
         INSERT INTO events VALUES
            ('01890a5d-ac96-774b-bcce-b302099a8057', 0, 5, 'noted', 1, '{}'),
            ('01890a5d-ac96-774b-bcce-b302099a8058', 0, 6, 'noted', 1, '{}')",
    )
    .await;

    let log = SqliteLog::open_existing(old.path()).await.unwrap();
    let runs = log.runs().await.unwrap();
    let [open, ended] = &runs[..] else { panic!("{runs:?}") };
    assert_eq!((ended.run.to_string().as_str(), ended.status), (finished, Status::Finished));
    assert_eq!((open.status, open.parent, &open.problem), (Status::Interrupted, None, &None));
    assert!(log.claim_waiting(10).await.unwrap().is_empty(), "what was begun by hand stays in hand");
    let claim = log.claim(open.run).await.unwrap();
    log.append(&claim, Batch::of(records([1]))).await.unwrap();
    assert_eq!(log.without_extract("costs", 10).await.unwrap(), [ended.run]);
}

async fn run_sql(folder: &Path, sql: &'static str) {
    let options = SqliteConnectOptions::new().filename(folder.join("enact.db"));
    let mut connection = options.connect().await.unwrap();
    sqlx::query(sql).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
}
