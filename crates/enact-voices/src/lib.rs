//! What speaks: the embedded voice, services, other programs, and chains of them.
//!
//! All stand behind the engine's [`Voice`](enact_engine::Voice) port and know nothing of choruses, scenes or files. Nothing here
//! looks for a key or an address: [`Settings`] arrive as data, from the operator.
//!
//! Read in this order: [`Settings`] and [`connect()`]; `booth`, through which everything that is spoken passes (places, patience,
//! levels); the four that speak (`embedded`, `elevenlabs`, `openai`, `command`); then [`chain()`], which asks them in turn. `text`
//! makes written text fit to be spoken, `sound` and `wave` read what others send, `levels` makes what was spoken equally loud.

mod booth;
mod chain;
mod clip;
mod command;
mod connect;
mod elevenlabs;
mod embedded;
mod error;
mod levels;
mod openai;
mod service;
mod settings;
mod sound;
mod text;
mod wave;

pub use chain::chain;
pub use connect::connect;
pub use settings::{Command, ElevenLabs, OpenAi, Service, Settings, Voices};
