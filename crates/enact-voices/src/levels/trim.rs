//! Silence before and after, most of which goes.

use crate::clip::Clip;

/// How far below the highest point of a clip it still counts as silence: fifty decibels. Breaths and soft consonants are louder.
const BELOW_PEAK: f32 = 0.003_16;

/// What is left before the first sound, so that it does not begin with a click.
const LEAD_MS: usize = 40;

/// What is left after the last: a voice dies away more slowly than it begins.
const TAIL_MS: usize = 120;

/// The clip with little silence at its ends. Pauses within are the speaker's business.
pub(super) fn trimmed(mut clip: Clip) -> Clip {
    let silence = clip.peak() * BELOW_PEAK;
    let is_sound = |sample: &f32| sample.abs() > silence;
    let first = clip.samples.iter().position(is_sound).unwrap_or(0);
    let last = clip.samples.iter().rposition(is_sound).unwrap_or(0);
    let length = |ms: usize| clip.rate as usize * ms / 1000;
    let end = (last + 1 + length(TAIL_MS)).min(clip.samples.len());
    let start = first.saturating_sub(length(LEAD_MS));
    clip.samples.truncate(end);
    clip.samples.drain(..start);
    clip
}
