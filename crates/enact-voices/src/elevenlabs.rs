//! ElevenLabs.

use async_trait::async_trait;
use enact_drama::{Problem, voice::VoiceProfile};
use enact_http::AuthScheme;
use serde_json::{Value, json};
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

const USUAL_URL: &str = "https://api.elevenlabs.io";

/// The fast one: half the price, and the first word within a tenth of a second.
const USUAL_MODEL: &str = "eleven_flash_v2_5";

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
    voices: Voices,
}

impl ElevenLabs {
    pub(crate) fn connect(name: &str, settings: settings::ElevenLabs) -> Result<ElevenLabs, Problem> {
        let service = HttpService::connect(ServiceConfig {
            name,
            base_url: settings.base_url.as_deref(),
            usual_url: USUAL_URL,
            key: settings.key,
            key_variable: settings::ElevenLabs::KEY_VARIABLE,
            auth: AuthScheme::Header("xi-api-key"),
        })?;
        let model = settings.model.unwrap_or_else(|| USUAL_MODEL.to_owned());
        Ok(ElevenLabs { service, model, voices: settings.voices })
    }

    fn body(&self, text: &str, profile: VoiceProfile) -> Value {
        let (stability, style, speed) = manner(profile);
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
impl Speaker for ElevenLabs {
    fn description(&self) -> String {
        format!("elevenlabs, {}", self.model)
    }

    async fn say(&self, line: &Line, until: Instant) -> Result<Sound, Error> {
        let voice = voice_of(&self.voices, public_voices, line);
        let mut url = self.service.at(&["text-to-speech", voice]);
        url.query_pairs_mut().append_pair("output_format", FORMAT);
        let mut whole = Vec::new();
        for part in parts(&line.text, LONGEST_TEXT) {
            let body = self.body(part, line.profile);
            let sound = self.service.post(&url, &body, voice, until).await?;
            // A gateway may send what it likes best, and says so.
            let promise = match sound.media_type.as_str() {
                "audio/mpeg" | "audio/mp3" => Promise::WavOrBare(RATE),
                _ => Promise::Bare(RATE),
            };
            whole.push((sound.bytes, promise));
        }
        Ok(Sound::Sent(whole))
    }
}

/// Stability, style and speed.
fn manner(profile: VoiceProfile) -> (f64, f64, f64) {
    match profile {
        VoiceProfile::FriendlyCasual => (0.45, 0.15, 1.0),
        VoiceProfile::WarmProfessional => (0.55, 0.10, 0.95),
        VoiceProfile::EnergeticUpbeat => (0.35, 0.25, 1.05),
        VoiceProfile::CalmSoothing => (0.65, 0.05, 0.92),
        VoiceProfile::ConfidentCharming => (0.50, 0.15, 0.98),
        VoiceProfile::PlayfulExpressive => (0.30, 0.30, 1.0),
    }
}

/// The voices that every account has, by profile: first the one that the profile was made for, then others like it.
fn public_voices(profile: VoiceProfile) -> &'static [&'static str] {
    const JESSICA: &str = "cgSgspJ2msm6clMCkdW9";
    const CHRIS: &str = "iP95p4xoKVk53GoZ742B";
    const ERIC: &str = "cjVigY5qzO86Huf0OWal";
    const MATILDA: &str = "XrExE9yKIg1WjnnlVkGX";
    const LAURA: &str = "FGY2WhTYpPnrIDTdsKH5";
    const LIAM: &str = "TX3LPaxmHKxFdv7VOQHJ";
    const RACHEL: &str = "21m00Tcm4TlvDq8ikWAM";
    const LILY: &str = "pFZP5JQG7iQjIQuC4Bku";
    const GEORGE: &str = "JBFqnCBsd6RMkjVDRZzb";
    const ALICE: &str = "Xb7hH8MSUJpSbSDYk0k2";
    const SARAH: &str = "EXAVITQu4vr4xnSDxMaL";
    const WILL: &str = "bIHbv24MWmeRgasZH58o";
    match profile {
        VoiceProfile::FriendlyCasual => &[JESSICA, CHRIS],
        VoiceProfile::WarmProfessional => &[ERIC, MATILDA],
        VoiceProfile::EnergeticUpbeat => &[LAURA, LIAM],
        VoiceProfile::CalmSoothing => &[RACHEL, LILY],
        VoiceProfile::ConfidentCharming => &[GEORGE, ALICE],
        VoiceProfile::PlayfulExpressive => &[SARAH, WILL],
    }
}
