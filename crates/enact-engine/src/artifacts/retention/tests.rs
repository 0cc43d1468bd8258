use std::fs::File;

use serde_json::json;

use super::*;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// A folder with two sessions: one is forty days old, of the other only one file is.
fn sessions() -> (tempfile::TempDir, Artifacts) {
    let folder = tempfile::tempdir().unwrap();
    let artifacts = Artifacts::in_folder(folder.path());
    for (session, old) in [("old", &["turn_1/a.wav", "turn_2/b.wav"][..]), ("new", &["turn_1/a.wav"])] {
        let path = |file: &str| format!("tts/sessions/{session}/{file}");
        for file in ["turn_1/a.wav", "turn_2/b.wav"] {
            artifacts.write(&path(file), b"RIFF", |_| Ok(())).unwrap();
        }
        for file in old {
            let file = File::options().write(true).open(folder.path().join(path(file))).unwrap();
            file.set_modified(SystemTime::now() - 40 * DAY).unwrap();
        }
        let entry =
            |file: &str| json!({"text": "Hi.", "audioPath": path(file), "spokenBy": "me", "durationMs": 7});
        let listed = json!({"turns": {"turn_1": [entry("turn_1/a.wav")], "turn_2": [entry("turn_2/b.wav")]}});
        artifacts.write(&path("session.json"), listed.to_string().as_bytes(), |_| Ok(())).unwrap();
    }
    (folder, artifacts)
}

fn pass(artifacts: &Artifacts, keep: Duration) -> usize {
    let stopped = AtomicBool::new(false);
    Pass { artifacts, before: SystemTime::now() - keep, stopped: &stopped, removed: 0 }.run().unwrap()
}

fn listed(folder: &Path, session: &str) -> Value {
    let text = fs::read_to_string(folder.join(format!("tts/sessions/{session}/session.json"))).unwrap();
    serde_json::from_str::<Value>(&text).unwrap()["turns"].take()
}

#[test]
fn old_audio_goes_and_lists_say_so() {
    let (folder, artifacts) = sessions();
    assert_eq!(pass(&artifacts, 60 * DAY), 0);
    assert_eq!(pass(&artifacts, 30 * DAY), 3);
    let reason = "the audio is gone: it was older than audio is kept here";
    let gone = json!([{"text": "Hi.", "audioError": reason}]);
    assert_eq!(listed(folder.path(), "old"), json!({"turn_1": gone, "turn_2": gone}));
    let left = json!([{"text": "Hi.", "audioPath": "tts/sessions/new/turn_2/b.wav", "spokenBy": "me", "durationMs": 7}]);
    assert_eq!(listed(folder.path(), "new"), json!({"turn_1": gone, "turn_2": left}));
    let sessions = folder.path().join("tts/sessions");
    assert_eq!(entries(&sessions.join("old")).unwrap(), [sessions.join("old/session.json")]);
    assert!(artifacts.find("tts/sessions/new/turn_2/b.wav").is_ok());
    assert_eq!(pass(&artifacts, 30 * DAY), 0);
}

#[test]
fn what_no_list_names_goes_too_and_links_lead_nowhere() {
    let (folder, artifacts) = sessions();
    let elsewhere = tempfile::tempdir().unwrap();
    for place in [folder.path().join("loose.wav"), elsewhere.path().join("not-ours.wav")] {
        let file = File::create(place).unwrap();
        file.set_modified(SystemTime::now() - 40 * DAY).unwrap();
    }
    #[cfg(unix)]
    std::os::unix::fs::symlink(elsewhere.path(), folder.path().join("away")).unwrap();
    assert_eq!(pass(&artifacts, 30 * DAY), 4);
    assert!(elsewhere.path().join("not-ours.wav").is_file());
}

#[test]
fn a_pass_that_is_stopped_removes_nothing_more() {
    let (_folder, artifacts) = sessions();
    let stopped = AtomicBool::new(true);
    let pass = Pass { artifacts: &artifacts, before: SystemTime::now(), stopped: &stopped, removed: 0 };
    assert_eq!(pass.run().unwrap(), 0);
}

#[tokio::test]
async fn old_audio_that_is_shared_goes_too() {
    let objects = crate::artifacts::shared::tests::MemoryObjects::default();
    let old = SystemTime::now() - 40 * DAY;
    let list = json!({"turn_1": [{"text": "Hi.", "audioPath": "s/1/turn_1/a.wav"}]}).to_string();
    for (path, text, changed) in [
        ("loose.wav", "", old),
        ("s/1/session.json", list.as_str(), old),
        ("s/1/turn_1/a.wav", "", old),
        ("s/1/turn_1/b.wav", "", SystemTime::now()),
        ("s/10/a.wav", "", old),
        ("s/2/session.json", "{}", old),
    ] {
        objects.0.lock().unwrap().insert(path.to_owned(), (text.into(), changed));
    }
    assert_eq!(remove_old_shared(&objects, SystemTime::now() - 30 * DAY).await.unwrap(), 3);
    let files = objects.0.lock().unwrap().clone();
    let left: Vec<&str> = files.keys().map(String::as_str).collect();
    assert_eq!(left, ["s/1/session.json", "s/1/turn_1/b.wav", "s/2/session.json"]);
    let listed: Value = serde_json::from_slice(&files["s/1/session.json"].0).unwrap();
    assert!(listed["turn_1"][0]["audioError"].is_string(), "{listed}");
}
