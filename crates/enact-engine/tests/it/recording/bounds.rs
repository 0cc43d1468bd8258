//! Long scenes, and files that are whole or not there.

use std::{
    fs,
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use enact_engine::recording::record;

use super::{
    scene::{Scene, left, read, recorded},
    tones::Tones,
};

#[tokio::test(start_paused = true)]
async fn only_a_few_lines_of_a_long_scene_are_in_memory() {
    let scene = (0..1_000).fold(Scene::new(), |scene, n| scene.says("bob", &format!("Line {n}")));
    let tones = Tones::default();
    let most = tones.most_in_flight.clone();
    let heard = recorded(scene, tones).await.unwrap();
    assert_eq!(heard.recording.heard.len(), 1_000);
    assert!((2..=8).contains(&most.load(Ordering::SeqCst)), "{most:?}");
    assert!(heard.recording.heard.windows(2).all(|pair| pair[0].end_ms <= pair[1].start_ms));
}

#[tokio::test(start_paused = true)]
async fn the_same_run_gives_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let plan = Scene::new().says("alice", "Once more").says("bob", "Gladly").plan();
    let mut files = Vec::new();
    for name in ["one.wav", "two.wav"] {
        let file = folder.path().join(name);
        let mut told = Vec::new();
        record(&plan, Arc::new(Tones::default()), &file, |done| told.push(done)).await.unwrap();
        assert_eq!(told, [1, 2]);
        files.push((fs::read(&file).unwrap(), fs::read(file.with_extension("vtt")).unwrap()));
    }
    assert!(files[0] == files[1]);
}

#[tokio::test(start_paused = true)]
async fn sound_and_captions_are_replaced_together_or_not_at_all() {
    for in_the_way in ["recording.wav", "recording.vtt"] {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for name in ["recording.wav", "recording.vtt"] {
            fs::write(path(name), "before").unwrap();
        }
        fs::remove_file(path(in_the_way)).unwrap();
        fs::create_dir(path(in_the_way)).unwrap();
        let plan = Scene::new().says("alice", "Hello").plan();
        let recorded = record(&plan, Arc::new(Tones::default()), &path("recording.wav"), |_| ()).await;
        let error = recorded.unwrap_err().to_string();
        assert_eq!(error, format!("could not write '{}'", path(in_the_way).display()));
        let other = if in_the_way == "recording.wav" { "recording.vtt" } else { "recording.wav" };
        assert_eq!(fs::read_to_string(path(other)).unwrap(), "before", "{in_the_way}");
        assert_eq!(left(&folder).len(), 2, "{in_the_way}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_folder_that_is_not_there_is_named_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("nowhere/recording.wav");
    let plan = Scene::new().says("alice", "Hello").plan();
    let error = record(&plan, Arc::new(Tones::default()), &file, |_| ()).await.unwrap_err();
    let told = format!("{error}: {}", std::error::Error::source(&error).unwrap());
    let told = told.replace(&folder.path().display().to_string(), "");
    assert!(told.contains("'/nowhere/recording.wav'") && !told.contains(".tmp"), "{told}");
}

#[tokio::test(start_paused = true)]
async fn a_recording_that_is_given_up_leaves_what_was_there() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("recording.wav");
    record(&Scene::new().says("alice", "First").plan(), Arc::new(Tones::default()), &file, |_| ())
        .await
        .unwrap();
    let before = read(&file);

    let plan = Scene::new().says("alice", "Second").says("bob", "Second").plan();
    let voice = Arc::new(Tones::default());
    let stopped = tokio::time::timeout(Duration::from_millis(1), record(&plan, voice, &file, |_| ())).await;
    assert!(stopped.is_err());
    let failing = Arc::new(Tones { cannot_say: Some("Second"), ..Tones::default() });
    record(&plan, failing, &file, |_| ()).await.unwrap_err();
    assert_eq!(read(&file), before);
    assert_eq!(left(&folder).len(), 2, "the recording and its captions, and nothing else");
}
