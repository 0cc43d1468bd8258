//! How a conversation breathes: build, peak, fade, rest, by the tension that is observed, and what is said to
//! the character when it stands still.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::{
    dice::Dice,
    episode::{Episode, EpisodeTemplate, NarrativeBeat},
};

/// Where the tension stands in its rise and fall.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StoryPace {
    #[default]
    Build,
    Peak,
    Fade,
    Rest,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PacingTable {
    peak_from: u8,
    peak_until: u8,
    rest_below: u8,
    longest_peak: u32,
    longest_fade: u32,
    longest_rest: u32,
    flat_turns: usize,
    flat_spread: u8,
    arc_slack: i32,
    nudge_every: u32,
    nudges: Nudges,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Nudges {
    raise: Vec<String>,
    ease: Vec<String>,
}

static PACING: LazyLock<PacingTable> =
    LazyLock::new(|| toml::from_str(include_str!("pacing.toml")).expect("pacing.toml can be read"));

/// The pace after an exchange that left this tension, and by which rule it changes. `lasted` are the turns
/// that the present one has lasted.
pub(super) fn moved(pace: StoryPace, lasted: u32, tension: u8) -> Option<(StoryPace, &'static str)> {
    let rules = &*PACING;
    match pace {
        StoryPace::Build if tension >= rules.peak_from => Some((StoryPace::Peak, "tension")),
        StoryPace::Peak if tension < rules.peak_until => Some((StoryPace::Fade, "tension")),
        StoryPace::Peak if lasted >= rules.longest_peak => Some((StoryPace::Fade, "time")),
        StoryPace::Fade if tension < rules.rest_below => Some((StoryPace::Rest, "tension")),
        StoryPace::Fade if lasted >= rules.longest_fade => Some((StoryPace::Rest, "time")),
        StoryPace::Rest if lasted >= rules.longest_rest => Some((StoryPace::Build, "time")),
        _ => None,
    }
}

impl StoryPace {
    /// Whether what raises the tension should wait.
    pub(super) fn calms(self) -> bool {
        matches!(self, StoryPace::Fade | StoryPace::Rest)
    }
}

/// The tension that the author wants in a turn, where there is an arc: its points are spread over the budget,
/// with straight lines between them.
pub(super) fn arc_at(template: &EpisodeTemplate, turn: u32) -> Option<i32> {
    let arc = &template.arc;
    let (last, budget) = (arc.len().checked_sub(1)?, template.assumed_turns());
    let place = turn.saturating_sub(1).min(budget.saturating_sub(1)) * last as u32;
    let steps = budget.saturating_sub(1).max(1);
    let (at, rest) = ((place / steps) as usize, place % steps);
    let (from, to) = (i32::from(arc[at]), i32::from(arc[(at + 1).min(last)]));
    Some(from + (to - from) * rest as i32 / steps as i32)
}

/// What the character is asked for in a turn without a cue, when the story stands still.
pub(in crate::episode) fn nudge(episode: &Episode) -> Option<(&'static str, &'static str)> {
    let (rules, turn) = (&*PACING, episode.turn_count() + 1);
    let curve = episode.tension_curve();
    let recent = &curve[curve.len().checked_sub(rules.flat_turns)?..];
    let spread = recent.iter().max()?.saturating_sub(*recent.iter().min()?);
    let nudged = episode.last_nudge().is_some_and(|last| turn < last + rules.nudge_every);
    if spread > rules.flat_spread || nudged || episode.beat() == NarrativeBeat::Resolution {
        return None;
    }
    let off = arc_at(&episode.setup().template, turn).map(|wanted| wanted - i32::from(episode.tension()));
    let (rule, texts) = match off {
        Some(off) if off > rules.arc_slack => ("below the arc", &rules.nudges.raise),
        Some(off) if off < -rules.arc_slack => ("above the arc", &rules.nudges.ease),
        Some(_) => return None,
        None if episode.pace() == StoryPace::Build => ("the arc is flat", &rules.nudges.raise),
        None => return None,
    };
    let drawn = Dice::new(episode.setup().seed, "nudge", turn).below(texts.len());
    Some((rule, texts.get(drawn)?.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_peak_lasts_over_one_calm_sentence_and_not_for_ever() {
        // Pace, turns it has lasted, tension, and the pace that comes next.
        let cases = [
            (StoryPace::Build, 1, 69, None),
            (StoryPace::Build, 1, 70, Some(StoryPace::Peak)),
            (StoryPace::Peak, 1, 62, None),
            (StoryPace::Peak, 1, 59, Some(StoryPace::Fade)),
            (StoryPace::Peak, 3, 90, Some(StoryPace::Fade)),
            (StoryPace::Fade, 1, 65, None),
            (StoryPace::Fade, 1, 44, Some(StoryPace::Rest)),
            (StoryPace::Fade, 2, 80, Some(StoryPace::Rest)),
            (StoryPace::Rest, 1, 95, None),
            (StoryPace::Rest, 2, 30, Some(StoryPace::Build)),
        ];
        for (pace, lasted, tension, next) in cases {
            let found = moved(pace, lasted, tension).map(|(pace, _)| pace);
            assert_eq!(found, next, "{pace:?} for {lasted} at {tension}");
        }
    }

    #[test]
    fn an_arc_is_spread_over_the_budget() {
        let template =
            EpisodeTemplate { arc: vec![20, 80, 40], turn_budget: Some(5), ..EpisodeTemplate::default() };
        let wanted: Vec<Option<i32>> = (1..=6).map(|turn| arc_at(&template, turn)).collect();
        assert_eq!(wanted, [Some(20), Some(50), Some(80), Some(60), Some(40), Some(40)]);
        assert_eq!(arc_at(&EpisodeTemplate::default(), 3), None);
    }
}
