//! OpenAI, and whoever speaks like it: many servers that run at home do.

use async_trait::async_trait;
use enact_drama::{Problem, voice::VoiceProfile};
use enact_http::AuthScheme;
use serde_json::json;
use tokio::time::Instant;

use crate::{
    Voices,
    booth::{Line, Speaker},
    error::Error,
    service::{HttpService, ServiceConfig},
    settings::{self, voice_of},
    sound::{Promise, Sound},
    text::parts,
};

const USUAL_URL: &str = "https://api.openai.com";

const USUAL_MODEL: &str = "gpt-4o-mini-tts";

/// What is taken at one time, in characters.
const LONGEST_TEXT: usize = 4_096;

/// What those call their answer who leave a WAV's header away, and the rate of what they send.
const BARE_TYPES: [&str; 3] = ["audio/pcm", "audio/x-pcm", "audio/l16"];
const BARE_RATE: u32 = 24_000;

/// Voices of a service that speaks like OpenAI.
#[derive(Debug)]
pub(crate) struct OpenAi {
    service: HttpService,
    model: String,
    voices: Voices,
}

impl OpenAi {
    pub(crate) fn connect(name: &str, settings: settings::OpenAi) -> Result<OpenAi, Problem> {
        let service = HttpService::connect(ServiceConfig {
            name,
            base_url: settings.base_url.as_deref(),
            usual_url: USUAL_URL,
            key: settings.key,
            key_variable: settings::OpenAi::KEY_VARIABLE,
            auth: AuthScheme::Bearer,
        })?;
        let model = settings.model.unwrap_or_else(|| USUAL_MODEL.to_owned());
        Ok(OpenAi { service, model, voices: settings.voices })
    }
}

#[async_trait]
impl Speaker for OpenAi {
    fn description(&self) -> String {
        format!("openai, {}", self.model)
    }

    async fn say(&self, line: &Line, until: Instant) -> Result<Sound, Error> {
        let voice = voice_of(&self.voices, public_voices, line);
        let url = self.service.at(&["audio", "speech"]);
        let mut whole = Vec::new();
        for part in parts(&line.text, LONGEST_TEXT) {
            let body = json!({
                "input": part,
                "model": self.model,
                "voice": voice,
                "response_format": "wav",
                "speed": speed(line.profile),
            });
            let sound = self.service.post(&url, &body, voice, until).await?;
            // Without a word to that effect any bytes at all would be samples, and noise.
            let promise = match BARE_TYPES.contains(&sound.media_type.as_str()) {
                true => Promise::Bare(BARE_RATE),
                false => Promise::Wav,
            };
            whole.push((sound.bytes, promise));
        }
        Ok(Sound::Sent(whole))
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

/// OpenAI's voices, by profile. The first of each are those that its older models have as well, and that others imitate.
fn public_voices(profile: VoiceProfile) -> &'static [&'static str] {
    match profile {
        VoiceProfile::FriendlyCasual => &["alloy", "coral"],
        VoiceProfile::WarmProfessional => &["ash", "marin"],
        VoiceProfile::EnergeticUpbeat => &["nova", "verse"],
        VoiceProfile::CalmSoothing => &["shimmer", "sage"],
        VoiceProfile::ConfidentCharming => &["onyx", "cedar"],
        VoiceProfile::PlayfulExpressive => &["fable", "ballad"],
    }
}
