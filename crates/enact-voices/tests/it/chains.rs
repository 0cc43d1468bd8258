//! Several voices in turn.

use std::time::Duration;

use enact_drama::production::FailureKind;
use enact_voices::chain;
use expect_test::expect;
use fake_provider::{FakeSpeech, SpeechAnswer, SpeechApi, SpeechFault};

use crate::{embedded, line, say, voice};

async fn broken(fault: SpeechFault) -> FakeSpeech {
    FakeSpeech::builder().script(move |_| SpeechAnswer::fault(fault.clone())).start().await
}

#[tokio::test]
async fn the_first_who_can_speaks() {
    let server = FakeSpeech::start().await;
    let chain = chain(vec![voice(&server, SpeechApi::ElevenLabs), embedded()]);
    expect!["studio (elevenlabs, eleven_flash_v2_5), then embedded (flite, kal16)"]
        .assert_eq(&chain.description());
    let audio = say(&chain, "Hello").await.unwrap();
    assert_eq!((audio.by.as_str(), audio.passed_over.len()), ("studio (elevenlabs, eleven_flash_v2_5)", 0));
}

#[tokio::test]
async fn who_could_not_is_named() {
    let (refusing, silent) =
        (broken(SpeechFault::Status(401, None)).await, broken(SpeechFault::Silence).await);
    let chain =
        chain(vec![voice(&refusing, SpeechApi::ElevenLabs), voice(&silent, SpeechApi::OpenAi), embedded()]);
    for _ in 0..3 {
        let audio = say(&chain, "Hello").await.unwrap();
        assert_eq!(audio.by, "embedded (flite, kal16)");
        let passed_over: Vec<String> =
            audio.passed_over.iter().map(|over| format!("{}: {}", over.voice, over.error)).collect();
        assert_eq!(
            passed_over,
            [
                "studio (elevenlabs, eleven_flash_v2_5): the key was refused (401); check STUDIO_KEY",
                "studio (openai, gpt-4o-mini-tts): what came back is silence",
            ]
        );
    }
    assert_eq!((refusing.asked().len(), silent.asked().len()), (1, 3));
}

#[tokio::test]
async fn a_voice_that_stalls_leaves_time_for_the_next() {
    let stalled = broken(SpeechFault::Hang).await;
    let chain = chain(vec![voice(&stalled, SpeechApi::ElevenLabs), embedded()]);
    let audio = chain.speak(line("Hello"), Duration::from_secs(5)).await.unwrap();
    assert_eq!(audio.by, "embedded (flite, kal16)");
    expect!["speech timeout after 3s"].assert_eq(&audio.passed_over[0].error);
}

#[tokio::test]
async fn when_no_voice_can_speak_all_are_named() {
    let (refusing, silent) =
        (broken(SpeechFault::Status(401, None)).await, broken(SpeechFault::Silence).await);
    let chain = chain(vec![voice(&refusing, SpeechApi::ElevenLabs), voice(&silent, SpeechApi::OpenAi)]);
    let failure = say(&chain, "Hello").await.unwrap_err();
    assert_eq!(failure.kind, FailureKind::Empty);
    expect!["studio (elevenlabs, eleven_flash_v2_5): the key was refused (401); check STUDIO_KEY; studio (openai, gpt-4o-mini-tts): what came back is silence"].assert_eq(&failure.error);
}

#[tokio::test]
async fn text_without_words_is_no_failure_of_a_voice() {
    let server = FakeSpeech::start().await;
    let chain = chain(vec![voice(&server, SpeechApi::ElevenLabs), embedded()]);
    let failure = say(&chain, "…!").await.unwrap_err();
    expect!["there is nothing in the text that can be said aloud"].assert_eq(&failure.error);
}

#[tokio::test]
async fn an_empty_chain_says_so() {
    let failure = say(&chain(vec![]), "Hello").await.unwrap_err();
    expect!["there is no voice to speak with"].assert_eq(&failure.error);
}
