//! What the operator says about a voice: what speaks, how to reach it and what it may use.

use std::{collections::BTreeMap, path::PathBuf};

use enact_drama::voice::VoiceProfile;
use enact_http::Key;

use crate::booth::Line;

/// A voice to be connected to.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// What the operator calls it. It stands in the log of everything it says.
    pub name: String,
    pub service: Service,
    /// How much it may say at one time; [`Service::at_once`] where nobody says.
    pub at_once: Option<usize>,
    /// The longest a single call may take, waiting for its turn included; whoever asks may have less patience.
    pub timeout_ms: Option<u64>,
}

impl Settings {
    pub fn new(name: impl Into<String>, service: Service) -> Settings {
        Settings { name: name.into(), service, at_once: None, timeout_ms: None }
    }
}

/// What speaks.
#[derive(Debug, Clone, PartialEq)]
pub enum Service {
    /// The voice in this program. It needs nothing and speaks English.
    Embedded,
    ElevenLabs(ElevenLabs),
    /// OpenAI, or any server that speaks like it.
    OpenAi(OpenAi),
    Command(Command),
}

/// ElevenLabs.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ElevenLabs {
    /// Read from the environment. Only a gateway at another address can do without.
    pub key: Option<Key>,
    /// Where it is, if not at its usual address. With or without `/v1` at its end.
    pub base_url: Option<String>,
    /// The fast one where nobody says.
    pub model: Option<String>,
    /// Their ids, instead of the public ones.
    pub voices: Voices,
}

impl ElevenLabs {
    /// Where its key is looked for, unless the operator names another place.
    pub const KEY_VARIABLE: &str = "ELEVENLABS_API_KEY";
}

/// A service that speaks like OpenAI.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct OpenAi {
    /// Read from the environment. Servers of one's own mostly want none.
    pub key: Option<Key>,
    /// Where it is, if not OpenAI itself. With or without `/v1` at its end.
    pub base_url: Option<String>,
    pub model: Option<String>,
    /// Their names, instead of OpenAI's.
    pub voices: Voices,
}

impl OpenAi {
    /// Where its key is looked for, unless the operator names another place.
    pub const KEY_VARIABLE: &str = "OPENAI_API_KEY";
}

/// Another program: what is to be said arrives on its standard input, a WAV leaves on its standard output.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Command {
    /// Looked for along the search path if it names no folder. Never run by a shell.
    pub program: PathBuf,
    /// `{profile}` and `{shade}` in them are replaced; where `{profile}` stands nowhere it comes last.
    pub args: Vec<String>,
    /// Environment variables that it does not see, besides all whose names say that they hold a key or belong to enact.
    pub private: Vec<String>,
}

/// Voices by profile, in the service's own names: the first speaks the profile as it is, the others its further shades.
pub type Voices = BTreeMap<VoiceProfile, Vec<String>>;

/// What ElevenLabs' smallest paid plan allows.
const ELEVENLABS_AT_ONCE: usize = 2;

/// A chorus's whole turn.
const OPENAI_AT_ONCE: usize = 6;

/// Programs that speak well take a processor or two for themselves.
const COMMANDS_AT_ONCE: usize = 2;

impl Service {
    /// How much it may say at one time where the operator does not say.
    pub fn at_once(&self) -> usize {
        match self {
            // More would only take turns.
            Service::Embedded => std::thread::available_parallelism().map_or(1, usize::from),
            Service::ElevenLabs(_) => ELEVENLABS_AT_ONCE,
            Service::OpenAi(_) => OPENAI_AT_ONCE,
            Service::Command(_) => COMMANDS_AT_ONCE,
        }
    }
}

/// Which voice says a line: the operator's where there is one, else a public one.
pub(crate) fn voice_of<'a>(
    own: &'a Voices,
    public: impl Fn(VoiceProfile) -> &'static [&'static str],
    line: &Line,
) -> &'a str {
    let shade = usize::from(line.shade);
    match own.get(&line.profile) {
        Some(own) if !own.is_empty() => &own[shade % own.len()],
        _ => {
            let public = public(line.profile);
            public[shade % public.len()]
        }
    }
}
