//! What speaks: the embedded voice, services, other programs, and chains of them.
//!
//! All are voices behind the engine's [`Voice`](enact_engine::Voice) port and know nothing of choruses,
//! scenes or files. Nothing here looks for a key or an address: [`VoiceSettings`] arrive as data, from the
//! operator. Only `command/environment` looks at the variables, in order to hide them from programs.
//!
//! Read in this order: [`VoiceSettings`] and [`connect()`]; `managed_voice`, which every line passes through
//! (queue, deadline, loudness); the four backends (`embedded`, `elevenlabs`, `openai`, `command`), of which
//! two share `http_service`; `service_voices`, which picks a service's voice for a profile; then [`chain()`],
//! which tries voices in turn. `text` makes written text fit to be spoken, `audio` and `wav_decode` read what
//! backends send, `loudness` makes all equally loud.

mod audio;
mod chain;
mod command;
mod elevenlabs;
#[cfg(feature = "embedded")]
mod embedded;
mod error;
mod http_service;
mod loudness;
mod managed_voice;
mod openai;
mod service_voices;
mod settings;
mod text;
mod wav_decode;

pub use chain::chain;
pub use settings::{
    CommandSettings, ElevenLabsSettings, OpenAiSettings, VoiceNames, VoiceService, VoiceSettings, connect,
};
