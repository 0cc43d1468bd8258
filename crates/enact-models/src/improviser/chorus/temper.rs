//! Who somebody is in a chorus.

use enact_drama::{chorus::SlotId, voice::VoiceProfile};

use super::lines::{self, Bank};

/// A way of being in a chorus, with a bank of lines and a voice of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Temper {
    Dreamer,
    Builder,
    Wit,
    Doubter,
    Enthusiast,
    Friend,
}

impl Temper {
    const ALL: [Temper; 6] =
        [Temper::Dreamer, Temper::Builder, Temper::Wit, Temper::Doubter, Temper::Enthusiast, Temper::Friend];

    /// Each place has its own. Not each agent: one agent may take several slots, nobody knows who else takes part, and six who
    /// speak side by side have to be six.
    pub(super) fn of(slot: SlotId) -> Temper {
        Temper::ALL[usize::from(slot.number() - 1) % Temper::ALL.len()]
    }

    pub(super) fn bank(self) -> &'static Bank {
        match self {
            Temper::Dreamer => &lines::dreamer::BANK,
            Temper::Builder => &lines::builder::BANK,
            Temper::Wit => &lines::wit::BANK,
            Temper::Doubter => &lines::doubter::BANK,
            Temper::Enthusiast => &lines::enthusiast::BANK,
            Temper::Friend => &lines::friend::BANK,
        }
    }

    pub(super) fn profile(self) -> VoiceProfile {
        match self {
            Temper::Dreamer => VoiceProfile::CalmSoothing,
            Temper::Builder => VoiceProfile::WarmProfessional,
            Temper::Wit => VoiceProfile::PlayfulExpressive,
            Temper::Doubter => VoiceProfile::ConfidentCharming,
            Temper::Enthusiast => VoiceProfile::EnergeticUpbeat,
            Temper::Friend => VoiceProfile::FriendlyCasual,
        }
    }

    /// How it sounds where nothing is to laugh about: neither upbeat nor playful.
    pub(super) fn soft_profile(self) -> VoiceProfile {
        match self {
            Temper::Dreamer | Temper::Enthusiast => VoiceProfile::CalmSoothing,
            Temper::Builder | Temper::Doubter => VoiceProfile::WarmProfessional,
            Temper::Wit | Temper::Friend => VoiceProfile::FriendlyCasual,
        }
    }

    /// Whom it likes best.
    pub(super) fn ally(self) -> Temper {
        match self {
            Temper::Dreamer => Temper::Friend,
            Temper::Builder => Temper::Doubter,
            Temper::Wit => Temper::Enthusiast,
            Temper::Doubter => Temper::Wit,
            Temper::Enthusiast => Temper::Dreamer,
            Temper::Friend => Temper::Builder,
        }
    }

    /// Whom it cannot leave alone.
    pub(super) fn foil(self) -> Temper {
        match self {
            Temper::Dreamer => Temper::Builder,
            Temper::Builder => Temper::Dreamer,
            Temper::Wit => Temper::Doubter,
            Temper::Doubter => Temper::Enthusiast,
            Temper::Enthusiast => Temper::Doubter,
            Temper::Friend => Temper::Wit,
        }
    }

    /// How long it takes at least to find words.
    pub(super) fn slowness_ms(self) -> u64 {
        match self {
            Temper::Enthusiast => 250,
            Temper::Wit => 350,
            Temper::Friend => 500,
            Temper::Builder => 600,
            Temper::Doubter => 700,
            Temper::Dreamer => 900,
        }
    }
}
