//! Voices as others use them: through the engine's port, against services that behave and misbehave, and real
//! programs.
#![allow(clippy::unwrap_used, reason = "a test may panic, and then it has failed")]

mod chains;
mod commands;
mod embedded;
mod limits;
mod misbehaving;
mod services;

use std::sync::Arc;

use enact_drama::{
    production::Failure,
    voice::{Utterance, VoiceProfile},
};
use enact_engine::{Voice, voice::Audio};
use enact_http::ApiKey;
use enact_testkit::PATIENCE;
use enact_voices::{ElevenLabsSettings, OpenAiSettings, VoiceService, VoiceSettings, connect};
use fake_provider::{FakeSpeech, SpeechApi};

const KEY: &str = "xi-0123456789-secret";

fn line(text: &str) -> Arc<Utterance> {
    spoken_as(text, VoiceProfile::FriendlyCasual, 0)
}

fn spoken_as(text: &str, profile: VoiceProfile, variant: u8) -> Arc<Utterance> {
    Arc::new(Utterance { text: text.to_owned(), meant: None, profile, variant })
}

async fn say(voice: &Arc<dyn Voice>, text: &str) -> Result<Audio, Failure> {
    voice.speak(line(text), PATIENCE).await
}

fn service(server: &FakeSpeech, api: SpeechApi) -> VoiceService {
    let (key, base_url) = (Some(ApiKey::new(KEY).from_variable("STUDIO_KEY")), Some(server.base_url()));
    match api {
        SpeechApi::ElevenLabs => {
            VoiceService::ElevenLabs(ElevenLabsSettings { key, base_url, ..ElevenLabsSettings::default() })
        }
        SpeechApi::OpenAi => {
            VoiceService::OpenAi(OpenAiSettings { key, base_url, ..OpenAiSettings::default() })
        }
    }
}

fn voice(server: &FakeSpeech, api: SpeechApi) -> Arc<dyn Voice> {
    connect(VoiceSettings::new("studio", service(server, api))).unwrap()
}

fn embedded() -> Arc<dyn Voice> {
    connect(VoiceSettings::new("embedded", VoiceService::Embedded)).unwrap()
}
