//! How tense a scene is just now, as far as tones and words show it.

use super::{Scene, moderator_notes::NOTES};

/// So many beats without a heated line are flat.
const FLAT_BEATS: u32 = 4;
/// The last beats, which say whether it is at its height.
const PEAK_BEATS: u32 = 2;
/// So many heated lines in them are a peak, if they are at least half of what was said.
const PEAK_LINES: usize = 2;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pacing {
    /// They talk, and nothing presses them.
    Flat,
    Moving,
    /// A quarrel at its height.
    Peak,
}

impl Pacing {
    pub(super) fn of(scene: &Scene) -> Pacing {
        let beat = scene.beat.number;
        let lines = |beats: u32| {
            let recent = scene.lines.iter().rev().take_while(move |line| line.beat + beats > beat);
            recent.filter(|line| line.actor().is_some())
        };
        let heated = |beats| lines(beats).filter(|line| line.is_heated()).count();
        match heated(PEAK_BEATS) {
            hot if hot >= PEAK_LINES && 2 * hot >= lines(PEAK_BEATS).count() => Pacing::Peak,
            _ if beat >= FLAT_BEATS && heated(FLAT_BEATS) == 0 => Pacing::Flat,
            _ => Pacing::Moving,
        }
    }

    /// What the writer of events is told of it.
    pub(super) fn told(self) -> &'static str {
        match self {
            Pacing::Flat => &NOTES.flat_for_event_writer,
            Pacing::Moving => "",
            Pacing::Peak => &NOTES.peak_for_event_writer,
        }
    }
}
