//! The embedded voice, heard through the engine's port.

use std::time::Duration;

use enact_drama::voice::VoiceProfile;
use enact_engine::voice::Audio;
use enact_testkit::PATIENCE;
use expect_test::expect;

use crate::{embedded, line, say, spoken_as};

fn power(audio: &Audio) -> f64 {
    let sum: f64 = audio.samples.iter().map(|&sample| (f64::from(sample) / 32_768.0).powi(2)).sum();
    sum / audio.samples.len() as f64
}

#[tokio::test]
async fn it_is_heard_and_takes_as_long_as_people_do() {
    for (text, words) in [
        ("Yes.", 1.0),
        ("I would rather stay.", 4.0),
        ("In 1984, it cost $5.50, and at 10:30 we had 3 of them; Dr. Smith said so.", 27.0),
        ("Nobody came to the station that morning, except for an old man with a very small dog.", 17.0),
    ] {
        for profile in VoiceProfile::ALL {
            let audio = embedded().speak(spoken_as(text, profile, 0), PATIENCE).await.unwrap();
            assert_eq!((audio.rate, audio.by.as_str()), (16_000, "embedded (flite, kal16)"));
            let per_word = audio.duration().as_secs_f64() / words;
            assert!((0.18..0.9).contains(&per_word), "{text} {profile:?}: {per_word} s a word");
            assert!(power(&audio) > 1e-3, "{text} {profile:?}: {}", power(&audio));
        }
    }
}

#[tokio::test]
async fn the_same_words_sound_the_same() {
    let (voice, text) = (embedded(), "The same words.");
    assert_eq!(say(&voice, text).await.unwrap(), say(&voice, text).await.unwrap());
}

#[tokio::test]
async fn markup_is_not_read_out() {
    let voice = embedded();
    let plain = say(&voice, "Look at this.").await.unwrap();
    assert_eq!(
        say(&voice, "**Look** at [this](https://example.com/x?y=z). 😀").await.unwrap().samples,
        plain.samples
    );
}

#[tokio::test]
async fn other_languages_are_spelled_or_refused() {
    let voice = embedded();
    for text in ["Où est le café, señor?", "Привет, как дела?", "Καλημέρα σας"] {
        assert!(say(&voice, text).await.is_ok(), "{text}");
    }
    for text in ["こんにちは、元気ですか", "你好", "مرحبا"] {
        let failure = say(&voice, text).await.unwrap_err();
        expect!["the text is in letters that this voice cannot read; it speaks English"]
            .assert_eq(&failure.error);
    }
}

#[tokio::test]
async fn long_and_strange_text_is_said() {
    let voice = embedded();
    let long = "and then another word ".repeat(100);
    assert!(say(&voice, &long).await.unwrap().duration() > Duration::from_secs(75));
    for text in [
        "a".repeat(1_500),
        "7".repeat(300),
        "A.B.C. ".repeat(100),
        "-1e9, 0x1F; $$$ 5% @home #1 ~x^2".to_owned(),
    ] {
        assert!(say(&voice, &text).await.is_ok(), "{}", &text[..20]);
    }
}

#[tokio::test]
async fn no_call_takes_longer_than_its_timeout() {
    let failure = embedded().speak(line(&"word ".repeat(1_900)), Duration::ZERO).await.unwrap_err();
    expect!["speech timeout after 0s"].assert_eq(&failure.error);
}
