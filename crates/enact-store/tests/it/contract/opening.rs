//! Data folders: new, shared, read-only in spirit, broken.

use std::{fs, path::Path};

use enact_drama::Seq;
use enact_engine::{
    Log, Store,
    log::{Batch, Error as LogError, Status},
    store::{Conversation, ConversationHead, Enqueued, IdempotencyKey, Wake},
};
use enact_store::{Durability, SqliteStore, sqlite::Error};
use enact_testkit::until;
use serde_json::json;
use sqlx::{ConnectOptions, Connection, migrate::Migrator, sqlite::SqliteConnectOptions};
use tempfile::TempDir;
use tokio::task::JoinSet;

use super::{begin, command, records, shown, stored};

#[tokio::test]
async fn a_new_folder_is_made_with_its_parents() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("a/b/data");
    let log = SqliteStore::open_with(&data, Durability::Power).await.unwrap();
    let claim = begin(&log).await;
    log.append(&claim, Batch::of(records([0]))).await.unwrap();
    assert!(data.join("enact.db").is_file());
}

/// It holds everything that was said: other users of the machine cannot read it, whatever the umask.
#[cfg(unix)]
#[tokio::test]
async fn a_data_folder_is_its_owners_alone() {
    use std::os::unix::fs::PermissionsExt;
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let chmod = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    let home = tempfile::tempdir().unwrap();
    let (data, copy) = (home.path().join("a/data"), home.path().join("copy.db"));
    let files = ["enact.db", "enact.db-wal", "enact.db-shm"].map(|name| data.join(name));

    let log = SqliteStore::open(&data).await.unwrap();
    let claim = begin(&log).await;
    log.append(&claim, Batch::of(records([0]))).await.unwrap();
    assert_eq!([&data, &data.join("owners")].map(|folder| mode(folder)), [0o700; 2]);
    assert_eq!(files.each_ref().map(|file| mode(file)), [0o600; 3]);
    log.backup(&copy).await.unwrap();
    assert_eq!(mode(&copy), 0o600);
    drop(log);

    // A folder from before: it may have been opened to others on purpose, what is in it was not.
    chmod(&data, 0o755);
    files.iter().filter(|file| file.exists()).for_each(|file| chmod(file, 0o644));
    let log = SqliteStore::open(&data).await.unwrap();
    log.append(&begin(&log).await, Batch::of(records([0]))).await.unwrap();
    assert_eq!(mode(&data), 0o755);
    assert_eq!(files.each_ref().map(|file| mode(file)), [0o600; 3]);
}

#[tokio::test]
async fn a_log_outlives_those_who_open_it() {
    let folder = tempfile::tempdir().unwrap();
    let log = SqliteStore::open(folder.path()).await.unwrap();
    let claim = begin(&log).await;
    log.append(&claim, Batch::of(records(0..3))).await.unwrap();
    log.close().await;

    let log = SqliteStore::open_existing(folder.path()).await.unwrap();
    assert_eq!(log.runs().await.unwrap()[0].status, Status::Interrupted);
    assert_eq!(stored(&log, claim.run).await, shown(&records(0..3)));
    let claim = log.claim(claim.run).await.unwrap();
    log.append(&claim, Batch::of(records([3]))).await.unwrap();
}

/// Long before the writer would have to copy it, and without anything being written any more.
#[tokio::test]
async fn the_write_ahead_log_is_copied_beside_the_writer() {
    const APPENDS: u64 = 600;
    let folder = tempfile::tempdir().unwrap();
    let log = SqliteStore::open(folder.path()).await.unwrap();
    let claim = begin(&log).await;
    for seq in 0..APPENDS {
        log.append(&claim, Batch::of(records([seq]))).await.unwrap();
    }
    let pages = || fs::metadata(folder.path().join("enact.db")).unwrap().len() / 4096;
    let before = fs::metadata(folder.path().join("enact.db-wal")).unwrap().len() / 4096;
    assert!(before > APPENDS && before < 16_384, "{before} pages");
    until(async || pages() > 20).await;
    assert_eq!(stored(&log, claim.run).await, shown(&records(0..APPENDS)));
    log.close().await;
    assert!(!folder.path().join("enact.db-wal").exists(), "the last one to close folds it into the database");
}

#[tokio::test(flavor = "multi_thread")]
async fn many_may_open_a_new_folder_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let mut opening = JoinSet::new();
    for _ in 0..16 {
        let path = folder.path().to_owned();
        opening.spawn(async move {
            let log = SqliteStore::open(&path).await.unwrap();
            let claim = begin(&log).await;
            log.append(&claim, Batch::of(records([0]))).await.unwrap();
            log.close().await;
        });
    }
    opening.join_all().await;
    let log = SqliteStore::open_existing(folder.path()).await.unwrap();
    assert_eq!(log.runs().await.unwrap().len(), 16);
    let locks = fs::read_dir(folder.path().join("owners")).unwrap().flatten();
    let left: Vec<_> = locks.map(|entry| entry.file_name()).filter(|name| name != "opening").collect();
    assert!(left.is_empty(), "{left:?}");
}

#[tokio::test]
async fn looking_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let nowhere = folder.path().join("data");
    let missing = SqliteStore::open_existing(&nowhere).await.unwrap_err();
    assert!(matches!(&missing, Error::Missing(path) if *path == nowhere));
    assert!(missing.to_string().contains(&*nowhere.to_string_lossy()));
    assert!(!nowhere.exists());

    let playing = SqliteStore::open(folder.path()).await.unwrap();
    let claim = begin(&playing).await;
    playing.append(&claim, Batch::of(records([0]))).await.unwrap();
    let owners = || fs::read_dir(folder.path().join("owners")).unwrap().count();
    let before = owners();
    let looking = SqliteStore::open_existing(folder.path()).await.unwrap();
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
    let error = SqliteStore::open(&file.join("data")).await.unwrap_err();
    assert!(matches!(error, Error::Folder { .. }), "{error:?}");
    assert!(error.to_string().contains("file/data"), "{error}");
}

#[tokio::test]
async fn a_database_that_is_none_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path().join("enact.db");
    fs::write(&db, "once upon a time ".repeat(1000)).unwrap();
    for outcome in [SqliteStore::open(folder.path()).await, SqliteStore::open_existing(folder.path()).await] {
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
    let log = SqliteStore::open_existing(folder.path()).await.unwrap();
    assert!(log.runs().await.unwrap().is_empty());
}

#[tokio::test]
async fn a_database_from_the_future_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    SqliteStore::open(folder.path()).await.unwrap().close().await;
    let leap = "UPDATE _sqlx_migrations SET version = 9000 WHERE version = 1";
    run_sql(folder.path(), leap).await;
    for outcome in [SqliteStore::open(folder.path()).await, SqliteStore::open_existing(folder.path()).await] {
        assert!(matches!(outcome, Err(Error::Newer { found: 9000, .. })), "{outcome:?}");
    }
}

#[tokio::test]
async fn a_log_that_fails_later_is_named_too() {
    let folder = tempfile::tempdir().unwrap();
    let log = SqliteStore::open(folder.path()).await.unwrap();
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
    let old = old_folder(&["0001_runs_and_events.sql"]).await;
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

    let log = SqliteStore::open_existing(old.path()).await.unwrap();
    let runs = log.runs().await.unwrap();
    let [open, ended] = &runs[..] else { panic!("{runs:?}") };
    assert_eq!((ended.run.to_string().as_str(), ended.status), (finished, Status::Finished));
    assert_eq!((open.status, open.parent, &open.problem), (Status::Interrupted, None, &None));
    assert!(log.claim_waiting(10).await.unwrap().is_empty(), "what was begun by hand stays in hand");
    let claim = log.claim(open.run).await.unwrap();
    log.append(&claim, Batch::of(records([1]))).await.unwrap();
    assert_eq!(log.without_extract("costs", 10).await.unwrap(), [ended.run]);
}

/// One that knew neither accounts nor resting runs, with a run in the queue and commands in inboxes.
#[tokio::test]
async fn an_old_inbox_is_read_by_the_new_version() {
    let earlier = ["0001_runs_and_events.sql", "0002_queue_and_inbox.sql", "0003_conversations.sql"];
    let old = old_folder(&earlier).await;
    run_sql(
        old.path(),
        r#"INSERT INTO runs (id, production, name, started_at, epoch, owner, length, reason, queued) VALUES
            ('01890a5d-ac96-774b-bcce-b302099a8057', 'scene', 'tea', 5, 1, NULL, 1, 'stalled', 1),
            ('01890a5d-ac96-774b-bcce-b302099a8058', 'scene', 'tea', 6, 3, NULL, 1, NULL, 1);
         INSERT INTO events VALUES
            ('01890a5d-ac96-774b-bcce-b302099a8057', 0, 5, 'noted', 1, '{}'),
            ('01890a5d-ac96-774b-bcce-b302099a8058', 0, 6, 'noted', 1, '{}');
         INSERT INTO inbox (run, wanted) VALUES
            ('01890a5d-ac96-774b-bcce-b302099a8058',
             '{"want":"note","to":null,"text":"Say \"want\": \u0000 é"}'),
            ('01890a5d-ac96-774b-bcce-b302099a8058', '{"want":"pause"}'),
            ('01890a5d-ac96-774b-bcce-b302099a8058', '{"sing":"louder"}'),
            ('01890a5d-ac96-774b-bcce-b302099a8058', 'no JSON');
         INSERT INTO orders VALUES ('ann', '1', 'a', '01890a5d-ac96-774b-bcce-b302099a8057');
         INSERT INTO extracts VALUES ('01890a5d-ac96-774b-bcce-b302099a8057', 'costs', 5, '{}');
         INSERT INTO conversations VALUES ('ann', 'tea', '01890a5d-ac96-774b-bcce-b302099a8057', 0)"#,
    )
    .await;

    let log = SqliteStore::open(old.path()).await.unwrap();
    let runs = log.runs().await.unwrap();
    let [queued, ended] = &runs[..] else { panic!("{runs:?}") };
    assert_eq!((queued.status, &*queued.account), (Status::Waiting, ""));
    let posted = log.inbox(queued.run).await.unwrap();
    let commands: Vec<serde_json::Value> =
        posted[..3].iter().map(|posted| serde_json::from_str(&posted.command).unwrap()).collect();
    let note = json!({ "command": "note", "to": null, "text": "Say \"want\": \u{0} é" });
    assert_eq!(commands, [note, json!({ "command": "pause" }), json!({ "sing": "louder" })]);
    assert_eq!(&*posted[3].command, "no JSON");
    let [claim] = log.claim_waiting(10).await.unwrap()[..] else { panic!("one waits") };
    assert_eq!((claim.run, claim.epoch), (queued.run, 4));
    log.append(&claim, Batch::of(records([1])).taken(posted[0].id)).await.unwrap();
    assert!(log.rest(claim, Some(posted[3].id)).await.unwrap());
    let next = log.post(claim.run, command("go"), Wake::Claim).await.unwrap();
    assert!(next.id > posted[3].id && next.claim.is_some(), "{next:?}");
    let order = IdempotencyKey { from: "ann".to_owned(), key: "1".to_owned(), digest: "a".to_owned() };
    assert_eq!(log.find_submitted(&order).await.unwrap(), Some(Enqueued::AlreadyQueued(ended.run)));
    assert_eq!(log.extracts("costs", 0..10).await.unwrap().len(), 1);
    let of = Conversation { owner: "ann".to_owned(), name: "tea".to_owned() };
    assert_eq!(
        log.conversation(&of).await.unwrap(),
        Some(ConversationHead { run: ended.run, cleared: false })
    );
}

/// One in which nothing but the logs says which scenes are paused.
#[tokio::test]
async fn scenes_that_an_earlier_version_paused_are_listed_as_paused() {
    let old = old_folder(&[
        "0001_runs_and_events.sql",
        "0002_queue_and_inbox.sql",
        "0003_conversations.sql",
        "0004_resting_runs_and_derived_rows.sql",
        "0005_numbered_runs.sql",
    ])
    .await;
    run_sql(
        old.path(),
        r#"INSERT INTO runs (number, id, production, name, started_at, epoch, length, reason, resting) VALUES
            (1, '01890a5d-ac96-774b-bcce-b302099a8051', 'scene', 'paused', 5, 1, 2, NULL, 1),
            (2, '01890a5d-ac96-774b-bcce-b302099a8052', 'scene', 'paused again', 5, 1, 4, NULL, 1),
            (3, '01890a5d-ac96-774b-bcce-b302099a8053', 'scene', 'continued', 5, 1, 3, NULL, 1),
            (4, '01890a5d-ac96-774b-bcce-b302099a8054', 'scene', 'a fork', 5, 1, 3, NULL, 1),
            (5, '01890a5d-ac96-774b-bcce-b302099a8055', 'scene', 'ended', 5, 1, 2, 'cancelled', 0),
            (6, '01890a5d-ac96-774b-bcce-b302099a8056', 'diary', 'of another kind', 5, 1, 2, NULL, 1);
         INSERT INTO events VALUES
            (1, 0, 5, 'began', 1, '{}'), (1, 1, 6, 'paused', 1, '{}'),
            (2, 0, 5, 'began', 1, '{}'), (2, 1, 6, 'paused', 1, '{}'),
            (2, 2, 7, 'continued', 1, '{}'), (2, 3, 8, 'paused', 1, '{}'),
            (3, 0, 5, 'began', 1, '{}'), (3, 1, 6, 'paused', 1, '{}'), (3, 2, 7, 'continued', 1, '{}'),
            (4, 0, 5, 'began', 1, '{}'), (4, 1, 6, 'paused', 1, '{}'), (4, 2, 7, 'forked', 1, '{}'),
            (5, 0, 5, 'began', 1, '{}'), (5, 1, 6, 'paused', 1, '{}'),
            (6, 0, 5, 'began', 1, '{}'), (6, 1, 6, 'paused', 1, '{}')"#,
    )
    .await;
    let log = SqliteStore::open(old.path()).await.unwrap();
    let mut runs = log.runs().await.unwrap();
    runs.sort_by_key(|run| run.run);
    let found: Vec<(&str, Status)> = runs.iter().map(|run| (&*run.name, run.status)).collect();
    assert_eq!(
        found,
        [
            ("paused", Status::Paused),
            ("paused again", Status::Paused),
            ("continued", Status::Resting),
            ("a fork", Status::Resting),
            ("ended", Status::Finished),
            ("of another kind", Status::Resting),
        ]
    );
}

/// An empty folder as an earlier version made it.
async fn old_folder(migrations: &[&str]) -> TempDir {
    let (folder, copied) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for name in migrations {
        let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations/sqlite").join(name);
        fs::copy(shipped, copied.path().join(name)).unwrap();
    }
    let options =
        SqliteConnectOptions::new().filename(folder.path().join("enact.db")).create_if_missing(true);
    let mut connection = options.connect().await.unwrap();
    Migrator::new(copied.path()).await.unwrap().run(&mut connection).await.unwrap();
    connection.close().await.unwrap();
    folder
}

async fn run_sql(folder: &Path, sql: &'static str) {
    let options = SqliteConnectOptions::new().filename(folder.join("enact.db"));
    let mut connection = options.connect().await.unwrap();
    sqlx::query(sql).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
}
