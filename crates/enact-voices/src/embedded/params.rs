//! How a profile sounds in the embedded voice.

use enact_drama::voice::VoiceProfile;

/// A way of speaking, in numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct SpeakerParams {
    /// The middle of the melody.
    pub(super) pitch_hz: f32,
    /// How far the melody goes from there, as a standard deviation.
    pub(super) range_hz: f32,
    /// How fast, 1 being the speaker's own pace.
    pub(super) pace: f32,
    /// How small the throat is, 1 being the speaker's own: the smaller, the brighter and younger.
    pub(super) throat: f32,
}

impl SpeakerParams {
    pub(super) fn of(profile: VoiceProfile, variant: u8) -> SpeakerParams {
        let base = base(profile);
        let (semitones, pace, throat) = VARIANTS[usize::from(variant) % VARIANTS.len()];
        let semitones = if base.pitch_hz < HIGH_HZ { semitones } else { -semitones };
        let higher = (semitones / 12.0).exp2();
        SpeakerParams {
            pitch_hz: base.pitch_hz * higher,
            range_hz: base.range_hz * higher,
            pace: base.pace * pace,
            throat: base.throat * throat,
        }
    }
}

/// From this pitch on variants go down where those of lower voices go up: further up they would be
/// children's.
const HIGH_HZ: f32 = 200.0;

/// The profiles as they are. Two could be men's voices; four could be women's, with a higher pitch and a
/// smaller throat, as the voices of services that speak these profiles are. Neighbours in pitch are three
/// semitones apart or nearly, and neighbours in pace a sixteenth: either alone tells two speakers apart. In
/// plain prose they say 145 to 195 words a minute; a pace of 1, the speaker's own, is 220.
fn base(profile: VoiceProfile) -> SpeakerParams {
    let params = |pitch_hz, range_hz, pace, throat| SpeakerParams { pitch_hz, range_hz, pace, throat };
    match profile {
        VoiceProfile::ConfidentCharming => params(84.0, 11.0, 0.740, 0.93),
        VoiceProfile::WarmProfessional => params(103.0, 12.0, 0.697, 0.98),
        VoiceProfile::CalmSoothing => params(150.0, 11.0, 0.656, 1.13),
        VoiceProfile::FriendlyCasual => params(177.0, 19.0, 0.786, 1.16),
        VoiceProfile::PlayfulExpressive => params(209.0, 34.0, 0.835, 1.18),
        VoiceProfile::EnergeticUpbeat => params(247.0, 30.0, 0.888, 1.20),
    }
}

/// What makes another speaker of the same profile: semitones, pace and throat. As many as a scene has
/// characters at most; after that they begin again. The first is the profile itself. Any two are a semitone
/// and a half apart, or have throats that differ by a tenth.
const VARIANTS: [(f32, f32, f32); 12] = [
    (0.0, 1.0, 1.0),
    (1.5, 0.96, 0.93),
    (-1.5, 1.04, 1.07),
    (3.0, 1.03, 0.88),
    (-3.0, 0.97, 1.12),
    (4.5, 0.95, 1.05),
    (-4.5, 1.05, 0.95),
    (6.0, 1.02, 0.92),
    (1.5, 1.06, 1.10),
    (-1.5, 0.94, 0.90),
    (3.0, 0.95, 1.06),
    (-3.0, 1.05, 0.92),
];
