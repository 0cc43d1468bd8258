//! OpenAI, and servers with the same interface: many that run at home have it.

use async_trait::async_trait;
use enact_drama::{Problem, voice::VoiceProfile};
use enact_http::AuthScheme;
use serde_json::json;
use tokio::time::Instant;

use crate::{
    OpenAiSettings, VoiceNames,
    audio::{ExpectedFormat, SpokenAudio},
    error::Error,
    http_service::{HttpService, ServiceConfig},
    managed_voice::{SpeechText, TtsBackend},
    service_voices::choose_voice,
    text::split,
};

const USUAL_URL: &str = "https://api.openai.com";

const DEFAULT_MODEL: &str = "gpt-4o-mini-tts";

/// What is taken at one time, in characters.
const LONGEST_TEXT: usize = 4_096;

/// Media types of bare samples, without a WAV's header, and their rate.
const BARE_TYPES: [&str; 3] = ["audio/pcm", "audio/x-pcm", "audio/l16"];
const BARE_RATE: u32 = 24_000;

/// Voices of a service with OpenAI's interface.
#[derive(Debug)]
pub(crate) struct OpenAi {
    service: HttpService,
    model: String,
    voices: VoiceNames,
}

impl OpenAi {
    pub(crate) fn connect(name: &str, settings: OpenAiSettings) -> Result<OpenAi, Problem> {
        let service = HttpService::connect(ServiceConfig {
            name,
            base_url: settings.base_url.as_deref(),
            default_url: USUAL_URL,
            key: settings.key,
            key_variable: OpenAiSettings::KEY_VARIABLE,
            auth: AuthScheme::Bearer,
        })?;
        let model = settings.model.unwrap_or_else(|| DEFAULT_MODEL.to_owned());
        Ok(OpenAi { service, model, voices: settings.voices })
    }
}

#[async_trait]
impl TtsBackend for OpenAi {
    fn description(&self) -> String {
        format!("openai, {}", self.model)
    }

    async fn say(&self, line: &SpeechText, until: Instant) -> Result<SpokenAudio, Error> {
        let voice = choose_voice(&self.voices, "openai", line);
        let url = self.service.at(&["audio", "speech"]);
        let mut whole = Vec::new();
        for part in split(&line.text, LONGEST_TEXT) {
            let body = json!({
                "input": part,
                "model": self.model,
                "voice": voice,
                "response_format": "wav",
                "speed": speed(line.profile),
            });
            let audio = self.service.post(&url, &body, voice, until).await?;
            // Only if the service says so: otherwise any bytes would be taken for samples, and be noise.
            let expected = match BARE_TYPES.contains(&audio.media_type.as_str()) {
                true => ExpectedFormat::Bare(BARE_RATE),
                false => ExpectedFormat::Wav,
            };
            whole.push((audio.bytes, expected));
        }
        Ok(SpokenAudio::Encoded(whole))
    }
}

fn speed(profile: VoiceProfile) -> f64 {
    match profile {
        VoiceProfile::FriendlyCasual | VoiceProfile::PlayfulExpressive => 1.0,
        VoiceProfile::WarmProfessional => 0.95,
        VoiceProfile::EnergeticUpbeat => 1.05,
        VoiceProfile::CalmSoothing => 0.92,
        VoiceProfile::ConfidentCharming => 0.98,
    }
}
