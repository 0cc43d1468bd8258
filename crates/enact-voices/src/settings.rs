//! What the operator says about a voice, and the voice made from it.

use std::{collections::BTreeMap, path::PathBuf, sync::Arc, time::Duration};

use enact_drama::{Problem, voice::VoiceProfile};
use enact_engine::Voice;
use enact_http::ApiKey;

use crate::{
    command::CommandVoice,
    elevenlabs::ElevenLabs,
    managed_voice::{ManagedVoice, TtsBackend},
    openai::OpenAi,
};

/// A voice to be connected to.
#[derive(Debug, Clone, PartialEq)]
pub struct VoiceSettings {
    /// What the operator calls it. It stands in the log of everything it says.
    pub name: String,
    pub service: VoiceService,
    /// How many lines it may say at one time; [`VoiceService::at_once`] by default.
    pub at_once: Option<usize>,
    /// The longest a single call may take, time in the queue included. The caller's own deadline holds as
    /// well.
    pub timeout_ms: Option<u64>,
}

impl VoiceSettings {
    pub fn new(name: impl Into<String>, service: VoiceService) -> VoiceSettings {
        VoiceSettings { name: name.into(), service, at_once: None, timeout_ms: None }
    }
}

/// Makes the voice that settings describe. Nothing is sent yet, and no program is started.
///
/// What cannot work is a problem here: a bad address, a missing key, a missing program. Failures of the voice
/// itself do not name it; [`chain()`](crate::chain()) does, even a chain of one.
pub fn connect(settings: VoiceSettings) -> Result<Arc<dyn Voice>, Problem> {
    let VoiceSettings { name, service, at_once, timeout_ms } = settings;
    let at_once = at_once.unwrap_or_else(|| service.at_once());
    if at_once == 0 {
        return Err(Problem::config(format!("the voice '{name}' may say nothing at all: its at_once is 0")));
    }
    let backend: Box<dyn TtsBackend> = match service {
        #[cfg(feature = "embedded")]
        VoiceService::Embedded => Box::new(crate::embedded::Embedded),
        #[cfg(not(feature = "embedded"))]
        VoiceService::Embedded => {
            return Err(Problem::config("this program was built without its embedded voice").hint(
                "build it with the feature `embedded-voice`, or let a service or a program speak: --voice",
            ));
        }
        VoiceService::ElevenLabs(settings) => Box::new(ElevenLabs::connect(&name, settings)?),
        VoiceService::OpenAi(settings) => Box::new(OpenAi::connect(&name, settings)?),
        VoiceService::Command(settings) => Box::new(CommandVoice::find(&name, settings)?),
    };
    Ok(Arc::new(ManagedVoice::new(name, backend, at_once, timeout_ms.map(Duration::from_millis))))
}

/// What speaks.
#[derive(Debug, Clone, PartialEq)]
pub enum VoiceService {
    /// The voice in this program. It needs nothing and speaks English.
    Embedded,
    ElevenLabs(ElevenLabsSettings),
    /// OpenAI, or any server with the same interface.
    OpenAi(OpenAiSettings),
    Command(CommandSettings),
}

/// ElevenLabs.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ElevenLabsSettings {
    /// Read from the environment. Only a gateway at another address can do without.
    pub key: Option<ApiKey>,
    /// Its address, if not the usual one. With or without `/v1` at its end.
    pub base_url: Option<String>,
    /// The fast one by default.
    pub model: Option<String>,
    /// Ids of voices, instead of the public ones.
    pub voices: VoiceNames,
}

impl ElevenLabsSettings {
    /// Where its key is looked for, unless the operator names another variable.
    pub const KEY_VARIABLE: &str = "ELEVENLABS_API_KEY";
}

/// A service with OpenAI's interface.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct OpenAiSettings {
    /// Read from the environment. Servers of one's own mostly want none.
    pub key: Option<ApiKey>,
    /// Its address, if not OpenAI's. With or without `/v1` at its end.
    pub base_url: Option<String>,
    pub model: Option<String>,
    /// Names of voices, instead of OpenAI's.
    pub voices: VoiceNames,
}

impl OpenAiSettings {
    /// Where its key is looked for, unless the operator names another variable.
    pub const KEY_VARIABLE: &str = "OPENAI_API_KEY";
}

/// Another program: the text arrives on its standard input, a WAV leaves on its standard output.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CommandSettings {
    /// Looked for along the search path if it names no folder. Never run by a shell.
    pub program: PathBuf,
    /// `{profile}` and `{variant}` in them are replaced. Nothing is added to them.
    pub args: Vec<String>,
    /// Environment variables that it does not see, besides all whose names say that they hold a key or belong
    /// to enact.
    pub private: Vec<String>,
}

/// A service's own names of voices, by profile: the first speaks the profile as it is, the others its further
/// variants.
pub type VoiceNames = BTreeMap<VoiceProfile, Vec<String>>;

/// What ElevenLabs' smallest paid plan allows.
const ELEVENLABS_AT_ONCE: usize = 2;

/// One turn of a chorus: six lines at once.
const OPENAI_AT_ONCE: usize = 6;

/// Programs that speak well take a processor or two for themselves.
const COMMANDS_AT_ONCE: usize = 2;

impl VoiceService {
    /// How many lines it may say at one time if the operator does not say.
    pub fn at_once(&self) -> usize {
        match self {
            // More would only share the processors.
            VoiceService::Embedded => std::thread::available_parallelism().map_or(1, usize::from),
            VoiceService::ElevenLabs(_) => ELEVENLABS_AT_ONCE,
            VoiceService::OpenAi(_) => OPENAI_AT_ONCE,
            VoiceService::Command(_) => COMMANDS_AT_ONCE,
        }
    }
}
