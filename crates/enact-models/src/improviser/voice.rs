//! How a character talks, as far as its sheet says: at what length, how directly, how properly.

use std::sync::LazyLock;

use enact_drama::sheet::Sheet;
use serde::Deserialize;

use crate::content::{Texts, content};

/// How somebody talks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct VoiceManner {
    /// Stops at the first pause.
    pub(super) brief: bool,
    /// Adds something to what was to be said.
    pub(super) long: bool,
    /// Says "I am" rather than "I'm".
    pub(super) formal: bool,
    pub(super) hedged: bool,
    pub(super) loud: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct VoiceWords {
    brief: Texts,
    long: Texts,
    formal: Texts,
    hedged: Texts,
    loud: Texts,
    hedges: Texts,
}

static VOICES: LazyLock<VoiceWords> = LazyLock::new(|| content!("voice.toml"));

/// What those say first who dare not come straight to it.
pub(super) fn hedges() -> &'static Texts {
    &VOICES.hedges
}

impl VoiceManner {
    pub(super) fn read(sheet: &Sheet) -> VoiceManner {
        let body = sheet.body.to_lowercase();
        let says = |words: &Texts| words.iter().any(|word| body.contains(word.as_str()));
        let brief = says(&VOICES.brief);
        VoiceManner {
            brief,
            long: !brief && says(&VOICES.long),
            formal: says(&VOICES.formal),
            hedged: says(&VOICES.hedged),
            loud: says(&VOICES.loud),
        }
    }
}
