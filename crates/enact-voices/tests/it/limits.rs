//! How much is said at one time, what is tried again, and how long a call waits.

use std::{sync::Arc, time::Duration};

use enact_drama::production::FailureKind;
use enact_engine::Voice;
use enact_testkit::{PATIENCE, in_time};
use enact_voices::{VoiceSettings, connect};
use fake_provider::{FakeSpeech, SpeechAnswer, SpeechApi, SpeechFault};
use tokio::{task::JoinSet, time::Instant};

use crate::{line, say, service, voice};

async fn say_all(voice: &Arc<dyn Voice>, count: usize) {
    let mut all = JoinSet::new();
    for number in 0..count {
        let voice = voice.clone();
        all.spawn(async move { voice.speak(line(&format!("Number {number}")), PATIENCE).await.unwrap() });
    }
    all.join_all().await;
}

#[tokio::test]
async fn a_service_is_never_asked_for_more_than_its_plan_allows() {
    for (api, allowed) in [(SpeechApi::ElevenLabs, 2), (SpeechApi::OpenAi, 6)] {
        let server = FakeSpeech::builder().after(Duration::from_millis(30)).at_once(allowed).start().await;
        say_all(&voice(&server, api), 13).await;
        // No call was rejected, and no permit was left unused.
        assert_eq!((server.asked().len(), server.most_at_once()), (13, allowed));
    }
}

#[tokio::test]
async fn limits_are_the_operators() {
    let server = FakeSpeech::builder().after(Duration::from_millis(50)).start().await;
    let settings = VoiceSettings {
        at_once: Some(5),
        ..VoiceSettings::new("studio", service(&server, SpeechApi::ElevenLabs))
    };
    say_all(&connect(settings).unwrap(), 11).await;
    assert_eq!(server.most_at_once(), 5);
    let none = VoiceSettings {
        at_once: Some(0),
        ..VoiceSettings::new("studio", service(&server, SpeechApi::ElevenLabs))
    };
    assert!(connect(none).is_err());
}

#[tokio::test]
async fn who_is_turned_away_queues_until_there_is_room() {
    for api in [SpeechApi::ElevenLabs, SpeechApi::OpenAi] {
        let server = FakeSpeech::builder().after(Duration::from_millis(20)).at_once(1).start().await;
        say_all(&voice(&server, api), 6).await;
        assert_eq!(server.most_at_once(), 1);
        assert!(server.asked().len() > 6, "no call was ever rejected");
    }
}

#[tokio::test]
async fn who_is_told_to_come_back_comes_back_as_often_as_it_takes() {
    const TIMES: usize = 5;
    for api in [SpeechApi::ElevenLabs, SpeechApi::OpenAi] {
        let script = |asked: &fake_provider::SpeechRequest| match asked.number {
            0..TIMES => SpeechAnswer::fault(SpeechFault::Busy(Some(Duration::ZERO))),
            _ => SpeechAnswer::default(),
        };
        let server = FakeSpeech::builder().script(script).start().await;
        assert!(say(&voice(&server, api), "Hello").await.is_ok());
        assert_eq!(server.asked().len(), TIMES + 1);
    }
}

#[tokio::test]
async fn hiccups_are_got_over() {
    for fault in
        [SpeechFault::Busy(None), SpeechFault::Status(500, None), SpeechFault::Cut, SpeechFault::Page(503)]
    {
        let first = fault.clone();
        let script = move |asked: &fake_provider::SpeechRequest| match asked.number {
            0 => SpeechAnswer::fault(first.clone()),
            _ => SpeechAnswer::default(),
        };
        let server = FakeSpeech::builder().script(script).start().await;
        say(&voice(&server, SpeechApi::ElevenLabs), "Hello")
            .await
            .unwrap_or_else(|failure| panic!("{fault:?}: {failure:?}"));
        assert_eq!(server.asked().len(), 2, "{fault:?}");
    }
}

#[tokio::test]
async fn what_will_not_pass_is_not_tried_again() {
    for fault in [
        SpeechFault::Status(401, None),
        SpeechFault::NoCredit,
        SpeechFault::Status(404, None),
        SpeechFault::Status(422, None),
        SpeechFault::Page(200),
        SpeechFault::Json,
        SpeechFault::Empty,
        SpeechFault::Silence,
    ] {
        let always = fault.clone();
        let server = FakeSpeech::builder().script(move |_| SpeechAnswer::fault(always.clone())).start().await;
        say(&voice(&server, SpeechApi::ElevenLabs), "Hello").await.unwrap_err();
        assert_eq!(server.asked().len(), 1, "{fault:?}");
    }
}

#[tokio::test]
async fn a_refused_key_is_remembered_for_a_while() {
    let server = FakeSpeech::builder().key("another").start().await;
    let voice = voice(&server, SpeechApi::ElevenLabs);
    for _ in 0..6 {
        let failure = say(&voice, "Hello").await.unwrap_err();
        assert_eq!(failure.kind, FailureKind::Auth);
        assert_eq!(failure.error, "the key was refused (401); check STUDIO_KEY");
    }
    assert_eq!(server.asked().len(), 1);
}

#[tokio::test]
async fn waiting_for_a_place_counts() {
    let server = FakeSpeech::builder().script(|_| SpeechAnswer::fault(SpeechFault::Hang)).start().await;
    let settings = VoiceSettings {
        at_once: Some(1),
        ..VoiceSettings::new("studio", service(&server, SpeechApi::OpenAi))
    };
    let voice = connect(settings).unwrap();
    let began = Instant::now();
    // The second has less of it: whether the first gives its place back before the second gives up is
    // not promised.
    let (timeout, less) = (Duration::from_secs(60), Duration::from_secs(30));
    // Once the first is being served nothing happens any more, so that time need not really pass.
    let served = async {
        server.wait_for_in_flight(1).await;
        tokio::time::pause();
    };
    let (first, second, ()) =
        tokio::join!(voice.speak(line("One"), timeout), voice.speak(line("Two"), less), served);
    let (first, second) = (first.unwrap_err(), second.unwrap_err());
    assert_eq!((first.kind, second.kind), (FailureKind::Timeout, FailureKind::Timeout));
    assert_eq!(first.error, "speech timeout after 60s");
    assert_eq!(second.error, "queue timeout after 30s: earlier lines were still being said");
    assert!(began.elapsed() <= timeout, "the second waited for the first, and then again");
    assert_eq!(server.asked().len(), 1);
}

#[tokio::test]
async fn the_operator_may_have_less_patience() {
    let server = FakeSpeech::builder().script(|_| SpeechAnswer::fault(SpeechFault::Hang)).start().await;
    let settings = VoiceSettings {
        timeout_ms: Some(100),
        ..VoiceSettings::new("studio", service(&server, SpeechApi::OpenAi))
    };
    let failure = say(&connect(settings).unwrap(), "Hello").await.unwrap_err();
    assert_eq!(failure.error, "speech timeout after 100ms");
}

#[tokio::test]
async fn who_no_longer_listens_costs_nothing() {
    let script = |asked: &fake_provider::SpeechRequest| match asked.number {
        0 => SpeechAnswer::fault(SpeechFault::Hang),
        _ => SpeechAnswer::default(),
    };
    let server = FakeSpeech::builder().script(script).start().await;
    let settings = VoiceSettings {
        at_once: Some(1),
        ..VoiceSettings::new("studio", service(&server, SpeechApi::ElevenLabs))
    };
    let voice = connect(settings).unwrap();
    let speaking = voice.clone();
    let call = tokio::spawn(async move { say(&speaking, "Hello").await });
    in_time(server.wait_for_in_flight(1)).await;
    call.abort();
    assert!(call.await.unwrap_err().is_cancelled());
    in_time(server.wait_until_idle()).await;
    assert_eq!(server.dropped(), 1, "the service has seen it go");
    assert!(say(&voice, "Goodbye").await.is_ok(), "its place is free");
    let asked: Vec<String> = server.asked().iter().map(|asked| asked.text().to_owned()).collect();
    assert_eq!(asked, ["Hello", "Goodbye"], "and it is not asked again");
}
