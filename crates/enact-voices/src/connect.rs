//! From settings to a voice that can be asked to speak.

use std::{sync::Arc, time::Duration};

use enact_drama::Problem;
use enact_engine::Voice;

use crate::{
    Service, Settings,
    booth::{Booth, Speaker},
    command::Command,
    elevenlabs::ElevenLabs,
    embedded::Embedded,
    openai::OpenAi,
};

/// Makes the voice that settings describe. Nothing is sent yet, and no program is started.
///
/// What cannot work is a problem here: an address that is none, a key that is missing, a program that is not there. Failures of
/// the voice itself do not name it; [`chain()`](crate::chain()) does, even a chain of one.
pub fn connect(settings: Settings) -> Result<Arc<dyn Voice>, Problem> {
    let Settings { name, service, at_once, timeout_ms } = settings;
    let places = at_once.unwrap_or_else(|| service.at_once());
    if places == 0 {
        return Err(Problem::config(format!("the voice '{name}' may say nothing at all: its at_once is 0")));
    }
    let speaker: Box<dyn Speaker> = match service {
        Service::Embedded => Box::new(Embedded::new()),
        Service::ElevenLabs(settings) => Box::new(ElevenLabs::connect(&name, settings)?),
        Service::OpenAi(settings) => Box::new(OpenAi::connect(&name, settings)?),
        Service::Command(settings) => Box::new(Command::find(&name, settings)?),
    };
    Ok(Arc::new(Booth::new(name, speaker, places, timeout_ms.map(Duration::from_millis))))
}
