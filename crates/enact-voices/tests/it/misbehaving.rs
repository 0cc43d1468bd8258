//! Services that misbehave: each way is a failure of one clear line, and never the key.

use std::time::Duration;

use enact_drama::production::FailureKind;
use enact_voices::{VoiceSettings, connect};
use expect_test::{Expect, expect};
use fake_provider::{FakeSpeech, SpeechAnswer, SpeechApi, SpeechFault};
use futures::future::join_all;

use crate::{KEY, line, service};

/// Enough for all tries and the pauses between them, and soon over for those who wait for nothing.
const PATIENCE: Duration = Duration::from_secs(4);

/// Plays a fault against both services, and says how each failed.
async fn failures(fault: SpeechFault, timeout: Duration) -> String {
    let failed = async |api: SpeechApi| {
        let fault = fault.clone();
        let server =
            FakeSpeech::builder().key(KEY).script(move |_| SpeechAnswer::fault(fault.clone())).start().await;
        let voice = connect(VoiceSettings::new("studio", service(&server, api))).unwrap();
        let failure = voice.speak(line("Hello there"), timeout).await.unwrap_err();
        let error = failure.error.replace(&server.base_url(), "<server>");
        assert!(!error.contains(KEY) && !error.contains('\n'), "{error}");
        format!("{}: {error}\n", failure.kind.as_str())
    };
    let (first, second) = tokio::join!(failed(SpeechApi::ElevenLabs), failed(SpeechApi::OpenAi));
    first + &second
}

#[tokio::test]
async fn every_misfortune_has_its_line() {
    let mp3 = SpeechFault::Body("audio/mpeg", b"\xff\xfb\x90\x00and so on".to_vec());
    let text = SpeechFault::Body("text/plain", b"come back\ntomorrow".to_vec());
    let table: Vec<(SpeechFault, Expect)> = vec![
        (
            SpeechFault::Status(401, None),
            expect![[r#"
            auth: the key was refused (401); check STUDIO_KEY
            auth: the key was refused (401); check STUDIO_KEY
        "#]],
        ),
        (
            SpeechFault::NoCredit,
            expect![[r#"
            other: the account has no credit left
            other: the account has no credit left
        "#]],
        ),
        (
            SpeechFault::Status(404, None),
            expect![[r#"
            other: there is no voice 'cgSgspJ2msm6clMCkdW9' (404); check 'voices' and 'model'
            other: there is no voice 'alloy' (404); check 'voices' and 'model'
        "#]],
        ),
        (
            SpeechFault::Status(403, None),
            expect![[r#"
            auth: the key was refused (403); check STUDIO_KEY
            auth: the key was refused (403); check STUDIO_KEY
        "#]],
        ),
        (
            SpeechFault::Status(500, None),
            expect![[r#"
            server_error: server error (500), try again later
            server_error: server error (500), try again later
        "#]],
        ),
        (
            SpeechFault::Status(503, Some(Duration::from_secs(40))),
            expect![[r#"
            overloaded: overloaded (503), asked to wait 40s
            overloaded: overloaded (503), asked to wait 40s
        "#]],
        ),
        (
            SpeechFault::Status(422, None),
            expect![[r#"
            other: the request was rejected (422): Something went wrong.
            other: the request was rejected (422): The server had an error.
        "#]],
        ),
        (
            SpeechFault::Busy(None),
            expect![[r#"
            overloaded: overloaded (429), try again later
            rate_limited: too many requests (429), try again later
        "#]],
        ),
        (
            SpeechFault::Crowded,
            expect![[r#"
            rate_limited: too many lines at one time (429); lower 'at_once', or take a larger plan
            rate_limited: too many requests (429), try again later
        "#]],
        ),
        (
            SpeechFault::RepeatKey,
            expect![[r#"
            other: the request was rejected (400): no, not with the key …
            other: the request was rejected (400): no, not with the key …
        "#]],
        ),
        (
            SpeechFault::Page(502),
            expect![[r#"
            server_error: server error (502), try again later
            server_error: server error (502), try again later
        "#]],
        ),
        (
            SpeechFault::Page(404),
            expect![[r#"
            other: not found at this address (404); is 'base_url' right?
            other: not found at this address (404); is 'base_url' right?
        "#]],
        ),
        (
            SpeechFault::Page(200),
            expect![[r#"
            other: what came back is no audio but a web page; is 'base_url' right?
            other: what came back is no audio but a web page; is 'base_url' right?
        "#]],
        ),
        (
            SpeechFault::Json,
            expect![[r#"
            other: what came back is no audio but an error: the voice has lost its tongue
            other: what came back is no audio but an error: the voice has lost its tongue
        "#]],
        ),
        (
            text,
            expect![[r#"
            other: what came back is no audio but text: come back tomorrow
            other: what came back is no audio but text: come back tomorrow
        "#]],
        ),
        (
            mp3,
            expect![[r#"
            other: what came back is no audio that can be read: it is MP3, and only WAV is understood
            other: what came back is no audio that can be read: it is MP3, and only WAV is understood
        "#]],
        ),
        (
            SpeechFault::Redirect("http://127.0.0.1:9/elsewhere".to_owned()),
            expect![[r#"
            other: redirected (307), which is not followed; give the final address as 'base_url'
            other: redirected (307), which is not followed; give the final address as 'base_url'
        "#]],
        ),
        (
            SpeechFault::Cut,
            expect![[r#"
            connection: the connection closed before the answer was complete
            connection: the connection closed before the answer was complete
        "#]],
        ),
        (
            SpeechFault::Empty,
            expect![[r#"
            empty: what came back was empty
            empty: what came back was empty
        "#]],
        ),
        (
            SpeechFault::Silence,
            expect![[r#"
            empty: what came back is silence
            empty: what came back is silence
        "#]],
        ),
        (
            SpeechFault::Hang,
            expect![[r#"
            timeout: speech timeout after 4s
            timeout: speech timeout after 4s
        "#]],
        ),
        (
            SpeechFault::HangMidway,
            expect![[r#"
            timeout: speech timeout after 4s
            timeout: speech timeout after 4s
        "#]],
        ),
    ];
    // All at one time, because some take theirs.
    let (faults, expected): (Vec<SpeechFault>, Vec<Expect>) = table.into_iter().unzip();
    let told = join_all(faults.into_iter().map(|fault| failures(fault, PATIENCE))).await;
    for (told, expected) in told.iter().zip(expected) {
        expected.assert_eq(told);
    }
}

#[tokio::test]
async fn half_a_sample_is_noticed() {
    let server = FakeSpeech::builder().script(|_| SpeechAnswer::fault(SpeechFault::Odd)).start().await;
    let voice = crate::voice(&server, SpeechApi::ElevenLabs);
    let failure = crate::say(&voice, "Hello").await.unwrap_err();
    expect!["what came back is no audio that can be read: it ends in the middle of a sample"]
        .assert_eq(&failure.error);
}

#[tokio::test]
async fn sound_without_an_end_is_cut_short() {
    let told = failures(SpeechFault::Endless, Duration::from_secs(60)).await;
    expect![[r#"
        other: what came back was longer than 64 MB
        other: what came back was longer than 64 MB
    "#]]
    .assert_eq(&told);
}

#[tokio::test]
async fn a_service_that_is_not_there_is_said_to_be_so() {
    let server = FakeSpeech::start().await;
    let voice = crate::voice(&server, SpeechApi::OpenAi);
    let address = server.base_url();
    drop(server);
    let failure = voice.speak(line("Hello"), PATIENCE).await.unwrap_err();
    assert_eq!(failure.kind, FailureKind::Connection);
    expect!["cannot be reached at <server> (connection refused)"]
        .assert_eq(&failure.error.replace(&address, "<server>"));
}
