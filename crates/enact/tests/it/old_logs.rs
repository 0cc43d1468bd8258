//! Runs that an earlier release began, played on by this one.

use std::{fs, path::Path};

use enact_drama::{
    Fact, Record,
    production::Report,
    scene::report::{SceneReport, transcript},
    scene::{SceneEvent, SceneSetup},
};
use enact_engine::{
    Log,
    log::{Batch, NewRun},
};
use enact_store::SqliteStore;

use crate::project::{Project, lines};

/// A beat in which one has answered and others have not.
const BEAT: u32 = 3;

#[test]
fn a_run_of_0_1_0_is_played_to_its_end() {
    let log = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/logs/0.1.0.jsonl");
    let whole: Vec<Record> =
        fs::read_to_string(log).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let facts: Vec<Fact<SceneEvent>> = whole.iter().map(|record| record.fact().unwrap()).collect();
    let cut = middle_of(BEAT, &facts);
    let before = lines(&transcript(&SceneReport::of(&facts[..cut]).unwrap()));
    let SceneEvent::Began { setup } = &facts[0].event else { panic!("no beginning") };

    let project = Project::empty();
    keep(&project.path().join("data"), setup, facts[0].at, whole[..cut].to_vec());
    let ran = project.run(&["run", "--resume", "latest", "--json"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    assert_eq!(ran.json()["metadata"]["runId"], setup.run.to_string());
    assert_eq!(ran.json()["metadata"]["goalAchieved"], true);
    let after = ran.lines();
    // The last of them is that the run is unfinished.
    let said = &before[..before.len() - 1];
    assert_eq!(after[..said.len()], *said, "what was said stays said");
    assert!(after.len() > said.len() + 1 && after.last().unwrap().starts_with("[SCENE END"), "{after:?}");
}

/// Just before the second reply of a beat. What follows from one input is stored together, so a log ends nowhere else.
fn middle_of(beat: u32, facts: &[Fact<SceneEvent>]) -> usize {
    let opened = |fact: &Fact<SceneEvent>| matches!(fact.event, SceneEvent::BeatOpened { beat: number, .. } if number == beat);
    let replied = |fact: &Fact<SceneEvent>| matches!(fact.event, SceneEvent::Replied { .. });
    let start = facts.iter().position(opened).unwrap();
    let replies = facts.iter().enumerate().skip(start).filter(|(_, fact)| replied(fact));
    replies.map(|(index, _)| index).nth(1).unwrap()
}

fn keep(data_dir: &Path, setup: &SceneSetup, at: i64, records: Vec<Record>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let log = SqliteStore::open(data_dir).await.unwrap();
        let name = setup.name.to_string();
        let (run, account) = (setup.run, String::new());
        let about = NewRun { run, production: "scene", name, at, parent: None, account };
        let claim = log.create(about).await.unwrap();
        log.append(&claim, Batch::of(records)).await.unwrap();
        log.release(claim).await.unwrap();
        log.close().await;
    });
}
