//! ElevenLabs.

use async_trait::async_trait;
use enact_drama::{Problem, voice::VoiceProfile};
use enact_http::AuthScheme;
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::{
    ElevenLabsSettings, VoiceNames,
    audio::{ExpectedFormat, SpokenAudio},
    error::Error,
    http_service::{HttpService, ServiceConfig},
    managed_voice::{SpeechText, TtsBackend},
    service_voices::choose_voice,
    text::split,
};

const USUAL_URL: &str = "https://api.elevenlabs.io";

/// The fast one: half the price, and the first word within a tenth of a second.
const DEFAULT_MODEL: &str = "eleven_flash_v2_5";

/// What is asked for: bare samples, which need no decoder, at the highest rate that every plan allows.
const FORMAT: &str = "pcm_24000";
const RATE: u32 = 24_000;

/// What every model takes at one time; some take more.
const LONGEST_TEXT: usize = 5_000;

/// How near to the recorded speaker a voice stays.
const SIMILARITY: f64 = 0.75;

/// Voices of ElevenLabs.
#[derive(Debug)]
pub(crate) struct ElevenLabs {
    service: HttpService,
    model: String,
    voices: VoiceNames,
}

impl ElevenLabs {
    pub(crate) fn connect(name: &str, settings: ElevenLabsSettings) -> Result<ElevenLabs, Problem> {
        let service = HttpService::connect(ServiceConfig {
            name,
            base_url: settings.base_url.as_deref(),
            default_url: USUAL_URL,
            key: settings.key,
            key_variable: ElevenLabsSettings::KEY_VARIABLE,
            auth: AuthScheme::Header("xi-api-key"),
        })?;
        let model = settings.model.unwrap_or_else(|| DEFAULT_MODEL.to_owned());
        Ok(ElevenLabs { service, model, voices: settings.voices })
    }

    fn body(&self, text: &str, profile: VoiceProfile) -> Value {
        let (stability, style, speed) = voice_settings(profile);
        json!({
            "text": text,
            "model_id": self.model,
            "voice_settings": {
                "stability": stability,
                "similarity_boost": SIMILARITY,
                "style": style,
                "speed": speed,
                "use_speaker_boost": true,
            },
        })
    }
}

#[async_trait]
impl TtsBackend for ElevenLabs {
    fn description(&self) -> String {
        format!("elevenlabs, {}", self.model)
    }

    async fn say(&self, line: &SpeechText, until: Instant) -> Result<SpokenAudio, Error> {
        let voice = choose_voice(&self.voices, "elevenlabs", line);
        let mut url = self.service.at(&["text-to-speech", voice]);
        url.query_pairs_mut().append_pair("output_format", FORMAT);
        let mut whole = Vec::new();
        for part in split(&line.text, LONGEST_TEXT) {
            let body = self.body(part, line.profile);
            let audio = self.service.post(&url, &body, voice, until).await?;
            // A gateway may send another format, and says so.
            let expected = match audio.media_type.as_str() {
                "audio/mpeg" | "audio/mp3" => ExpectedFormat::WavOrBare(RATE),
                _ => ExpectedFormat::Bare(RATE),
            };
            whole.push((audio.bytes, expected));
        }
        Ok(SpokenAudio::Encoded(whole))
    }
}

/// Stability, style and speed.
fn voice_settings(profile: VoiceProfile) -> (f64, f64, f64) {
    match profile {
        VoiceProfile::FriendlyCasual => (0.45, 0.15, 1.0),
        VoiceProfile::WarmProfessional => (0.55, 0.10, 0.95),
        VoiceProfile::EnergeticUpbeat => (0.35, 0.25, 1.05),
        VoiceProfile::CalmSoothing => (0.65, 0.05, 0.92),
        VoiceProfile::ConfidentCharming => (0.50, 0.15, 0.98),
        VoiceProfile::PlayfulExpressive => (0.30, 0.30, 1.0),
    }
}
