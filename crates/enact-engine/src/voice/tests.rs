use std::{fs, sync::Mutex};

use async_trait::async_trait;
use enact_drama::{
    CallId,
    voice::{PassedOver, Utterance, VoiceProfile},
};
use expect_test::expect;
use tokio::sync::oneshot;

use super::*;

const PATH: &str = "tts/sessions/1/turn_1/slot-1_agent_calm_soothing.wav";

/// What a voice does when it is asked.
#[derive(Debug)]
enum Does {
    Says(Audio),
    Fails(&'static str),
    Hangs,
    Panics,
    /// Until this is dropped.
    HangsHolding(Mutex<Option<oneshot::Sender<()>>>),
}

#[async_trait]
impl Voice for Does {
    fn description(&self) -> String {
        "a voice".into()
    }

    async fn speak(&self, utterance: Arc<Utterance>, timeout: Duration) -> Result<Audio, Failure> {
        assert_eq!((utterance.text.as_str(), timeout), ("Hello.", Duration::from_secs(2)));
        match self {
            Does::Says(audio) => Ok(audio.clone()),
            Does::Fails(why) => Err(Failure::new(*why)),
            Does::Hangs => std::future::pending().await,
            Does::Panics => panic!("oh"),
            Does::HangsHolding(held) => {
                let _held = held.lock().unwrap().take();
                std::future::pending().await
            }
        }
    }
}

fn tone(seconds: u32) -> Audio {
    let rate = 8_000;
    let samples = (0..seconds * rate).map(|n| if n % 80 < 40 { 4_000 } else { -4_000 }).collect();
    Audio { samples, rate, by: "a voice".into(), passed_over: vec![] }
}

fn speak() -> Speak {
    let utterance =
        Utterance { text: "Hello.".into(), meant: None, profile: VoiceProfile::CalmSoothing, variant: 0 };
    Speak { call: CallId(7), utterance: Arc::new(utterance), path: PATH.into(), timeout_ms: 2_000 }
}

fn speech(does: Does) -> (tempfile::TempDir, SpeechRecorder) {
    let folder = tempfile::tempdir().unwrap();
    let artifacts = Artifacts::in_folder(folder.path());
    (folder, SpeechRecorder { voice: Arc::new(does), artifacts })
}

#[tokio::test]
async fn what_is_said_lies_in_its_file_and_who_said_it_is_told() {
    let passed_over = vec![PassedOver { voice: "first".into(), error: "was busy".into() }];
    let audio = Audio { passed_over: passed_over.clone(), ..tone(1) };
    let (_folder, speech) = speech(Does::Says(audio));
    // A resumed run says the same again.
    for _ in 0..2 {
        let spoken = speech.record(&speak()).await.unwrap();
        let file = speech.artifacts.find(PATH).unwrap();
        assert_eq!(spoken.bytes, fs::metadata(&file).unwrap().len());
        assert_eq!((spoken.duration_ms, spoken.by.as_str()), (1_000, "a voice"));
        assert_eq!(spoken.passed_over, passed_over);
        assert_eq!(hound::WavReader::open(file).unwrap().duration(), 8_000);
    }
}

/// A process that was frozen may come back when another has said the same, and told everybody how long it is.
#[tokio::test]
async fn what_can_be_heard_already_stays_as_it_was() {
    let (_folder, mut speech) = speech(Does::Says(tone(1)));
    let first = speech.record(&speak()).await.unwrap();
    let file = speech.artifacts.find(PATH).unwrap();
    let bytes = fs::read(&file).unwrap();
    speech.voice = Arc::new(Does::Says(tone(2)));
    assert_eq!(speech.record(&speak()).await.unwrap(), first);
    assert_eq!(fs::read(&file).unwrap(), bytes);
    // What breaks off was never announced.
    fs::write(&file, &bytes[..bytes.len() / 2]).unwrap();
    assert_eq!(speech.record(&speak()).await.unwrap().duration_ms, 2_000);
    assert_eq!(hound::WavReader::open(file).unwrap().duration(), 16_000);
}

#[tokio::test(start_paused = true)]
async fn whatever_a_voice_does_costs_one_recording() {
    let quiet = Audio { samples: vec![SILENCE as i16, -(SILENCE as i16), 0], ..tone(1) };
    let endless = Audio { samples: vec![i16::MIN; 601], rate: 1, ..tone(1) };
    let cases = [
        Does::Fails("the key was refused"),
        Does::Hangs,
        Does::Panics,
        Does::Says(Audio { samples: vec![], ..tone(1) }),
        Does::Says(Audio { rate: 0, ..tone(1) }),
        Does::Says(quiet),
        Does::Says(endless),
    ];
    let mut told = String::new();
    for does in cases {
        let (folder, speech) = speech(does);
        let failure = speech.record(&speak()).await.unwrap_err();
        told += &format!("{}: {}\n", failure.kind.as_str(), failure.error);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "{told}");
    }
    expect![[r#"
        other: the key was refused
        timeout: speech timeout after 2s
        other: the voice panicked
        empty: a voice gave no audio
        empty: a voice gave no audio
        empty: a voice gave silence
        other: a voice gave far more audio than its text has words for
    "#]]
    .assert_eq(&told);
}

#[tokio::test]
async fn a_folder_that_cannot_be_written_to_costs_the_audio_and_says_why() {
    let (folder, mut speech) = speech(Does::Says(tone(1)));
    fs::write(folder.path().join("tts"), "in the way").unwrap();
    let failure = speech.record(&speak()).await.unwrap_err();
    assert!(failure.error.starts_with("the audio could not be kept: tts/sessions/1/"), "{}", failure.error);
    speech.artifacts = Artifacts::in_folder(folder.path().join("tts/artifacts"));
    assert!(speech.record(&speak()).await.is_err());
    assert!(speech.artifacts.write_text("tts/session.json", "{}".into()).await.is_err());
}

#[tokio::test]
async fn dropping_a_recording_drops_the_call() {
    let (holds, held) = oneshot::channel();
    let (folder, speech) = speech(Does::HangsHolding(Mutex::new(Some(holds))));
    let recording = tokio::spawn(async move { speech.record(&speak()).await });
    tokio::task::yield_now().await;
    recording.abort();
    held.await.unwrap_err();
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn what_nobody_waits_for_any_more_is_not_kept() {
    let folder = tempfile::tempdir().unwrap();
    let artifacts = Artifacts::in_folder(folder.path());
    let failure = keep(&artifacts, PATH, tone(1), &Weak::new()).unwrap_err();
    assert!(failure.error.ends_with("it is no longer wanted"), "{}", failure.error);
    assert!(artifacts.find(PATH).is_err());
}

#[tokio::test]
async fn notes_are_replaced() {
    let (_folder, speech) = speech(Does::Hangs);
    for text in ["{}", "{\"turns\":{}}"] {
        speech.artifacts.write_text("tts/session.json", text.into()).await.unwrap();
        let file = speech.artifacts.find("tts/session.json").unwrap();
        assert_eq!(fs::read_to_string(file).unwrap(), text);
    }
}
