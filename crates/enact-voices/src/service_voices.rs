//! Which of a service's voices says a line.

use std::{collections::BTreeMap, sync::LazyLock};

use crate::{VoiceNames, managed_voice::SpeechText};

/// The public voices of services.
static PUBLIC_VOICES: LazyLock<BTreeMap<&'static str, VoiceNames>> = LazyLock::new(|| {
    toml::from_str(include_str!("service_voices.toml")).expect("service_voices.toml can be read")
});

/// Chooses the voice for a line: the operator's if there is one for its profile, else a public one of the
/// service.
pub(crate) fn choose_voice<'a>(own: &'a VoiceNames, service: &str, line: &SpeechText) -> &'a str {
    let own = own.get(&line.profile).filter(|own| !own.is_empty());
    let voices = own.unwrap_or_else(|| &PUBLIC_VOICES[service][&line.profile]);
    &voices[usize::from(line.variant) % voices.len()]
}

#[cfg(test)]
mod tests {
    use enact_drama::voice::VoiceProfile;

    use super::*;

    #[test]
    fn services_have_two_voices_for_every_profile() {
        assert!(PUBLIC_VOICES.keys().eq(&["elevenlabs", "openai"]));
        for voices in PUBLIC_VOICES.values() {
            assert!(VoiceProfile::ALL.iter().all(|profile| voices[profile].len() == 2), "{voices:?}");
        }
    }
}
