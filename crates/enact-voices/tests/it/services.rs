//! What services are sent, and what becomes of what they send.

use std::collections::BTreeMap;

use enact_drama::voice::VoiceProfile;
use enact_testkit::PATIENCE;
use enact_voices::{OpenAiSettings, VoiceService, VoiceSettings, connect};
use expect_test::expect;
use fake_provider::{FakeSpeech, SpeechAnswer, SpeechApi, SpeechFault};

use crate::{KEY, line, say, spoken_as, voice};

#[tokio::test]
async fn elevenlabs_is_asked_as_it_wants_to_be() {
    let server = FakeSpeech::builder().key(KEY).start().await;
    let voice = voice(&server, SpeechApi::ElevenLabs);
    let audio = voice
        .speak(spoken_as("**Hello** there, 👋 you!", VoiceProfile::CalmSoothing, 0), PATIENCE)
        .await
        .unwrap();
    assert_eq!((audio.rate, audio.by.as_str()), (24_000, "studio (elevenlabs, eleven_flash_v2_5)"));
    assert!((1.0..2.0).contains(&audio.duration().as_secs_f64()));
    let asked = &server.asked()[0];
    expect!["/v1/text-to-speech/21m00Tcm4TlvDq8ikWAM?output_format=pcm_24000"].assert_eq(&asked.path);
    expect![[r#"
        {
          "text": "Hello there, you!",
          "model_id": "eleven_flash_v2_5",
          "voice_settings": {
            "stability": 0.65,
            "similarity_boost": 0.75,
            "style": 0.05,
            "speed": 0.92,
            "use_speaker_boost": true
          }
        }"#]]
    .assert_eq(&format!("{:#}", asked.body));
}

#[tokio::test]
async fn samples_without_a_header_are_announced_as_such() {
    // A tone; as a WAV it is none.
    let samples = || (0..24_000_u16).flat_map(|at| ((at % 100) << 7).to_le_bytes()).collect::<Vec<u8>>();
    for (media_type, expected) in [
        ("audio/pcm", None),
        ("audio/wav", Some("what came back is no audio that can be read: it is no WAV")),
        ("application/octet-stream", Some("what came back is no audio that can be read: it is no WAV")),
    ] {
        let script = move |_: &_| SpeechAnswer::fault(SpeechFault::Body(media_type, samples()));
        let server = FakeSpeech::builder().key(KEY).script(script).start().await;
        let failure = say(&voice(&server, SpeechApi::OpenAi), "Hello").await.err();
        assert_eq!(failure.map(|failure| failure.error).as_deref(), expected, "{media_type}");
    }
}

#[tokio::test]
async fn openai_is_asked_as_it_wants_to_be() {
    let server = FakeSpeech::builder().key(KEY).start().await;
    let voice = voice(&server, SpeechApi::OpenAi);
    let audio =
        voice.speak(spoken_as("Hello there", VoiceProfile::EnergeticUpbeat, 0), PATIENCE).await.unwrap();
    // Its header claims four gigabytes.
    assert_eq!((audio.rate, audio.by.as_str()), (24_000, "studio (openai, gpt-4o-mini-tts)"));
    let asked = &server.asked()[0];
    expect!["/v1/audio/speech"].assert_eq(&asked.path);
    expect![[r#"
        {
          "input": "Hello there",
          "model": "gpt-4o-mini-tts",
          "voice": "nova",
          "response_format": "wav",
          "speed": 1.05
        }"#]]
    .assert_eq(&format!("{:#}", asked.body));
}

#[tokio::test]
async fn profiles_and_variants_are_different_voices() {
    let server = FakeSpeech::start().await;
    for api in [SpeechApi::ElevenLabs, SpeechApi::OpenAi] {
        let voice = voice(&server, api);
        for profile in VoiceProfile::ALL {
            for variant in 0..2 {
                voice.speak(spoken_as("Hi", profile, variant), PATIENCE).await.unwrap();
            }
        }
        let mut voices: Vec<String> = server
            .asked()
            .iter()
            .filter(|asked| asked.api == api)
            .map(|asked| asked.voice().to_owned())
            .collect();
        voices.sort();
        voices.dedup();
        assert_eq!(voices.len(), 12, "{voices:?}");
    }
}

#[tokio::test]
async fn a_server_of_ones_own_has_its_own_names() {
    let server = FakeSpeech::start().await;
    let voices =
        BTreeMap::from([(VoiceProfile::FriendlyCasual, vec!["af_sky".to_owned(), "am_adam".to_owned()])]);
    let service = VoiceService::OpenAi(OpenAiSettings {
        base_url: Some(format!("{}/v1/", server.base_url())),
        model: Some("kokoro".to_owned()),
        voices,
        ..OpenAiSettings::default()
    });
    let voice = connect(VoiceSettings::new("home", service)).unwrap();
    for variant in 0..3 {
        voice.speak(spoken_as("Hi", VoiceProfile::FriendlyCasual, variant), PATIENCE).await.unwrap();
    }
    voice.speak(spoken_as("Hi", VoiceProfile::CalmSoothing, 0), PATIENCE).await.unwrap();
    let asked = server.asked();
    let voices: Vec<&str> = asked.iter().map(|asked| asked.voice()).collect();
    assert_eq!(voices, ["af_sky", "am_adam", "af_sky", "shimmer"]);
    assert_eq!(asked[0].body["model"], "kokoro");
    assert!(!asked[0].headers.contains_key("authorization"));
}

#[tokio::test]
async fn long_text_is_said_in_parts() {
    let server = FakeSpeech::start().await;
    let voice = voice(&server, SpeechApi::OpenAi);
    let text = "This is a sentence of some length. ".repeat(200);
    let audio = voice.speak(line(&text), PATIENCE).await.unwrap();
    let asked = server.asked();
    assert_eq!(asked.len(), 2);
    assert!(asked.iter().all(|asked| asked.text().ends_with('.') && asked.text().len() <= 4_096));
    assert!(audio.duration().as_secs() > 100);
}

#[tokio::test]
async fn text_without_words_is_not_sent() {
    let server = FakeSpeech::start().await;
    let voice = voice(&server, SpeechApi::ElevenLabs);
    let endless = "word ".repeat(10_000);
    for (text, expected) in [
        ("", "there is nothing in the text that can be said aloud"),
        (" ?! … \n", "there is nothing in the text that can be said aloud"),
        ("😀🎉", "there is nothing in the text that can be said aloud"),
        (endless.as_str(), "the text has 50000 characters; at most 10000 are said at one time"),
    ] {
        assert_eq!(say(&voice, text).await.unwrap_err().error, expected);
    }
    assert!(server.asked().is_empty());
}
