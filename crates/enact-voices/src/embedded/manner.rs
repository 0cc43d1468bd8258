//! How a profile sounds in the embedded voice.

use enact_drama::voice::VoiceProfile;

/// A way of speaking, in numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Manner {
    /// The middle of the melody.
    pub(super) pitch_hz: f32,
    /// How far the melody goes from there, as a standard deviation.
    pub(super) range_hz: f32,
    /// How fast, 1 being the speaker's own pace.
    pub(super) pace: f32,
    /// How small the throat is, 1 being the speaker's own: the smaller, the brighter and younger.
    pub(super) throat: f32,
}

impl Manner {
    pub(super) fn of(profile: VoiceProfile, shade: u8) -> Manner {
        let Manner { pitch_hz, range_hz, pace, throat } = plain(profile);
        let shade = SHADES[usize::from(shade) % SHADES.len()];
        let higher = (shade.semitones / 12.0).exp2();
        Manner {
            pitch_hz: pitch_hz * higher,
            range_hz: range_hz * higher,
            pace: pace * shade.pace,
            throat: throat * shade.throat,
        }
    }
}

/// The profiles as they are. Neighbours in pitch are three semitones apart and neighbours in pace a twelfth: who listens tells two
/// speakers apart by either alone.
fn plain(profile: VoiceProfile) -> Manner {
    let manner = |pitch_hz, range_hz, pace, throat| Manner { pitch_hz, range_hz, pace, throat };
    match profile {
        VoiceProfile::ConfidentCharming => manner(82.0, 11.0, 0.94, 0.93),
        VoiceProfile::WarmProfessional => manner(100.0, 12.0, 0.87, 0.98),
        VoiceProfile::CalmSoothing => manner(122.0, 9.0, 0.80, 1.04),
        VoiceProfile::FriendlyCasual => manner(148.0, 18.0, 1.02, 1.09),
        VoiceProfile::PlayfulExpressive => manner(178.0, 32.0, 1.10, 1.13),
        VoiceProfile::EnergeticUpbeat => manner(212.0, 28.0, 1.20, 1.18),
    }
}

/// What makes another speaker of the same profile.
#[derive(Debug, Clone, Copy)]
struct Shade {
    semitones: f32,
    pace: f32,
    throat: f32,
}

/// As many as a scene has characters at most; after that they begin again. The first is the profile itself. Any two are a semitone and a
/// half apart, or have throats that differ by a tenth.
const SHADES: [Shade; 12] = {
    const fn shade(semitones: f32, pace: f32, throat: f32) -> Shade {
        Shade { semitones, pace, throat }
    }
    [
        shade(0.0, 1.0, 1.0),
        shade(1.5, 0.96, 0.93),
        shade(-1.5, 1.04, 1.07),
        shade(3.0, 1.03, 0.88),
        shade(-3.0, 0.97, 1.12),
        shade(4.5, 0.95, 1.05),
        shade(-4.5, 1.05, 0.95),
        shade(6.0, 1.02, 0.92),
        shade(1.5, 1.06, 1.10),
        shade(-1.5, 0.94, 0.90),
        shade(3.0, 0.95, 1.06),
        shade(-3.0, 1.05, 0.92),
    ]
};
