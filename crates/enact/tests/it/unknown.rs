//! Runs of productions that this enact does not have: listed, exported, and otherwise left alone.

use enact_drama::{Record, RunId, Seq, row::Row};
use enact_engine::{
    Log, Store,
    log::{Batch, NewRun},
    store::RowQuery,
};
use enact_store::SqliteStore;
use expect_test::expect;
use serde_json::value::RawValue;
use uuid::Uuid;

use crate::project::Project;

fn began() -> Record {
    let body = RawValue::from_string(r#"{"prima":"bob"}"#.to_owned()).unwrap();
    Record { seq: Seq(0), at: 1_700_000_000_000, kind: "ballet_began".to_owned(), v: 1, body }
}

fn row(key: &str) -> Row {
    Row { kind: "solo".to_owned(), key: key.to_owned(), sort: 1, body: "{}".to_owned() }
}

/// A project with an ballet that is kept there, and its store.
async fn with_ballet() -> (Project, SqliteStore, RunId) {
    let project = Project::new();
    let store = SqliteStore::open(&project.path().join("data")).await.unwrap();
    let run = RunId(Uuid::now_v7());
    let name = "giselle".to_owned();
    let (at, account) = (began().at, String::new());
    let about = NewRun { run, production: "ballet", name, at, parent: None, account };
    let claim = store.create(about).await.unwrap();
    store.append(&claim, Batch::of([began()])).await.unwrap();
    store.release(claim).await.unwrap();
    (project, store, run)
}

#[tokio::test]
async fn they_are_listed_and_exported_and_nothing_else() {
    let (project, store, run) = with_ballet().await;
    store.close().await;
    let listed = project.run(&["runs"]);
    assert!(listed.stdout.contains("ballet"), "{}", listed.stdout);
    assert!(listed.stdout.contains("interrupted (this enact cannot play it on)"), "{}", listed.stdout);
    let exported = project.run(&["export", "giselle", "--format", "jsonl"]);
    assert_eq!(exported.stdout, format!("{}\n", serde_json::to_string(&began()).unwrap()));
    let mut told = String::new();
    for args in [
        &["replay", "giselle"][..],
        &["export", "giselle", "--format", "md"],
        &["export", "giselle", "--format", "wav", "-o", "giselle.wav"],
        &["run", "--resume", "giselle"],
        &["chorus", "--resume", "giselle"],
        &["fork", "giselle", "--beat", "1"],
    ] {
        let ran = project.run(args);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{args:?}");
        told += &format!("{}:\n{}", args[0], ran.stderr.replace(&run.to_string(), "<run>"));
    }
    expect![[r#"
        replay:
        error[INVALID_CONFIG]: run <run> cannot be shown: a log that begins with 'ballet_began' is not known to this enact, which plays: scene, chorus, episode, memory, field, mind
          hint: `enact export --format jsonl` gives its log as it is, for an enact that knows it
        export:
        error[INVALID_CONFIG]: run <run> cannot be shown: a log that begins with 'ballet_began' is not known to this enact, which plays: scene, chorus, episode, memory, field, mind
          hint: `enact export --format jsonl` gives its log as it is, for an enact that knows it
        export:
        error[INVALID_CONFIG]: run <run> cannot be shown: a log that begins with 'ballet_began' is not known to this enact, which plays: scene, chorus, episode, memory, field, mind
          hint: `enact export --format jsonl` gives its log as it is, for an enact that knows it
        run:
        error[INVALID_CONFIG]: run <run> is a ballet, not a scene
          hint: the production 'ballet' is not known to this enact, which plays: scene, chorus, episode, memory, field, mind
        chorus:
        error[INVALID_CONFIG]: run <run> is a ballet, not a chorus
          hint: the production 'ballet' is not known to this enact, which plays: scene, chorus, episode, memory, field, mind
        fork:
        error[INVALID_CONFIG]: the production 'ballet' is not known to this enact, which plays: scene, chorus, episode, memory, field, mind
          hint: a newer enact, or one built with that production, may know it
    "#]].assert_eq(&told);
}

#[tokio::test]
async fn they_are_not_imported() {
    let project = Project::empty();
    project.write("giselle.jsonl", serde_json::to_string(&began()).unwrap());
    let ran = project.run(&["import", "giselle.jsonl"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    expect![[r#"
        error[INVALID_CONFIG]: giselle.jsonl:1:1: a log begins with 'began' or 'chorus_began' or 'episode_began' or 'memories_corrected' or 'field_began' or 'mind_began', not with 'ballet_began'
          hint: lines are missing at its beginning, or it is of a production that this enact does not know
    "#]].assert_eq(&ran.stderr);
    assert_eq!(project.files(), ["giselle.jsonl"], "nothing was written");
}

#[tokio::test]
async fn rows_are_derived_anew_for_all_but_them() {
    let (project, store, ballet) = with_ballet().await;
    project.write("scene.md", "---\ncharacters: [alice, bob]\nmaxBeats: 2\n---\nAlice meets Bob.\n");
    assert_eq!(project.run(&["run", "scene.md", "--quiet"]).code, 0);
    let runs = store.runs().await.unwrap();
    let scene = runs.iter().find(|run| run.production == "scene").unwrap();
    // What no scene derives any more, and what only an ballet knows how to derive.
    assert!(store.replace_rows(scene.run, Seq(scene.events), vec![row("old"), row("older")]).await.unwrap());
    assert!(store.replace_rows(ballet, Seq(1), vec![row("kept")]).await.unwrap());

    let ran = project.run(&["reindex"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "1 run, 0 rows\n"), "{}", ran.stderr);
    expect![[r#"
        note: run <ballet> is left as it is: the production 'ballet' is not known to this enact, which plays: scene, chorus, episode, memory, field, mind
    "#]].assert_eq(&ran.stderr.replace(&ballet.to_string(), "<ballet>"));
    let left =
        store.rows(&RowQuery { kind: "solo".to_owned(), most: 10, ..RowQuery::default() }).await.unwrap();
    let left: Vec<(RunId, &str)> = left.iter().map(|stored| (stored.run, stored.row.key.as_str())).collect();
    assert_eq!(left, [(ballet, "kept")]);
}

#[test]
fn where_nothing_was_played_there_is_nothing_to_derive() {
    let project = Project::empty();
    let ran = project.run(&["reindex"]);
    assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.as_str()), (0, "0 runs, 0 rows\n", ""));
    assert!(project.files().is_empty(), "{:?}", project.files());
}
