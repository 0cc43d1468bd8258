//! Ways of speaking: what is said aloud, and how.

use serde::{Deserialize, Serialize};

/// A named way of speaking. Agents choose one for what they say; each voice has its own idea of how it
/// sounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VoiceProfile {
    /// The default.
    #[default]
    FriendlyCasual,
    WarmProfessional,
    EnergeticUpbeat,
    CalmSoothing,
    ConfidentCharming,
    PlayfulExpressive,
}

impl VoiceProfile {
    pub const ALL: [VoiceProfile; 6] = [
        VoiceProfile::FriendlyCasual,
        VoiceProfile::WarmProfessional,
        VoiceProfile::EnergeticUpbeat,
        VoiceProfile::CalmSoothing,
        VoiceProfile::ConfidentCharming,
        VoiceProfile::PlayfulExpressive,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            VoiceProfile::FriendlyCasual => "friendly_casual",
            VoiceProfile::WarmProfessional => "warm_professional",
            VoiceProfile::EnergeticUpbeat => "energetic_upbeat",
            VoiceProfile::CalmSoothing => "calm_soothing",
            VoiceProfile::ConfidentCharming => "confident_charming",
            VoiceProfile::PlayfulExpressive => "playful_expressive",
        }
    }

    /// The profile of this name, however it is spelled: models write `Calm-Soothing` too.
    pub fn named(name: &str) -> Option<VoiceProfile> {
        let plain = |c: char| match c {
            '-' | ' ' => '_',
            other => other.to_ascii_lowercase(),
        };
        let name: String = name.trim().chars().map(plain).collect();
        VoiceProfile::ALL.into_iter().find(|profile| profile.as_str() == name)
    }
}

/// One way to sound: a profile, and which variant of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Timbre {
    pub profile: VoiceProfile,
    /// Tells speakers apart that share a profile: 0 is the profile as it is, each further number another
    /// variant of it.
    pub variant: u8,
}

impl Timbre {
    /// The narrator's timbre. Characters get others while there are any.
    pub const NARRATOR: Timbre = Timbre { profile: VoiceProfile::CalmSoothing, variant: 0 };
}

/// Who speaks in a run, by the names the operator gave them: the first who can, does. Never a key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct VoiceChain(pub Vec<String>);

/// Something to be said aloud.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Utterance {
    /// All that may be heard.
    pub text: String,
    /// The whole line, where it is cut and `text` is only its beginning. A voice may use it to speak that
    /// beginning with the intonation of a sentence that goes on.
    pub meant: Option<String>,
    pub profile: VoiceProfile,
    /// Tells speakers apart that share a profile: 0 is the profile as it is, each further number another
    /// variant of it.
    pub variant: u8,
}

/// What became of something that was to be said aloud.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Spoken {
    /// Which voice of the chain it was in the end, and what that is: `embedded (flite, kal16)`.
    pub by: String,
    pub duration_ms: u64,
    /// Of the whole file.
    pub bytes: u64,
    /// Those of the chain that were tried before, and why they did not speak.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub passed_over: Vec<PassedOver>,
}

/// A voice that did not speak.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PassedOver {
    pub voice: String,
    /// One line for people, without secrets.
    pub error: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn profiles_are_found_however_they_are_spelled() {
        for profile in VoiceProfile::ALL {
            assert_eq!(VoiceProfile::named(profile.as_str()), Some(profile));
            assert_eq!(serde_json::to_value(profile).unwrap(), profile.as_str());
        }
        assert_eq!(VoiceProfile::named(" Calm-Soothing "), Some(VoiceProfile::CalmSoothing));
        assert_eq!(VoiceProfile::named("loud"), None);
    }
}
