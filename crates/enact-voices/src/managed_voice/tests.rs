use std::sync::atomic::{AtomicUsize, Ordering};

use enact_drama::production::FailureKind;
use enact_http::Error as HttpError;
use tokio::time::{advance, sleep};

use super::*;
use crate::audio::Pcm;

/// Takes its time, then fails as it is told, or speaks.
#[derive(Debug)]
struct Slow {
    takes: Duration,
    error: Option<Error>,
    asked: Arc<AtomicUsize>,
}

#[async_trait]
impl TtsBackend for Slow {
    fn description(&self) -> String {
        "slow".to_owned()
    }

    async fn say(&self, _line: &SpeechText, _until: Instant) -> Result<SpokenAudio, Error> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        sleep(self.takes).await;
        match &self.error {
            Some(error) => Err(error.clone()),
            None => Ok(SpokenAudio::Pcm(Pcm { samples: vec![0.5; 8_000], rate: 8_000 })),
        }
    }
}

fn booth(error: Option<Error>, places: usize, timeout: Option<Duration>) -> (ManagedVoice, Arc<AtomicUsize>) {
    slow(1, error, places, timeout)
}

fn slow(
    seconds: u64,
    error: Option<Error>,
    places: usize,
    timeout: Option<Duration>,
) -> (ManagedVoice, Arc<AtomicUsize>) {
    let asked = Arc::new(AtomicUsize::new(0));
    let speaker = Slow { takes: Duration::from_secs(seconds), error, asked: asked.clone() };
    (ManagedVoice::new("one".to_owned(), Box::new(speaker), places, timeout), asked)
}

async fn say(booth: &ManagedVoice, timeout_ms: u64) -> Result<Audio, Failure> {
    let utterance =
        Utterance { text: "Hello".to_owned(), meant: None, profile: VoiceProfile::default(), variant: 0 };
    booth.speak(Arc::new(utterance), Duration::from_millis(timeout_ms)).await
}

fn refused() -> Error {
    HttpError::KeyRefused { status: 401, hint: "check it".to_owned() }.into()
}

#[tokio::test(start_paused = true)]
async fn what_lasts_is_not_tried_again_before_its_time() {
    let (booth, asked) = booth(Some(refused()), 1, None);
    // They wait in a row, and only the first finds out.
    let (first, second, third) = tokio::join!(say(&booth, 9_000), say(&booth, 9_000), say(&booth, 9_000));
    for failure in [first, second, third] {
        assert_eq!(failure.unwrap_err().kind, FailureKind::Auth);
    }
    assert_eq!(asked.load(Ordering::Relaxed), 1);
    advance(COOLDOWN).await;
    say(&booth, 9_000).await.unwrap_err();
    assert_eq!(asked.load(Ordering::Relaxed), 2);
}

#[tokio::test(start_paused = true)]
async fn what_may_be_better_next_time_is_tried_again() {
    for error in [
        HttpError::Server { status: 500 }.into(),
        Error::Silence,
        HttpError::Dropped.into(),
        Error::TooManyAtOnce { retry_after: None },
    ] {
        let (booth, asked) = booth(Some(error), 2, None);
        say(&booth, 9_000).await.unwrap_err();
        say(&booth, 9_000).await.unwrap_err();
        assert_eq!(asked.load(Ordering::Relaxed), 2);
    }
}

#[tokio::test(start_paused = true)]
async fn who_hangs_is_left_alone_for_a_while() {
    let (booth, asked) = slow(1_000, None, 6, None);
    let failure = say(&booth, 72_000).await.unwrap_err();
    assert_eq!(failure.error, "speech timeout after 72s");
    let began = Instant::now();
    let failure = say(&booth, 72_000).await.unwrap_err();
    assert_eq!((failure.kind, failure.error.as_str()), (FailureKind::Timeout, "speech timeout after 72s"));
    assert_eq!((asked.load(Ordering::Relaxed), began.elapsed()), (1, Duration::ZERO));
    advance(COOLDOWN).await;
    say(&booth, 72_000).await.unwrap_err();
    assert_eq!(asked.load(Ordering::Relaxed), 2);
}

#[tokio::test(start_paused = true)]
async fn who_had_little_time_does_not_hang() {
    // A short timeout.
    let (impatient, asked) = slow(1_000, None, 6, None);
    for _ in 0..2 {
        say(&impatient, 9_000).await.unwrap_err();
    }
    assert_eq!(asked.load(Ordering::Relaxed), 2);
    // One place: the second gets it late, and the third not at all.
    let (busy, asked) = slow(20, None, 1, None);
    let (first, second, third) = tokio::join!(say(&busy, 50_000), say(&busy, 25_000), say(&busy, 15_000));
    assert!(first.is_ok());
    assert_eq!(second.unwrap_err().error, "speech timeout after 25s");
    let third = third.unwrap_err();
    assert_eq!(
        (third.kind, third.error.as_str()),
        (FailureKind::Timeout, "queue timeout after 15s: earlier lines were still being said")
    );
    assert!(say(&busy, 30_000).await.is_ok(), "it is not said to hang");
    assert_eq!(asked.load(Ordering::Relaxed), 3);
}

#[tokio::test(start_paused = true)]
async fn calls_end_before_they_are_given_up() {
    for (call_ms, timeout_ms, took_ms, said) in [
        (800, None, 750, "speech timeout after 800ms"),
        (100, None, 90, "speech timeout after 100ms"),
        (9_000, Some(500), 500, "speech timeout after 500ms"),
        (800, Some(5_000), 750, "speech timeout after 800ms"),
    ] {
        let (booth, _) = booth(None, 1, timeout_ms.map(Duration::from_millis));
        let failure = say(&booth, call_ms).await.unwrap_err();
        assert_eq!((failure.kind, failure.error.as_str()), (FailureKind::Timeout, said));
        assert!(failure.took_ms.abs_diff(took_ms) <= 2, "{} ms instead of {took_ms}", failure.took_ms);
    }
    let (booth, _) = booth(None, 1, None);
    assert!(say(&booth, u64::MAX).await.is_ok());
}

#[tokio::test(start_paused = true)]
async fn only_so_many_speak_at_one_time() {
    let (booth, asked) = booth(None, 2, None);
    let began = Instant::now();
    let all = futures::future::join_all((0..6).map(|_| say(&booth, 9_000))).await;
    assert!(all.iter().all(Result::is_ok));
    assert_eq!((asked.load(Ordering::Relaxed), began.elapsed().as_secs()), (6, 3));
}
