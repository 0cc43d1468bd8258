//! Which of a service's voices says a line.

use enact_drama::voice::VoiceProfile;

use crate::{VoiceNames, managed_voice::SpeechText};

/// A service's public voices for one profile: first the one that suits it best, then others like it.
pub(crate) type PublicVoices = fn(VoiceProfile) -> [&'static str; 2];

/// Chooses the voice for a line: the operator's if there is one for its profile, else a public one.
pub(crate) fn choose_voice<'a>(own: &'a VoiceNames, public: PublicVoices, line: &SpeechText) -> &'a str {
    let variant = usize::from(line.variant);
    match own.get(&line.profile) {
        Some(own) if !own.is_empty() => &own[variant % own.len()],
        _ => public(line.profile)[variant % 2],
    }
}

/// The voices that every account of ElevenLabs has.
pub(crate) fn elevenlabs_voices(profile: VoiceProfile) -> [&'static str; 2] {
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
        VoiceProfile::FriendlyCasual => [JESSICA, CHRIS],
        VoiceProfile::WarmProfessional => [ERIC, MATILDA],
        VoiceProfile::EnergeticUpbeat => [LAURA, LIAM],
        VoiceProfile::CalmSoothing => [RACHEL, LILY],
        VoiceProfile::ConfidentCharming => [GEORGE, ALICE],
        VoiceProfile::PlayfulExpressive => [SARAH, WILL],
    }
}

/// OpenAI's voices. The first of each are those that its older models have as well, and that others imitate.
pub(crate) fn openai_voices(profile: VoiceProfile) -> [&'static str; 2] {
    match profile {
        VoiceProfile::FriendlyCasual => ["alloy", "coral"],
        VoiceProfile::WarmProfessional => ["ash", "marin"],
        VoiceProfile::EnergeticUpbeat => ["nova", "verse"],
        VoiceProfile::CalmSoothing => ["shimmer", "sage"],
        VoiceProfile::ConfidentCharming => ["onyx", "cedar"],
        VoiceProfile::PlayfulExpressive => ["fable", "ballad"],
    }
}
