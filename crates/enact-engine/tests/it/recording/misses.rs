//! What becomes of lines that cannot be spoken.

use std::{
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use super::{
    scene::{Scene, recorded},
    tones::Tones,
};
use enact_engine::recording::{Error, record_lines};
use tokio::time::Instant;

#[tokio::test(start_paused = true)]
async fn a_line_that_cannot_be_spoken_is_a_silence_that_can_be_read() {
    let scene = || {
        Scene::new()
            .says("alice", "Xyzzy is the word.")
            .says("bob", "Is it")
            .says("alice", "...")
            .says("bob", "Xyzzy again")
            .says("alice", "Yes")
    };
    let tones = Tones { cannot_say: Some("Xyzzy"), ..Tones::default() };
    let heard = recorded(scene(), tones).await.unwrap();
    let missed: Vec<(&str, &str)> =
        heard.recording.missed.iter().map(|missed| (missed.who.as_str(), missed.error.as_str())).collect();
    assert_eq!(missed, [("Alice", "no tone for that"), ("Bob", "no tone for that")]);
    assert_eq!(heard.captions.matches(" --> ").count(), 5, "{}", heard.captions);
    for silent in [0, 2, 3] {
        let line = heard.line(silent);
        assert!(line.iter().all(|sample| *sample == 0) && line.len() >= 800 * 16, "{silent}");
    }
    for heard in [heard.line(1), heard.line(4)] {
        assert!(
            heard[..100].iter().any(|sample| *sample != 0)
                && heard[heard.len() - 100..].iter().any(|s| *s != 0)
        );
    }
}

/// Each line takes ten milliseconds here: at the deadline, what was spoken by then is there.
#[tokio::test(start_paused = true)]
async fn lines_are_spoken_until_the_deadline() {
    let scene = (0..10).fold(Scene::new().says("bob", "Xyzzy"), |scene, _| scene.says("alice", "Yes"));
    let plan = scene.plan();
    let tones = || Arc::new(Tones { cannot_say: Some("Xyzzy"), ..Tones::default() });
    let until = Instant::now() + Duration::from_millis(45);
    let spoken = record_lines(&plan, tones(), usize::MAX, Some(until)).await.unwrap();
    assert_eq!((spoken.lines.len(), spoken.missing), (3, 8));
    let spoken = record_lines(&plan, tones(), usize::MAX, None).await.unwrap();
    assert_eq!((spoken.lines.len(), spoken.missing), (10, 1));
}

#[tokio::test(start_paused = true)]
async fn where_nothing_can_be_spoken_there_is_no_recording() {
    let scene = (0..100).fold(Scene::new(), |scene, _| scene.says("bob", "Xyzzy"));
    let tones = Tones { cannot_say: Some("Xyzzy"), ..Tones::default() };
    let calls = tones.calls.clone();
    let error = recorded(scene, tones).await.err().unwrap();
    assert_eq!(error.to_string(), "no line could be spoken: no tone for that");
    assert!(calls.load(Ordering::SeqCst) < 20, "it does not go on for ever");

    let nobody = Scene::new().says("alice", "...");
    assert!(matches!(recorded(nobody, Tones::default()).await.err(), Some(Error::NothingToSay)));
}
