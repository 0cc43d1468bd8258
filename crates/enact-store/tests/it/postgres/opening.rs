//! Databases: empty, shared, newer, wrong, absent.

use std::{fs, path::Path};

use enact_drama::RunId;
use enact_engine::{
    Log, Store,
    log::{Batch, Status},
    store::{Conversation, ConversationHead, NextRun, Submission, Wake},
};
use enact_store::{PostgresStore, postgres::Error};
use enact_testkit::in_time;
use sqlx::{Connection, PgConnection, migrate::Migrator};
use tokio::task::JoinSet;

use super::{command, database, enqueue, new_run, node, records, submission};

#[tokio::test(flavor = "multi_thread")]
async fn many_nodes_may_start_at_once_on_an_empty_database() {
    let url = database::fresh().await;
    let mut starting = JoinSet::new();
    for _ in 0..12 {
        let url = url.clone();
        starting.spawn(async move {
            let node = node(&url).await;
            let claim = node.create(new_run()).await.unwrap();
            node.append(&claim, Batch::of(records([0]))).await.unwrap();
            node.close().await;
        });
    }
    starting.join_all().await;
    assert_eq!(node(&url).await.runs().await.unwrap().len(), 12);
}

#[tokio::test]
async fn a_database_from_the_future_is_left_alone() {
    let url = database::fresh().await;
    node(&url).await.close().await;
    database::run_sql(&url, "UPDATE _sqlx_migrations SET version = 9000 WHERE version = 1").await;
    let error = PostgresStore::open(&url).await.unwrap_err();
    assert!(matches!(error, Error::Newer { found: 9000, .. }), "{error:?}");
    assert!(error.to_string().contains("was written by a newer enact (its format is 9000"), "{error}");
}

/// One that was left by an enact that knew no conversations, with runs in it.
#[tokio::test]
async fn an_old_database_is_brought_up_to_date_and_keeps_its_runs() {
    let url = old_database(&["0001_runs_and_what_stands_beside_them.sql"]).await;
    let run = RunId(uuid::Uuid::now_v7());
    let sql = format!(
        "INSERT INTO runs (id, production, name, started_at, epoch, length, queued)
         VALUES ('{run}', 'scene', 'tea', 5, 1, 1, true);
         INSERT INTO events VALUES ('{run}', 0, 5, 'noted', 1, '0')"
    );
    database::run_sql(&url, &sql).await;

    let node = node(&url).await;
    assert_eq!(node.find(run).await.unwrap().events, 1);
    let of = Conversation { owner: String::new(), name: String::new() };
    let new = new_run();
    let next = NextRun { of: of.clone(), after: None };
    node.enqueue(Submission { next: Some(next), ..submission(new.clone(), records([0])) }).await.unwrap();
    assert_eq!(
        node.conversation(&of).await.unwrap(),
        Some(ConversationHead { run: new.run, cleared: false })
    );
}

/// One that knew neither accounts nor resting runs, with a run in the queue and commands in its inbox.
#[tokio::test]
async fn an_old_inbox_is_read_by_the_new_version() {
    let earlier = ["0001_runs_and_what_stands_beside_them.sql", "0002_conversations.sql"];
    let url = old_database(&earlier).await;
    let run = RunId(uuid::Uuid::now_v7());
    let sql = format!(
        r#"INSERT INTO runs (id, production, name, started_at, epoch, length, queued)
           VALUES ('{run}', 'scene', 'tea', 5, 3, 1, true);
           INSERT INTO events VALUES ('{run}', 0, 5, 'noted', 1, '0');
           INSERT INTO inbox (run, body) VALUES
               ('{run}', '{{"want":"note","to":null,"text":"Say \"want\": \u0000 é"}}'),
               ('{run}', '{{ "want": "pause" }}'),
               ('{run}', '{{"sing":"louder"}}'),
               ('{run}', 'no JSON')"#
    );
    database::run_sql(&url, &sql).await;

    let node = node(&url).await;
    let found = node.find(run).await.unwrap();
    assert_eq!((found.status, &*found.account), (Status::Waiting, ""));
    let posted = node.inbox(run).await.unwrap();
    let commands: Vec<&str> = posted.iter().map(|posted| &*posted.command).collect();
    let note = r#"{"command":"note","to":null,"text":"Say \"want\": \u0000 é"}"#;
    assert_eq!(commands, [note, r#"{"command": "pause" }"#, r#"{"sing":"louder"}"#, "no JSON"]);
    let [claim] = node.claim_waiting(10).await.unwrap()[..] else { panic!("one waits") };
    assert_eq!((claim.run, claim.epoch), (run, 4));
    node.append(&claim, Batch::of(records([1])).taken(posted[0].id)).await.unwrap();
    assert!(node.rest(claim, Some(posted[3].id)).await.unwrap());
    let next = node.post(run, command("go"), Wake::Claim).await.unwrap();
    assert!(next.id > posted[3].id && next.claim.is_some(), "{next:?}");
}

/// One in which nothing but the logs says which scenes are paused.
#[tokio::test]
async fn scenes_that_an_earlier_version_paused_are_listed_as_paused() {
    let url = old_database(&[
        "0001_runs_and_what_stands_beside_them.sql",
        "0002_conversations.sql",
        "0003_resting_runs_and_derived_rows.sql",
    ])
    .await;
    let logs: [(&[&str], Status); 3] = [
        (&["began", "paused"], Status::Paused),
        (&["began", "paused", "continued"], Status::Resting),
        (&["began", "paused", "forked"], Status::Resting),
    ];
    let mut expected = Vec::new();
    for (kinds, status) in logs {
        let (run, length) = (RunId(uuid::Uuid::now_v7()), kinds.len());
        let events = (0..).zip(kinds).map(|(seq, kind)| format!("('{run}', {seq}, 5, '{kind}', 1, '{{}}')"));
        let sql = format!(
            "INSERT INTO runs (id, production, name, started_at, epoch, length, queued, resting)
             VALUES ('{run}', 'scene', 'tea', 5, 3, {length}, false, true);
             INSERT INTO events VALUES {}",
            events.collect::<Vec<_>>().join(", ")
        );
        database::run_sql(&url, &sql).await;
        expected.push((run, status));
    }
    let node = node(&url).await;
    for (run, status) in expected {
        assert_eq!(node.find(run).await.unwrap().status, status);
    }
}

/// An empty database as an earlier version made it.
async fn old_database(migrations: &[&str]) -> String {
    let (url, copied) = (database::fresh().await, tempfile::tempdir().unwrap());
    for name in migrations {
        let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations/postgres").join(name);
        fs::copy(shipped, copied.path().join(name)).unwrap();
    }
    let mut connection = PgConnection::connect(&url).await.unwrap();
    Migrator::new(copied.path()).await.unwrap().run(&mut connection).await.unwrap();
    connection.close().await.unwrap();
    url
}

#[tokio::test]
async fn a_schema_that_does_not_exist_is_said() {
    let url = format!("{}?options[search_path]=nowhere", database::server());
    let error = PostgresStore::open(&url).await.unwrap_err();
    assert!(error.to_string().ends_with("cannot be used: no schema on its search_path exists"), "{error}");
}

#[tokio::test]
async fn an_encoding_that_lacks_characters_is_refused_before_the_first_scene() {
    let name = format!("test_{}", uuid::Uuid::now_v7().simple());
    let make = format!("CREATE DATABASE {name} ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0");
    database::run_sql(&database::server(), &make).await;
    let url = database::server().rsplit_once('/').unwrap().0.to_owned() + "/" + &name;
    let error = PostgresStore::open(&url).await.unwrap_err();
    assert!(matches!(&error, Error::Encoding { encoding, .. } if encoding == "LATIN1"), "{error:?}");
    database::run_sql(&database::server(), &format!("DROP DATABASE {name}")).await;
}

#[tokio::test]
async fn who_cannot_be_reached_is_named_and_no_password_is() {
    // Bound and dropped, so that the port refuses connections.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let url = format!("postgres://ann:hunter2@127.0.0.1:{port}/plays");
    let opening = in_time(PostgresStore::open(&url)).await;
    let error = opening.unwrap_err();
    assert!(error.to_string().contains(&format!("127.0.0.1:{port}/plays cannot be used: ")), "{error}");
    assert!(!format!("{error} {error:?}").contains("hunter2"), "{error:?}");

    let url = database::fresh().await.replacen("enact@", "enact:hunter2@", 1);
    let open = node(&url).await;
    assert!(!format!("{open:?}").contains("hunter2"), "{open:?}");
    database::run_sql(&url, "DROP TABLE events").await;
    let error = open.enqueue(submission(new_run(), records([0]))).await.unwrap_err();
    assert!(error.to_string().contains("relation \"events\" does not exist"), "{error}");
    assert!(!format!("{error} {error:?}").contains("hunter2"), "{error:?}");
}

#[tokio::test]
async fn a_log_outlives_those_who_open_it() {
    let url = database::fresh().await;
    let first = node(&url).await;
    let run = enqueue(&first).await;
    first.close().await;
    let second = node(&url).await;
    assert_eq!(second.find(run).await.unwrap().events, 1);
    assert_eq!(second.claim_waiting(1).await.unwrap().len(), 1);
}
