use std::{collections::BTreeMap, sync::Arc, thread};

use enact_drama::{
    Name, RunId, Seq,
    model_card::ModelCard,
    scene::{Role, Said, SceneConfig, SceneEnd, SceneEvent},
};
use expect_test::expect;
use uuid::Uuid;

use super::*;
#[cfg(unix)]
use crate::Artifacts;

const FILES: [&str; 4] = ["debug.log", "events.jsonl", "metadata.json", "transcript.txt"];

fn setup(run: u128) -> SceneSetup {
    let role = |name: &str| Role {
        name: Name::new(name).expect("a plain name"),
        display: name.to_owned(),
        sheet: String::new(),
        model: "m".to_owned(),
    };
    let card = ModelCard::free_without_memory("a model");
    SceneSetup {
        run: RunId(Uuid::from_u128(run)),
        name: Name::new("the-apology").expect("a plain name"),
        config: SceneConfig::default(),
        cast: vec![role("alice"), role("bob")],
        opener: None,
        goals: Vec::new(),
        max_beats: 50,
        reply_timeout_ms: 30_000,
        window: 10,
        seed: 7,
        models: BTreeMap::from([("m".to_owned(), card)]),
        judge: None,
        event_writer: None,
        budget: enact_drama::budget::Budget::default(),
        prompts: Default::default(),
        remembered: Default::default(),
    }
}

fn records(events: impl IntoIterator<Item = SceneEvent>) -> Vec<Record> {
    let facts = events.into_iter().zip(0..).map(|(event, seq)| Fact { seq: Seq(seq), at: 1_000, event });
    facts.map(|fact| Record::of(&fact)).collect()
}

fn unfinished(run: u128) -> Vec<SceneEvent> {
    let said = Said::World { text: format!("Run {run} begins") };
    vec![SceneEvent::Began { setup: Arc::new(setup(run)) }, SceneEvent::LineAdded { said }]
}

fn finished(run: u128) -> Vec<Record> {
    records(
        unfinished(run).into_iter().chain([SceneEvent::Ended { reason: SceneEnd::Stalled, needed: None }]),
    )
}

fn write(data: &Path, records: &[Record]) -> Result<PathBuf, Error> {
    super::write(data, records).map(|(_, result)| result.output_path.into())
}

fn listed(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").file_name());
    let mut names: Vec<String> = entries.map(|name| name.to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn text(folder: &Path, file: &str) -> String {
    fs::read_to_string(folder.join(file)).expect("a text file")
}

#[test]
fn a_finished_run_has_its_own_files_and_the_scenes_copies() {
    let data = tempfile::tempdir().expect("a folder");
    let scene = write(data.path(), &finished(1)).expect("written");
    assert_eq!(scene, data.path().join("scenes/the-apology"));
    let own = run_folder(data.path(), &setup(1));
    assert_eq!(own, scene.join("runs/00000000-0000-0000-0000-000000000001"));
    assert_eq!(listed(&own), FILES);
    assert_eq!(listed(&scene), ["debug.log", "events.jsonl", "metadata.json", "runs", "transcript.txt"]);
    for file in FILES {
        assert_eq!(text(&own, file), text(&scene, file));
    }
    assert!(text(&own, "transcript.txt").contains("[EVENT: Run 1 begins]\n\n[SCENE END - Stalled]\n"));
    let metadata: serde_json::Value = serde_json::from_str(&text(&own, "metadata.json")).expect("JSON");
    assert_eq!(metadata["reason"], "stalled");
    assert_eq!(text(&own, "debug.log").lines().count(), 3);
}

#[test]
fn events_are_one_record_a_line_and_can_be_read_back() {
    let data = tempfile::tempdir().expect("a folder");
    let mut written = finished(1);
    // A store may give a body back with white space of its own.
    written[1].body = serde_json::value::RawValue::from_string(
        "{\n\"by\": \"world\",\r\n\"text\": \"Thunder\\nand lightning\"}".to_owned(),
    )
    .expect("JSON");
    let scene = write(data.path(), &written).expect("written");
    let events = text(&scene, "events.jsonl");
    let read: Vec<Record> =
        events.lines().map(|line| serde_json::from_str(line).expect("a record")).collect();
    let facts = |records: &[Record]| -> Vec<Fact<SceneEvent>> {
        records.iter().map(|record| record.fact().expect("a known kind")).collect()
    };
    assert_eq!(facts(&read), facts(&written));
    expect![[r#"{"seq":2,"at":1000,"kind":"ended","v":1,"body":{"reason":"stalled"}}"#]]
        .assert_eq(events.lines().last().expect("a line"));
}

#[test]
fn a_later_run_replaces_the_copies_and_keeps_the_earlier_run() {
    let data = tempfile::tempdir().expect("a folder");
    write(data.path(), &finished(1)).expect("written");
    let scene = write(data.path(), &finished(2)).expect("written");
    assert!(text(&scene, "transcript.txt").contains("Run 2 begins"));
    assert!(text(&run_folder(data.path(), &setup(1)), "transcript.txt").contains("Run 1 begins"));
}

#[test]
fn an_unfinished_run_leaves_the_copies_alone() {
    let data = tempfile::tempdir().expect("a folder");
    let scene = write(data.path(), &finished(1)).expect("written");
    let own = write(data.path(), &records(unfinished(2))).expect("written");
    assert_eq!(own, run_folder(data.path(), &setup(2)));
    assert!(text(&own, "transcript.txt").contains("[SCENE UNFINISHED"));
    assert!(text(&scene, "transcript.txt").contains("Run 1 begins"));
}

#[test]
fn what_cannot_be_read_does_not_keep_the_rest_from_being_shown() {
    let data = tempfile::tempdir().expect("a folder");
    let mut records = finished(1);
    records[1].kind = "from_the_future".to_owned();
    let scene = write(data.path(), &records).expect("written");
    assert!(text(&scene, "transcript.txt").contains("[SCENE END - Stalled]"));
    assert!(text(&scene, "events.jsonl").contains("from_the_future"));
    assert!(matches!(write(data.path(), &records[1..]), Err(Error::NotAScene)));
    assert!(matches!(write(data.path(), &[]), Err(Error::NotAScene)));
}

#[test]
fn runs_that_finish_together_leave_a_set_of_one_of_them() {
    const RUNS: u128 = 6;
    const TIMES: usize = 10;
    let data = tempfile::tempdir().expect("a folder");
    let scene = scene_folder(data.path(), &setup(0));
    thread::scope(|scope| {
        for run in 0..RUNS {
            let data = data.path();
            scope.spawn(move || {
                let records = finished(run);
                for _ in 0..TIMES {
                    write(data, &records).expect("written");
                }
            });
        }
        // A concurrent reader sees whole files.
        while !scene.join("events.jsonl").exists() {
            thread::yield_now();
        }
        for _ in 0..TIMES {
            serde_json::from_str::<serde_json::Value>(&text(&scene, "metadata.json")).expect("whole JSON");
        }
    });
    let metadata: serde_json::Value = serde_json::from_str(&text(&scene, "metadata.json")).expect("JSON");
    let run = metadata["runId"].as_str().expect("an id");
    let own = scene.join("runs").join(run);
    for file in FILES {
        assert_eq!(text(&own, file), text(&scene, file), "{file} is of another run");
    }
    assert_eq!(listed(&scene).len(), FILES.len() + 1, "no scratch file is left");
}

#[test]
fn errors_name_the_path() {
    let data = tempfile::tempdir().expect("a folder");
    fs::write(data.path().join("scenes"), "in the way").expect("written");
    let error = write(data.path(), &finished(1)).expect_err("a file is in the way").to_string();
    assert!(error.starts_with("could not write '"), "{error}");
    assert!(error.contains("the-apology"), "{error}");
}

#[cfg(unix)]
#[test]
fn everything_that_is_written_is_its_owners_alone() {
    use std::os::unix::fs::PermissionsExt;
    let data = tempfile::tempdir().expect("a folder");
    write(data.path(), &finished(1)).expect("written");
    let own = run_folder(data.path(), &setup(1));
    [RECORDING, CAPTIONS].iter().for_each(|file| fs::write(own.join(file), "").expect("written"));
    copy_recording(data.path(), &setup(1)).expect("copied");
    let artifacts = Artifacts::of_data_folder(data.path());
    artifacts.write("tts/a/b.wav", b"sound", |_| Ok(())).expect("written");
    artifacts.write_if_absent("tts/a/c.wav", b"sound", |_| Ok(())).expect("written");
    let mut folders = vec![data.path().join("scenes"), artifacts.root().to_owned()];
    let mut files = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder").map(Result::unwrap) {
            let (path, mode) = (entry.path(), entry.metadata().unwrap().permissions().mode() & 0o777);
            let is_folder = path.is_dir();
            assert_eq!(mode, if is_folder { 0o700 } else { 0o600 }, "{}: {mode:o}", path.display());
            files += usize::from(!is_folder);
            folders.extend(is_folder.then_some(path));
        }
    }
    assert!(files >= 15, "{files}");
}

#[test]
fn a_recording_stands_beside_the_other_files_of_its_run_and_of_no_other() {
    let data = tempfile::tempdir().expect("a folder");
    let speak = |run: u128| {
        let own = run_folder(data.path(), &setup(run));
        fs::write(own.join(RECORDING), format!("sound {run}")).expect("written");
        fs::write(own.join(CAPTIONS), format!("captions {run}")).expect("written");
        copy_recording(data.path(), &setup(run)).expect("copied")
    };
    let scene = write(data.path(), &finished(1)).expect("written");
    assert_eq!(speak(1), scene);
    assert_eq!((text(&scene, RECORDING), text(&scene, CAPTIONS)), ("sound 1".into(), "captions 1".into()));
    write(data.path(), &finished(1)).expect("written again");
    assert_eq!(text(&scene, RECORDING), "sound 1");

    write(data.path(), &finished(2)).expect("written");
    assert_eq!(listed(&scene), ["debug.log", "events.jsonl", "metadata.json", "runs", "transcript.txt"]);
    assert_eq!(speak(1), run_folder(data.path(), &setup(1)), "the copies are of another run");
    assert!(!scene.join(RECORDING).exists());
}
